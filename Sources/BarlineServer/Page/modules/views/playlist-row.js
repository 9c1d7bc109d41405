// One item of the playlist.

import { timeText } from "../model/text.js"
import { button, h, removing, setAttribute, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"

/** A row; `update(item, index)` shows an item, `show(status)` what it does. */
export class PlaylistRow {
  constructor(app, { id }) {
    const act = (action) => app.perform({ do: "playlistItem", action, id })
    this.number = h("span", { class: "item-number", "aria-hidden": "true" })
    this.play = button({
      label: "Play",
      icon: this.number,
      kind: "quiet item-play",
      key: `item-play-${id}`,
      press: () => act("play"),
    })
    this.grip = button({ label: "Move", icon: icon("grip"), kind: "quiet item-grip", key: `item-grip-${id}` })
    this.grip.dataset.grip = ""
    this.remove = button({
      label: "Remove",
      icon: icon("close", 18),
      kind: "quiet",
      key: `item-remove-${id}`,
      press: removing(() => act("remove")),
    })
    this.title = h("span", { class: "item-title" })
    this.facts = h("span", { class: "item-facts muted" })
    this.duration = h("span", { class: "item-duration muted" })
    this.done = h("span", { class: "item-done", "aria-hidden": "true" })
    this.element = h(
      "li",
      { class: "item", data: { item: id }, on: { dblclick: (event) => event.target.closest("button") || act("play") } },
      this.grip,
      this.play,
      h("span", { class: "item-text" }, this.title, this.facts),
      this.duration,
      this.remove,
      this.done,
    )
    this.show("waiting")
  }

  update(item, index) {
    this.index = index
    this.element.dataset.index = index
    const { title, artist, album, problem, duration } = item
    setText(this.title, title)
    setText(this.facts, problem ?? [artist, album].filter(Boolean).join(" · "))
    setText(this.duration, duration === null || duration === undefined ? "" : timeText(duration, 0))
    this.element.classList.toggle("broken", Boolean(problem))
    const name = artist ? `${title}, ${artist}` : title
    setAttribute(this.play, "aria-label", `Play ${name}`)
    setAttribute(this.play, "title", "Play from its beginning")
    setAttribute(this.grip, "aria-label", `Move ${name}, place ${index + 1}`)
    setAttribute(this.grip, "title", "Drag to another place; or arrow keys")
    setAttribute(this.remove, "aria-label", `Remove ${name}`)
    setAttribute(this.remove, "title", "Remove from the list")
    if (this.status === "waiting") setText(this.number, String(index + 1))
  }

  /** `status` is `playing`, `paused` for the current item that does not play, or `waiting`. */
  show(status) {
    if (status === this.status) return
    this.status = status
    const isCurrent = status !== "waiting"
    this.element.classList.toggle("current", isCurrent)
    setAttribute(this.element, "aria-current", isCurrent ? "true" : null)
    if (isCurrent) this.number.replaceChildren(icon(status === "playing" ? "play" : "pause", 18))
    else setText(this.number, String((this.index ?? 0) + 1))
    if (!isCurrent) this.done.style.transform = "translateX(-100%)"
  }

  /** How much of the item has been heard, 0 … 1. */
  frame(place) {
    this.done.style.transform = `translateX(${(place * 100 - 100).toFixed(2)}%)`
  }
}
