// What the user should know, for as long as it takes to read it.

import { h } from "./dom.js"

const shown = new Map()

/** Says something; `kind` is `info` or `error`. The same words are not said twice at a time. */
export function tell(text, kind = "info") {
  const list = document.getElementById("notices")
  clearTimeout(shown.get(text)?.timer)
  const element = shown.get(text)?.element ?? h("p", { class: `notice ${kind}`, text, on: { click: () => remove() } })
  const remove = () => {
    element.remove()
    shown.delete(text)
  }
  if (!element.isConnected) list.append(element)
  while (list.children.length > 4) list.firstElementChild.remove()
  shown.set(text, { element, timer: setTimeout(remove, 4000 + 60 * text.length) })
}
