// The cells of the launcher's grid, for the tracks, scenes and clips that there are.

import { keyLabel } from "../model/keys.js"
import { button, h } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { ClipCell } from "./clip-cell.js"
import { emptyPlace, sceneHead, trackHead } from "./grid-places.js"
import { acceptDropsOn } from "./import.js"

function stopButton(app, track) {
  return button({
    label: `Stop ${track.name}`,
    icon: icon("stop", 18),
    kind: "stop-track",
    key: `stop-${track.id}`,
    press: () => app.perform({ do: "stop", track: track.id }),
  })
}

function lastLine(app, stops) {
  const stopAll = button({
    label: "Stop all",
    shown: "Stop all",
    kind: "stop-track",
    key: "stop-all",
    press: () => app.perform({ do: "stopAll" }),
  })
  return h(
    "div",
    { role: "row", class: "foot" },
    h("div", { role: "rowheader" }, stopAll),
    stops.map((stop) => h("div", { role: "gridcell" }, stop)),
  )
}

/**
 * Makes them: `cells` by the clips' identifiers, `places` without a clip, `heads` and `stops` of tracks, `scenes`, and
 * the `lines` of the grid that they are in.
 */
export function launcherCells(app, session) {
  const cells = new Map()
  const places = []
  const heads = session.tracks.map((track, index) => trackHead(app, track, index))
  heads.forEach(({ cell }, index) => acceptDropsOn(app, cell, { track: session.tracks[index].id }))
  const scenes = Array.from({ length: app.rowCount() }, (_, row) => sceneHead(app, row))
  const stops = session.tracks.map((track) => stopButton(app, track))

  function placeOf(track, index, row) {
    const clip = track.clips.find((clip) => clip.slot === row)
    if (!clip) {
      const place = emptyPlace(app, track, row, index)
      places.push(place)
      return place.element
    }
    const view = new ClipCell(app, clip, {
      track: track.name,
      scene: session.scenes[row]?.name ?? `scene ${row + 1}`,
      key: keyLabel(index, row),
    })
    cells.set(clip.id, view)
    view.track = index
    return view.element
  }

  const rows = scenes.map(({ cell, row }) =>
    h(
      "div",
      { role: "row" },
      cell,
      session.tracks.map((track, index) => {
        const element = placeOf(track, index, row)
        acceptDropsOn(app, element, { track: track.id, slot: row })
        return element
      }),
    ),
  )
  const first = h(
    "div",
    { role: "row" },
    h("div", { role: "columnheader", class: "head" }, h("span", { class: "unseen", text: "Scene" })),
    heads.map(({ cell }) => cell),
  )
  return { cells, places, heads, scenes, stops, lines: [first, rows, lastLine(app, stops)] }
}
