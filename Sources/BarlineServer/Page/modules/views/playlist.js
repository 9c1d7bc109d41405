// The playlist: files one after the other without a gap, put in order while they play.

import { timeText } from "../model/text.js"
import { button, h, replaceChildren, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { reorderable } from "../ui/reorder.js"
import { takeFiles } from "./import.js"
import { askFiles } from "./library.js"
import { nowPlaying } from "./playlist-now.js"
import { PlaylistRow } from "./playlist-row.js"

function countText(count) {
  return `${count} ${count === 1 ? "item" : "items"}`
}

/** Makes the view. */
export function playlist(app) {
  const now = nowPlaying(app)
  app.togglePlaylist = now.toggle
  const search = h("input", {
    class: "input",
    type: "search",
    "aria-label": "Search the playlist",
    placeholder: "Search",
    autocomplete: "off",
    data: { key: "playlist-search" },
    on: { input: () => filter() },
  })
  const total = h("p", { class: "muted total" })
  const said = h("p", { class: "unseen", role: "status" })
  const missing = h("p", { class: "muted nothing-found", hidden: true })
  const list = h("ol", { class: "items", "aria-label": "Items" })
  const line = h("span", { class: "drop-line", hidden: true, "aria-hidden": "true" })
  const pick = () => app.pickFiles({ playlist: items.length })
  const addFiles = (rest) =>
    button({ label: "Add files", shown: "Add files", icon: icon("add", 18), press: pick, ...rest })
  const addFromLibrary = (rest) =>
    button({ label: "From the library", shown: "From the library", icon: icon("list", 18), press: choose, ...rest })
  const clear = button({
    label: "Empty the list",
    icon: icon("trash", 18),
    kind: "quiet clear",
    press: () => app.perform({ do: "playlist", action: "clear" }),
  })
  const place = h("div", { class: "items-place" }, list, line)
  const content = h(
    "div",
    { class: "playlist" },
    now.element,
    h(
      "div",
      { class: "playlist-tools" },
      search,
      addFiles({ key: "playlist-add" }),
      addFromLibrary({ kind: "quiet" }),
      clear,
      total,
    ),
    place,
    missing,
  )
  const nothing = h(
    "div",
    { class: "empty" },
    h("h3", { text: "No playlist yet" }),
    h("p", {
      class: "muted",
      text: "Music for before, between and after: items follow each other without a gap, or crossfade. Drop files here.",
    }),
    h("div", { class: "actions" }, addFiles({ kind: "primary" }), addFromLibrary({})),
  )
  const element = h(
    "section",
    { class: "page", "aria-label": "Playlist" },
    h("h2", { class: "unseen", text: "Playlist" }),
    content,
    nothing,
    said,
  )
  const rows = new Map()
  let items = []
  let order = ""
  let modes = {}
  let told = ""

  const places = reorderable(list, {
    scroller: () => document.getElementById("view"),
    line,
    count: () => items.length,
    move: async (from, to) => {
      const { title } = items[from]
      const done = await app.perform({ do: "playlist", action: "move", from, to })
      if (done) said.textContent = `${title}: place ${to + 1} of ${items.length}`
    },
  })

  // Files are dropped between two items.
  place.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return
    event.preventDefault()
    places.show(places.placeAt(event.clientY))
  })
  place.addEventListener("dragleave", () => places.show(null))
  place.addEventListener("drop", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return
    event.preventDefault()
    event.stopPropagation()
    places.show(null)
    takeFiles(app, event.dataTransfer, { playlist: places.placeAt(event.clientY) })
  })

  async function choose() {
    for (const file of await askFiles())
      await app.perform({ do: "playlist", action: "insert", index: items.length, file })
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const item of items) {
      const isFound = words.every((word) => item.search.includes(word))
      rows.get(item.id).element.hidden = !isFound
      if (isFound) found += 1
    }
    missing.hidden = found > 0 || items.length === 0
    setText(missing, `Nothing in the list is called “${search.value}”.`)
  }

  // What is left to be heard; of a random order, and of one without an end, only the whole length is known.
  function tellTotal(live) {
    const known = items.filter(({ duration }) => typeof duration === "number")
    const whole = known.reduce((sum, { duration }) => sum + duration, 0)
    const at = items.findIndex(({ id }) => id === live.playlist.item)
    const continues = !modes.shuffle && modes.repeat === "off" && at >= 0
    const rest = continues ? items.slice(at).reduce((sum, { duration }) => sum + (duration ?? 0), 0) : 0
    const left = continues ? ` · ${timeText(Math.max(0, rest - live.playlist.position), 0)} left` : ""
    const text = `${countText(items.length)} · ${timeText(whole, 0)}${left}`
    if (text === told) return
    told = text
    setText(total, text)
  }

  return {
    element,
    update(state) {
      items = state.session.playlist
      modes = state.playlist
      content.hidden = items.length === 0
      nothing.hidden = items.length > 0
      const ids = new Set(items.map(({ id }) => id))
      for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id)
      for (const item of items) if (!rows.has(item.id)) rows.set(item.id, new PlaylistRow(app, item))
      items.forEach((item, index) => rows.get(item.id).update(item, index))
      const next = JSON.stringify(items.map(({ id }) => id))
      if (next !== order)
        replaceChildren(
          list,
          items.map(({ id }) => rows.get(id).element),
        )
      order = next
      filter()
      now.update(state)
    },
    frame(live) {
      if (items.length === 0) return
      const { item: id, phase, position } = live.playlist
      const item = items.find((candidate) => candidate.id === id)
      now.frame(live, item)
      for (const [key, row] of rows)
        row.show(key !== id ? "waiting" : phase === "playing" || phase === "waiting" ? "playing" : "paused")
      if (item?.duration) rows.get(id).frame(Math.min(1, position / item.duration))
      tellTotal(live)
    },
  }
}
