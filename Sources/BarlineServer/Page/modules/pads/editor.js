// What is set of one pad.

import { percentText } from "../model/text.js"
import { button, field, h, removing, renew, select, setAttribute, setText, setValue } from "../ui/dom.js"
import { gainFader, panControl } from "../ui/fader.js"
import { hideEditor } from "../ui/grid-focus.js"
import { icon } from "../ui/icons.js"
import { nameField } from "../ui/name-field.js"
import { numberField } from "../ui/number.js"
import { pacer } from "../ui/sending.js"
import { swatches } from "../ui/swatches.js"
import { choose, quantizations } from "../views/transport.js"
import { noteText, padPlace } from "./places.js"

const groups = 8
const kinds = { note: "note", cc: "controller", program: "program" }

function parameter(label, slider, value) {
  return h(
    "div",
    { class: "parameter" },
    h("span", { class: "label muted", text: label, "aria-hidden": "true" }),
    slider,
    value,
  )
}

// How a pad sounds: its level, its place between the speakers, how it answers to velocity.
function soundControls(edit, target) {
  const gain = gainFader("Pad", (gain, id) => edit({ gain }, id), { upright: false, key: "pad-gain", target })
  const pan = panControl("Pad", (pan, id) => edit({ pan }, id), target)
  const sendSensitivity = pacer((sensitivity, id) => edit({ sensitivity }, id), target)
  const sensitivity = h("input", {
    type: "range",
    class: "fader level",
    min: 0,
    max: 100,
    step: 1,
    "aria-label": "Pad: sensitivity to velocity",
    on: { input: () => sendSensitivity(sensitivity.value / 100) },
  })
  const sensitivityText = h("span", { class: "parameter-value", "aria-hidden": "true" })
  return {
    levels: [parameter("Gain, dB", gain.slider, gain.value), parameter("Pan", pan.slider, pan.value)],
    sensitivity: parameter("Sensitivity", sensitivity, sensitivityText),
    update(pad) {
      gain.update(pad.gain)
      pan.update(pad.pan)
      const depth = pad.sensitivity ?? 1
      if (document.activeElement !== sensitivity) sensitivity.value = Math.round(100 * depth)
      setText(sensitivityText, percentText(depth))
      setAttribute(sensitivity, "aria-valuetext", percentText(depth))
    },
  }
}

// When a pad sounds, and what it silences.
function timingControls(edit) {
  const choke = select(
    [["0", "none"], ...Array.from({ length: groups }, (_, index) => [String(index + 1), `group ${index + 1}`])],
    { change: (value) => edit({ choke: Number(value) }) },
  )
  const quantization = select(
    [["", "at once"], ...quantizations.filter((value) => value !== "none").map((value) => [value, value])],
    {
      change: (value) => edit({ quantization: value || null }),
    },
  )
  return {
    element: h("div", { class: "pair" }, field("Choke", choke), field("Starts", quantization)),
    update(pad) {
      choose(choke, String(pad.choke ?? 0))
      choose(quantization, pad.quantization ?? "")
    },
  }
}

// A pad's pitch, and the note that hits it.
function noteControls(edit) {
  const note = numberField({ min: 0, max: 127, isOptional: true, isWhole: true, change: (note) => edit({ note }) })
  const noteName = h("span", { class: "muted note-name", "aria-hidden": "true" })
  const pitch = numberField({
    min: -24,
    max: 24,
    isOptional: true,
    isWhole: true,
    change: (pitch) => edit({ pitch: pitch ?? 0 }),
  })
  return {
    element: h(
      "div",
      { class: "pair" },
      field("Pitch, semitones", pitch.input),
      h("div", { class: "note" }, field("MIDI note", note.input), noteName),
    ),
    update(pad) {
      pitch.update(pad.pitch ?? 0)
      note.update(pad.note)
      setText(noteName, Number.isInteger(pad.note) ? noteText(pad.note) : "")
    },
  }
}

