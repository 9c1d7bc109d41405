// Gamepads in the launcher: the d-pad (or the left stick) moves the focus, A launches, B stops the track, the right
// shoulder launches the row, the left one stops all, Start starts and stops the transport.

import { isHeldClip } from "../model/session.js"

const faces = { 0: "launch", 1: "stop", 4: "stopAll", 5: "scene", 9: "transport" }
const pads = { 12: "ArrowUp", 13: "ArrowDown", 14: "ArrowLeft", 15: "ArrowRight" }
const firstRepeat = 0.4
const nextRepeat = 0.12
const lean = 0.5

// What is held down on a pad: names of commands, and at most one direction.
function held(pad) {
  const isDown = (index) => Boolean(pad.buttons[index]?.pressed)
  const commands = Object.keys(faces).filter(isDown)
  const [x = 0, y = 0] = pad.axes
  const stick =
    Math.abs(x) > Math.abs(y)
      ? Math.abs(x) > lean && (x > 0 ? "ArrowRight" : "ArrowLeft")
      : Math.abs(y) > lean && (y > 0 ? "ArrowDown" : "ArrowUp")
  const direction = pads[Object.keys(pads).find(isDown)] ?? (stick || null)
  return { commands: new Set(commands.map((index) => faces[index])), direction }
}

const grid = () => document.querySelector("#view [role=grid]")
const place = () => document.activeElement?.closest("[role=gridcell], [role=rowheader]")

function track(app) {
  const cell = place()
  const row = cell?.closest("[role=row]")
  return row ? app.state.session.tracks[[...row.children].indexOf(cell) - 1] : undefined
}

function row() {
  return place() ? [...grid().querySelectorAll("[role=row]")].indexOf(place().closest("[role=row]")) - 1 : -1
}

// The grid has the focus; `false` where it had not, and the press only brought it there.
function isFocused(app) {
  if (app.view !== "launcher") location.hash = "launcher"
  if (grid()?.contains(document.activeElement)) return true
  grid()?.querySelector("button[tabindex='0']")?.focus()
  return false
}

// The commands. An action may return a function, which is called when the button is released.
function commandsOf(app) {
  const commands = {
    launch() {
      if (!isFocused(app)) return undefined
      const clip = app.state.clips.get(document.activeElement.dataset.clip)
      if (!clip) {
        // An empty place would ask for a file, which no gamepad can choose.
        if (place()?.getAttribute("role") === "rowheader") document.activeElement.click()
        else commands.stop()
        return undefined
      }
      app.unreleased.delete(clip.id)
      app.perform({ do: "launch", clip: clip.id })
      return isHeldClip(clip) ? () => app.release(clip.id) : undefined
    },
    stop() {
      const { id } = track(app) ?? {}
      if (id) app.perform({ do: "stop", track: id })
    },
    scene() {
      const scene = row()
      if (scene >= 0 && scene < app.rowCount()) app.perform({ do: "launchScene", scene })
    },
    stopAll() {
      app.perform({ do: "stopAll" })
    },
    transport() {
      app.perform({ do: "transport", action: app.live.isRolling ? "stop" : "play" })
    },
  }
  return commands
}

/** Reads the gamepads; `frame(seconds)` is to be called for every frame that is drawn. */
export function gamepads(app) {
  const known = new Map()
  let isThere = false
  addEventListener("gamepadconnected", () => (isThere = true))

  // What is let go while nothing is read, or with a pad that is gone, is not heard of.
  function letGo(releases) {
    for (const release of releases.values()) release?.()
    releases.clear()
  }
  addEventListener("gamepaddisconnected", ({ gamepad }) => {
    const pad = known.get(gamepad.index)
    known.delete(gamepad.index)
    if (pad) letGo(pad.releases)
  })
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) for (const { releases } of known.values()) letGo(releases)
  })

  const commands = commandsOf(app)

  function move(direction) {
    if (!isFocused(app)) return
    document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: direction, bubbles: true, cancelable: true }),
    )
  }

  function follow(pad, now) {
    const before = known.get(pad.index) ?? { commands: new Set(), direction: null, due: 0, releases: new Map() }
    const { commands: pressed, direction } = held(pad)
    for (const name of pressed) if (!before.commands.has(name)) before.releases.set(name, commands[name]())
    for (const name of before.commands) {
      if (pressed.has(name)) continue
      before.releases.get(name)?.()
      before.releases.delete(name)
    }
    let due = before.due
    if (direction && (direction !== before.direction || now >= due)) {
      move(direction)
      due = now + (direction === before.direction ? nextRepeat : firstRepeat)
    }
    known.set(pad.index, { commands: pressed, direction, due, releases: before.releases })
  }

  return {
    frame(now) {
      if (!isThere || !app.state || document.hidden) return
      if (document.querySelector("dialog[open]")) {
        for (const { releases } of known.values()) letGo(releases)
        return
      }
      for (const pad of navigator.getGamepads()) if (pad?.connected) follow(pad, now)
    },
  }
}
