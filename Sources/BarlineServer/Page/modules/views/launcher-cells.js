// The cells of the launcher's grid, for the tracks, scenes and clips that there are.

import { keyLabel } from "../model/keys.js"
import { arrangeChildren, button, h, Kept } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { ClipCell } from "./clip-cell.js"
import { emptyPlace, sceneHead, trackHead } from "./grid-places.js"
import { acceptDropsOn } from "./import.js"

function stopCell(app, track) {
  const stop = button({
    label: `Stop ${track.name}`,
    icon: icon("stop", 18),
    kind: "stop-track",
    key: `stop-${track.id}`,
    press: () => app.perform({ do: "stop", track: track.id }),
  })
  return { stop, element: h("div", { role: "gridcell" }, stop) }
}

function stopAllCell(app) {
  const stopAll = button({
    label: "Stop all",
    shown: "Stop all",
    kind: "stop-track",
    key: "stop-all",
    press: () => app.perform({ do: "stopAll" }),
  })
  return h("div", { role: "rowheader" }, stopAll)
}

/**
 * Makes cells, and keeps those that go on to be what they are: a fader that is held, or a menu that is open, stays while something is
 * added beside it.
 */
export class LauncherCells {
  constructor(app) {
    this.app = app
    this.kept = new Kept()
    this.scenesHead = h("div", { role: "columnheader", class: "head" }, h("span", { class: "unseen", text: "Scene" }))
    this.stopAll = stopAllCell(app)
  }

  // A row of the grid.
  line(key, type, ...cells) {
    const row = this.kept.get(key, () => h("div", { role: "row", class: type }))
    arrangeChildren(row, ...cells)
    return row
  }

  head(track, index) {
    return this.kept.get(`head ${index} ${track.id} ${track.name}`, () => {
      const head = trackHead(this.app, track, index)
      acceptDropsOn(this.app, head.cell, { track: track.id })
      return head
    })
  }

  // What is in a row of a track: a clip's cell, or a place without one.
  place(track, index, row) {
    const clip = track.clips.find((clip) => clip.slot === row)
    const at = { track: track.id, slot: row }
    if (clip)
      return this.kept.get(`clip ${index} ${row} ${track.id} ${clip.id}`, () => {
        const cell = new ClipCell(this.app, clip, keyLabel(index, row))
        cell.track = index
        acceptDropsOn(this.app, cell.element, at)
        return cell
      })
    return this.kept.get(`place ${index} ${row} ${track.id} ${track.name}`, () => {
      const place = emptyPlace(this.app, track, row, index)
      acceptDropsOn(this.app, place.element, at)
      return place
    })
  }

  /**
   * What there is in `session`: `cells` by the clips' identifiers, `places` without a clip, `heads` and `stops` of tracks, `scenes`,
   * and the `lines` of the grid that they are in.
   */
  build({ tracks, scenes }) {
    const { app, kept } = this
    const cells = new Map()
    const places = []
    const heads = tracks.map((track, index) => this.head(track, index))
    const sceneHeads = Array.from({ length: app.rowCount() }, (_, row) =>
      kept.get(`scene ${row}`, () => sceneHead(app, row)),
    )
    const rows = sceneHeads.map(({ cell, row }) =>
      this.line(
        `row ${row}`,
        "",
        cell,
        tracks.map((track, index) => {
          const place = this.place(track, index, row)
          if (place instanceof ClipCell) {
            place.place(track.name, scenes[row]?.name ?? `scene ${row + 1}`)
            cells.set(place.clip.id, place)
          } else {
            places.push(place)
          }
          return place.element
        }),
      ),
    )
    const stops = tracks.map((track) => kept.get(`stop ${track.id} ${track.name}`, () => stopCell(app, track)))
    const lines = [
      this.line(
        "first",
        "",
        this.scenesHead,
        heads.map(({ cell }) => cell),
      ),
      ...rows,
      this.line(
        "last",
        "foot",
        this.stopAll,
        stops.map(({ element }) => element),
      ),
    ]
    kept.endTurn()
    return { cells, places, heads, scenes: sceneHeads, stops: stops.map(({ stop }) => stop), lines }
  }
}
