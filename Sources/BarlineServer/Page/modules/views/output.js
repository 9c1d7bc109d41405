// The output: which there are, which is used, and a way to another one while the set plays.

import { percentText } from "../model/text.js"
import { fetchOutputs } from "../net/files.js"
import { button, field, h, renew, replaceChildren, select, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { tell } from "../ui/notices.js"

function nameOf({ backend, name, isDefault }) {
  const names = { jack: "JACK", null: "No sound, at the pace of the clock" }
  return `${names[backend] ?? name}${isDefault ? " · default" : ""}`
}

// What is known of the output, a name and a value each.
function factsOf({ engine, program }) {
  return [
    ["Output", engine.output],
    ["Sample rate", `${engine.sampleRate} Hz`],
    ["Latency", `${(engine.latency * 1000).toFixed(1)} ms`],
    ["Dropouts", String(engine.xruns)],
    [
      "Load",
      engine.load ? `${percentText(engine.load.mean)}, at most ${percentText(engine.load.max)}` : "not known yet",
    ],
    ["Named outputs", engine.outputs.join(", ")],
    ["Version", `${program.name} ${program.version}`],
  ]
}

/** Makes the card. */
export function outputCard(app) {
  const facts = h("dl", { class: "facts-list" })
  const choice = select([], { change: (value) => use(choices[Number(value)]), data: { key: "output-device" } })
  const again = button({
    label: "Look for outputs again",
    shown: "Look again",
    icon: icon("loop", 18),
    kind: "quiet",
    press: () => look(),
  })
  const address = h("input", {
    class: "input",
    placeholder: "snapcast://HOST",
    autocomplete: "off",
    spellcheck: "false",
    data: { key: "output-snapcast" },
  })
  const said = h("p", { class: "muted", role: "status" })
  const element = h(
    "div",
    { class: "card" },
    h("h3", { text: "Output" }),
    facts,
    field("Play to", choice),
    again,
    field("Other rooms: address of a Snapcast server", address),
    button({
      label: "Play to the Snapcast server",
      shown: "Play there",
      press: () => use({ backend: "snapcast", device: address.value.trim(), name: address.value.trim() }),
    }),
    said,
  )
  let choices = []
  let used = ""
  let isLooking = false

  async function look() {
    if (isLooking) return
    isLooking = true
    try {
      choices = await fetchOutputs()
      show()
    } catch (error) {
      tell(error.message, "error")
    }
    isLooking = false
  }

  function show() {
    const isKnown = choices.some(({ isUsed }) => isUsed)
    replaceChildren(choice, [
      isKnown ? null : h("option", { value: "", text: used }),
      choices.map((output, index) => h("option", { value: index, text: nameOf(output) })),
    ])
    choice.value = isKnown ? choices.findIndex(({ isUsed }) => isUsed) : ""
  }

  async function use(output) {
    if (!output) return
    setText(said, `Changing to ${output.name}…`)
    const done = await app.perform({ do: "output", backend: output.backend, device: output.device })
    setText(said, done ? `Plays to ${output.name}.` : "It plays where it did.")
    await look()
  }

  return {
    element,
    update(state) {
      renew(facts, factsOf(state), (known) =>
        known.map(([name, value]) => [h("dt", { text: name }), h("dd", { text: value })]),
      )
      if (state.engine.output === used) return
      used = state.engine.output
      look()
    },
  }
}
