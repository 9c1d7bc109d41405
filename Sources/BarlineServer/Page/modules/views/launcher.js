// The launcher: tracks are columns, scenes are rows.

import { keyLabel } from "../model/keys.js"
import { bpmText } from "../model/text.js"
import { button, h, replaceChildren, setAttribute, setText } from "../ui/dom.js"
import { focusByArrows, rove } from "../ui/grid-focus.js"
import { icon } from "../ui/icons.js"
import { ClipCell } from "./clip-cell.js"
import { emptyPlace, sceneHead, trackHead } from "./grid-places.js"
import { acceptDropsOn } from "./import.js"
import { welcome } from "./welcome.js"

const fadersKey = "barline.faders"

/** Makes the view. */
export function launcher(app) {
  const grid = h("div", { class: "grid", role: "grid", "aria-label": "Clips: tracks in columns, scenes in rows" })
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
  const tools = h(
    "div",
    { class: "tools" },
    edit,
    faders,
    button({
      label: "Add track",
      shown: "Track",
      icon: icon("add", 18),
      kind: "quiet",
      press: () => app.perform({ do: "addTrack" }),
    }),
    button({
      label: "Add scene",
      shown: "Scene",
      icon: icon("add", 18),
      kind: "quiet",
      press: () => app.perform({ do: "addScene" }),
    }),
  )
  const greeting = welcome(app)
  const element = h("section", { class: "launcher", "aria-label": "Launcher" }, greeting.element, grid, tools)
  function showFaders(isShown) {
    localStorage.setItem(fadersKey, isShown ? "shown" : "hidden")
    setAttribute(faders, "aria-pressed", isShown)
    element.classList.toggle("with-faders", isShown)
  }

  showFaders(localStorage.getItem(fadersKey) === "shown")
  let shape = ""
  let cells = new Map()
  let places = []
  let heads = []
  let scenes = []
  let stops = []
  let revealed = null
  let turn = 0

  focusByArrows(grid)
  new ResizeObserver(() => {
    const box = document.getElementById("view")
    element.classList.toggle("fits", box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1)
    for (const cell of cells.values()) cell.draw()
  }).observe(grid)

  // What is scrolled out of sight isn't moved.
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const seen = target.dataset.clip ? cells.get(target.dataset.clip) : heads.find(({ cell }) => cell === target)
      if (seen) seen.isSeen = isIntersecting
    }
  })

  function build(session) {
    const rows = app.rowCount()
    cells = new Map()
    places = []
    heads = session.tracks.map((track, index) => trackHead(app, track, index))
    heads.forEach(({ cell }, index) => acceptDropsOn(app, cell, { track: session.tracks[index].id }))
    scenes = Array.from({ length: rows }, (_, row) => sceneHead(app, row))
    stops = session.tracks.map((track) =>
      button({
        label: `Stop ${track.name}`,
        icon: icon("stop", 18),
        kind: "stop-track",
        key: `stop-${track.id}`,
        press: () => app.perform({ do: "stop", track: track.id }),
      }),
    )
    grid.style.setProperty("--tracks", Math.max(1, session.tracks.length))
    grid.style.setProperty("--rows", rows)
    const lines = scenes.map(({ cell, row }) =>
      h(
        "div",
        { role: "row" },
        cell,
        session.tracks.map((track, index) => {
          const clip = track.clips.find((clip) => clip.slot === row)
          if (!clip) {
            const place = emptyPlace(app, track, row, index)
            acceptDropsOn(app, place.element, { track: track.id, slot: row })
            places.push(place)
            return place.element
          }
          const view = new ClipCell(app, clip, {
            track: track.name,
            scene: session.scenes[row]?.name ?? `scene ${row + 1}`,
            key: keyLabel(index, row),
          })
          acceptDropsOn(app, view.element, { track: track.id, slot: row })
          cells.set(clip.id, view)
          view.track = index
          return view.element
        }),
      ),
    )
    sight.disconnect()
    replaceChildren(
      grid,
      h(
        "div",
        { role: "row" },
        h("div", { role: "columnheader", class: "head" }, h("span", { class: "unseen", text: "Scene" })),
        heads.map(({ cell }) => cell),
      ),
      lines,
      h(
        "div",
        { role: "row", class: "foot" },
        h(
          "div",
          { role: "rowheader" },
          button({
            label: "Stop all",
            shown: "Stop all",
            kind: "stop-track",
            key: "stop-all",
            press: () => app.perform({ do: "stopAll" }),
          }),
        ),
        stops.map((stop) => h("div", { role: "gridcell" }, stop)),
      ),
    )
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
      const now = JSON.stringify([
        session.tracks.map((track) => [track.id, track.name, track.clips.map((clip) => [clip.id, clip.slot])]),
        app.rowCount(),
        session.scenes.map((scene) => scene.name),
      ])
      if (now !== shape) build(session)
      shape = now
      for (const place of places) place.update()
      session.tracks.forEach((track, index) => {
        setAttribute(heads[index].mute, "aria-pressed", Boolean(track.mute))
        setAttribute(heads[index].solo, "aria-pressed", Boolean(track.solo))
        heads[index].arm.hidden = session.inputs.length === 0
        setAttribute(heads[index].arm, "aria-pressed", Boolean(track.input))
        heads[index].fader.update(track.gain)
        for (const clip of track.clips) cells.get(clip.id)?.update(clip)
      })
      scenes.forEach(({ name, hint, pad, row }) => {
        const data = session.scenes[row]
        setText(name, data?.name || `Scene ${row + 1}`)
        setText(hint, data?.tempo ? `${bpmText(data.tempo)} BPM` : "")
        setAttribute(pad, "aria-label", `Launch scene ${data?.name || row + 1}`)
      })
      setAttribute(edit, "aria-pressed", app.isEditing)
      element.classList.toggle("editing", app.isEditing)
      element.classList.toggle("choosing", app.chosen !== null)
      reveal()
      greeting.update(state)
    },
    frame(live) {
      for (const cell of cells.values())
        cell.frame(live.tracks[cell.track] ?? { playing: null, queued: null }, live.tempo)
      for (const place of places) place.frame(live)
      // Thirty times a second is enough for a meter as small as these: half of them each time.
      turn = 1 - turn
      heads.forEach(({ meter, isSeen }, index) => {
        const level = live.levels.tracks[index]
        if (level && isSeen && index % 2 === turn) meter.draw(level[0], level[1], live.now)
      })
      stops.forEach((stop, index) => stop.classList.toggle("queued", Boolean(live.tracks[index]?.isStopping)))
      greeting.frame(live)
    },
  }
}
