// The song's position and its loop: bars of a tune, which launches do not depend on.

import { ask } from "../ui/dialog.js"
import { button, field, h, hold, keepTyping, setAttribute, setText, setValue } from "../ui/dom.js"

const most = 100000

/** A field for a whole number from 1. */
function number(label, key, enter) {
  const input = h("input", {
    class: "input",
    type: "number",
    min: 1,
    max: most,
    step: 1,
    inputmode: "numeric",
    "aria-label": label,
    data: { key },
    on: {
      change: () => {
        delete input.dataset.changing
        const bar = Math.round(Number(input.value))
        if (bar >= 1 && bar <= most) hold(input, enter(bar))
      },
    },
  })
  keepTyping(input)
  return input
}

/** Makes the button that shows the song's bar, and asks where it is to go and what it loops. */
export function songControl(app) {
  let quarters = 4
  let loop = {}
  let loops = false
  const barAt = (beat) => Math.floor(beat / quarters + 1e-9) + 1

  const send = (change) => {
    const { bar, bars, on } = { ...region(), on: loop.on ?? true, ...change }
    return app.perform({ do: "loop", bar, bars, on })
  }
  /** The region in bars: that of the session, or four bars from the one under way on. */
  function region() {
    if (loop.bars) return { bar: loop.bar, bars: loop.bars }
    if (loop.beats) return { bar: barAt(loop.beat), bars: Math.max(1, Math.round(loop.beats / quarters)) }
    return { bar: Math.max(1, barAt(app.live.songPosition ?? 0)), bars: 4 }
  }

  const place = number("Song bar", "song-bar", (bar) => app.perform({ do: "locate", bar }))
  const first = number("The loop's first bar", "loop-bar", (bar) => send({ bar }))
  const count = number("Bars of the loop", "loop-bars", (bars) => send({ bars }))
  const isOn = button({
    label: "Loop the song",
    shown: "Loop",
    pressed: false,
    key: "song-loop",
    press: () => (loop.bars || loop.beats ? app.perform({ do: "loop", on: loop.on === false }) : send({ on: true })),
  })
  const open = button({
    label: "Song",
    shown: "Song 1",
    key: "song",
    title: "The song's bar, and its loop",
    press: () =>
      ask("Song", (close) => [
        field("Bar", place),
        h("div", { class: "inline" }, isOn, field("from bar", first), field("bars", count)),
        h("div", { class: "actions" }, button({ label: "Done", kind: "primary", press: () => close() })),
      ]),
  })

  return {
    element: open,
    update({ session }) {
      const [pulses, note] = session.timeSignature.split("/").map(Number)
      quarters = (pulses * 4) / note
      loop = session.songLoop ?? {}
      const { bar, bars } = region()
      loops = Boolean((loop.bars || loop.beats) && loop.on !== false)
      setAttribute(isOn, "aria-pressed", loops)
      if (!first.held) setValue(first, bar)
      if (!count.held) setValue(count, bars)
    },
    frame(live) {
      const bar = barAt(live.songPosition ?? 0)
      setText(open, `Song ${bar}${loops ? " ↻" : ""}`)
      setAttribute(open, "aria-label", `Song: bar ${bar}${loops ? ", looped" : ""}`)
      if (!place.held && document.activeElement !== place) setValue(place, bar)
    },
  }
}
