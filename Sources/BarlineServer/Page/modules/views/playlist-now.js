// What the playlist plays: its title, how far it is, and how it continues.

import { timeText } from "../model/text.js"
import { fetchCover } from "../net/files.js"
import { button, field, flip, h, select, setAttribute, setText } from "../ui/dom.js"
import { gainFader } from "../ui/fader.js"
import { icon } from "../ui/icons.js"
import { Lead } from "../ui/lead.js"
import { Meter } from "../ui/meter.js"
import { numberField } from "../ui/number.js"
import { choose } from "./transport.js"

const steps = 1000

/** A place in an item: a slider whose keys go by seconds. */
class SeekBar {
  constructor(seek) {
    this.duration = null
    this.position = 0
    this.lead = new Lead()
    this.slider = h("input", {
      type: "range",
      class: "fader level seek",
      min: 0,
      max: steps,
      step: 1,
      "aria-label": "Position in the item",
      data: { key: "playlist-position" },
    })
    this.elapsed = h("span", { class: "elapsed" })
    this.left = h("span", { class: "left muted" })
    this.element = h("div", { class: "seek-row" }, this.elapsed, this.slider, this.left)
    this.slider.addEventListener("input", () => {
      this.lead.begin()
      this.draw(this.chosen)
    })
    this.slider.addEventListener("change", () => this.go(this.chosen, seek))
    this.slider.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 30, PageDown: -30 }[event.key]
      if (!step || !this.duration) return
      event.preventDefault()
      this.go(Math.max(0, Math.min(this.duration, this.position + step)), seek)
    })
  }

  go(seconds, seek) {
    this.position = seconds
    this.slider.value = Math.round((seconds / this.duration) * steps)
    this.draw(seconds)
    this.lead.until(seek(seconds))
  }

  get chosen() {
    return (this.slider.value / steps) * (this.duration ?? 0)
  }

  draw(seconds) {
    const place = this.duration ? Math.min(1, seconds / this.duration) : 0
    const text = timeText(seconds, 0)
    setText(this.elapsed, text)
    setText(this.left, this.duration ? `−${timeText(Math.max(0, this.duration - seconds), 0)}` : "")
    this.slider.style.setProperty("--place", place.toFixed(4))
    setAttribute(this.slider, "aria-valuetext", text)
  }

  update(duration) {
    this.duration = duration ?? null
    this.slider.disabled = !duration
  }

  frame(seconds) {
    if (this.lead.isOn) return
    this.position = seconds
    this.slider.value = this.duration ? Math.round((seconds / this.duration) * steps) : 0
    this.draw(seconds)
  }
}

/** The cover of what plays, where its file has one. */
class Cover {
  constructor() {
    this.element = h("img", { class: "now-cover", alt: "", hidden: true })
  }

  async show(item) {
    if (item === this.item) return
    this.item = item
    const blob = item ? await fetchCover(item).catch(() => null) : null
    // What has come late is of an item that plays no more.
    if (item !== this.item) return
    URL.revokeObjectURL(this.element.src)
    this.element.hidden = !blob
    if (blob) this.element.src = URL.createObjectURL(blob)
    else this.element.removeAttribute("src")
  }
}

// How the current item is played. What is typed is the item's that was shown when typing began, also where the list
// goes on meanwhile.
function itemFields(app) {
  let shown = null
  let meant = null
  const forget = () => {
    meant = null
  }
  const act = (action, rest) => {
    app.perform({ do: "playlistItem", action, id: meant ?? shown, ...rest })
    forget()
  }
  const key = numberField({
    min: -24,
    max: 24,
    title: "Semitones higher than it was recorded; decimals are cents. Its speed stays as it is",
    data: { key: "playlist-transpose" },
    change: (semitones) => act("transpose", { semitones }),
  })
  const formants = numberField({
    min: -24,
    max: 24,
    isOptional: true,
    title: "0: a voice stays itself; empty: they follow the pitch",
    data: { key: "playlist-formants" },
    change: (semitones) => act("formants", { semitones }),
  })
  const speed = numberField({
    min: 25,
    max: 400,
    title: "Per cent of the speed at which it was recorded; its pitch is kept",
    data: { key: "playlist-speed" },
    change: (percent) => act("speed", { value: percent / 100 }),
  })
  for (const { input } of [key, formants, speed]) {
    input.addEventListener("input", () => {
      meant ??= shown
    })
    input.addEventListener("blur", forget)
    input.addEventListener("keydown", ({ key }) => key === "Escape" && forget())
  }
  return {
    elements: [
      field("Item’s key, semitones", key.input),
      field("Item’s formants, semitones", formants.input),
      field("Item’s speed, %", speed.input),
    ],
    update(item) {
      shown = item?.id ?? null
      key.input.disabled = formants.input.disabled = speed.input.disabled = !item
      formants.update(item?.formants)
      key.update(item?.transpose ?? 0)
      speed.update(Math.round((item?.speed ?? 1) * 10_000) / 100)
    },
  }
}

