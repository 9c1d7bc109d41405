// The stems: files in step, on one time line, with markers and a loop.

import { timeText } from "../model/text.js"
import { askText } from "../ui/dialog.js"
import { button, h, removing, renew, replaceChildren, setAttribute, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { reorderable } from "../ui/reorder.js"
import { stemGridControls } from "./stem-grid.js"
import { StemLane, Timeline } from "./stem-lanes.js"

// What is shown where there are no stems.
function noStems(add) {
  return h(
    "div",
    { class: "empty" },
    h("h3", { text: "No stems yet" }),
    h("p", {
      class: "muted",
      text: "Stems are the parts of one song as files of their own: they start together and stay together. Drop them here.",
    }),
    button({ label: "Add stems", shown: "Add stems", icon: icon("add"), kind: "primary", press: add }),
  )
}

function markerChip(app, { name, position }, index, seek) {
  return h(
    "span",
    { class: "marker" },
    button({
      label: `${name} · ${timeText(position)}`,
      kind: "chip",
      key: `marker-${index}`,
      press: () => seek({ marker: name }),
    }),
    button({
      label: `Remove the marker ${name}`,
      icon: icon("close", 16),
      kind: "quiet",
      press: removing(() => app.perform({ do: "removeMarker", marker: name })),
    }),
  )
}

// The buttons above the stems, and where they are.
function stemTools(app, act, { loop, mark, add }) {
  const play = button({
    label: "Play the stems",
    icon: icon("play"),
    kind: "go",
    pressed: false,
    key: "stems-play",
    title: "Play and pause the stems (Space)",
    press: () => app.toggleStems(),
  })
  const position = h("span", { class: "position" })
  const state = h("span", { class: "muted", role: "status" })
  const element = h(
    "header",
    {},
    play,
    button({ label: "Stop the stems and go to their start", icon: icon("stop"), press: () => act("stop") }),
    position,
    state,
    loop,
    button({ label: "Add a marker here", shown: "Marker", icon: icon("flag"), press: mark }),
    button({ label: "Add stems", shown: "Add stems", icon: icon("add"), kind: "quiet", press: add }),
  )
  return {
    element,
    frame(phase, seconds, duration) {
      setText(position, `${timeText(seconds)} / ${timeText(duration)}`)
      setText(state, { waiting: "starts…", starved: "waits for the disk" }[phase] ?? "")
      const plays = phase !== "paused"
      if ((play.getAttribute("aria-pressed") === "true") === plays) return
      setAttribute(play, "aria-pressed", plays)
      setAttribute(play, "aria-label", plays ? "Pause the stems" : "Play the stems")
      play.replaceChildren(icon(plays ? "pause" : "play"))
    },
  }
}

// The loop: its button, and the region that it plays.
function stemLoop(app, { act, at, grid, timeline, duration }) {
  // The last one is looped again.
  let region = null
  let isLooping = false
  const element = button({
    label: "Loop the region",
    shown: "Loop",
    icon: icon("loop"),
    pressed: false,
    press: () => set(isLooping ? null : (former() ?? around())),
  })

  // Where the longest stem is gone, it may be beyond the end.
  function former() {
    return region && region.start < duration() ? region : null
  }

  function around() {
    const from = Math.min(app.live.stems.position, Math.max(0, duration() - 1))
    return { start: from, end: Math.min(duration(), from + 8) }
  }

  function show(loop) {
    isLooping = loop !== null
    if (loop) region = loop
    setAttribute(element, "aria-pressed", isLooping)
    timeline.showLoop(loop)
  }

  function set(next) {
    if (next) at("loop", next)
    else act("loop", { on: false })
    show(next && grid.snap() ? grid.wholeBars(next) : next)
  }

  return {
    element,
    set,
    /** Takes in what is looped, whoever has set it. */
    update: show,
    /** Forgets the last region. */
    forget() {
      region = null
    },
    /** Where the stems are: `position` goes on from `known`, where they were for sure. */
    place({ phase, position, known }) {
      if (!isLooping || phase !== "playing" || known >= region.end || position < region.end) return position
      return region.start + ((position - region.start) % (region.end - region.start))
    },
  }
}

/** Makes the view. */
export function stems(app) {
  const act = (action, rest = {}) => app.perform({ do: "stems", action, ...rest })
  // Where places snap to bars, so do those of this.
  const at = (action, place) => act(action, grid.snap() ? { ...place, snap: true } : place)
  app.toggleStems = () => act(app.live.stems.phase === "paused" ? "play" : "pause")
  const add = () => app.pickFiles({ stem: true })
  const markers = h("div", { class: "chips", role: "group", "aria-label": "Markers" })
  const lanes = h("div", { class: "lanes" })
  const line = h("span", { class: "drop-line", hidden: true, "aria-hidden": "true" })
  const said = h("p", { class: "unseen", role: "status" })
  const timeline = new Timeline({
    seek: (seconds) => at("seek", { position: seconds }),
    select: (start, end) => loop.set({ start, end }),
  })
  const grid = stemGridControls(app, () => app.live.stems.position)
  const loop = stemLoop(app, { act, at, grid, timeline, duration: () => duration })
  const tools = stemTools(app, act, { loop: loop.element, mark, add })
  const content = h(
    "div",
    { class: "stems" },
    tools.element,
    grid.element,
    markers,
    timeline.element,
    h("div", { class: "lanes-place" }, lanes, line),
    said,
  )
  const nothing = noStems(add)
  const element = h(
    "section",
    { class: "page broad", "aria-label": "Stems" },
    h("h2", { class: "unseen", text: "Stems" }),
    content,
    nothing,
  )
  let views = []
  let shape = ""
  let duration = 0

  reorderable(lanes, {
    scroller: () => document.getElementById("view"),
    line,
    count: () => views.length,
    move: async (from, to) => {
      const { stem } = views[from]
      const done = await app.perform({ do: "moveStem", stem: stem.id, index: to })
      if (done) setText(said, `${stem.name}: place ${to + 1} of ${views.length}`)
    },
  })

  async function mark() {
    const here = Math.round(app.live.stems.position * 1000) / 1000
    const name = await askText("Add a marker", {
      label: `Name of the place at ${timeText(here)}`,
      value: "",
      confirm: "Add",
    })
    if (name) app.perform({ do: "addMarker", name, position: here, ...(grid.snap() ? { snap: true } : {}) })
  }

  return {
    element,
    update({ session, stemsDuration, stemsLoop }) {
      duration = stemsDuration ?? 0
      content.hidden = session.stems.length === 0
      nothing.hidden = session.stems.length > 0
      if (!session.stems.some(({ id }) => views.some(({ stem }) => stem.id === id))) loop.forget()
      const now = JSON.stringify(session.stems.map(({ id, version, colour }) => [id, version, colour]))
      if (now !== shape) {
        views = session.stems.map((stem) => new StemLane(app, stem, stem.colour))
        replaceChildren(
          lanes,
          views.map((view) => view.element),
        )
      }
      shape = now
      views.forEach((view, index) => view.update(session.stems[index], duration, index))
      timeline.update(duration, session.markers, grid.update(session))
      loop.update(stemsLoop ?? null)
      renew(markers, session.markers, (known) =>
        known.map((marker, index) => markerChip(app, marker, index, (place) => at("seek", place))),
      )
    },
    frame(live) {
      const shown = loop.place(live.stems)
      tools.frame(live.stems.phase, shown, duration)
      timeline.frame(shown)
      grid.frame(shown)
      views.forEach((view, index) =>
        view.frame(live.levels.stems[index], duration > 0 ? shown / duration : 0, live.now),
      )
    },
  }
}
