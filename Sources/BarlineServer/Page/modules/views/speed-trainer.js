// The speed trainer: the tempo rises by a step every few bars, from one tempo to another.

import { bpmText } from "../model/text.js"
import { button, field, h, setAttribute, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"

const key = "barline.trainer"
const usual = { from: 80, to: 140, step: 4, every: 8 }

// What was set before. What can't be read is as good as nothing.
function keptValues() {
  try {
    return JSON.parse(localStorage.getItem(key))
  } catch {
    return null
  }
}

/**
 * The card; it drives the tempo from this page, bar line by bar line, until it is there or is stopped. It goes by what the program
 * sends, which comes whatever the page shows, or where it is hidden.
 */
export class SpeedTrainer {
  constructor(app) {
    this.app = app
    this.isOn = false
    const kept = { ...usual, ...keptValues() }
    app.onFrame((frame) => this.follow(frame))
    const number = (name, min, max) =>
      h("input", {
        class: "input",
        type: "number",
        min,
        max,
        step: "any",
        value: kept[name],
        on: { change: () => this.keep() },
      })
    this.inputs = {
      from: number("from", 20, 999),
      to: number("to", 20, 999),
      step: number("step", 0.1, 100),
      every: number("every", 1, 64),
    }
    this.power = button({
      label: "Start the trainer",
      shown: "Start",
      icon: icon("play"),
      kind: "go",
      pressed: false,
      press: () => (this.isOn ? this.stop() : this.start()),
    })
    // Read out with every tempo, not with every bar.
    this.said = h("p", { class: "unseen", role: "status" })
    this.told = h("p", {
      class: "muted",
      text: "Practise slowly first: the tempo rises while you play.",
    })
    this.element = h(
      "div",
      { class: "card" },
      h("h3", { text: "Speed trainer" }),
      h("div", { class: "pair" }, field("From, BPM", this.inputs.from), field("To, BPM", this.inputs.to)),
      h("div", { class: "pair" }, field("Step, BPM", this.inputs.step), field("Every … bars", this.inputs.every)),
      this.power,
      this.told,
      this.said,
    )
  }

  get values() {
    return Object.fromEntries(
      Object.entries(this.inputs).map(([name, input]) => [name, Number(input.value) || usual[name]]),
    )
  }

  keep() {
    localStorage.setItem(key, JSON.stringify(this.values))
  }

  async start() {
    this.plan = this.values
    this.isOn = true
    this.reached = 0
    this.first = null
    await this.app.perform({ do: "tempo", bpm: this.plan.from })
    await this.app.perform({ do: "metronome", on: true })
    if (!this.app.live.isRolling) await this.app.perform({ do: "transport", action: "play" })
    this.show()
  }

  stop() {
    this.isOn = false
    this.show()
  }

  show() {
    setAttribute(this.power, "aria-pressed", this.isOn)
    setText(this.power.querySelector("span"), this.isOn ? "Stop" : "Start")
    setAttribute(this.power, "aria-label", this.isOn ? "Stop the trainer" : "Start the trainer")
    this.power.querySelector("svg").replaceWith(icon(this.isOn ? "stop" : "play"))
  }

  follow({ isRolling, bar }) {
    if (!this.isOn) return
    if (!isRolling) {
      if (this.first !== null) this.stop()
      return
    }
    if (bar < 1) return
    this.first ??= bar
    const { from, to, step, every } = this.plan
    const steps = Math.floor((bar - this.first) / every)
    const direction = to >= from ? 1 : -1
    const target = direction > 0 ? Math.min(to, from + steps * step) : Math.max(to, from - steps * step)
    const left = every - ((bar - this.first) % every)
    const next = `${bpmText(target + direction * step)} in ${left} ${left === 1 ? "bar" : "bars"}`
    setText(this.told, target === to ? `${bpmText(to)} BPM: you are there.` : `${bpmText(target)} BPM; ${next}.`)
    setText(this.said, `${bpmText(target)} BPM`)
    if (steps === this.reached) return
    this.reached = steps
    this.app.perform({ do: "tempo", bpm: target })
    if (target === to) this.stop()
  }
}
