// MIDI controllers: which grid there is, and what the controls do that were learnt.

import { effectKinds } from "../model/effects.js"
import {
  button,
  field,
  h,
  removing,
  renew,
  replaceChildren,
  select,
  setAttribute,
  setChecked,
  setText,
  toggle,
} from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { choose } from "./transport.js"

const grids = [
  ["", "none"],
  ["launchpad", "Launchpad X, Mini MK3, Pro MK3"],
  ["launchpadClassic", "Launchpad S, Mini MK1, MK2"],
]
const kinds = { note: "Note", cc: "Controller", program: "Program" }

const fader = { key: "db" }
const toggled = (what, of = {}) => ({ action: { do: "toggle", what, ...of } })

// The parameters of the effects of a strip.
function effectTargets(name, effects, of) {
  return (effects ?? []).flatMap(({ id, type }) =>
    Object.entries(effectKinds[type]?.parameters ?? {}).map(([parameter, facts]) => [
      `${name}: ${facts.name.toLowerCase()} of ${id}`,
      {
        action: { do: "effect", effect: id, parameter, ...of },
        key: "value",
      },
    ]),
  )
}

function stripTargets(name, of, effects) {
  return [
    [`${name}: fader`, { action: { do: "gain", ...of }, ...fader }],
    [`${name}: pan`, { action: { do: "pan", ...of }, key: "value" }],
    [`${name}: mute`, toggled("mute", of)],
    [`${name}: solo`, toggled("solo", of)],
    ...effectTargets(name, effects, of),
  ]
}

function transportTargets() {
  return [
    ["Play or stop", toggled("transport")],
    ["Stop all clips", { action: { do: "stopAll" } }],
    ["Tap the tempo", { action: { do: "tap" } }],
    ["Tempo, 60 to 180", { action: { do: "tempo" }, key: "bpm" }],
    ["Click on or off", toggled("metronome")],
    ["Click fader", { action: { do: "metronome" }, key: "gain" }],
    ["Master fader", { action: { do: "gain" }, ...fader }],
    ["Record or end recording", toggled("record")],
    ["Undo", { action: { do: "undo" } }],
    ["Redo", { action: { do: "redo" } }],
    ["Save", { action: { do: "save" } }],
  ]
}

function stemTargets({ stems, markers }) {
  return [
    ["Stems: play or pause", toggled("stems")],
    ["Stems: stop", { action: { do: "stems", action: "stop" } }],
    ["Stems: fader", { action: { do: "stems", action: "gain" }, ...fader }],
    ...(markers ?? []).map(({ name }) => [
      `Stems: go to ${name}`,
      { action: { do: "stems", action: "seek", marker: name } },
    ]),
    ...stems.flatMap(({ id, name, effects }) => stripTargets(name || id, { stem: id }, effects)),
  ]
}

function playlistTargets() {
  const list = (action) => ({ action: { do: "playlist", action } })
  return [
    ["Playlist: play or pause", toggled("playlist")],
    ["Playlist: next", list("next")],
    ["Playlist: previous", list("previous")],
    ["Playlist: stop", list("stop")],
    ["Playlist: fader", { ...list("gain"), ...fader }],
    ["Playlist: shuffle", toggled("shuffle")],
    ["Playlist: one at a time", toggled("single")],
    ["Playlist: stop after this one", toggled("stopAfterCurrent")],
  ]
}

// What a control can be taught, with what it is called, by group.
function targets(session, parts) {
  const { tracks, scenes } = session
  return [
    ["Transport", [...transportTargets(), ...effectTargets("Master", session.master?.effects, {})]],
    [
      "Scenes",
      [
        ["Next scene", { action: { do: "stepScene", by: 1 } }],
        ["Previous scene", { action: { do: "stepScene", by: -1 } }],
        ...scenes.map(({ name }, scene) => [`Scene ${name || scene + 1}`, { action: { do: "launchScene", scene } }]),
      ],
    ],
    [
      "Tracks",
      tracks.flatMap(({ id, name, effects, input }) => [
        ...stripTargets(name, { track: id }, effects),
        [`${name}: stop`, { action: { do: "stop", track: id } }],
        ...(input ? [[`${name}: foot switch`, { action: { do: "footSwitch", track: id } }]] : []),
      ]),
    ],
    [
      "Clips",
      tracks.flatMap(({ name, clips }) =>
        clips.map((clip) => [`${name}: ${clip.name}`, { action: { do: "launch", clip: clip.id } }]),
      ),
    ],
    ["Stems", stemTargets(session)],
    ["Playlist", playlistTargets()],
    ...parts.map((part) => part.targets(session, stripTargets)),
  ]
}

