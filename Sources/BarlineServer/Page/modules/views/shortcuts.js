// The keyboard, as the terminal's instrument has it.

import { placeOfKey } from "../model/keys.js"
import { actionOfEmptySlot } from "../model/recording.js"
import { typedInto } from "../ui/dom.js"

// Everywhere else the keys are the instrument's. A dialog that asks something has the keyboard to itself.
const typing = `${typedInto}, [contenteditable=true], dialog:not([data-panel])`
// What the space bar works by itself. An open list of choices is chosen from by typing.
const pressable = "button, a, input[type=checkbox], input[type=radio], select"
const isOpenList = (element) => CSS.supports("selector(:open)") && element.matches("select:open")

function clipAt(app, { track, slot }) {
  return app.state.session.tracks[track]?.clips.find((clip) => clip.slot === slot)
}

// What the space bar does where it presses nothing.
function playOrStop(app) {
  if (app.view === "playlist") return app.togglePlaylist()
  if (app.view === "stems" && app.state.session.stems.length > 0) return app.toggleStems()
  const plays = app.live.tracks.some((track) => track.playing || track.queued)
  if (plays) app.perform({ do: "stopAll" })
  else app.perform({ do: "transport", action: app.live.isRolling ? "stop" : "play" })
}

function commandsOf(app) {
  return {
    " ": () => playOrStop(app),
    ".": () => app.panic(),
    "+": () => app.tempo.nudge(1),
    "=": () => app.tempo.nudge(1),
    "-": () => app.tempo.nudge(-1),
    "[": () => app.tempo.nudge(-0.1),
    "]": () => app.tempo.nudge(0.1),
    l: () => app.toggleClick(),
    p: () => app.perform({ do: "tap" }),
    Escape: () => app.choose(null),
  }
}

function withControl(app, event) {
  const key = event.key.toLowerCase()
  if (key === "z") app.perform({ do: event.shiftKey ? "redo" : "undo" })
  else if (key === "y") app.perform({ do: "redo" })
  else if (key === "s") app.save()
  else return
  event.preventDefault()
}

// What a panel leaves to the instrument: whoever turns a knob must reach these.
const isForPanels = (event) => event.ctrlKey || event.metaKey || event.key === "."

// What a pointer has pressed keeps the focus; the space bar is not for it.
function spaceKey() {
  let pointed = null
  // A press reaches the parts of a button; the focus goes to the whole.
  addEventListener("pointerdown", (event) => (pointed = event.target.closest?.(pressable)), { capture: true })
  addEventListener("focusin", (event) => event.target !== pointed && (pointed = null))

  addEventListener("keydown", (event) => event.key === "Tab" && (pointed = null), { capture: true })

  return (element) => {
    const control = element.closest?.(pressable)
    return Boolean(control) && (control !== pointed || Boolean(control.closest("[role=menu]")))
  }
}

/** Listens to keys wherever nothing is being typed. */
export function listenToKeys(app) {
  let isSpaceTaken = false

  // In the view of a part the keys are the part's.
  function placeOf(event) {
    const part = app.parts.find(({ view }) => view.id === app.view)
    if (!part) return placeOfKey(event)
    const press = part.press(app, event)
    return press && { press }
  }

  function launch(event, place) {
    if (place.press) return place.press()
    if (place.scene !== undefined) {
      if (place.scene < app.rowCount()) app.perform({ do: "launchScene", scene: place.scene })
      return
    }
    const clip = clipAt(app, place)
    const track = app.state.session.tracks[place.track]
    if (clip) app.launchHeld(clip, event)
    else if (track) app.perform(actionOfEmptySlot(app.state, track, place.slot))
  }

  const commands = commandsOf(app)
  const isPressedBySpace = spaceKey()

  addEventListener("keydown", (event) => {
    if (!app.state || event.target.closest?.(typing) || isOpenList(event.target)) return
    // What had the focus in a dialog may be gone from it.
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1)
    if (dialog && (!dialog.matches("[data-panel]") || !isForPanels(event))) return
    if (event.ctrlKey || event.metaKey) return withControl(app, event)
    if (event.altKey) return
    if (event.key === " " && isPressedBySpace(event.target)) return
    const command = commands[event.key]
    const place = command ? undefined : placeOf(event)
    if (!command && !place) return
    event.preventDefault()
    isSpaceTaken = event.key === " "
    if (event.repeat && !["+", "-", "=", "[", "]"].includes(event.key)) return
    if (command) command()
    else launch(event, place)
  })

  addEventListener("keyup", (event) => {
    // Else some browsers press the button when the key goes up.
    if (event.key !== " " || !isSpaceTaken) return
    isSpaceTaken = false
    event.preventDefault()
  })
}
