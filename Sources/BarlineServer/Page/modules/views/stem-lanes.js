// The stems' time line and lanes.

import { firstLine } from "../model/stem-grid.js"
import { timeText } from "../model/text.js"
import { waveColour } from "../ui/colour.js"
import { button, flip, h, onEscape, removing, setAttribute, setText } from "../ui/dom.js"
import { gainFader, panControl } from "../ui/fader.js"
import { icon } from "../ui/icons.js"
import { Lead } from "../ui/lead.js"
import { Meter } from "../ui/meter.js"
import { numberField } from "../ui/number.js"
import { drawWaveform, fit, scaleOf } from "../ui/waveform.js"

/** Where the stems are: press to go there, drag to loop. */
export class Timeline {
  constructor({ seek, select }) {
    this.duration = 0
    this.head = h("span", { class: "wave-head" })
    this.loop = h("span", { class: "loop", hidden: true })
    this.flags = h("span", { class: "flags", "aria-hidden": "true" })
    this.element = h(
      "div",
      {
        class: "timeline",
        role: "slider",
        tabindex: "0",
        "aria-label": "Position of the stems",
        "aria-valuemin": 0,
        title: "Press to go there; drag to loop",
      },
      this.loop,
      this.flags,
      this.head,
    )
    let from = null
    let ignoreEscape = () => {}
    const letGo = () => {
      ignoreEscape()
      from = null
    }
    const takeBack = () => {
      letGo()
      this.drawLoop(this.region)
    }
    this.isDragged = () => from !== null
    this.lead = new Lead()
    const go = (seconds) => {
      this.lead.until(seek(seconds))
      this.show(seconds)
    }
    const at = (event) => {
      const box = this.element.getBoundingClientRect()
      return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.duration
    }
    this.element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return
      from = { x: event.clientX, seconds: at(event) }
      ignoreEscape = onEscape(takeBack)
      this.element.setPointerCapture(event.pointerId)
    })
    this.element.addEventListener("pointermove", (event) => {
      if (from && Math.abs(event.clientX - from.x) > 6)
        this.drawLoop({ start: Math.min(from.seconds, at(event)), end: Math.max(from.seconds, at(event)) })
    })
    this.element.addEventListener("pointercancel", takeBack)
    this.element.addEventListener("pointerup", (event) => {
      if (!from) return
      const { x, seconds } = from
      const [start, end] = [Math.min(seconds, at(event)), Math.max(seconds, at(event))]
      letGo()
      if (Math.abs(event.clientX - x) > 6 && end - start >= 0.05) return select(start, end)
      this.drawLoop(this.region)
      go(seconds)
    })
    this.element.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 5, ArrowLeft: -5, PageUp: 30, PageDown: -30 }[event.key]
      const ends = { Home: 0, End: this.duration }
      const target = step ? Math.max(0, Math.min(this.duration, this.seconds + step)) : ends[event.key]
      if (target === undefined) return
      event.preventDefault()
      go(target)
    })
  }

  update(duration, markers, grid) {
    this.duration = duration
    this.element.classList.toggle("barred", Boolean(grid) && duration > 0)
    if (grid && duration > 0) {
      // Not closer than a hundredth of the way.
      let bar = grid.bar / duration
      while (bar < 0.01) bar *= 2
      this.element.style.setProperty("--bar", bar)
      this.element.style.setProperty("--line", firstLine(grid) / duration)
    }
    setAttribute(this.element, "aria-valuemax", Math.round(duration))
    this.flags.replaceChildren(
      ...markers.map(({ name, position }) =>
        h("span", { class: "flag", vars: { place: duration > 0 ? position / duration : 0 }, text: name }),
      ),
    )
  }

  /** Shows what is looped, once no other region is being drawn. */
  showLoop(region) {
    this.region = region
    if (!this.isDragged()) this.drawLoop(region)
  }

  drawLoop(region) {
    this.loop.hidden = !region
    if (!region || this.duration === 0) return
    this.loop.style.setProperty("left", `${(region.start / this.duration) * 100}%`)
    this.loop.style.setProperty("width", `${((region.end - region.start) / this.duration) * 100}%`)
  }

  frame(seconds) {
    if (!this.lead.isOn) this.show(seconds)
  }

  show(seconds) {
    this.seconds = seconds
    const place = this.duration > 0 ? Math.min(1, seconds / this.duration) : 0
    this.head.style.transform = `translateX(${(place * this.element.clientWidth).toFixed(1)}px)`
    const whole = Math.round(seconds)
    if (this.told === whole) return
    this.told = whole
    setAttribute(this.element, "aria-valuenow", whole)
    setAttribute(this.element, "aria-valuetext", timeText(seconds, 0))
  }
}

// What is said of a stem's parts to those who don't see them.
const words = {
  lane: (name) => name,
  move: (name) => `Move ${name}`,
  remove: (name) => `Remove ${name}`,
  mute: (name) => `Mute ${name}`,
  solo: (name) => `Solo ${name}`,
  voice: (name) => `Keep the voice of ${name}`,
  gain: (name) => `${name}: gain`,
  gainValue: (name) => `${name}: gain in dB`,
  pan: (name) => `${name}: pan`,
  transpose: (name) => `Transpose ${name}, semitones`,
}

