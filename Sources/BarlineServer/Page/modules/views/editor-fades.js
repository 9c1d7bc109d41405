// The clip editor's fades: how the clip comes in, and how it goes.

import { field, h, setValue } from "../ui/dom.js"

const longest = 10000

/** Makes the two fields; `edit(set)` changes the clip. */
export function fadeFields(edit) {
  const fade = (key, label, title) => {
    const input = h("input", {
      class: "input",
      inputmode: "decimal",
      autocomplete: "off",
      placeholder: "automatic",
      title,
    })
    const shown = (clip) => (typeof clip?.[key] === "number" ? String(clip[key]) : "")
    let clip
    input.addEventListener("input", () => (input.dataset.changing = "yes"))
    input.addEventListener("blur", () => delete input.dataset.changing)
    input.addEventListener("change", () => {
      delete input.dataset.changing
      const text = input.value.trim().replace(",", ".")
      const value = Number(text)
      if (text === "") edit({ [key]: null })
      else if (value >= 0 && value <= longest) edit({ [key]: value })
      else input.value = shown(clip)
    })
    return {
      element: field(label, input),
      update(next) {
        clip = next
        setValue(input, shown(clip))
      },
    }
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
      for (const field of fields) field.update(clip)
    },
  }
}
