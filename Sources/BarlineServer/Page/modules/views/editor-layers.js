// The clip editor's layers: what is recorded over a loop, and the way back.

import { isArmed, layersText } from "../model/recording.js"
import { button, h, setAttribute, setOff, setText } from "../ui/dom.js"

/** Whether a clip is not played as it is, but for its speed: only plain loops are recorded over. */
const isShaped = ({ playback, warp }) => playback === "stretch" || (warp?.length ?? 0) > 0

/** Makes the group; `own()` is the clip. */
export function layersGroup(app, own) {
  const text = h("p", { class: "muted", role: "status" })
  const track = () => app.state.session.tracks.find(({ clips }) => clips.some(({ id }) => id === own().id))
  const over = button({
    label: "Record over it",
    pressed: false,
    key: "layer-over",
    title: "Adds what the track's input gives, turn by turn, until it is pressed again",
    press: () => app.perform({ do: "recordClip", track: track().id, slot: own().slot, mode: "overdub" }),
  })
  const undo = button({
    label: "Undo layer",
    key: "layer-undo",
    press: () => app.perform({ do: "undoLayer", clip: own().id }),
  })
  const redo = button({
    label: "Redo layer",
    key: "layer-redo",
    press: () => app.perform({ do: "redoLayer", clip: own().id }),
  })
  const flatten = button({
    label: "Make it a plain loop",
    key: "layer-flatten",
    title: "Renders it as it sounds at this tempo, so that it can be recorded over",
    press: () => app.perform({ do: "flattenClip", clip: own().id }),
  })
  const changed = (change, label, title) =>
    button({
      label,
      key: `layer-${change}`,
      title,
      press: () => app.perform({ do: "changeLoop", clip: own().id, change }),
    })
  const changes = h(
    "div",
    { class: "row" },
    changed("reverse", "Reverse", "Plays the loop backwards"),
    changed("halfSpeed", "Half speed", "Half as fast, an octave lower"),
    changed("doubleSpeed", "Double speed", "Twice as fast, an octave higher"),
    changed("multiply", "Twice as long", "Has the loop twice, to be recorded over as one"),
    changed("insert", "Add silence", "Has as long a silence follow, to be recorded over"),
  )
  const element = h(
    "fieldset",
    { class: "editor-group", hidden: true },
    h("legend", { text: "Layers" }),
    h("div", { class: "row" }, flatten, over, undo, redo),
    changes,
    text,
  )
  return {
    element,
    update(clip) {
      const layers = clip.layers?.length ?? 0
      const undone = clip.undoneLayers?.length ?? 0
      const status = app.state.overdubs?.[clip.id]
      const isOn = isArmed(app.state, track())
      element.hidden = !isOn && layers + undone === 0
      flatten.hidden = !isOn || !isShaped(clip)
      over.hidden = !isOn || isShaped(clip)
      setAttribute(over, "aria-pressed", Boolean(status))
      setOff(undo, layers === 0 && !status)
      setOff(redo, undone === 0 || Boolean(status))
      setText(text, layersText(layers, undone, status))
    },
  }
}
