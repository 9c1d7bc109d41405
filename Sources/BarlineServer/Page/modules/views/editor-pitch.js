// The clip editor's pitch: how much higher a clip sounds whose pitch does not follow the tempo.

import { field, h, select, setValue } from "../ui/dom.js"
import { choose } from "./transport.js"

const furthest = 24

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
    field("Stretched", mode),
  )
  return {
    element,
    update(next) {
      clip = next
      element.hidden = clip.playback !== "stretch"
      setValue(knob, String(Math.round(clip.transpose ?? 0)))
      setValue(value, shown(clip))
      choose(mode, clip.stretchMode ?? "")
    },
  }
}
