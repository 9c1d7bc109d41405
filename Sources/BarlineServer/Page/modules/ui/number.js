// A field for a number that other controls, and other people, change too.

import { h, setValue } from "./dom.js"

/**
 * Makes the field; `change(number)` is called with a number from `min` to `max`, in hundredths, or with null where the
 * field was emptied, if it may be empty.
 */
export function numberField({ min, max, isOptional = false, change, ...rest }) {
  let shown = ""
  const input = h("input", { class: "input number", inputmode: "decimal", autocomplete: "off", ...rest })
  const leave = () => delete input.dataset.changing
  input.addEventListener("input", () => (input.dataset.changing = "yes"))
  input.addEventListener("blur", leave)
  input.addEventListener("change", () => {
    leave()
    const text = input.value.trim().replace(",", ".").replace("−", "-")
    const number = Math.round(Number(text) * 100) / 100
    if (text === "" && isOptional) change(null)
    else if (text !== "" && number >= min && number <= max) change(number)
    else input.value = shown
  })
  return {
    input,
    update(number) {
      shown = String(number ?? "")
      setValue(input, shown)
    },
  }
}
