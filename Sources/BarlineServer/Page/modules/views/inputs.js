// The inputs: what they are called, the device's channels, when and how loud they are heard, and their levels.

import { button, field, h, keepTyping, removing, replaceChildren, select, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { Meter } from "../ui/meter.js"
import { choose } from "./transport.js"

const monitors = [
  ["auto", "heard while no clip plays"],
  ["always", "always heard"],
  ["never", "not heard here"],
]

// What an input can be of, with what it is called.
function origins({ tracks }) {
  const outputs = new Set(["main", ...tracks.map(({ output }) => output ?? "main")])
  return [
    ["", "the device's channels"],
    ...[...outputs].map((output) => [
      JSON.stringify({ output }),
      output === "main" ? "the master" : `output ${output}`,
    ]),
    ...tracks.map(({ id, name }) => [JSON.stringify({ track: id }), `track ${name || id}`]),
  ]
}

// A field for a text; `read(text)` gives what is set by it, and nothing for what is none.
function textOf(key, value, read, edit) {
  const input = h("input", {
    class: "input",
    value,
    autocomplete: "off",
    spellcheck: "false",
    data: { key },
    on: {
      change: async () => {
        delete input.dataset.changing
        const set = read(input.value)
        if (!set || !(await edit(set))) input.value = value
      },
    },
  })
  input.shown = String(value)
  keepTyping(input)
  return input
}

// An input's line in the card.
function inputRow(app, input) {
  const { name } = input
  const edit = (set) => app.perform({ do: "editInput", input: name, set })
  const canvas = h("canvas", { class: "level", "aria-hidden": "true" })
  const text = (key, value, read) => textOf(`${key}-${name}`, value, read, edit)
  const called = text("input-name", name, (value) => value.trim() && { name: value.trim() })
  const channels = text("input-channels", (input.channels ?? [1, 2]).join(", "), (value) => {
    const numbers = value
      .split(/[^0-9]+/)
      .filter(Boolean)
      .map(Number)
    return numbers.length === 1 || numbers.length === 2 ? { channels: numbers } : undefined
  })
  const gain = text("input-gain", input.gain ?? 0, (value) => {
    const db = Number(value.replace(",", "."))
    return Number.isFinite(db) ? { gain: db } : undefined
  })
  const from = select(origins(app.state.session), {
    change: (value) => edit({ from: value ? JSON.parse(value) : null }),
    "aria-label": `${name}: of`,
    data: { key: `input-from-${name}` },
  })
  const monitor = select(monitors, {
    change: (value) => edit({ monitor: value }),
    "aria-label": `${name}: monitor`,
    data: { key: `input-monitor-${name}` },
  })
  return {
    from,
    monitor,
    meter: new Meter(canvas),
    element: h(
      "li",
      {},
      canvas,
      field("Name", called),
      from,
      input.from ? null : field("Channels", channels),
      field("Gain, dB", gain),
      input.from ? null : monitor,
      button({
        label: `Remove ${name}`,
        icon: icon("trash", 18),
        kind: "quiet",
        press: removing(() => app.perform({ do: "removeInput", input: name })),
      }),
    ),
  }
}

/** Makes the card. */
export function inputsCard(app) {
  const list = h("ul", { class: "inputs" })
  const said = h("p", { class: "muted", role: "status" })
  const element = h(
    "div",
    { class: "card" },
    h("h3", { text: "Inputs" }),
    said,
    list,
    button({
      label: "Add an input",
      shown: "Add input",
      icon: icon("add", 18),
      kind: "quiet",
      key: "add-input",
      press: () => app.perform({ do: "addInput" }),
    }),
  )
  let rows = []
  let shape = ""

  return {
    element,
    update({ session, givesInputs }) {
      const { inputs } = session
      setText(
        said,
        inputs.length === 0
          ? "What is recorded into slots. A track with an input records into its empty places."
          : givesInputs
            ? "The red button of a track makes its empty places record."
            : "The output gives no inputs; JACK does, and PortAudio with a device that captures.",
      )
      const now = JSON.stringify([
        inputs.map(({ name, channels, gain, from }) => [name, channels, gain, from]),
        origins(session),
      ])
      if (now !== shape) {
        shape = now
        rows = inputs.map((input) => inputRow(app, input))
        replaceChildren(
          list,
          rows.map((row) => row.element),
        )
      }
      inputs.forEach((input, index) => {
        choose(rows[index].monitor, input.monitor ?? "auto")
        choose(rows[index].from, input.from ? JSON.stringify(input.from) : "")
      })
    },
    frame(live) {
      rows.forEach(({ meter }, index) => {
        const [left, right] = live.levels.inputs[index] ?? [0, 0]
        meter.draw(left, right, live.now)
      })
    },
  }
}
