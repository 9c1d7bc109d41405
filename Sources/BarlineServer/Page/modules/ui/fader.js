// Faders and pan controls: native sliders with the field's own scales.

import { panText } from "../model/text.js"
import { gainAt, gainOf, gainText, highest, placeOf } from "./decibels.js"
import { h, keepTyping, onEscape, setAttribute } from "./dom.js"
import { tell } from "./notices.js"
import { pacer } from "./sending.js"

const steps = 1000

const afterHand = 300

// While a hand is on a slider, what it has set is under way, and for some milliseconds after that, what the server says
// of it is older than what the hand says. What it has said last is shown then.
function hold(slider, show, send, target) {
  let until = 0
  let sending = false
  let said = null
  let timer
  const isHeld = () => sending || performance.now() < until
  const leave = () => {
    until = performance.now() + afterHand
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (isHeld()) return
      // What was refused is not said again.
      if (said) show(...said)
      else dispatchEvent(new Event("barline-refresh"))
      said = null
    }, afterHand + 1)
  }
  slider.addEventListener("pointerdown", () => (until = Infinity))
  for (const type of ["pointerup", "pointercancel"]) slider.addEventListener(type, leave)
  const touch = () => {
    said = null
    if (until !== Infinity) leave()
  }
  slider.addEventListener("input", touch)
  const paced = pacer(async (value, aim) => {
    sending = true
    await send(value, aim)
    sending = false
    if (until !== Infinity) leave()
  }, target)
  return {
    paced,
    /** A value was set by what is no hand on the slider: a key, a number that was typed. */
    touch,
    isHand: () => until === Infinity,
    update(value) {
      said = isHeld() ? [value] : null
      if (!said) show(value)
    },
  }
}

// Has Escape take back what a pointer does with a slider: `move` is called where it is moved, `set` with what `value` was. The
// pointer has nothing to say then until it is let go; `show` shows that.
function draggable(slider, { value, show, set, move }) {
  let isTakenBack = false
  let end
  slider.addEventListener("pointerdown", () => {
    const before = value()
    isTakenBack = false
    end?.()
    end = onEscape(() => {
      isTakenBack = true
      set(before)
    })
  })
  for (const type of ["pointerup", "pointercancel"])
    slider.addEventListener(type, () => {
      end?.()
      end = undefined
    })
  slider.addEventListener("keydown", () => (isTakenBack = false))
  slider.addEventListener("input", () => (isTakenBack ? show(value()) : move()))
}

/**
 * A gain: a slider and its value, which can be typed. `send(gain, target)` changes it; `target()` says what it is of, where that may be
 * something else while a value is on its way.
 */
export function gainFader(label, send, { upright = true, key, target } = {}) {
  const slider = h("input", {
    type: "range",
    class: `fader ${upright ? "upright" : "level"}`,
    min: 0,
    max: steps,
    step: 1,
    "aria-label": `${label}: gain`,
    "aria-orientation": upright ? "vertical" : "horizontal",
    title: "Double-click for 0 dB",
    data: key ? { key } : {},
  })
  const value = h("input", {
    class: "gain-value",
    "aria-label": `${label}: gain in dB`,
    autocomplete: "off",
    spellcheck: "false",
    size: 5,
    data: key ? { key: `${key}-value` } : {},
  })
  const { paced, touch, update } = hold(slider, (next) => show(next === undefined ? 0 : next), send, target)
  let gain = 0

  function show(next) {
    gain = next
    slider.value = Math.round(placeOf(gain) * steps)
    setAttribute(slider, "aria-valuetext", gain === null ? "silent" : `${gainText(gain)} dB`)
    value.shown = gainText(gain)
    if (document.activeElement !== value) value.value = value.shown
  }

  function set(next) {
    touch()
    show(next)
    paced(next)
  }

  draggable(slider, { value: () => gain, show, set, move: () => set(gainAt(slider.value / steps)) })
  slider.addEventListener("dblclick", () => set(0))
  slider.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 0.5, ArrowRight: 0.5, ArrowDown: -0.5, ArrowLeft: -0.5, PageUp: 3, PageDown: -3 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = (gain ?? -60) + step
    // What was typed may be above what the fader has.
    set(next <= -60 ? null : Math.min(Math.max(6, gain ?? 6), Math.round(next * 10) / 10))
  })
  keepTyping(value)
  value.addEventListener("focus", () => value.select())
  value.addEventListener("change", () => {
    delete value.dataset.changing
    const typed = gainOf(value.value)
    if (typed > highest) tell(`At most ${gainText(highest)} dB.`, "error")
    else if (typed !== undefined) set(typed)
    value.value = gainText(gain)
  })
  value.addEventListener("keydown", (event) => ["Enter", "Escape"].includes(event.key) && slider.focus())
  return { slider, value, update }
}

/**
 * A parameter of an effect from `from` to `to`, on a logarithmic scale. It is double-clicked for `initial`; `unit` is what
 * follows the number.
 */
export function parameterSlider(label, { from, to, initial, unit }, send) {
  const slider = h("input", {
    type: "range",
    class: "fader level",
    min: 0,
    max: steps,
    step: 1,
    "aria-label": label,
    title: "Double-click for its first value",
  })
  const value = h("span", { class: "parameter-value", "aria-hidden": "true" })
  const { paced, update } = hold(slider, show, send)
  let shown = initial

  function show(number) {
    shown = number
    slider.value = Math.round((Math.log(number / from) / Math.log(to / from)) * steps)
    const text = `${number >= 100 ? Math.round(number) : Number(number.toPrecision(3))}${unit}`
    value.textContent = text
    setAttribute(slider, "aria-valuetext", text)
  }

  function set(number) {
    show(number)
    paced(number)
  }

  const move = () => {
    const number = from * (to / from) ** (slider.value / steps)
    set(Math.min(to, Math.max(from, Number(number.toPrecision(4)))))
  }
  draggable(slider, { value: () => shown, show, set, move })
  slider.addEventListener("dblclick", () => set(initial))
  return { slider, value, update }
}

/** A place between left and right; `send` and `target` are those of a gain. */
export function panControl(label, send, target) {
  const slider = h("input", {
    type: "range",
    class: "fader level pan",
    min: -100,
    max: 100,
    step: 1,
    "aria-label": `${label}: pan`,
    title: "Double-click for the centre",
  })
  const value = h("span", { class: "pan-value", "aria-hidden": "true" })
  const { paced, isHand, update } = hold(slider, (pan) => show(pan ?? 0), send, target)
  let shown = 0

  function show(pan) {
    shown = pan
    slider.value = Math.round(pan * 100)
    value.textContent = panText(pan)
    setAttribute(
      slider,
      "aria-valuetext",
      pan === 0 ? "centre" : `${Math.round(Math.abs(pan) * 100)} % ${pan < 0 ? "left" : "right"}`,
    )
  }

  function set(pan) {
    show(pan)
    paced(pan)
  }

  const move = () => set(isHand() && Math.abs(slider.value) < 4 ? 0 : slider.value / 100)
  draggable(slider, { value: () => shown, show, set, move })
  slider.addEventListener("dblclick", () => set(0))
  return { slider, value, update }
}
