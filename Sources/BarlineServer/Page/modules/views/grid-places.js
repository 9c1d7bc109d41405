// What the launcher's grid has besides clips: heads of tracks and scenes, and empty places.

import { button, h, setAttribute } from "../ui/dom.js"
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
      press: (event) =>
        app.perform({
          do: word.toLowerCase(),
          track: track.id,
          on: event.currentTarget.getAttribute("aria-pressed") !== "true",
        }),
    })
  const mute = strip("Mute", "M")
  const solo = strip("Solo", "S")
  mute.classList.add("mute")
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
        right: index > 0,
        items: () => trackItems(app, track.id),
      }),
    ),
    canvas,
    h("div", { class: "levels" }, fader.slider, fader.value),
    h("div", { class: "row" }, mute, solo),
  )
  return { cell, name, mute, solo, fader, meter: new Meter(canvas), isSeen: true }
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

/** A place without a clip: a press stops the track. Where the set is edited, or has no clips yet, it asks for a file. */
export function emptyPlace(app, track, row) {
  const pad = button({
    label: "",
    icon: null,
    kind: "slot-empty",
    key: `slot-${track.id}-${row}`,
    press: () =>
      app.isEditing || (app.state.clips.size === 0 && !app.live.isRolling)
        ? app.pickFiles({ track: track.id, slot: row })
        : app.perform({ do: "stop", track: track.id }),
  })
  const place = `${track.name}, scene ${row + 1}`
  let shown
  return {
    element: h("div", { role: "gridcell" }, pad),
    update() {
      const adds = app.isEditing || app.state.clips.size === 0
      if (shown === adds) return
      shown = adds
      const label = shown ? `Add a clip to ${place}` : `${place}, empty: stop the track`
      setAttribute(pad, "aria-label", label)
      pad.title = shown ? label : `Stop ${track.name}`
      pad.replaceChildren(icon(shown ? "add" : "stop"))
    },
  }
}
