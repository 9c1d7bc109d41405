// One pad: its name and shape, what it does, and every way in which it is hit.

import { waveColour } from "../ui/colour.js"
import { button, h, setAttribute, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { drawWaveform, fit, scaleOf } from "../ui/waveform.js"
import { noteText, padKey, padType, placeBeside } from "./places.js"

// How long a hit lights up, in seconds, and how hard it is with Shift.
const glow = 0.3
const soft = 0.4

/** The cell of `pad`; `board` says how hard hits are and which pad is edited. */
export class PadCell {
  constructor(app, pad, board) {
    this.app = app
    this.pad = pad
    this.board = board
    this.name = h("span", { class: "name" })
    this.canvas = h("canvas", { "aria-hidden": "true" })
    this.done = h("span", { class: "done" })
    this.light = h("span", { class: "light", "aria-hidden": "true" })
    this.facts = h("span", { class: "tempo-fact" })
    const key = padKey(pad.slot)
    this.surface = h(
      "button",
      { type: "button", class: "clip pad", "aria-keyshortcuts": key, data: { key: `pad-${pad.slot}`, pad: pad.id } },
      h("span", { class: "wave" }, this.canvas),
      this.done,
      this.light,
      h("span", { class: "title" }, this.name),
      h(
        "span",
        { class: "facts" },
        this.facts,
        h("span", { class: "key", text: key.toUpperCase(), "aria-hidden": "true" }),
      ),
    )
    this.edit = button({
      label: "",
      icon: icon("edit", 16),
      kind: "slot-edit",
      tabindex: "-1",
      press: () => board.choose(this.pad.id),
    })
    this.element = h("div", { role: "gridcell" }, this.surface, this.edit)
    this.listen()
    this.update(pad)
  }

  listen() {
    const { surface, board } = this
    surface.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.app.isEditing) return
      this.pressedAt = event.timeStamp
      // A pen says how hard it is pressed, and fingers and mice don't.
      const pressure = event.pointerType === "pen" && event.pressure > 0 ? event.pressure : 1
      this.hit(pressure * (event.shiftKey ? soft : 1))
    })
    surface.addEventListener("click", (event) => {
      if (this.app.isEditing) return board.choose(this.pad.id)
      const wasPressed = this.pressedAt !== undefined && event.timeStamp - this.pressedAt < 10000 && event.detail > 0
      this.pressedAt = undefined
      if (!wasPressed) this.hit(event.shiftKey ? soft : 1)
    })
    surface.addEventListener("contextmenu", (event) => {
      event.preventDefault()
      // A finger that is held down plays.
      if (event.pointerType !== "touch") board.choose(this.pad.id)
    })
    surface.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && board.chosen() === this.pad.id) board.choose(null)
      if (this.app.isEditing && event.altKey && event.key.startsWith("Arrow")) {
        // At the edge too, where the grid would move the focus away from a pad that is still on its way.
        event.preventDefault()
        this.moveByKey(event)
      }
      if (event.key !== "Enter" || !event.shiftKey) return
      event.preventDefault()
      board.choose(this.pad.id)
    })
    surface.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData(padType, this.pad.id)
      event.dataTransfer.effectAllowed = "move"
    })
  }

  // Moves the pad to the place beside it that an arrow key says, if there is one.
  moveByKey({ key }) {
    const { id, slot: shown } = this.pad
    const { steps } = this.board
    const slot = placeBeside(steps.place(id, shown), key)
    if (slot !== undefined) steps.ask(id, slot, () => this.app.perform({ do: "movePad", pad: id, slot }))
  }

  /** Hits the pad with a part of the velocity that is set. */
  hit(share = 1) {
    if (this.pad.problem) return this.board.choose(this.pad.id)
    const velocity = Math.round(1000 * share * this.board.velocity()) / 1000
    this.app.perform({ do: "hit", pad: this.pad.id, velocity })
  }

  update(pad) {
    this.pad = pad
    const { surface } = this
    const isChosen = this.board.chosen() === pad.id
    surface.style.setProperty("--clip", pad.colour)
    surface.classList.toggle("broken", Boolean(pad.problem))
    surface.classList.toggle("chosen", isChosen)
    surface.draggable = this.app.isEditing
    surface.title = pad.problem ?? ""
    setText(this.name, pad.name)
    const note = Number.isInteger(pad.note) ? noteText(pad.note) : ""
    const choke = pad.choke ? `choke ${pad.choke}` : ""
    setText(this.facts, pad.problem ? "can't play" : [note, choke].filter(Boolean).join(" · "))
    const place = `pad ${pad.slot + 1}`
    const rest = pad.problem ? ["can't play"] : [note && `note ${note}`, choke && `choke group ${pad.choke}`]
    setAttribute(surface, "aria-label", [pad.name, place, ...rest].filter(Boolean).join(", "))
    setAttribute(this.edit, "aria-label", `Edit ${pad.name}`)
    this.edit.title = `Edit ${pad.name}`
    this.draw()
  }

  /** Draws the shape, once it is known. */
  async draw() {
    const { pad } = this
    const points = await this.app.waveforms.whole("pad", pad)
    if (!points || pad !== this.pad || !fit(this.canvas)) return
    const { width, height } = this.canvas
    const picture = [pad.version, pad.colour, width, height, document.documentElement.dataset.theme].join()
    if (picture === this.picture) return
    this.picture = picture
    const context = this.canvas.getContext("2d")
    context.clearRect(0, 0, width, height)
    drawWaveform(context, points, { colour: waveColour(pad.colour), scale: scaleOf(points), rms: false })
  }

  /** Draws the moment: `live` is what the pad does. */
  frame(live, now) {
    if (this.hits !== undefined && live.hits !== this.hits) {
      this.litAt = now
      this.brightness = 0.25 + 0.55 * live.velocity
    }
    this.hits = live.hits
    const left = this.litAt === undefined ? 0 : 1 - (now - this.litAt) / glow
    const opacity = left > 0 ? (left * this.brightness).toFixed(2) : "0"
    if (opacity !== this.opacity) this.light.style.opacity = this.opacity = opacity
    const plays = live.voices > 0
    if (plays !== this.plays) this.surface.classList.toggle("playing", (this.plays = plays))
    const waits = live.waiting > 0
    if (waits !== this.waits) this.surface.classList.toggle("queued", (this.waits = waits))
    if (plays) this.done.style.transform = `translateX(${(live.progress * 100 - 100).toFixed(2)}%)`
  }
}
