// Questions: the browser's own dialogs, which keep the focus where it belongs.

import { button, h } from "./dom.js"

let questions = 0

/**
 * Asks something. `build(close)` gives the content; the promise is fulfilled with what `close` is given,
 * with `undefined` where the user leaves without an answer. One that `isPanel` asks nothing: while it is worked with, the
 * keys that silence, undo and save are what they are.
 */
export function ask(title, build, { isPanel = false } = {}) {
  return new Promise((resolve) => {
    const before = document.activeElement
    let answer
    const close = (value) => {
      answer = value
      dialog.close()
    }
    questions += 1
    const id = `question-${questions}`
    const heading = h("h2", { id, text: title })
    const dialog = h("dialog", { "aria-labelledby": id }, h("form", { method: "dialog" }, heading, build(close)))
    dialog.toggleAttribute("data-panel", isPanel)
    dialog.addEventListener("close", () => {
      dialog.remove()
      before?.focus()
      resolve(answer)
    })
    // Who marks text and lets go outside has not pressed there.
    let pressed = null
    dialog.addEventListener("pointerdown", (event) => (pressed = event.target))
    dialog.addEventListener("click", (event) => event.target === dialog && pressed === dialog && close(undefined))
    document.body.append(dialog)
    dialog.showModal()
    // What is there is typed over, or kept.
    dialog.querySelector("input[autofocus]")?.select()
  })
}

/** Asks for a line of text. */
export function askText(title, { label, value = "", confirm = "OK" }) {
  return ask(title, (close) => {
    const input = h("input", { class: "input", value, "aria-label": label, autofocus: true, spellcheck: "false" })
    const done = button({
      label: confirm,
      kind: "primary",
      press: (event) => {
        event.preventDefault()
        close(input.value.trim())
      },
    })
    done.type = "submit"
    return [
      h("label", { class: "field" }, h("span", { class: "label", text: label }), input),
      h("div", { class: "actions" }, button({ label: "Cancel", press: () => close(undefined) }), done),
    ]
  })
}

/** Asks for confirmation of something that can't be undone. */
export function confirm(title, text, yes) {
  return ask(title, (close) => [
    h("p", { text }),
    h(
      "div",
      { class: "actions" },
      button({ label: "Cancel", press: () => close(false) }),
      button({ label: yes, kind: "primary", press: () => close(true) }),
    ),
  ])
}
