// The clip editor's waveform: beats as lines, the loop's ends as handles, zoom and scroll.

import { timeText } from "../model/text.js"
import { beatAt, frameOf, markersOf } from "../model/warp.js"
import { waveColour } from "../ui/colour.js"
import { h, hold, onEscape, setAttribute } from "../ui/dom.js"
import { drawWaveform, fit, scaleOf } from "../ui/waveform.js"
import { WavePins } from "./editor-pins.js"

const shortestView = 256
const leastLoop = 64

/**
 * `moved(end, frame)` is called when the handle of an end is released, `snap()` gives the frames it may rest on; `pins` are the kinds of places that
 * can be pinned to it.
 */
export class EditorWave {
  constructor(app, { moved, snap, pins }) {
    this.app = app
    this.moved = moved
    this.snap = snap
    this.canvas = h("canvas", { "aria-hidden": "true" })
    this.head = h("span", { class: "wave-head", hidden: true })
    this.handles = { start: this.handle("start", "Loop start"), end: this.handle("end", "Loop end") }
    this.pins = new WavePins(this, pins)
    this.element = h(
      "div",
      { class: "editor-wave" },
      this.canvas,
      this.head,
      this.pins.element,
      this.handles.start,
      this.handles.end,
    )
    this.areHandlesShown = true
    this.pointers = new Map()
    this.listen()
    new ResizeObserver(() => this.draw()).observe(this.element)
  }

  handle(end, label) {
    const element = h(
      "div",
      { class: `handle ${end}`, role: "slider", tabindex: "0", "aria-label": label, "aria-valuemin": 0 },
      h("i"),
    )
    let drag = null
    let ignoreEscape = () => {}
    element.addEventListener("pointerdown", (event) => {
      event.stopPropagation()
      drag = event.clientX - this.xOf(this.region[end])
      this.held = {}
      ignoreEscape = onEscape(() => {
        drag = null
        this.held = undefined
        this.show(this.clip, this.analysis, this.colour)
      })
      element.setPointerCapture(event.pointerId)
    })
    element.addEventListener("pointermove", (event) => {
      if (drag === null || !this.held) return
      this.put(end, this.snapped(this.frameAt(event.clientX - drag)))
    })
    const release = () => {
      ignoreEscape()
      if (drag !== null && this.held) this.askFor(end)
      drag = null
    }
    element.addEventListener("pointerup", release)
    element.addEventListener("pointercancel", release)
    element.addEventListener("keydown", (event) => {
      const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
      const { start, end: last } = this.region
      const ends = end === "start" ? { Home: 0, End: last } : { Home: start, End: this.clip.frames }
      const by = (direction) =>
        event.shiftKey ? this.region[end] + direction : this.neighbour(this.region[end], direction)
      const target = direction ? by(direction) : ends[event.key]
      if (target === undefined) return
      event.preventDefault()
      event.stopPropagation()
      this.put(end, target)
      this.askFor(end)
    })
    return element
  }

  // What was put somewhere stays there until the program has answered, whatever else changes meanwhile.
  askFor(end) {
    hold(this, this.moved(end, this.region[end]))
  }

