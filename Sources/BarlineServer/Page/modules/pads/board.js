// The pads: sounds that are hit, four by four.

import { percentText } from "../model/text.js"
import { button, h, replaceChildren, setAttribute, setText } from "../ui/dom.js"
import { gainFader } from "../ui/fader.js"
import { focusByArrows, rove } from "../ui/grid-focus.js"
import { icon } from "../ui/icons.js"
import { Meter } from "../ui/meter.js"
import { stepper } from "../ui/sending.js"
import { acceptDropsOn } from "../views/import.js"
import { PadCell } from "./cell.js"
import { padEditor } from "./editor.js"
import { freePlaces, padPlace, pageCount, pageSize, rowsOf } from "./places.js"

const silent = { hits: 0, voices: 0, waiting: 0, velocity: 0, progress: 0 }

// How hard pads are hit from the page.
function velocityControl() {
  const text = h("span", { class: "parameter-value", "aria-hidden": "true" })
  const slider = h("input", {
    type: "range",
    class: "fader level",
    min: 5,
    max: 100,
    step: 1,
    value: 100,
    "aria-label": "Velocity of hits from this page",
    title: "How hard pads are hit from here; with Shift they are hit softly",
    on: { input: show },
  })
  function show() {
    setText(text, percentText(slider.value / 100))
    setAttribute(slider, "aria-valuetext", percentText(slider.value / 100))
  }
  show()
  const element = h(
    "label",
    { class: "pads-level" },
    h("span", { class: "muted", text: "Velocity", "aria-hidden": "true" }),
    slider,
    text,
  )
  return { element, share: () => slider.value / 100 }
}

// The fader of all pads, and their meter.
function levelControl(app) {
  const fader = gainFader("Pads", (db) => app.perform({ do: "gain", strip: "pads", db }), {
    upright: false,
    key: "pads-gain",
  })
  const canvas = h("canvas", { class: "pads-meter", "aria-hidden": "true" })
  const meter = new Meter(canvas)
  const element = h(
    "div",
    { class: "pads-level" },
    h("span", { class: "muted", text: "Level", "aria-hidden": "true" }),
    h("div", { class: "pads-throw" }, fader.slider, canvas),
    fader.value,
  )
  return {
    element,
    update: (gain) => fader.update(gain),
    frame: ([left, right], now) => meter.draw(left, right, now),
  }
}

// The buttons above the pads; `page()` is the page that is shown, `show(page)` shows another.
function boardTools(app, page, show) {
  const edit = button({
    label: "Edit",
    icon: icon("edit", 18),
    shown: "Edit",
    pressed: false,
    title: "Choose pads to edit instead of hitting them",
    press: () => app.setEditing(!app.isEditing),
  })
  const choke = button({
    label: "Silence the pads",
    shown: "Silence",
    icon: icon("stop", 18),
    title: "Fade out all pads",
    press: () => app.perform({ do: "choke" }),
  })
  const add = button({
    label: "Add pads",
    shown: "Add pads",
    icon: icon("add", 18),
    kind: "quiet",
    press: () => app.pickFiles(freePlaces(pageSize * page())),
  })
  const pages = Array.from({ length: pageCount }, (_, index) =>
    button({
      label: `Pads ${pageSize * index + 1} to ${pageSize * (index + 1)}`,
      shown: "ABCD"[index],
      pressed: index === 0,
      key: `pads-page-${index}`,
      press: () => show(index),
    }),
  )
  const hint = h("p", {
    class: "muted pads-hint",
    text: "No pads yet: drop sounds here, or press a place to choose one.",
  })
  const element = h(
    "header",
    {},
    h("div", { class: "row", role: "group", "aria-label": "Pages of pads" }, pages),
    h("div", { class: "row" }, edit, choke, add),
    hint,
  )
  return {
    element,
    update(known) {
      pages.forEach((button, index) => {
        setAttribute(button, "aria-pressed", index === page())
        const isUsed = known.some(({ slot }) => Math.floor(slot / pageSize) === index)
        button.classList.toggle("used", isUsed)
      })
      setAttribute(edit, "aria-pressed", app.isEditing)
      hint.hidden = known.length > 0
    },
  }
}

