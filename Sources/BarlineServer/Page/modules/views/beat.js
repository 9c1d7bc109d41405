// The beat: a lamp, the pulses of the bar, and bar.beat.

import { h, setText } from "../ui/dom.js"

/** Makes the display; `frame(live)` draws it as the beat is heard. */
export function beatDisplay() {
  const light = h("i")
  const lamp = h("span", { class: "lamp", "aria-hidden": "true" }, light)
  const place = h("span", { class: "place still", text: "1.1" })
  const pulses = h("span", { class: "pulses", "aria-hidden": "true" })
  const element = h("div", { class: "beat", role: "group", "aria-label": "Beat" }, lamp, place, pulses)
  const still = window.matchMedia("(prefers-reduced-motion: reduce)")
  let glow = 0
  let lit = -1

  function mark(pulse, count) {
    if (pulses.children.length !== count) {
      pulses.replaceChildren(...Array.from({ length: count }, () => h("i")))
      lit = -1
    }
    if (pulse === lit) return
    pulses.children[lit - 1]?.classList.remove("lit")
    pulses.children[pulse - 1]?.classList.add("lit")
    lit = pulse
  }

  return {
    element,
    frame(live) {
      const { isRolling, bar, pulse, phase } = live
      setText(place, isRolling ? `${bar}.${pulse}` : "1.1")
      place.classList.toggle("still", !isRolling || bar < 1)
      mark(isRolling ? pulse : 0, live.pulses)
      // The lamp is full as the beat is heard, and goes out like a string: fast, then slowly.
      const next = !isRolling ? 0 : still.matches ? (phase < 0.5 ? 1 : 0) : Math.exp(-5 * phase)
      if (Math.abs(next - glow) > 0.02 || (next === 0) !== (glow === 0)) {
        glow = next
        light.style.opacity = glow.toFixed(2)
        lamp.classList.toggle("accent", pulse === 1)
      }
    },
  }
}
