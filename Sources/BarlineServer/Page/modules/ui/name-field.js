// A field for the name of something, which other people change too.

import { h, keepTyping } from "./dom.js"

/** Makes the field; `rename(name)` is called with a name that is not empty. */
export function nameField(label, rename) {
  const input = h("input", {
    class: "input name",
    "aria-label": label,
    on: { change: () => input.value.trim() && rename(input.value.trim()) },
  })
  keepTyping(input)
  return input
}
