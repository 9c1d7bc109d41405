// A field for a number that other controls, and other people, change too.

import { h, keepTyping, setValue } from "./dom.js"
import { tell } from "./notices.js"

/**
 * Makes the field; `change(number)` is called with a number from `min` to `max`, in hundredths, or with null where the
 * field was emptied, if it may be empty. A field for whole numbers rounds to them, and arrow keys step through them.
 */
export function numberField({ min, max, isOptional = false, isWhole = false, change, ...rest }) {
  let shown = ""
  const parts = isWhole ? 1 : 100
  const input = h("input", {
    class: "input number",
    inputmode: isWhole ? "numeric" : "decimal",
    autocomplete: "off",
    ...rest,
  })
  keepTyping(input)
  input.addEventListener("change", () => {
    delete input.dataset.changing
    const text = input.value.trim().replace(",", ".").replace("−", "-")
    const number = Math.round(Number(text) * parts) / parts
    if (text === "" && isOptional) change(null)
    else if (text !== "" && number >= min && number <= max) change(number)
    else {
      if (text !== "") tell(`From ${min} to ${max}.`.replaceAll("-", "−"), "error")
      input.value = shown
    }
  })
  input.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!isWhole || !step) return
    event.preventDefault()
    const number = Math.max(min, Math.min(max, Math.round(Number(input.value)) + step))
    if (!Number.isFinite(number) || String(number) === input.value) return
    input.value = String(number)
    change(number)
  })
  return {
    input,
    update(number) {
      shown = String(number ?? "")
      setValue(input, shown)
    },
  }
}
