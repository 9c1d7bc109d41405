// The clip editor's waveform, and the tools beside it.

import { timeText } from "../model/text.js"
import { button, h, select, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { pinKinds } from "./editor-warp.js"
import { EditorWave } from "./editor-wave.js"

// Frames that a loop may begin or end on.
function snapPoints(clip, analysis, kind) {
  if (kind === "none") return []
  const ends = [0, clip.frames]
  const heard = kind === "bar" ? analysis?.downbeats : analysis?.beats
  if (kind !== "half" && heard?.length > 1) return [...ends, ...heard]
  const { start, end } = { start: clip.start ?? 0, end: clip.end ?? clip.frames }
  const step = clip.length ? (end - start) / clip.length / (kind === "half" ? 2 : 1) : clip.sampleRate / 4
  const points = []
  for (let frame = start % step; frame <= clip.frames && points.length < 20000; frame += step) points.push(frame)
  return [...ends, ...points]
}

/** Makes them; `clip()` gives the clip, `analysis()` what was heard in it. */
export function clipSound(app, clip, analysis, edit) {
  const snap = select(
    [
      ["bar", "bars"],
      ["beat", "beats"],
      ["half", "half beats"],
      ["none", "nothing"],
    ],
    { value: "beat" },
  )
  const unit = () => ({ bar: 1, beat: 1, half: 0.5 })[snap.value] ?? 0
  const wave = new EditorWave(app, {
    pins: pinKinds(app, clip, unit),
    snap: () => snapPoints(clip(), analysis(), snap.value),
    // The other end is wherever somebody else may have put it meanwhile.
    moved: (moved, frame) => {
      const { beats, warp, frames, start = 0, end } = clip()
      const former = { start, end: end ?? frames }
      const set = { [moved]: moved === "end" && frame === frames ? null : frame }
      // A loop that is cut to half its length has half its beats: its tempo stays what it was.
      const length = { ...former, [moved]: frame }
      const share = (length.end - length.start) / (former.end - former.start)
      if (beats && !warp) set.beats = Math.round(beats * share * 1000) / 1000
      return edit(set)
    },
  })
  const handles = select(
    [
      ["loop", "of the loop"],
      ["warp", "of the beats"],
      ["onsets", "of the attacks"],
    ],
    { value: "loop", change: (kind) => wave.choose(kind) },
  )
  const region = h("p", { class: "muted" })
  const tools = h(
    "div",
    { class: "editor-tools" },
    button({ label: "Zoom in", icon: icon("zoomIn"), press: () => wave.zoom(0.5) }),
    button({ label: "Zoom out", icon: icon("zoomOut"), press: () => wave.zoom(2) }),
    button({ label: "Show the loop", icon: icon("fit"), press: () => wave.fitLoop() }),
    h("label", { class: "inline" }, h("span", { class: "muted", text: "Snap to" }), snap),
    h("label", { class: "inline" }, h("span", { class: "muted", text: "Handles" }), handles),
    region,
  )
  return {
    elements: [wave.element, tools],
    update(clip) {
      wave.show(clip, analysis(), clip.colour)
      const seconds = (frame) => timeText(frame / clip.sampleRate, 3)
      setText(region, clip.frames ? `${seconds(wave.region.start)} – ${seconds(wave.region.end)}` : "")
    },
    frame: (progress) => wave.frame(progress),
  }
}
