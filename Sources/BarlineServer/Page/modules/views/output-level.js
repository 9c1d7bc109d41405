// The level of the outputs: a meter, a light for what was over full scale, and how far the limiter holds it down.

import { decibels, gainText } from "../ui/decibels.js"
import { button, h, setAttribute, setText } from "../ui/dom.js"
import { Meter } from "../ui/meter.js"

// Less is nothing that anybody would see.
const least = 0.05

/** The reduction in dB, as text; nothing where there is none. */
export function reductionText(gain) {
  const reduction = decibels(gain)
  return reduction < -least ? `${gainText(reduction)} dB` : ""
}

/** The lowest gain of all outputs. */
export function lowestGain(outputs) {
  return outputs.reduce((lowest, { gain }) => Math.min(lowest, gain), 1)
}

/** Makes the meter and its lights. */
export function outputLevel(app) {
  const canvas = h("canvas", { "aria-hidden": "true" })
  const meter = new Meter(canvas)
  const over = button({
    label: "Over",
    kind: "over",
    key: "over",
    press: () => {
      meter.clear()
      app.perform({ do: "resetOvers" })
    },
  })
  const reduction = h("span", { class: "reduction" })
  const element = h(
    "div",
    { class: "output-level", role: "group", "aria-label": "Output level" },
    canvas,
    reduction,
    over,
  )
  let names = ["main"]
  let isLimited = true
  let told

  // What was over, output by output; the main one needs no name.
  function describe(outputs) {
    const said = outputs
      .map((output, index) => ({ ...output, name: names[index] ?? "" }))
      .filter(({ overs }) => overs > 0)
      .map(({ name, overs, peak }, _, { length }) => {
        const place = length > 1 || name !== "main" ? `${name}: ` : ""
        const samples = overs === 1 ? "1 sample" : `${overs.toLocaleString("en")} samples`
        return `${place}${samples} over full scale, the highest ${gainText(decibels(peak))} dB`
      })
    if (said.length === 0) return "Nothing was over full scale"
    const fate = isLimited ? "held down by the limiter" : "cut off: the limiter is off"
    return `${said.join("; ")}; ${fate}. Press to put the light out`
  }

  return {
    element,
    update({ session, engine }) {
      names = engine.outputs
      isLimited = session.master?.limiter ?? true
      told = undefined
    },
    frame({ levels, outputs, now }) {
      meter.draw(levels.master[0], levels.master[1], now)
      const lowest = lowestGain(outputs)
      setText(reduction, reductionText(lowest))
      reduction.classList.toggle("lit", lowest < 1)
      const current = outputs.map(({ overs, peak }) => `${overs} ${peak}`).join()
      if (current === told) return
      told = current
      const isOver = outputs.some(({ overs }) => overs > 0)
      over.classList.toggle("lit", isOver)
      const text = describe(outputs)
      setAttribute(over, "aria-label", `Over. ${text}`)
      over.title = text
    },
  }
}
