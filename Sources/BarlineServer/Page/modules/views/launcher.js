// The launcher: tracks are columns, scenes are rows.

import { bpmText } from "../model/text.js"
import { arrangeChildren, button, h, keepFocus, setAttribute, setText } from "../ui/dom.js"
import { focusByArrows, rove } from "../ui/grid-focus.js"
import { icon } from "../ui/icons.js"
import { LauncherCells } from "./launcher-cells.js"
import { welcome } from "./welcome.js"

const fadersKey = "barline.faders"

// The buttons below the grid.
function launcherTools(app, showFaders) {
  const edit = button({
    label: "Edit",
    shown: "Edit",
    icon: icon("edit", 18),
    pressed: false,
    title: "Choose clips to edit instead of playing them",
    press: () => app.setEditing(!app.isEditing),
  })
  const faders = button({
    label: "Faders",
    icon: icon("mixer", 18),
    shown: "Faders",
    kind: "quiet",
    pressed: false,
    key: "faders",
    title: "Show the tracks' faders beside the clips",
    press: () => showFaders(localStorage.getItem(fadersKey) !== "shown"),
  })
  const add = (label, shown, action) =>
    button({ label, shown, icon: icon("add", 18), kind: "quiet", press: () => app.perform({ do: action }) })
  const element = h(
    "div",
    { class: "tools" },
    edit,
    faders,
    add("Add track", "Track", "addTrack"),
    add("Add scene", "Scene", "addScene"),
  )
  return { element, edit, faders }
}

function showTrack({ mute, solo, arm, fader }, track, hasInputs) {
  setAttribute(mute, "aria-pressed", Boolean(track.mute))
  setAttribute(solo, "aria-pressed", Boolean(track.solo))
  arm.hidden = !hasInputs
  setAttribute(arm, "aria-pressed", Boolean(track.input))
  fader.update(track.gain)
}

function showScene({ name, hint, pad, row }, scene) {
  setText(name, scene?.name || `Scene ${row + 1}`)
  setText(hint, scene?.tempo ? `${bpmText(scene.tempo)} BPM` : "")
  setAttribute(pad, "aria-label", `Launch scene ${scene?.name || row + 1}`)
}

// Thirty times a second is enough for a meter as small as these: half of them each time.
function drawMeters(heads, { levels, now }, turn) {
  heads.forEach(({ meter, isSeen }, index) => {
    const level = levels.tracks[index]
    if (level && isSeen && index % 2 === turn) meter.draw(level[0], level[1], now)
  })
}

// Whether nothing of the view is to be scrolled to.
function fitsView() {
  const box = document.getElementById("view")
  return box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1
}

// What the cells are made of.
function shapeOf(session, rows) {
  return JSON.stringify([
    session.tracks.map((track) => [track.id, track.name, track.clips.map((clip) => [clip.id, clip.slot])]),
    rows,
    session.scenes.map((scene) => scene.name),
  ])
}

/** Makes the view. */
export function launcher(app) {
  const grid = h("div", { class: "grid", role: "grid", "aria-label": "Clips: tracks in columns, scenes in rows" })
  const tools = launcherTools(app, showFaders)
  const greeting = welcome(app)
  const element = h("section", { class: "launcher", "aria-label": "Launcher" }, greeting.element, grid, tools.element)
  function showFaders(isShown) {
    localStorage.setItem(fadersKey, isShown ? "shown" : "hidden")
    setAttribute(tools.faders, "aria-pressed", isShown)
    element.classList.toggle("with-faders", isShown)
  }

  showFaders(localStorage.getItem(fadersKey) === "shown")
  const maker = new LauncherCells(app)
  let shape = ""
  let { cells, places, heads, scenes, stops } = { cells: new Map(), places: [], heads: [], scenes: [], stops: [] }
  let revealed = null
  let turn = 0

  focusByArrows(grid)
  new ResizeObserver(() => {
    element.classList.toggle("fits", fitsView())
    for (const cell of cells.values()) cell.draw()
  }).observe(grid)

  // What is scrolled out of sight isn't moved.
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      cells.get(target.dataset.clip)?.see(isIntersecting)
      const head = heads.find(({ cell }) => cell === target)
      if (head) head.isSeen = isIntersecting
    }
  })

  function build(session) {
    grid.style.setProperty("--tracks", Math.max(1, session.tracks.length))
    grid.style.setProperty("--rows", app.rowCount())
    sight.disconnect()
    keepFocus(grid, () => {
      const made = maker.build(session)
      ;({ cells, places, heads, scenes, stops } = made)
      arrangeChildren(grid, made.lines)
    })
    rove(grid)
    for (const { pad } of cells.values()) sight.observe(pad)
    for (const { cell } of heads) sight.observe(cell)
  }

  // The editor may cover what it edits.
  function reveal() {
    if (revealed === app.chosen) return
    revealed = app.chosen
    if (revealed) requestAnimationFrame(() => cells.get(revealed)?.pad.scrollIntoView({ block: "nearest" }))
  }

  return {
    element,
    update(state) {
      const session = state.session
      const now = shapeOf(session, app.rowCount())
      if (now !== shape) build(session)
      shape = now
      for (const place of places) place.update()
      session.tracks.forEach((track, index) => showTrack(heads[index], track, session.inputs.length > 0))
      for (const clip of session.tracks.flatMap(({ clips }) => clips)) cells.get(clip.id)?.update(clip)
      for (const scene of scenes) showScene(scene, session.scenes[scene.row])
      setAttribute(tools.edit, "aria-pressed", app.isEditing)
      element.classList.toggle("editing", app.isEditing)
      element.classList.toggle("choosing", app.chosen !== null)
      reveal()
      greeting.update(state)
    },
    frame(live) {
      for (const cell of cells.values())
        cell.frame(live.tracks[cell.track] ?? { playing: null, queued: null }, live.tempo)
      for (const place of places) place.frame(live)
      turn = 1 - turn
      drawMeters(heads, live, turn)
      stops.forEach((stop, index) => stop.classList.toggle("queued", Boolean(live.tracks[index]?.isStopping)))
      greeting.frame(live)
    },
  }
}
