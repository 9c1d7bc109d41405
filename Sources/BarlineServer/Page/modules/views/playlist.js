// The playlist: files one after the other without a gap, put in order while they play.

import { timeText } from "../model/text.js"
import { button, h, replaceChildren, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { reorderable } from "../ui/reorder.js"
import { takeFiles } from "./import.js"
import { askFiles } from "./library.js"
import { ListPlace } from "./list-place.js"
import { nowPlaying } from "./playlist-now.js"
import { PlaylistRow } from "./playlist-row.js"

function countText(count) {
  return `${count} ${count === 1 ? "item" : "items"}`
}

// The ways to add items: `pick()` asks for files, `choose()` for those of the library.
function addButtons(pick, choose) {
  return {
    files: (rest) => button({ label: "Add files", shown: "Add files", icon: icon("add", 18), press: pick, ...rest }),
    library: (rest) =>
      button({ label: "From the library", shown: "From the library", icon: icon("list", 18), press: choose, ...rest }),
  }
}

// What is shown where there are no items.
function noItems(add) {
  return h(
    "div",
    { class: "empty" },
    h("h3", { text: "No playlist yet" }),
    h("p", {
      class: "muted",
      text: "Music for before, between and after: items follow each other without a gap, or crossfade. Drop files here.",
    }),
    h("div", { class: "actions" }, add.files({ kind: "primary" }), add.library({})),
  )
}

// Files are dropped between two items.
function acceptFiles(app, place, places) {
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
    takeFiles(app, event.dataTransfer, { playlist: new ListPlace(app, places.placeAt(event.clientY)) })
  })
}

function searchField(filter) {
  return h("input", {
    class: "input",
    type: "search",
    "aria-label": "Search the playlist",
    placeholder: "Search",
    autocomplete: "off",
    data: { key: "playlist-search" },
    on: { input: filter },
  })
}

// How long items take one after the other, each of which overlaps the next one by the crossfade, or half of the shorter
// one.
function lengthOf(items, { crossfade }) {
  const lengths = items.map(({ duration }) => duration ?? 0)
  const overlaps = lengths.slice(1).map((length, index) => Math.min(crossfade, length / 2, lengths[index] / 2))
  return lengths.reduce((sum, length) => sum + length, 0) - overlaps.reduce((sum, overlap) => sum + overlap, 0)
}

// How many items there are, how long they are, and what is left to be heard; of a random order, and of one without an
// end, only the whole length is known.
function totalText(items, modes, { item, position }) {
  const known = items.filter(({ duration }) => typeof duration === "number")
  const whole = known.reduce((sum, { duration }) => sum + duration, 0)
  const at = items.findIndex(({ id }) => id === item)
  const continues = !modes.shuffle && modes.repeat === "off" && at >= 0
  const rest = continues ? lengthOf(modes.single || modes.stopAfterCurrent ? [items[at]] : items.slice(at), modes) : 0
  const left = continues ? ` · ${timeText(Math.max(0, rest - position), 0)} left` : ""
  return `${countText(items.length)} · ${timeText(whole, 0)}${left}`
}

// The list: its rows, in their order, which are dragged to other places.
function itemList(app, said, cover) {
  const list = h("ol", { class: "items", "aria-label": "Items" })
  const line = h("span", { class: "drop-line", hidden: true, "aria-hidden": "true" })
  const element = h("div", { class: "items-place" }, list, line)
  const rows = new Map()
  let items = []
  let order = ""
  const places = reorderable(list, {
    scroller: () => document.getElementById("view"),
    line,
    cover,
    count: () => items.length,
    move: async (from, to) => {
      const { id, title } = items[from]
      const done = await app.perform({ do: "playlistItem", action: "move", id, to })
      if (done) said.textContent = `${title}: place ${to + 1} of ${items.length}`
    },
  })
  acceptFiles(app, element, places)
  return {
    element,
    update(next) {
      items = next
      const ids = new Set(items.map(({ id }) => id))
      for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id)
      for (const item of items) if (!rows.has(item.id)) rows.set(item.id, new PlaylistRow(app, item))
      items.forEach((item, index) => rows.get(item.id).update(item, index))
      const now = JSON.stringify(items.map(({ id }) => id))
      if (now !== order)
        replaceChildren(
          list,
          items.map(({ id }) => rows.get(id).element),
        )
      order = now
    },
    /** Shows the items that have all words, and returns how many they are. */
    filter(words) {
      let found = 0
      for (const item of items) {
        const isFound = words.every((word) => item.search.includes(word))
        rows.get(item.id).element.hidden = !isFound
        if (isFound) found += 1
      }
      return found
    },
    frame({ item: id, phase, position }, item) {
      for (const [key, row] of rows)
        row.show(key !== id ? "waiting" : phase === "playing" || phase === "waiting" ? "playing" : "paused")
      if (item?.duration) rows.get(id).frame(Math.min(1, position / item.duration))
    },
  }
}

/** Makes the view. */
export function playlist(app) {
  const now = nowPlaying(app)
  app.togglePlaylist = now.toggle
  const search = searchField(filter)
  const total = h("p", { class: "muted total" })
  const said = h("p", { class: "unseen", role: "status" })
  const missing = h("p", { class: "muted nothing-found", hidden: true })
  const list = itemList(app, said, now.element)
  const add = addButtons(() => app.pickFiles({ playlist: new ListPlace(app) }), choose)
  const clear = button({
    label: "Empty the list",
    icon: icon("trash", 18),
    kind: "quiet clear",
    press: () => app.perform({ do: "playlist", action: "clear" }),
  })
  const content = h(
    "div",
    { class: "playlist" },
    now.element,
    h(
      "div",
      { class: "playlist-tools" },
      search,
      add.files({ key: "playlist-add" }),
      add.library({ kind: "quiet" }),
      clear,
      total,
    ),
    list.element,
    missing,
  )
  // What gets the focus is scrolled to below what plays.
  new ResizeObserver(() => content.style.setProperty("--now", `${now.element.offsetHeight}px`)).observe(now.element)
  const nothing = noItems(add)
  const element = h(
    "section",
    { class: "page", "aria-label": "Playlist" },
    h("h2", { class: "unseen", text: "Playlist" }),
    content,
    nothing,
    said,
  )
  let items = []
  let modes = {}
  let told = ""

  async function choose() {
    const files = await askFiles()
    const end = new ListPlace(app)
    for (const file of files) await end.add(file)
  }

  function filter() {
    const found = list.filter(search.value.toLowerCase().split(/\s+/).filter(Boolean))
    missing.hidden = found > 0 || items.length === 0
    setText(missing, `Nothing in the list is called “${search.value}”.`)
  }

  return {
    element,
    update(state) {
      items = state.session.playlist
      modes = state.playlist
      const wasEmptied = items.length === 0 && document.activeElement === clear
      content.hidden = items.length === 0
      nothing.hidden = items.length > 0
      if (wasEmptied) nothing.querySelector("button").focus()
      list.update(items)
      filter()
      now.update(state)
    },
    frame(live) {
      if (items.length === 0) return
      const item = items.find(({ id }) => id === live.playlist.item)
      now.frame(live, item)
      list.frame(live.playlist, item)
      const text = totalText(items, modes, live.playlist)
      if (text !== told) setText(total, text)
      told = text
    },
  }
}