function nameOf(action, known) {
  const text = JSON.stringify(action, Object.keys(action).sort())
  const same = known.find(([, target]) => JSON.stringify(target.action, Object.keys(target.action).sort()) === text)
  return same?.[0] ?? action.do
}

const followed = {
  waiting: " Waits for a MIDI clock there.",
  following: " Beats follow the MIDI clock that comes there.",
  lost: " The MIDI clock that came there is gone: its latest tempo goes on.",
}

function portsText({ midi: ports, clock: outer }) {
  if (!ports) return "Needs JACK, to which controllers are connected by themselves."
  const clock = ports.clock ? ` ${ports.clock} is the clock for other machines, which are connected by hand.` : ""
  const own = `Ports ${ports.input} and ${ports.output}; controllers are connected by themselves.`
  return own + (followed[outer.state] ?? "") + clock
}

/** Makes the card. */
export function midiCard(app) {
  const grid = select(grids, { change: (value) => app.perform({ do: "editMIDI", set: { grid: value || null } }) })
  const scenes = toggle("Program changes launch scenes", {
    change: (on) => app.perform({ do: "editMIDI", set: { launchesScenes: on } }),
  })
  const target = select([])
  const learn = button({ label: "Learn", pressed: false, key: "learn", press: () => toggleLearning() })
  const told = h("p", { class: "muted", role: "status" })
  const mappings = h("ul", { class: "files" })
  const element = h(
    "div",
    { class: "card" },
    h("h3", { text: "MIDI" }),
    field("Grid controller", grid),
    scenes.element,
    field("Teach a control", target),
    learn,
    told,
    mappings,
  )
  let known = []
  let offered = ""

  function offer(groups) {
    let index = 0
    const chosen = target.selectedOptions[0]?.text
    replaceChildren(
      target,
      groups.map(([label, entries]) =>
        h("optgroup", { label }, ...entries.map(([text]) => h("option", { value: index++, text }))),
      ),
    )
    const same = [...target.options].find(({ text }) => text === chosen)
    if (same) same.selected = true
  }

  function toggleLearning() {
    if (app.state.learning) app.perform({ do: "learn", on: false })
    else app.perform({ do: "learn", ...known[Number(target.value)][1] })
  }

  return {
    element,
    update({ session, learning, engine }) {
      const midi = session.midi ?? {}
      const groups = targets(session, app.parts)
      known = groups.flatMap(([, entries]) => entries)
      const names = JSON.stringify(groups.map(([group, entries]) => [group, entries.map(([name]) => name)]))
      if (names !== offered) offer(groups)
      offered = names
      choose(grid, midi.grid ?? "")
      setChecked(scenes.box, midi.launchesScenes !== false)
      setAttribute(learn, "aria-pressed", Boolean(learning))
      setText(learn.querySelector("span"), learning ? "Stop learning" : "Learn")
      setText(told, learning ? "Now move a control." : portsText(engine))
      const list = Array.isArray(midi.mappings) ? midi.mappings : []
      const learnt = list.map((mapping, index) => {
        const { message, channel, number, action } = mapping ?? {}
        if (!(kinds[message] && action?.do)) return [`Control ${index + 1}`, "can’t be used"]
        const where = `${kinds[message]} ${number}${typeof channel === "number" ? `, channel ${channel + 1}` : ""}`
        return [where, nameOf(action, known)]
      })
      renew(mappings, learnt, () =>
        learnt.map(([where, name], index) =>
          h(
            "li",
            {},
            h("span", { text: `${where}: ${name}` }),
            button({
              label: `Forget ${where}`,
              icon: icon("close", 18),
              kind: "quiet",
              press: removing(() => app.perform({ do: "removeMapping", index })),
            }),
          ),
        ),
      )
    },
  }
}
