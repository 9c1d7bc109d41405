// One strip of a mixer: fader, meter, pan, mute, solo.

import { gainText, placeOf } from "../ui/decibels.js"
import { button, flip, h, setAttribute, setText } from "../ui/dom.js"
import { gainFader, panControl } from "../ui/fader.js"
import { Meter } from "../ui/meter.js"
import { rack } from "./effects.js"
import { outputChoice } from "./output-choice.js"
import { sends } from "./sends.js"

// The fader's thumb is 22 px long: its middle travels so much less than the whole way.
function scale() {
  return h(
    "div",
    { class: "scale", "aria-hidden": "true" },
    [6, 0, -6, -12, -24, -48].map((gain) =>
      h("span", { vars: { place: placeOf(gain) }, text: String(Math.abs(gain)) }),
    ),
  )
}

/**
 * Makes a strip. `target` names it in actions (`{track: id}`, `{stem: id}` or nothing for the master); `isPlain` leaves out
 * pan, mute, solo and sends; `route` sends it to the output of a name, where it has one. `effects` names it in actions on effects,
 * where that is otherwise.
 */
export function strip(app, { name, target, gain, route, effects = target, isPlain = false }) {
  const act = (action) => app.perform({ ...action, ...target })
  const title = h("h3", { class: "strip-name", dir: "auto", text: name })
  const key = Object.values(target).join("-") || name
  const fader = gainFader(name, gain ?? ((db) => act({ do: "gain", db })), { key: `fader-${key}` })
  const canvas = h("canvas", { class: "meter", "aria-hidden": "true" })
  const meter = new Meter(canvas, { margin: 11 })
  const peak = button({
    label: `${name}: highest peak; press to forget it`,
    icon: h("span", { text: "−∞" }),
    kind: "quiet peak",
    press: () => meter.clear(),
  })
  const mute = button({
    label: `Mute ${name}`,
    icon: h("span", { text: "M" }),
    kind: "mute",
    pressed: false,
    key: `mute-${key}`,
    press: () => flip(mute, (on) => act({ do: "mute", on })),
  })
  const solo = button({
    label: `Solo ${name}`,
    icon: h("span", { text: "S" }),
    pressed: false,
    key: `solo-${key}`,
    press: () => flip(solo, (on) => act({ do: "solo", on })),
  })
  const pan = panControl(name, (value) => act({ do: "pan", value }))
  const chain = rack(app, name, effects)
  const output = route ? outputChoice(app, name, route) : null
  const sending = isPlain ? null : sends(app, name, target)
  const element = h(
    "div",
    { class: "strip", role: "group", "aria-label": name },
    title,
    isPlain ? h("div", { class: "pan-row" }) : h("div", { class: "pan-row" }, pan.slider, pan.value),
    peak,
    h("div", { class: "throw" }, fader.slider, scale(), canvas),
    h("label", { class: "gain-row" }, fader.value, h("span", { class: "muted", text: "dB", "aria-hidden": "true" })),
    h("div", { class: "switches" }, isPlain ? null : [mute, solo]),
    chain.element,
    sending?.element,
    output?.element ?? h("div", { class: "output-room" }),
  )
  return {
    element,
    leave: chain.leave,
    update(state) {
      setText(title, state.name ?? name)
      if (state.colour) element.style.setProperty("--clip", state.colour)
      fader.update(state.gain)
      pan.update(state.pan)
      output?.update(state.output)
      chain.update(state.effects)
      sending?.update(state.sends, state.output)
      setAttribute(mute, "aria-pressed", Boolean(state.mute))
      setAttribute(solo, "aria-pressed", Boolean(state.solo))
      element.classList.toggle("silent", Boolean(state.mute))
    },
    frame(level, now) {
      if (!level) return
      meter.draw(level[0], level[1], now)
      setText(peak.firstChild, Number.isFinite(meter.peak) && meter.peak > -100 ? gainText(meter.peak) : "−∞")
      peak.classList.toggle("over", meter.peak > 0)
    },
  }
}
