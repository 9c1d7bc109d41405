// The clip editor's beats: following those that are heard, a grid for its attacks, and the pins for both.

import { beatAt, markersOf } from "../model/warp.js"
import { button, field, h, select } from "../ui/dom.js"

const grids = ["1/4", "1/8t", "1/8", "1/16t", "1/16", "1/32"]

const beatName = (beat) => `Beat ${Math.round((beat + 1) * 100) / 100}`

/** What can be pinned to the waveform; `unit()` is what a beat that is added is rounded to, 0 for nothing. */
export function pinKinds(app, clip, unit) {
  // The attacks that were asked for last, until the program has answered: what is done meanwhile is done to them.
  let meant
  const attacks = ({ id, onsets, attacks }) => (meant?.id === id ? meant.list : (onsets ?? attacks ?? []))

  async function change(edit) {
    const { id } = clip()
    const asked = { id, list: edit(attacks(clip())).sort((a, b) => a - b) }
    meant = asked
    const done = await app.perform({ do: "editClip", clip: id, set: { onsets: asked.list } })
    if (meant !== asked) return
    meant = undefined
    if (!done) dispatchEvent(new Event("barline-refresh"))
  }

  return {
    warp: {
      list: ({ warp }) => (warp ?? []).map(({ frame, beat }) => ({ key: beat, frame, label: beatName(beat) })),
      rests: attacks,
      add(frame) {
        const markers = markersOf(clip())
        if (!markers) return
        const beat = beatAt(markers, frame)
        const step = unit()
        const rounded = step > 0 ? Math.round(beat / step) * step : beat
        const before = markers.findLast((marker) => marker.frame < frame)?.beat ?? -Number.MAX_VALUE
        const after = markers.find((marker) => marker.frame > frame)?.beat ?? Number.MAX_VALUE
        const isFree = before < rounded && rounded < after
        app.perform({ do: "setWarpMarker", clip: clip().id, frame, ...(isFree && step > 0 ? { beat: rounded } : {}) })
      },
      // By its beat: where it was moved just before, the program knows another frame of it than the page.
      move: ({ key }, frame) => app.perform({ do: "setWarpMarker", clip: clip().id, frame, beat: key }),
      remove: ({ key }) => app.perform({ do: "removeWarpMarker", clip: clip().id, beat: key }),
    },
    onsets: {
      list: (shown) => attacks(shown).map((frame, index) => ({ key: frame, frame, label: `Attack ${index + 1}` })),
      rests: () => [],
      add: (frame) => change((list) => [...list.filter((other) => other !== frame), frame]),
      move: ({ key }, frame) => change((list) => list.map((other) => (other === key ? frame : other))),
      remove: ({ key }) => change((list) => list.filter((other) => other !== key)),
    },
  }
}

/** Makes the group; `clip()` gives the clip that is edited. */
export function warpGroup(app, clip) {
  const perform = (verb, rest = {}) => app.perform({ do: verb, clip: clip().id, ...rest })
  const percent = (value, lowest, highest) =>
    h("input", { class: "input", type: "number", min: String(lowest), max: String(highest), step: "1", value })
  const amount = percent("100", 0, 100)
  const swing = percent("50", 50, 75)
  const grid = select(
    grids.map((value) => [value, value]),
    { value: "1/16" },
  )
  const within = (input) => Math.max(Number(input.min), Math.min(Number(input.max), Number(input.value) || 0))
  const follow = button({
    label: "Follow its beats",
    title: "Holds each beat that is heard to a beat of the set",
    press: () => perform("followBeats", { amount: within(amount) }),
  })
  const quantize = button({
    label: "Quantize",
    title: "Moves its attacks to the grid",
    press: () => perform("quantizeClip", { grid: grid.value, amount: within(amount), swing: within(swing) }),
  })
  const even = button({ label: "Even beats", press: () => perform("removeWarpMarker") })
  const heard = button({
    label: "Attacks as heard",
    press: () => app.perform({ do: "editClip", clip: clip().id, set: { onsets: null } }),
  })
  const element = h(
    "fieldset",
    { class: "editor-group" },
    h("legend", { text: "Beats" }),
    h("div", { class: "pair" }, field("Grid", grid), field("Swing, %", swing)),
    field("Straightened by, %", amount),
    h("div", { class: "row" }, follow, quantize, even, heard),
  )
  return {
    element,
    update(shown) {
      element.hidden = shown.playback === "original"
      even.disabled = !shown.warp
      heard.hidden = !shown.onsets
    },
  }
}
