// What can be done to a track or a scene, as menus offer it.

import { freeSlot, isArmed } from "../model/recording.js"
import { tempoBeyond, typedTempo } from "../model/text.js"
import { ask, askText } from "../ui/dialog.js"
import { button, h } from "../ui/dom.js"
import { tell } from "../ui/notices.js"

/** The commands of a track. */
export function trackItems(app, id) {
  const tracks = app.state.session.tracks
  const index = tracks.findIndex((track) => track.id === id)
  const track = tracks[index]
  if (!track) return []
  return [
    {
      label: "Rename…",
      press: async () => {
        const name = await askText("Rename the track", { label: "Name", value: track.name, confirm: "Rename" })
        if (name) app.perform({ do: "editTrack", track: id, set: { name } })
      },
    },
    { label: "Stop now", press: () => app.perform({ do: "stopNow", track: id }) },
    {
      label: "Move left",
      disabled: index === 0,
      press: () => app.perform({ do: "moveTrack", track: id, index: index - 1 }),
    },
    {
      label: "Move right",
      disabled: index === tracks.length - 1,
      press: () => app.perform({ do: "moveTrack", track: id, index: index + 1 }),
    },
    { label: "Add clips…", press: () => app.pickFiles({ track: id }) },
    ...recordingItems(app, track),
    { label: "Remove track", press: () => app.perform({ do: "removeTrack", track: id }) },
  ]
}

const keptBars = [1, 2, 4, 8]

// Which input a track has, and clips of what was played already.
function recordingItems(app, track) {
  const { inputs } = app.state.session
  const others = inputs.filter(({ name }) => name !== track.input)
  return [
    ...others.map(({ name }) => ({
      label: `Record from ${name}`,
      press: () => app.perform({ do: "editTrack", track: track.id, set: { input: name } }),
    })),
    ...(isArmed(app.state, track) ? keptBars : []).map((bars) => ({
      label: `Keep the last ${bars === 1 ? "bar" : `${bars} bars`}`,
      press: () => app.perform({ do: "keepLast", track: track.id, slot: freeSlot(app.state, track), bars }),
    })),
  ]
}

// A row that is followed while somebody is asked about it: others may move it, and scenes have no identifiers.
function followed(app, row) {
  const what = (row) => {
    const { scenes, tracks } = app.state.session
    const clips = tracks.flatMap(({ clips }) => clips.filter(({ slot }) => slot === row).map(({ id }) => id))
    return JSON.stringify([scenes[row], clips])
  }
  const asked = what(row)
  return (act) => {
    const places =
      what(row) === asked ? [row] : app.state.session.scenes.map((_, row) => row).filter((row) => what(row) === asked)
    if (places.length === 1) act(places[0])
    else tell("The scene has changed meanwhile. Nothing was done to it.", "error")
  }
}

// The commands of a scene; `at(act)` gives the row that it has by then.
function sceneItems(app, scene, at) {
  const perform = (verb, rest) => at((row) => app.perform({ do: verb, scene: row, ...rest }))
  return [
    {
      label: "Rename…",
      press: async () => {
        const name = await askText("Rename the scene", { label: "Name", value: scene?.name ?? "", confirm: "Rename" })
        if (name) perform("editScene", { set: { name } })
      },
    },
    {
      label: "Tempo…",
      press: async () => {
        const text = await askText("Tempo of the scene", {
          label: "BPM; empty keeps the tempo that plays",
          value: scene?.tempo ?? "",
          confirm: "Set",
        })
        if (text === undefined) return
        const tempo = text === "" ? null : typedTempo(text)
        const beyond = tempoBeyond(text)
        if (beyond) tell(beyond, "error")
        if (tempo === undefined) tell(`“${text}” is no tempo.`, "error")
        else perform("editScene", { set: { tempo } })
      },
    },
    { label: "Duplicate", press: () => perform("duplicateScene") },
    { label: "Remove scene", press: () => perform("removeScene") },
  ]
}

/** Asks what is to be done to a scene, and does it. */
export async function askScene(app, row) {
  const scene = app.state.session.scenes[row]
  const name = scene?.name || `Scene ${row + 1}`
  const at = followed(app, row)
  const chosen = await ask(name, (close) => [
    h(
      "div",
      { class: "choices" },
      sceneItems(app, scene, at).map((item) => button({ label: item.label, kind: "quiet", press: () => close(item) })),
    ),
    h("div", { class: "actions" }, button({ label: "Cancel", press: () => close(undefined) })),
  ])
  chosen?.press()
}
