// What the launcher's grid has besides clips: heads of tracks and scenes, and empty places.

import { actionOfEmptySlot, isArmed, takeAt, takeStatus } from "../model/recording.js"
import { button, flip, h, setAttribute, setText } from "../ui/dom.js"
import { gainFader } from "../ui/fader.js"
import { icon } from "../ui/icons.js"
import { menu } from "../ui/menu.js"
import { Meter } from "../ui/meter.js"
import { askScene, trackItems } from "./set-items.js"

/** The head of a track's column: its name, its commands, its meter, its fader where that is shown, mute and solo. */
export function trackHead(app, track, index) {
  const name = h("span", { class: "name", text: track.name })
  const canvas = h("canvas", { "aria-hidden": "true" })
  const strip = (word, letter) =>
    button({
      label: `${word} ${track.name}`,
      icon: h("span", { text: letter }),
      pressed: false,
      key: `${word}-${track.id}`,
      press: ({ currentTarget }) =>
        flip(currentTarget, (on) => app.perform({ do: word.toLowerCase(), track: track.id, on })),
    })
  const mute = strip("Mute", "M")
  const solo = strip("Solo", "S")
  mute.classList.add("mute")
  const arm = button({
    label: `Record on ${track.name}`,
    icon: icon("record", 16),
    kind: "arm",
    pressed: false,
    key: `arm-${track.id}`,
    title: "Empty places of the track record what its input gives",
    press: () => {
      const { inputs, tracks } = app.state.session
      const input = tracks.find(({ id }) => id === track.id)?.input ? null : (inputs[0]?.name ?? null)
      app.perform({ do: "editTrack", track: track.id, set: { input } })
    },
  })
  const fader = gainFader(track.name, (db) => app.perform({ do: "gain", track: track.id, db }), {
    upright: false,
    key: `level-${track.id}`,
  })
  const cell = h(
    "div",
    { role: "columnheader", class: "head" },
    h(
      "div",
      { class: "title" },
      name,
      menu({
        label: `${track.name}: commands`,
        icon: icon("more", 18),
        key: `commands-${track.id}`,
        right: index > 0,
        items: () => trackItems(app, track.id),
      }),
    ),
    canvas,
    h("div", { class: "levels" }, fader.slider, fader.value),
    h("div", { class: "row" }, mute, solo, arm),
  )
  return { cell, name, mute, solo, arm, fader, meter: new Meter(canvas), isSeen: true }
}

/** The head of a scene's row: a press launches it. */
export function sceneHead(app, row) {
  const name = h("span", { class: "name" })
  const hint = h("span", { class: "hint" })
  const pad = button({
    label: "",
    icon: null,
    key: `scene-${row}`,
    kind: "scene",
    press: () => (app.isEditing ? askScene(app, row) : app.perform({ do: "launchScene", scene: row })),
  })
  pad.replaceChildren(h("span", { class: "top" }, icon("scene", 18), name), hint)
  pad.addEventListener("contextmenu", (event) => {
    event.preventDefault()
    askScene(app, row)
  })
  return { cell: h("div", { role: "rowheader" }, pad), pad, name, hint, row }
}

const words = { ready: "ready to record", waiting: "waiting", recording: "recording", closing: "closing" }
const icons = { add: "add", stop: "stop", record: "record" }

/**
 * A place without a clip: a press records what the track's input gives, and once more ends that; without an input it stops the
 * track. Where the set is edited, or has no clips yet, it asks for a file.
 */
export function emptyPlace(app, track, row, index) {
  const place = `${track.name}, scene ${row + 1}`
  const count = h("span", { class: "count", "aria-hidden": "true" })
  const own = () => app.state.session.tracks.find(({ id }) => id === track.id)
  const pad = button({
    label: "",
    icon: null,
    kind: "slot-empty",
    key: `slot-${track.id}-${row}`,
    press: () =>
      kind() === "add"
        ? app.pickFiles({ track: track.id, slot: row })
        : app.perform(actionOfEmptySlot(app.state, own() ?? track, row)),
  })
  let take
  let shown

  // Where the set has no clips yet, and nothing plays, a press adds one.
  function kind() {
    if (app.isEditing) return "add"
    if (take || isArmed(app.state, own())) return "record"
    return app.state.clips.size === 0 && !app.live.isRolling ? "add" : "stop"
  }

  function show(status) {
    const key = `${kind()} ${status ?? ""}`
    if (key === shown) return
    shown = key
    const labels = {
      add: `Add a clip to ${place}`,
      stop: `${place}, empty: stop the track`,
      record: status ? `${place}: ${words[status]}` : `Record into ${place}`,
    }
    setAttribute(pad, "aria-label", labels[kind()])
    pad.title = kind() === "stop" ? `Stop ${track.name}` : labels[kind()]
    pad.classList.toggle("armed", kind() === "record")
    for (const name of Object.keys(words)) pad.classList.toggle(name, name === status)
    pad.replaceChildren(icon(icons[kind()]), count)
  }

  return {
    element: h("div", { role: "gridcell" }, pad),
    update() {
      take = takeAt(app.state, track.id, row)
      if (take) return
      setText(count, "")
      show()
    },
    frame(live) {
      if (!take) return
      const now = takeStatus(take, live.tracks[index], live)
      show(now.status)
      setText(count, String(now.count ?? ""))
    },
  }
}