// The controls that hit a pad, and learning of another one; `pad()` gives the pad.
function learning(app, pad) {
  const learn = button({ label: "Learn", pressed: false, key: "pad-learn", press: () => toggleLearning() })
  const told = h("p", { class: "muted", role: "status" })
  const mappings = h("ul", { class: "files", "aria-label": "Controls that hit the pad" })

  function isLearning(action) {
    return action?.do === "hit" && action.pad === pad().id
  }

  function toggleLearning() {
    if (isLearning(app.state.learning)) app.perform({ do: "learn", on: false })
    else app.perform({ do: "learn", action: { do: "hit", pad: pad().id }, key: "velocity", from: 0, to: 1 })
  }

  function update({ session, learning, engine }) {
    const waits = isLearning(learning)
    setAttribute(learn, "aria-pressed", waits)
    setText(learn.querySelector("span"), waits ? "Stop learning" : "Learn")
    const alone = engine.midi ? "" : "Controllers need JACK."
    setText(told, waits ? "Now play a note." : alone)
    const list = session.midi?.mappings
    const known = (Array.isArray(list) ? list : []).map((mapping, index) => ({ ...mapping, index }))
    const hits = known.filter(({ action }) => isLearning(action))
    renew(mappings, hits, () =>
      hits.map(({ message, number, channel, index }) => {
        const what = message === "note" ? noteText(number) : String(number)
        const where = `${kinds[message] ?? message} ${what}${typeof channel === "number" ? `, channel ${channel + 1}` : ""}`
        return h(
          "li",
          {},
          h("span", { text: `Hit by ${where}` }),
          button({
            label: `Forget ${where}`,
            icon: icon("close", 18),
            kind: "quiet",
            press: removing(() => app.perform({ do: "removeMapping", index })),
          }),
        )
      }),
    )
  }

  return { elements: [h("div", { class: "row" }, learn, told), mappings], update }
}

// The file that a pad plays.
function sourceRow(app, pad) {
  const file = h("p", { class: "muted file" })
  const another = button({
    label: "Another sound…",
    kind: "quiet",
    press: () => app.pickFiles({ ...padPlace(pad().slot), single: true }),
  })
  return {
    element: h("div", { class: "row source" }, file, another),
    update(pad) {
      const fileName = pad.file.slice(pad.file.lastIndexOf("/") + 1)
      const seconds = pad.frames > 0 ? ` · ${(pad.frames / pad.sampleRate).toFixed(2)} s` : ""
      setText(file, `${fileName}${seconds}`)
    },
  }
}

/** Makes the editor; `board` knows which pad is chosen. */
export function padEditor(app, board) {
  let pad
  const own = () => pad
  // A field that is left because its pad has gone changes nothing.
  const edit = (set, id = pad?.id) => id && app.perform({ do: "editPad", pad: id, set })
  const name = nameField("Name of the pad", (name) => edit({ name }))
  const colours = swatches((color) => edit({ color }))
  const sound = soundControls(edit, () => pad?.id)
  const timing = timingControls(edit)
  const notes = noteControls(edit)
  const learned = learning(app, own)
  const source = sourceRow(app, own)
  const problem = h("p", { class: "problem", role: "alert" })
  const element = h(
    "aside",
    { class: "pad-editor", "aria-label": "Pad editor", hidden: true },
    h(
      "header",
      { class: "editor-header" },
      name,
      button({
        label: "Remove the pad",
        icon: icon("trash"),
        press: () => app.perform({ do: "removePad", pad: pad.id }),
      }),
      button({ label: "Close the editor", icon: icon("close"), kind: "quiet close", press: () => board.choose(null) }),
    ),
    problem,
    colours.element,
    sound.levels,
    timing.element,
    sound.sensitivity,
    notes.element,
    learned.elements,
    source.element,
  )

  element.addEventListener("keydown", (event) => {
    // What is being typed is taken back first.
    if (event.key === "Escape" && !event.defaultPrevented) board.choose(null)
  })

  return {
    element,
    update(state, chosen) {
      const before = pad?.id
      pad = chosen
      if (!pad) {
        if (before) hideEditor(element, () => document.querySelector(`[data-pad="${CSS.escape(before)}"]`))
        else element.hidden = true
        return
      }
      element.hidden = false
      if (before !== pad.id) element.scrollTo(0, 0)
      element.style.setProperty("--clip", pad.colour)
      setValue(name, pad.name)
      colours.update(pad.color, pad.colour)
      for (const part of [sound, timing, notes, source]) part.update(pad)
      setText(problem, pad.problem ?? "")
      problem.hidden = !pad.problem
      learned.update(state)
    },
  }
}
