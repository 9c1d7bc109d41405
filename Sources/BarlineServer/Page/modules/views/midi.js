// MIDI controllers: which grid there is, and what the controls do that were learnt.

import { button, field, h, replaceChildren, select, setAttribute, setChecked, setText, toggle } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { choose } from "./transport.js"

const grids = [
  ["", "none"],
  ["launchpad", "Launchpad X, Mini MK3, Pro MK3"],
  ["launchpadClassic", "Launchpad S, Mini MK1, MK2"],
]
const kinds = { note: "Note", cc: "Controller", program: "Program" }

// What a control can be taught, with what it is called.
function targets({ tracks, scenes }) {
  const fader = { key: "db", from: -60, to: 6 }
  return [
    ["Stop all", { action: { do: "stopAll" } }],
    ["Tap the tempo", { action: { do: "tap" } }],
    ["Tempo, 60 to 180", { action: { do: "tempo" }, key: "bpm", from: 60, to: 180 }],
    ["Master fader", { action: { do: "gain" }, ...fader }],
    ...tracks.flatMap(({ id, name }) => [
      [`${name}: fader`, { action: { do: "gain", track: id }, ...fader }],
      [`${name}: pan`, { action: { do: "pan", track: id }, key: "value", from: -1, to: 1 }],
      [`${name}: stop`, { action: { do: "stop", track: id } }],
    ]),
    ...scenes.map(({ name }, scene) => [`Scene ${name || scene + 1}`, { action: { do: "launchScene", scene } }]),
    ...tracks.flatMap(({ name, clips }) =>
      clips.map((clip) => [`${name}: ${clip.name}`, { action: { do: "launch", clip: clip.id } }]),
    ),
  ]
}

function nameOf(action, known) {
  const text = JSON.stringify(action, Object.keys(action).sort())
  const same = known.find(([, target]) => JSON.stringify(target.action, Object.keys(target.action).sort()) === text)
  return same?.[0] ?? action.do
}

function portsText(ports) {
  if (!ports) return "Needs JACK, to which controllers are connected by themselves."
  return `Ports ${ports.input} and ${ports.output}; controllers are connected by themselves.`
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

  function toggleLearning() {
    if (app.state.learning) app.perform({ do: "learn", on: false })
    else app.perform({ do: "learn", ...known[Number(target.value)][1] })
  }

  return {
    element,
    update({ session, learning, engine }) {
      const midi = session.midi ?? {}
      known = targets(session)
      const names = JSON.stringify(known.map(([name]) => name))
      if (names !== offered)
        replaceChildren(
          target,
          known.map(([name], index) => h("option", { value: index, text: name })),
        )
      offered = names
      choose(grid, midi.grid ?? "")
      setChecked(scenes.box, midi.launchesScenes !== false)
      setAttribute(learn, "aria-pressed", Boolean(learning))
      setText(learn.querySelector("span"), learning ? "Stop learning" : "Learn")
      setText(told, learning ? "Now move a control." : portsText(engine.midi))
      replaceChildren(
        mappings,
        (midi.mappings ?? []).map(({ message, channel, number, action }, index) => {
          const where = `${kinds[message] ?? message} ${number}${typeof channel === "number" ? `, channel ${channel + 1}` : ""}`
          return h(
            "li",
            {},
            h("span", { text: `${where}: ${nameOf(action, known)}` }),
            button({
              label: `Forget ${where}`,
              icon: icon("close", 18),
              kind: "quiet",
              press: () => app.perform({ do: "removeMapping", index }),
            }),
          )
        }),
      )
    },
  }
}
