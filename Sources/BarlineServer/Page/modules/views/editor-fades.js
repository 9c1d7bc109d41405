// The clip editor's fades: how the clip comes in, and how it goes.

import { field, h } from "../ui/dom.js"
import { numberField } from "../ui/number.js"

const longest = 10000

/** Makes the two fields; `edit(set)` changes the clip. */
export function fadeFields(edit) {
  const fade = (key, label, title) => {
    const number = numberField({
      min: 0,
      max: longest,
      isOptional: true,
      placeholder: "automatic",
      title,
      change: (value) => edit({ [key]: value }),
    })
    return { key, number, element: field(label, number.input) }
  }
  const fields = [
    fade(
      "fadeIn",
      "Fade in, ms",
      "Leads up to the clip's first frame; 0 starts bare. Empty: 5 ms before the bar, without a click",
    ),
    fade("fadeOut", "Fade out, ms", "When the clip stops, and at the end of one that plays once. Empty: 5 ms"),
  ]
  return {
    element: h(
      "div",
      { class: "pair" },
      fields.map(({ element }) => element),
    ),
    update: (clip) => {
      for (const { key, number } of fields) number.update(clip[key])
    },
  }
}
