// Places on the clip editor's waveform that are added, moved and taken away: warp markers, or attacks.

import { timeText } from "../model/text.js"
import { h, onEscape, setAttribute } from "../ui/dom.js"

// More of them are no places to point at: zooming in shows them.
const mostSeen = 160
const snapReach = 10
// So long one that was moved stays where it was put, should nothing be heard of it.
const patience = 2000

/**
 * `kinds` are what `kind` may name: each has `list(clip)`, which gives `[{ key, frame, label }]`, `add(frame)`, `move(pin, frame)` and
 * `remove(pin)` for one of these, and `rests(clip)`, the frames on which one that is dragged comes to rest. What has a key is the same
 * pin wherever it is in the list.
 */
export class WavePins {
  constructor(wave, kinds) {
    this.wave = wave
    this.kinds = kinds
    this.kind = undefined
    this.pins = []
    this.drag = undefined
    // The place of a moved pin that the program has not confirmed yet.
    this.asked = undefined
    this.element = h("div", { class: "pins" })
  }

  /** Shows the pins of a kind, or none. */
  choose(kind) {
    this.kind = this.kinds[kind]
    this.element.dataset.kind = kind
    this.drag = undefined
    this.asked = undefined
    this.draw()
  }

  /** Adds one where the pointer is. */
  add(x) {
    this.kind?.add(this.rest(this.wave.frameAt(x)))
  }

  rest(frame) {
    const reach = (snapReach / this.wave.element.clientWidth) * this.wave.span
    let best = Math.round(frame)
    let nearest = reach
    for (const point of this.kind.rests(this.wave.clip)) {
      if (Math.abs(point - frame) >= nearest) continue
      nearest = Math.abs(point - frame)
      best = point
    }
    return best
  }

  // Between those beside it.
  between(index, frame) {
    const before = this.list[index - 1]?.frame ?? -1
    const after = this.list[index + 1]?.frame ?? this.wave.clip.frames + 1
    return Math.max(before + 1, Math.min(after - 1, frame))
  }

  // Where a pin is shown.
  shown(index) {
    if (this.drag?.index === index) return this.drag.frame
    return this.asked?.index === index ? this.asked.frame : this.list[index].frame
  }

  move(index, frame) {
    const asked = { index, frame, from: this.list[index].frame }
    this.asked = asked
    this.kind.move(this.list[index], frame)
    this.draw()
    setTimeout(() => {
      if (this.asked !== asked) return
      this.asked = undefined
      this.draw()
    }, patience)
  }

  // Leaves the pin that is dragged where it was.
  leave() {
    this.drag = undefined
    this.draw()
  }

  pin(index) {
    const element = h("div", { class: "pin", role: "slider", tabindex: "0", "aria-valuemin": 0 }, h("i"))
    element.addEventListener("pointerdown", (event) => {
      event.stopPropagation()
      const frame = this.shown(index)
      this.drag = { index, key: this.list[index].key, from: event.clientX - this.wave.xOf(frame), frame }
      this.ignoreEscape = onEscape(() => this.leave())
      element.setPointerCapture(event.pointerId)
    })
    element.addEventListener("pointermove", (event) => {
      if (this.drag?.index !== index) return
      this.drag.frame = this.between(index, this.rest(this.wave.frameAt(event.clientX - this.drag.from)))
      this.draw()
    })
    element.addEventListener("pointerup", () => {
      this.ignoreEscape?.()
      const drag = this.drag
      this.drag = undefined
      if (drag?.index === index && drag.frame !== this.shown(index)) this.move(index, drag.frame)
    })
    element.addEventListener("pointercancel", () => {
      this.ignoreEscape?.()
      this.leave()
    })
    element.addEventListener("dblclick", (event) => {
      event.stopPropagation()
      this.kind.remove(this.list[index])
    })
    element.addEventListener("keydown", (event) => {
      const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
      const removes = event.key === "Delete" || event.key === "Backspace"
      if (!direction && !removes) return
      event.preventDefault()
      event.stopPropagation()
      if (removes) {
        this.kind.remove(this.list[index])
        return
      }
      const step = event.shiftKey ? 1 : Math.round(this.wave.clip.sampleRate / 1000)
      const shown = this.shown(index)
      const frame = this.between(index, shown + direction * step)
      if (frame !== shown) this.move(index, frame)
    })
    return element
  }

  /** Puts the pins where they belong in what is seen. */
  draw() {
    const { wave } = this
    this.list = this.kind && wave.clip ? this.kind.list(wave.clip) : []
    // Somebody else has taken it away, or one before it.
    if (this.drag && this.list[this.drag.index]?.key !== this.drag.key) this.drag = undefined
    if (this.asked && this.list[this.asked.index]?.frame !== this.asked.from) this.asked = undefined
    const seen = this.list.filter(({ frame }) => frame >= wave.from && frame <= wave.to).length
    while (this.pins.length < Math.min(this.list.length, 4 * mostSeen)) this.pins.push(this.pin(this.pins.length))
    while (this.pins.length > this.list.length) this.pins.pop().remove()
    for (const [index, element] of this.pins.entries()) {
      const { label } = this.list[index]
      const frame = this.shown(index)
      const place = (frame - wave.from) / wave.span
      element.hidden = seen > mostSeen || place < 0 || place > 1
      element.style.setProperty("left", `${(place * 100).toFixed(3)}%`)
      setAttribute(element, "aria-label", label)
      setAttribute(element, "aria-valuemax", wave.clip.frames)
      setAttribute(element, "aria-valuenow", frame)
      setAttribute(element, "aria-valuetext", timeText(frame / wave.clip.sampleRate, 3))
      if (!element.isConnected) this.element.append(element)
    }
  }
}
