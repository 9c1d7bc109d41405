// The clip editor's pitch: how much higher a clip sounds whose pitch does not follow the tempo.

import { field, h, select, setValue } from "../ui/dom.js"
import { choose } from "./transport.js"

const furthest = 24
const standard = { stretchCut: 0, stretchKeep: 80 }

/** Makes a knob in semitones and a field for cents as well; `edit(set)` changes the clip. */
export function pitchFields(edit) {
  const shown = (clip) => String(clip?.transpose ?? 0)
  const knob = h("input", {
    type: "range",
    min: String(-furthest),
    max: String(furthest),
    step: "1",
  })
  const value = h("input", {
    class: "input",
    inputmode: "decimal",
    autocomplete: "off",
    title: "Semitones; decimals are cents. The tempo stays as it is",
  })
  const mode = select(
    [
      ["", "as it sounds"],
      ["beats", "for drums"],
      ["tonal", "without attacks"],
      ["complex", "for everything"],
    ],
    { change: (value) => edit({ stretchMode: value || null }) },
  )
  const grain = select(
    [
      ["long", "long, for tones"],
      ["medium", "medium"],
      ["short", "short, for quick sounds"],
    ],
    { change: (value) => edit({ stretchGrain: value }) },
  )
  // Where a field is empty the key says nothing.
  const numbers = [
    number(
      "Formants, semitones",
      "formants",
      -furthest,
      furthest,
      "0: a voice stays itself; empty: they follow the pitch",
    ),
    number("Attacks cut from, dB", "stretchCut", 0, 40, "Where the sound rises less, only what rises begins anew"),
    number(
      "Kept of each attack, %",
      "stretchKeep",
      10,
      100,
      "For drums: how much of the way to the next one; at 100 what is left is silent",
    ),
    number("Decay, ms", "stretchDecay", 10, 10000, "For drums: how fast each attack dies away; empty: as it does"),
  ]
  function number(label, key, low, high, title) {
    const input = h("input", { class: "input", inputmode: "decimal", autocomplete: "off", title })
    input.addEventListener("input", () => (input.dataset.changing = "yes"))
    input.addEventListener("blur", () => delete input.dataset.changing)
    input.addEventListener("change", () => {
      delete input.dataset.changing
      const text = input.value.trim().replace(",", ".")
      const value = Number(text)
      if (text === "") edit({ [key]: null })
      else if (value >= low && value <= high) edit({ [key]: value })
      else input.value = String(clip?.[key] ?? standard[key] ?? "")
    })
    return { key, input, element: field(label, input) }
  }
  let clip
  for (const input of [knob, value]) {
    input.addEventListener("input", () => (input.dataset.changing = "yes"))
    input.addEventListener("blur", () => delete input.dataset.changing)
  }
  knob.addEventListener("change", () => {
    delete knob.dataset.changing
    edit({ transpose: Number(knob.value) })
  })
  knob.addEventListener("dblclick", () => edit({ transpose: 0 }))
  value.addEventListener("change", () => {
    delete value.dataset.changing
    const number = Number(value.value.trim().replace(",", "."))
    if (value.value.trim() !== "" && Math.abs(number) <= furthest) edit({ transpose: Math.round(number * 100) / 100 })
    else value.value = shown(clip)
  })
  const element = h(
    "div",
    { class: "group" },
    h("div", { class: "pair" }, field("Pitch", knob), field("Transpose, semitones", value)),
    h("div", { class: "pair" }, field("Stretched", mode), field("Grains", grain)),
    h("div", { class: "pair" }, numbers[0].element, numbers[1].element),
    h("div", { class: "pair" }, numbers[2].element, numbers[3].element),
  )
  return {
    element,
    update(next) {
      clip = next
      element.hidden = clip.playback !== "stretch"
      setValue(knob, String(Math.round(clip.transpose ?? 0)))
      setValue(value, shown(clip))
      choose(mode, clip.stretchMode ?? "")
      choose(grain, clip.stretchGrain ?? "long")
      for (const { key, input } of numbers) setValue(input, String(clip[key] ?? standard[key] ?? ""))
      // What slices do is of no meaning where the mode has none.
      for (const place of [2, 3]) numbers[place].element.hidden = ["tonal", "complex"].includes(clip.stretchMode)
      numbers[1].element.hidden = clip.stretchMode === "tonal"
    },
  }
}