/** One stem: its strip at the left, its shape at the right. */
export class StemLane {
  constructor(app, stem, colour) {
    this.app = app
    this.stem = stem
    this.colour = colour
    const act = (action) => app.perform({ ...action, stem: stem.id })
    this.name = h("h3", { class: "lane-name", text: stem.name })
    const letter = (letter, kind, word) =>
      button({
        label: words[word](stem.name),
        icon: h("span", { text: letter }),
        kind,
        pressed: false,
        press: ({ currentTarget }) => flip(currentTarget, (on) => act({ do: word, on })),
      })
    this.mute = letter("M", "mute", "mute")
    this.solo = letter("S", "", "solo")
    this.voice = button({
      label: words.voice(stem.name),
      title: "Formants stay where they are when it is transposed, so that a voice stays the same person's",
      icon: h("span", { text: "V" }),
      pressed: false,
      press: () => {
        const formants = this.stem.formants === undefined ? 0 : null
        app.perform({ do: "editStem", stem: stem.id, set: { formants } })
      },
    })
    this.gain = gainFader(stem.name, (db) => act({ do: "gain", db }), {
      upright: false,
      key: `stem-gain-${stem.id}`,
    })
    this.pan = panControl(stem.name, (value) => act({ do: "pan", value }))
    this.key = numberField({
      min: -24,
      max: 24,
      "aria-label": words.transpose(stem.name),
      title: "Semitones higher than it was recorded; decimals are cents. The tempo stays as it is",
      data: { key: `transpose-${stem.id}` },
      change: (transpose) => app.perform({ do: "editStem", stem: stem.id, set: { transpose } }),
    })
    const meter = h("canvas", { class: "lane-meter", "aria-hidden": "true" })
    this.meter = new Meter(meter)
    this.canvas = h("canvas", { class: "lane-wave", "aria-hidden": "true" })
    this.head = h("span", { class: "wave-head" })
    this.problem = h("p", { class: "problem" })
    const grip = button({
      label: words.move(stem.name),
      icon: icon("grip"),
      kind: "quiet item-grip",
      title: "Drag to another place; or arrow keys",
      key: `stem-grip-${stem.id}`,
    })
    grip.dataset.grip = ""
    const remove = button({
      label: words.remove(stem.name),
      icon: icon("trash", 18),
      kind: "quiet",
      press: removing(() => app.perform({ do: "removeStem", stem: stem.id })),
    })
    this.element = h(
      "div",
      { class: "lane", role: "group", "aria-label": stem.name, vars: { clip: colour } },
      h(
        "div",
        { class: "lane-strip" },
        h("div", { class: "lane-head" }, grip, this.name),
        h(
          "div",
          { class: "row" },
          this.mute,
          this.solo,
          this.voice,
          h("span", { class: "lane-pan" }, this.pan.slider, this.pan.value),
          remove,
        ),
        h(
          "div",
          { class: "lane-gain" },
          this.gain.slider,
          this.gain.value,
          this.key.input,
          h("span", { class: "muted", text: "st", "aria-hidden": "true" }),
        ),
        meter,
        this.problem,
      ),
      h("div", { class: "lane-shape" }, this.canvas, this.head),
    )
    this.labelled = [
      [this.element, words.lane],
      [grip, words.move],
      [remove, words.remove],
      [this.mute, words.mute],
      [this.solo, words.solo],
      [this.voice, words.voice],
      [this.gain.slider, words.gain],
      [this.gain.value, words.gainValue],
      [this.pan.slider, words.pan],
      [this.key.input, words.transpose],
    ]
    new ResizeObserver(() => this.draw()).observe(this.canvas)
  }

  // Whoever names it, here or elsewhere: what has a name only for some has the same one as for all.
  nameParts(name) {
    for (const [element, words] of this.labelled) {
      if (element.title === element.getAttribute("aria-label")) setAttribute(element, "title", words(name))
      setAttribute(element, "aria-label", words(name))
    }
  }

  update(stem, duration, index) {
    if (stem.name !== this.stem.name) this.nameParts(stem.name)
    this.stem = stem
    this.element.dataset.index = index
    this.duration = duration
    setText(this.name, stem.name)
    setAttribute(this.mute, "aria-pressed", Boolean(stem.mute))
    setAttribute(this.solo, "aria-pressed", Boolean(stem.solo))
    setAttribute(this.voice, "aria-pressed", stem.formants !== undefined)
    this.gain.update(stem.gain)
    this.pan.update(stem.pan)
    this.key.update(stem.transpose ?? 0)
    setText(this.problem, stem.problem ?? "")
    this.element.classList.toggle("silent", Boolean(stem.mute))
    this.draw()
  }

  async draw() {
    const { stem, duration } = this
    if (!stem.version || !duration) return
    const points = await this.app.waveforms.stem(stem)
    if (!points || !fit(this.canvas)) return
    const context = this.canvas.getContext("2d")
    context.clearRect(0, 0, this.canvas.width, this.canvas.height)
    // The time line runs from its start to the end of the longest stem.
    const offset = stem.offset ?? 0
    drawWaveform(context, points, {
      from: offset / stem.frames,
      to: (offset + duration * stem.sampleRate) / stem.frames,
      colour: waveColour(this.colour),
      scale: scaleOf(points),
    })
  }

  frame(level, place, now) {
    if (level) this.meter.draw(level[0], level[1], now)
    this.head.style.transform = `translateX(${(Math.min(1, place) * this.canvas.clientWidth).toFixed(1)}px)`
  }
}
