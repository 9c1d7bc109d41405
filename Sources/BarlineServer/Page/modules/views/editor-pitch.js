// The clip editor's pitch: how much higher a clip sounds whose pitch does not follow the tempo.

import { field, h, select, setValue } from "../ui/dom.js"
import { numberField } from "../ui/number.js"
import { choose } from "./transport.js"

const furthest = 24
const standard = { stretchCut: 0, stretchKeep: 80 }

function modeChoice(edit) {
  return select(
    [
      ["", "as it sounds"],
      ["beats", "for drums"],
      ["tonal", "without attacks"],
      ["complex", "for everything"],
    ],
    { change: (value) => edit({ stretchMode: value || null }) },
  )
}

function grainChoice(edit) {
  return select(
    [
      ["long", "long, for tones"],
      ["medium", "medium"],
      ["short", "short, for quick sounds"],
    ],
    { change: (value) => edit({ stretchGrain: value }) },
  )
}

// Fields for what can be set of a stretch; where one is empty the key says nothing.
function stretchFields(edit) {
  function parameter(label, key, min, max, title) {
    const number = numberField({ min, max, isOptional: true, title, change: (value) => edit({ [key]: value }) })
    return { key, number, element: field(label, number.input) }
  }
  return [
    parameter(
      "Formants, semitones",
      "formants",
      -furthest,
      furthest,
      "0: a voice stays itself; empty: they follow the pitch",
    ),
    parameter("Attacks cut from, dB", "stretchCut", 0, 40, "Where the sound rises less, only what rises begins anew"),
    parameter(
      "Kept of each attack, %",
      "stretchKeep",
      10,
      100,
      "For drums: how much of the way to the next one; at 100 what is left is silent",
    ),
    parameter("Decay, ms", "stretchDecay", 10, 10000, "For drums: how fast each attack dies away; empty: as it does"),
  ]
}

/** Makes a knob in semitones and a field for cents as well; `edit(set)` changes the clip. */
export function pitchFields(edit) {
  const knob = h("input", {
    type: "range",
    min: String(-furthest),
    max: String(furthest),
    step: "1",
  })
  const value = numberField({
    min: -furthest,
    max: furthest,
    title: "Semitones; decimals are cents. The tempo stays as it is",
    change: (transpose) => edit({ transpose }),
  })
  const mode = modeChoice(edit)
  const grain = grainChoice(edit)
  const parameters = stretchFields(edit)
  knob.addEventListener("input", () => (knob.dataset.changing = "yes"))
  knob.addEventListener("blur", () => delete knob.dataset.changing)
  knob.addEventListener("change", () => {
    delete knob.dataset.changing
    edit({ transpose: Number(knob.value) })
  })
  knob.addEventListener("dblclick", () => edit({ transpose: 0 }))
  const element = h(
    "div",
    { class: "group" },
    h("div", { class: "pair" }, field("Pitch", knob), field("Transpose, semitones", value.input)),
    h("div", { class: "pair" }, field("Stretched", mode), field("Grains", grain)),
    h("div", { class: "pair" }, parameters[0].element, parameters[1].element),
    h("div", { class: "pair" }, parameters[2].element, parameters[3].element),
  )
  return {
    element,
    update(clip) {
      element.hidden = clip.playback !== "stretch"
      setValue(knob, String(Math.round(clip.transpose ?? 0)))
      value.update(clip.transpose ?? 0)
      choose(mode, clip.stretchMode ?? "")
      choose(grain, clip.stretchGrain ?? "long")
      for (const { key, number } of parameters) number.update(clip[key] ?? standard[key])
      // What slices do is of no meaning where the mode has none.
      for (const place of [2, 3]) parameters[place].element.hidden = ["tonal", "complex"].includes(clip.stretchMode)
      parameters[1].element.hidden = clip.stretchMode === "tonal"
    },
  }
}
