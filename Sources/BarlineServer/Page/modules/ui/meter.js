// Peak meters: the level that the engine reports, and the held peak.

import { decibels, placeOf } from "./decibels.js"

const holdSeconds = 1.5
const fallPerSecond = 24

/**
 * Two bars, left and right, with a held peak each; upright or level, as the canvas is tall or wide. Their scale is that of
 * the faders; `margin` is what a fader's thumb keeps free at both ends, so that one set of marks serves both.
 */
export class Meter {
  constructor(canvas, { margin = 0 } = {}) {
    this.canvas = canvas
    this.margin = margin
    this.context = canvas.getContext("2d")
    this.held = [-Infinity, -Infinity]
    this.heldAt = [0, 0]
    this.drawnAt = 0
    this.peak = -Infinity
    this.drawn = ""
    this.width = 0
    this.height = 0
    new ResizeObserver(([entry]) => this.resize(entry.contentRect)).observe(canvas)
  }

  resize({ width, height }) {
    const density = window.devicePixelRatio || 1
    this.width = this.canvas.width = Math.round(width * density)
    this.height = this.canvas.height = Math.round(height * density)
    if (this.width > 0 && this.height > 0) this.prepare()
  }

  prepare() {
    const { width, height } = this
    this.drawn = ""
    this.theme = document.documentElement.dataset.theme
    const style = getComputedStyle(this.canvas)
    const colour = (name) => style.getPropertyValue(name).trim()
    this.upright = height > width
    const gradient = this.upright
      ? this.context.createLinearGradient(0, this.height, 0, 0)
      : this.context.createLinearGradient(0, 0, this.width, 0)
    const length = this.upright ? height : width
    const stops = [
      [-Infinity, "low"],
      [-14, "low"],
      [-5, "mid"],
      [0, "mid"],
      [0.05, "high"],
      [Infinity, "high"],
    ]
    for (const [gain, name] of stops) gradient.addColorStop(this.pixel(gain) / length, colour(`--meter-${name}`))
    this.fill = gradient
    this.ground = colour("--pressed")
    this.mark = colour("--text")
    this.over = colour("--meter-high")
  }

  // How far a level reaches, in pixels.
  pixel(level) {
    const length = this.upright ? this.height : this.width
    const place = placeOf(level)
    if (place <= 0) return 0
    const margin = Math.min(length / 4, this.margin * (window.devicePixelRatio || 1))
    return level >= 6 ? length : Math.round(margin + place * (length - 2 * margin))
  }

  /** Forgets the held peaks. */
  clear() {
    this.held = [-Infinity, -Infinity]
    this.peak = -Infinity
  }

  /** Draws magnitudes at a time in seconds; what looks the same as before is not drawn again. */
  draw(left, right, now) {
    if (this.width === 0 || this.height === 0) return
    if (this.theme !== document.documentElement.dataset.theme) this.prepare()
    const levels = [decibels(left), decibels(right)]
    const fall = fallPerSecond * Math.max(0, now - this.drawnAt)
    this.drawnAt = now
    levels.forEach((level, side) => {
      if (level >= this.held[side]) {
        this.held[side] = level
        this.heldAt[side] = now
      } else if (now - this.heldAt[side] > holdSeconds) {
        this.held[side] = Math.max(level, this.held[side] - fall)
      }
      this.peak = Math.max(this.peak, level)
    })
    const length = this.upright ? this.height : this.width
    const pixels = [...levels, ...this.held].map((level) => this.pixel(level))
    const picture = pixels.join()
    if (picture === this.drawn) return
    this.drawn = picture
    const { context, width, height } = this
    const across = this.upright ? width : height
    const gap = Math.max(1, Math.round(across / 12))
    const thick = (across - gap) / 2
    context.clearRect(0, 0, width, height)
    for (const side of [0, 1]) {
      const offset = side * (thick + gap)
      this.bar(offset, thick, 0, length, this.ground)
      this.bar(offset, thick, 0, pixels[side], this.fill)
      const held = pixels[side + 2]
      if (held > 2) this.bar(offset, thick, held - 2, held, this.held[side] > 0 ? this.over : this.mark)
    }
  }

  bar(offset, thick, from, to, style) {
    this.context.fillStyle = style
    if (this.upright) this.context.fillRect(offset, this.height - to, thick, to - from)
    else this.context.fillRect(from, offset, to - from, thick)
  }
}
