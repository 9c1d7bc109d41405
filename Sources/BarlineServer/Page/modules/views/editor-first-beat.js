// The clip editor's first beat: where in the file the beat is that falls on the boundary of a launch.

import { field, h, keepTyping, setValue } from "../ui/dom.js"

/** Makes the field; `edit(set)` changes the clip. */
export function firstBeatField(edit) {
  const input = h("input", {
    class: "input",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "as heard",
    title: "Seconds of the file that fall on the bar on which the clip is launched. Empty: where it is heard",
    data: { key: "first-beat" },
  })
  let clip
  const shown = () =>
    typeof clip?.firstBeat === "number" ? String(Math.round((clip.firstBeat / clip.sampleRate) * 1000) / 1000) : ""
  keepTyping(input)
  input.addEventListener("change", () => {
    delete input.dataset.changing
    const text = input.value.trim().replace(",", ".")
    const frame = Math.round(Number(text) * clip.sampleRate)
    if (text === "") edit({ firstBeat: null })
    else if (frame >= 0 && frame < clip.frames) edit({ firstBeat: frame })
    else input.value = shown()
  })
  return {
    element: field("First beat, s", input),
    update(next) {
      clip = next
      setValue(input, shown())
    },
  }
}
