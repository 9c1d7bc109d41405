// The clip editor's settings of how a clip is played.

import { field, h, select, setChecked, toggle } from "../ui/dom.js"
import { fadeFields } from "./editor-fades.js"
import { firstBeatField } from "./editor-first-beat.js"
import { pitchFields } from "./editor-pitch.js"
import { choose, quantizations } from "./transport.js"

const modes = {
  playback: [
    ["repitch", "In time, by speed"],
    ["stretch", "In time, at its pitch"],
    ["original", "At its own rate"],
  ],
  launchMode: [
    ["trigger", "Trigger"],
    ["gate", "Gate: while held"],
    ["toggle", "Toggle"],
    ["repeat", "Repeat while held"],
  ],
  startPosition: [
    ["fromStart", "From its start"],
    ["legato", "Where the last one was"],
    ["synced", "In phase with the set"],
  ],
}

/** Makes the group. */
export function playingGroup(edit) {
  const selects = Object.fromEntries(
    Object.entries(modes).map(([key, options]) => [
      key,
      select(options, { change: (value) => edit({ [key]: value }) }),
    ]),
  )
  const quantization = select([["", "as the set"], ...quantizations.map((value) => [value, value])], {
    change: (value) => edit({ quantization: value || null }),
  })
  const fades = fadeFields(edit)
  const firstBeat = firstBeatField(edit)
  const pitch = pitchFields(edit)
  const loop = toggle("Loop", { change: (on) => edit({ loop: on }) })
  const element = h(
    "fieldset",
    { class: "editor-group" },
    h("legend", { text: "Playing" }),
    h("div", { class: "pair" }, field("Playback", selects.playback), field("Launch", selects.launchMode)),
    pitch.element,
    h("div", { class: "pair" }, field("Starts", selects.startPosition), field("Launch on", quantization)),
    fades.element,
    h("div", { class: "pair" }, firstBeat.element, loop.element),
  )
  return {
    element,
    update(clip) {
      for (const [key, control] of Object.entries(selects)) choose(control, clip[key] ?? modes[key][0][0])
      choose(quantization, clip.quantization ?? "")
      fades.update(clip)
      firstBeat.update(clip)
      pitch.update(clip)
      setChecked(loop.box, clip.loop !== false)
    },
  }
}
