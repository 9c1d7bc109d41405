// One clip of the grid: its name, shape and tempo, and what it does.

import { isArmed } from "../model/recording.js"
import { isHeldClip } from "../model/session.js"
import { bpmText, tempoUnknown } from "../model/text.js"
import { waveColour } from "../ui/colour.js"
import { button, h, setAttribute, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { drawWaveform, fit, scaleOf } from "../ui/waveform.js"
import { clipType } from "./import.js"

const words = { stopped: "stopped", queued: "queued", playing: "playing", stopping: "stopping" }
// From here on a clip is played so much faster, or slower, than it was made that it is worth a look.
const far = 1.2
// The most layers that have a strip each; the number is said beside them.
const mostStrips = 8
const marks = { stopped: null, queued: "play", playing: "play", stopping: "stop" }

/** The cell of `clip`; `key` is its letter. */
export class ClipCell {
  constructor(app, clip, key) {
    this.app = app
    this.clip = clip
    this.heading = ""
    this.status = ""
    this.count = ""
    this.speed = 1
    this.isSeen = false
    this.mark = h("span", { "aria-hidden": "true" })
    this.name = h("span", { class: "name", text: clip.name })
    this.canvas = h("canvas", { "aria-hidden": "true" })
    this.done = h("span", { class: "done" })
    this.counter = h("span", { class: "count", "aria-hidden": "true" })
    this.fact = h("span", { class: "own-tempo" })
    this.factor = h("span", { class: "factor" })
    this.facts = h("span", { class: "tempo-fact" }, this.fact, this.factor)
    this.strips = h("span", { class: "loop-layers", "aria-hidden": "true" })
    this.pad = h(
      "button",
      { type: "button", class: "clip", data: { key: `clip-${clip.id}`, clip: clip.id } },
      h("span", { class: "wave" }, this.canvas),
      this.done,
      this.strips,
      h("span", { class: "title" }, this.mark, this.name),
      h(
        "span",
        { class: "facts" },
        this.facts,
        h("span", { class: "key", text: key.toUpperCase(), "aria-hidden": "true" }),
      ),
      this.counter,
    )
    this.colour = clip.colour
    this.pad.style.setProperty("--clip", this.colour)
    if (key) this.pad.setAttribute("aria-keyshortcuts", key)
    this.over = button({
      label: `Record over ${clip.name}`,
      icon: icon("record", 16),
      kind: "slot-over",
      tabindex: "-1",
      pressed: false,
      press: () => {
        const own = this.owner
        if (own) app.perform({ do: "recordClip", track: own.id, slot: this.clip.slot, mode: "overdub" })
      },
    })
    this.over.hidden = true
    this.element = h(
      "div",
      { role: "gridcell" },
      this.pad,
      this.over,
      button({
        label: `Edit ${clip.name}`,
        icon: icon("edit", 16),
        kind: "slot-edit",
        tabindex: "-1",
        press: () => app.choose(clip.id),
      }),
    )
    this.listen()
    this.show("stopped")
    this.update(clip)
  }

  listen() {
    const { pad, app } = this
    pad.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || app.isEditing) return
      // Where the grid scrolls, a finger that goes down may be about to scroll.
      const waits = event.pointerType === "touch" && !pad.closest(".fits") && !this.isGate
      if (waits) return
      this.pressedAt = event.timeStamp
      pad.setPointerCapture(event.pointerId)
      app.launchHeld(this.clip, event)
    })
    pad.addEventListener("click", (event) => {
      if (app.isEditing) return app.choose(this.clip.id)
      const wasPressed = this.pressedAt !== undefined && event.timeStamp - this.pressedAt < 10000 && event.detail > 0
      this.pressedAt = undefined
      if (wasPressed) return
      app.perform({ do: "launch", clip: this.clip.id })
      if (this.isGate) app.release(this.clip.id)
    })
    pad.addEventListener("contextmenu", (event) => {
      event.preventDefault()
      if (!this.isGate) app.choose(this.clip.id)
    })
    pad.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData(clipType, this.clip.id)
      event.dataTransfer.effectAllowed = "move"
    })
    pad.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.shiftKey) return
      event.preventDefault()
      app.choose(this.clip.id)
    })
  }

  get owner() {
    return this.app.state.session.tracks.find(({ clips }) => clips.some(({ id }) => id === this.clip.id))
  }

  get isGate() {
    return isHeldClip(this.clip)
  }

  /** Says where the cell is: the names of its track and its scene. */
  place(track, scene) {
    this.heading = `${track}, ${scene}`
    this.label()
  }

  update(clip) {
    this.clip = clip
    setText(this.name, clip.name)
    this.showFacts()
    this.pad.classList.toggle("broken", Boolean(clip.problem))
    this.pad.classList.toggle("chosen", this.app.chosen === clip.id)
    // Only where a press doesn't play.
    this.pad.draggable = this.app.isEditing
    this.pad.title = clip.problem ?? (clip.isFree ? tempoUnknown : "")
    this.overdub = this.app.state.overdubs?.[clip.id]
    this.pad.classList.toggle("recorded-over", Boolean(this.overdub))
    this.showLayers()
    this.over.hidden = !isArmed(this.app.state, this.owner)
    setAttribute(this.over, "aria-pressed", Boolean(this.overdub))
    this.colour = clip.colour
    this.pad.style.setProperty("--clip", this.colour)
    this.label()
    this.draw()
  }

  /** What the cell says of the tempo, and how many layers there are. */
  showFacts() {
    const layers = this.clip.layers?.length ?? 0
    setText(this.fact, layers > 0 ? `+${layers} · ${this.tempoFact}` : this.tempoFact)
    setText(this.factor, this.isFar ? `×${this.speed.toFixed(2)}` : "")
  }

  /** A strip for each layer: those that are heard, those that were undone, and the one that is recorded. */
  showLayers() {
    const below = this.clip.layers?.length ?? 0
    const undone = this.clip.undoneLayers?.length ?? 0
    const isOver = Boolean(this.overdub)
    const shape = `${below} ${undone} ${isOver}`
    if (shape === this.shownLayers) return
    this.shownLayers = shape
    const kinds = below + undone > 0 || isOver ? Array(below + 1).fill("loop-layer") : []
    if (isOver) kinds.push("loop-layer loop-layer-new")
    kinds.push(...Array(undone).fill("loop-layer loop-layer-undone"))
    this.strips.replaceChildren(...kinds.slice(-mostStrips).map((kind) => h("span", { class: kind })))
  }

  get tempoFact() {
    if (this.clip.problem) return "can't play"
    if (this.clip.isFree) return "tempo unknown"
    if (!this.clip.tempo) return "own speed"
    return bpmText(this.clip.tempo)
  }

  get isFar() {
    return this.speed >= far || this.speed <= 1 / far
  }

  // Beside the tempo of the moment.
  showSpeed(tempo) {
    const { tempo: own, playback } = this.clip
    const follows = own && tempo && playback !== "original"
    const speed = follows ? Math.round((tempo / own) * 100) / 100 : 1
    if (speed === this.speed) return
    const wasFar = this.isFar
    this.speed = speed
    if (!wasFar && !this.isFar) return
    this.pad.classList.toggle("far", this.isFar)
    this.showFacts()
    this.label()
  }

  label() {
    const { problem, isFree, tempo: bpm } = this.clip
    const speed = this.isFar ? `, far from the set: ${this.speed} times its speed` : ""
    const own = bpm ? `, ${bpmText(bpm)} BPM${speed}` : ""
    const tempo = problem ? ", can't play" : isFree ? `, ${tempoUnknown}` : own
    const count = this.clip.layers?.length ?? 0
    const layers = count > 0 ? `, ${count === 1 ? "1 layer" : `${count} layers`}` : ""
    const over = this.overdub ? (this.overdub.since === null ? ", waiting to record over it" : ", recorded over") : ""
    setAttribute(
      this.pad,
      "aria-label",
      `${this.clip.name}, ${this.heading}${tempo}${layers}${over}, ${words[this.status]}`,
    )
  }

  /** Says whether the cell is scrolled to where it can be seen. */
  see(isSeen) {
    this.isSeen = isSeen
    this.draw()
  }

  /** Draws the shape, once it is known, where it is seen. */
  async draw() {
    if (!this.isSeen) return
    const points = await this.app.waveforms.overview(this.clip)
    if (!points || !fit(this.canvas)) return
    const { from, to, version } = this.clip
    const picture = [
      from,
      to,
      version,
      this.colour,
      this.canvas.width,
      this.canvas.height,
      document.documentElement.dataset.theme,
    ].join()
    if (picture === this.picture) return
    this.picture = picture
    const context = this.canvas.getContext("2d")
    context.clearRect(0, 0, this.canvas.width, this.canvas.height)
    drawWaveform(context, points, {
      from,
      to,
      colour: waveColour(this.colour),
      scale: scaleOf(points),
      rms: false,
    })
  }

  show(status) {
    if (status === this.status) return
    this.status = status
    for (const name of ["queued", "playing", "stopping"]) {
      this.pad.classList.toggle(name, name === status || (name === "playing" && status === "stopping"))
    }
    this.mark.replaceChildren(...(marks[status] ? [icon(marks[status], 16)] : []))
    setAttribute(this.pad, "aria-pressed", status === "playing" || status === "stopping")
    this.label()
  }

  /** Draws the moment: `slot` is what the cell's track does, `tempo` the set's. */
  frame(slot, tempo) {
    const id = this.clip.id
    this.showSpeed(tempo)
    const plays = slot.playing === id
    const waits = slot.queued === id
    this.show(plays ? (slot.isStopping ? "stopping" : "playing") : waits ? "queued" : "stopped")
    if (plays && waits) this.pad.classList.add("queued")
    else if (this.status !== "queued") this.pad.classList.remove("queued")
    if (plays && this.isSeen) {
      const progress = Math.max(0, Math.min(1, slot.progress))
      this.done.style.transform = `translateX(${(progress * 100 - 100).toFixed(2)}%)`
    }
    const count = waits || (plays && slot.isStopping) ? String(Math.max(1, Math.ceil(slot.beatsToGo - 0.001))) : ""
    if (count !== this.count) {
      this.count = count
      setText(this.counter, count)
    }
  }
}