// How the list continues.
function listModes(act) {
  const press =
    (action) =>
    ({ currentTarget }) =>
      flip(currentTarget, (on) => act(action, { on }))
  const mode = (label, shown, name, action) =>
    button({ label, shown, icon: name ? icon(name, 18) : null, pressed: false, title: label, press: press(action) })
  const shuffle = mode("Shuffle: random order, none twice", "Shuffle", "shuffle", "shuffle")
  const single = mode("Single: stop after each item", "Single", null, "single")
  const consume = mode("Consume: items leave the list when they were played", "Consume", null, "consume")
  const last = mode("Stop after this item", "Stop after this", null, "stopAfterCurrent")
  const again = select(
    [
      ["off", "off"],
      ["all", "the list"],
      ["one", "this item"],
    ],
    { change: (value) => act("repeat", { value }), data: { key: "playlist-repeat" } },
  )
  const crossfade = select(
    [0, 1, 2, 3, 4, 6, 8, 10, 12, 15].map((seconds) => [seconds, seconds === 0 ? "none: gapless" : `${seconds} s`]),
    { change: (value) => act("crossfade", { seconds: Number(value) }), data: { key: "playlist-crossfade" } },
  )
  return {
    elements: [
      field("Repeat", again),
      field("Crossfade", crossfade),
      h(
        "div",
        { class: "now-flags", role: "group", "aria-label": "How the list goes on" },
        shuffle,
        single,
        consume,
        last,
      ),
    ],
    update(playlist) {
      choose(again, playlist.repeat)
      choose(crossfade, playlist.crossfade)
      setAttribute(shuffle, "aria-pressed", playlist.shuffle)
      setAttribute(single, "aria-pressed", playlist.single)
      setAttribute(consume, "aria-pressed", playlist.consume)
      setAttribute(last, "aria-pressed", playlist.stopAfterCurrent)
    },
  }
}

// Play, and the ways to other items.
function playButtons(act, toggle, more) {
  const play = button({
    label: "Play the list",
    icon: icon("play", 30),
    kind: "go now-play",
    pressed: false,
    key: "playlist-play",
    press: () => toggle(),
  })
  const element = h(
    "div",
    { class: "now-buttons" },
    button({
      label: "Previous item",
      icon: icon("previous", 24),
      key: "playlist-previous",
      press: () => act("previous"),
    }),
    play,
    button({ label: "Next item", icon: icon("next", 24), key: "playlist-next", press: () => act("next") }),
    more,
  )
  let shown
  return {
    element,
    frame(plays) {
      if (shown === plays) return
      shown = plays
      setAttribute(play, "aria-pressed", plays)
      setAttribute(play, "aria-label", plays ? "Pause the list" : "Play the list")
      setAttribute(play, "title", plays ? "Pause the list (Space)" : "Play the list (Space)")
      play.replaceChildren(icon(plays ? "pause" : "play", 30))
    },
  }
}

// The playlist's fader, and its meter.
function levelRow(act) {
  const canvas = h("canvas", { class: "now-meter", "aria-hidden": "true" })
  const meter = new Meter(canvas)
  const gain = gainFader("Playlist", (db) => act("gain", { db }), { upright: false, key: "playlist-gain" })
  const element = h(
    "div",
    { class: "now-level" },
    icon("volume"),
    gain.slider,
    h("label", { class: "gain-row" }, gain.value, h("span", { class: "muted", text: "dB", "aria-hidden": "true" })),
    canvas,
  )
  return {
    element,
    update: (db) => gain.update(db),
    frame: ([left, right], now) => meter.draw(left, right, now),
  }
}

/** Makes the panel. */
export function nowPlaying(app) {
  const act = (action, rest = {}) => app.perform({ do: "playlist", action, ...rest })
  const title = h("h3", { class: "now-title" })
  const facts = h("p", { class: "now-facts muted" })
  const cover = new Cover()
  const bar = new SeekBar((position) => act("seek", { position }))
  const level = levelRow(act)
  const item = itemFields(app)
  const list = listModes(act)
  const modes = h("div", { class: "now-modes", id: "playlist-modes" }, item.elements, list.elements)
  const more = button({
    label: "Repeat, shuffle, crossfade",
    icon: icon("more"),
    kind: "quiet now-more",
    press: () => setAttribute(more, "aria-expanded", element.classList.toggle("open")),
  })
  more.setAttribute("aria-expanded", "false")
  more.setAttribute("aria-controls", "playlist-modes")
  const buttons = playButtons(act, toggle, more)
  const element = h(
    "div",
    { class: "now" },
    h("div", { class: "now-text" }, cover.element, h("div", { class: "now-words" }, title, facts)),
    buttons.element,
    bar.element,
    level.element,
    modes,
  )

  function toggle() {
    const { phase } = app.live.playlist
    act(phase === "playing" || phase === "waiting" ? "pause" : "play")
  }

  return {
    element,
    toggle,
    update({ playlist, session }) {
      item.update(session.playlist.find(({ id }) => id === playlist.current))
      cover.show(playlist.current)
      level.update(playlist.gain)
      list.update(playlist)
    },
    frame(live, item) {
      const { phase, position, level: levels } = live.playlist
      buttons.frame(phase === "playing" || phase === "waiting")
      setText(title, item?.title ?? "Nothing yet")
      setText(facts, phase === "waiting" ? "starts…" : [item?.artist, item?.album].filter(Boolean).join(" · "))
      bar.update(item?.duration)
      bar.frame(item ? position : 0)
      level.frame(levels, live.now)
    },
  }
}