  listen() {
    const { element, pointers } = this
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault()
        const across = Math.abs(event.deltaX) > Math.abs(event.deltaY)
        if (across || event.shiftKey)
          this.scroll(((across ? event.deltaX : event.deltaY) / element.clientWidth) * this.span)
        else this.zoom(Math.exp(event.deltaY / 300), this.frameAt(event.clientX))
      },
      { passive: false },
    )
    element.addEventListener("dblclick", (event) => this.pins.add(event.clientX))
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return
      pointers.set(event.pointerId, event.clientX)
      element.setPointerCapture(event.pointerId)
    })
    element.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId)
      if (before === undefined) return
      const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, x]) => x)
      if (others.length > 0) {
        const [other] = others
        const was = Math.max(20, Math.abs(before - other))
        const is = Math.max(20, Math.abs(event.clientX - other))
        this.zoom(was / is, this.frameAt((event.clientX + other) / 2))
      } else {
        this.scroll(((before - event.clientX) / element.clientWidth) * this.span)
      }
      pointers.set(event.pointerId, event.clientX)
    })
    for (const type of ["pointerup", "pointercancel"])
      element.addEventListener(type, (event) => pointers.delete(event.pointerId))
  }

  get span() {
    return this.to - this.from
  }

  xOf(frame) {
    const box = this.element.getBoundingClientRect()
    return box.left + ((frame - this.from) / this.span) * box.width
  }

  frameAt(x) {
    const box = this.element.getBoundingClientRect()
    return this.from + ((x - box.left) / box.width) * this.span
  }

  snapped(frame) {
    const reach = (14 / this.element.clientWidth) * this.span
    let best = Math.round(frame)
    let nearest = reach
    for (const point of this.snap()) {
      if (Math.abs(point - frame) < nearest) {
        nearest = Math.abs(point - frame)
        best = Math.round(point)
      }
    }
    return best
  }

  neighbour(frame, direction) {
    const points = this.snap().map(Math.round)
    const ahead =
      direction > 0 ? points.filter((point) => point > frame + 1) : points.filter((point) => point < frame - 1)
    if (ahead.length === 0) return frame + direction * Math.max(1, Math.round(this.span / 200))
    return direction > 0 ? Math.min(...ahead) : Math.max(...ahead)
  }

  put(end, frame) {
    const { start, end: last } = this.region
    if (end === "start") {
      const place = frame > last - leastLoop ? this.nearest(last, -1) : frame
      this.region = { start: Math.max(0, place), end: last }
    } else {
      const place = frame < start + leastLoop ? this.nearest(start, 1) : frame
      this.region = { start, end: Math.min(this.clip.frames, place) }
    }
    this.draw()
  }

  // How near one end may come to the other: to the next place to rest on, where there is one.
  nearest(frame, direction) {
    const steps = this.snap().map((point) => Math.round((point - frame) * direction))
    const least = Math.min(...steps.filter((step) => step >= leastLoop))
    return frame + direction * (Number.isFinite(least) ? least : leastLoop)
  }

  /** Shows a clip; another one is shown whole. */
  show(clip, analysis, colour) {
    const isOther = clip.id !== this.clip?.id || clip.version !== this.clip?.version
    this.clip = clip
    this.analysis = analysis
    this.colour = colour
    if (isOther) this.held = undefined
    if (!this.held) this.region = { start: clip.start ?? 0, end: clip.end ?? clip.frames }
    if (isOther) {
      this.points = undefined
      this.detail = undefined
      this.from = 0
      this.to = Math.max(1, clip.frames)
      this.app.waveforms.overview(clip).then((points) => {
        if (this.clip.id !== clip.id) return
        this.points = points
        this.draw()
      })
    }
    this.draw()
  }

  /** Offers the handles of the loop, or pins of a kind. */
  choose(kind) {
    this.areHandlesShown = kind === "loop"
    this.pins.choose(kind)
    this.draw()
  }

  /** Enlarges (below 1) or shrinks what is seen, round a frame. */
  zoom(factor, around = (this.from + this.to) / 2) {
    const span = Math.max(shortestView, Math.min(this.clip.frames, this.span * factor))
    const place = (around - this.from) / this.span
    this.look(around - place * span, span)
  }

  scroll(frames) {
    this.look(this.from + frames, this.span)
  }

  /** Shows the loop, with a little on both sides. */
  fitLoop() {
    const { start, end } = this.region
    const margin = (end - start) / 20
    this.look(start - margin, Math.min(this.clip.frames, end - start + 2 * margin))
  }

  look(from, span) {
    this.from = Math.max(0, Math.min(from, this.clip.frames - span))
    this.to = this.from + span
    this.draw()
    clearTimeout(this.asking)
    this.asking = setTimeout(() => this.ask(), 120)
  }

  async ask() {
    const { clip, span } = this
    if (span > clip.frames / 1.5) return
    const from = Math.max(0, Math.floor(this.from - span / 2))
    const to = Math.min(clip.frames, Math.ceil(this.to + span / 2))
    const points = await this.app.waveforms.part(clip, Math.min(8192, this.canvas.width * 2), from, to)
    if (!points || this.clip.id !== clip.id) return
    this.detail = { from, to, points }
    this.draw()
  }

  draw() {
    if (!this.clip || !fit(this.canvas)) return
    const context = this.canvas.getContext("2d")
    const { width, height } = this.canvas
    const style = getComputedStyle(this.element)
    const colour = (name) => style.getPropertyValue(name).trim()
    const x = (frame) => ((frame - this.from) / this.span) * width
    context.clearRect(0, 0, width, height)
    const { start, end } = this.region
    context.fillStyle = colour("--raised")
    context.fillRect(x(start), 0, x(end) - x(start), height)
    this.drawBeats(context, x, colour)
    this.drawShape(context)
    context.fillStyle = colour("--shade")
    context.fillRect(0, 0, x(start), height)
    context.fillRect(x(end), 0, width, height)
    for (const [name, element] of Object.entries(this.handles)) {
      const place = (this.region[name] - this.from) / this.span
      element.hidden = !this.areHandlesShown || place < -0.001 || place > 1.001
      element.style.setProperty("left", `${(place * 100).toFixed(3)}%`)
      setAttribute(element, "aria-valuemax", this.clip.frames)
      setAttribute(element, "aria-valuenow", this.region[name])
      setAttribute(element, "aria-valuetext", timeText(this.region[name] / this.clip.sampleRate, 3))
    }
    this.pins.draw()
  }

  drawShape(context) {
    const { detail, points, clip } = this
    const fits = detail && detail.from <= this.from && detail.to >= this.to
    const source = fits ? detail.points : points
    if (!source) return
    const [from, to] = fits ? [detail.from, detail.to] : [0, clip.frames]
    drawWaveform(context, source, {
      from: (this.from - from) / (to - from),
      to: (this.to - from) / (to - from),
      colour: waveColour(this.colour),
      scale: points ? scaleOf(points) : 1,
    })
  }

  // What was heard as lines; what the clip is played by as numbers.
  drawBeats(context, x, colour) {
    const { width, height } = context.canvas
    const density = window.devicePixelRatio || 1
    const bars = new Set(this.analysis?.downbeats ?? [])
    for (const beat of this.analysis?.beats ?? []) {
      const place = x(beat)
      if (place < 0 || place > width) continue
      context.fillStyle = bars.has(beat) ? colour("--muted") : colour("--edge")
      context.globalAlpha = bars.has(beat) ? 0.9 : 0.5
      context.fillRect(Math.round(place), 0, density, height)
    }
    context.globalAlpha = 1
    this.drawAttacks(context, x, colour, density)
    this.drawNumbers(context, x, colour, density)
  }

  drawAttacks(context, x, colour, density) {
    const { width, height } = context.canvas
    const line = (frame, top, bottom) => {
      const place = x(frame)
      if (place >= 0 && place <= width) context.fillRect(Math.round(place), top, density, bottom - top)
    }
    context.fillStyle = colour("--muted")
    for (const frame of this.clip.onsets ?? this.clip.attacks) line(frame, 0, 10 * density)
    context.fillStyle = colour("--accent")
    for (const { frame } of this.clip.warp ?? []) line(frame, 0, height)
  }

  drawNumbers(context, x, colour, density) {
    const { width, height } = context.canvas
    const { length } = this.clip
    const markers = markersOf(this.clip)
    if (!length || length > 4096 || !markers) return
    const { start, end } = this.region
    const distance = ((end - start) / length / this.span) * width
    const every = Math.max(1, 2 ** Math.ceil(Math.log2((26 * density) / distance)))
    // Without markers beats are counted from the loop's start.
    const first = this.clip.warp ? Math.ceil(beatAt(markers, start) / every - 1e-9) * every : beatAt(markers, start)
    const last = beatAt(markers, end) - 1e-9
    context.fillStyle = colour("--text")
    context.font = `${11 * density}px ${getComputedStyle(this.element).fontFamily}`
    for (let beat = first; beat < last; beat += every) {
      const place = x(frameOf(markers, beat))
      if (place < -20 || place > width) continue
      context.fillRect(Math.round(place), height - 14 * density, density, 14 * density)
      const number = this.clip.warp ? beat : beat - first
      context.fillText(String(Math.round(number) + 1), place + 4 * density, height - 4 * density)
    }
  }

  /** Draws the moment: `progress` through the loop, or `null` where the clip doesn't play. */
  frame(progress) {
    const { start, end } = this.region ?? { start: 0, end: 1 }
    const place = progress === null ? -1 : (start + progress * (end - start) - this.from) / this.span
    this.head.hidden = place < 0 || place > 1
    if (!this.head.hidden) this.head.style.transform = `translateX(${(place * this.element.clientWidth).toFixed(1)}px)`
  }
}