// A place without a pad asks for a sound.
function emptyPlace(app, slot) {
  const place = button({
    label: `Add a sound to pad ${slot + 1}`,
    icon: icon("add"),
    kind: "slot-empty",
    key: `pad-${slot}`,
    press: () => app.pickFiles(padPlace(slot)),
  })
  return h("div", { role: "gridcell" }, place)
}

// The lines of a page's grid, and its cells by the pads' identifiers.
function padCells(app, known, page, board) {
  const cells = new Map()
  const rows = rowsOf(page).map((slots) =>
    h(
      "div",
      { role: "row" },
      slots.map((slot) => {
        const pad = known.find((candidate) => candidate.slot === slot)
        const cell = pad ? new PadCell(app, pad, board) : null
        if (cell) cells.set(pad.id, cell)
        const place = cell?.element ?? emptyPlace(app, slot)
        acceptDropsOn(app, place, padPlace(slot))
        return place
      }),
    ),
  )
  // The grid's keys take its first row for heads.
  const head = h("div", { role: "row", class: "unseen" }, h("div", { role: "gridcell", text: `Page ${"ABCD"[page]}` }))
  return { cells, lines: [head, rows] }
}

/** Makes the view. */
export function pads(app) {
  let page = 0
  let chosen = null
  let shape = ""
  let cells = new Map()
  const stacked = matchMedia("(max-width: 1023px)")
  const velocity = velocityControl()
  const board = {
    steps: stepper(),
    chosen: () => chosen,
    choose(id) {
      chosen = id
      update(app.state)
      // Where it lies below the pads.
      if (id && stacked.matches) editor.element.scrollIntoView({ block: "nearest" })
    },
    velocity: velocity.share,
  }
  // What the keyboard plays while the view is shown.
  app.padBoard = {
    page: () => page,
    hit(slot, share) {
      cells.get(app.state.session.pads.find((pad) => pad.slot === slot)?.id)?.hit(share)
    },
  }
  const grid = h("div", { class: "board", role: "grid", "aria-label": "Pads" })
  const editor = padEditor(app, board)
  const tools = boardTools(app, () => page, show)
  const level = levelControl(app)
  const element = h(
    "section",
    { class: "pads", "aria-label": "Pads" },
    h("h2", { class: "unseen", text: "Pads" }),
    tools.element,
    h("div", { class: "pads-levels" }, velocity.element, level.element),
    h("div", { class: "pads-body" }, grid, editor.element),
  )

  focusByArrows(grid)
  new ResizeObserver(() => {
    for (const cell of cells.values()) cell.draw()
  }).observe(grid)

  function show(index) {
    page = index
    shape = ""
    update(app.state)
  }

  function update(state) {
    const known = state.session.pads
    const now = JSON.stringify([page, known.map(({ id, slot }) => [id, slot])])
    if (now !== shape) {
      const made = padCells(app, known, page, board)
      cells = made.cells
      // Wherever the pad that has the focus is moved to, and by whom.
      const focused = grid.contains(document.activeElement) && document.activeElement.dataset.pad
      replaceChildren(grid, made.lines)
      cells.get(focused)?.surface.focus()
      rove(grid)
    }
    shape = now
    const pad = known.find(({ id }) => id === chosen)
    if (!pad) chosen = null
    for (const pad of known) cells.get(pad.id)?.update(pad)
    tools.update(known)
    element.classList.toggle("editing", app.isEditing)
    element.classList.toggle("choosing", Boolean(pad))
    level.update(state.session.padSet?.gain)
    editor.update(state, pad)
  }

  return {
    element,
    update,
    frame(live) {
      const { level: levels, pads } = live.parts.pads
      app.state.session.pads.forEach((pad, index) => cells.get(pad.id)?.frame(pads[index] ?? silent, live.now))
      level.frame(levels, live.now)
    },
  }
}
