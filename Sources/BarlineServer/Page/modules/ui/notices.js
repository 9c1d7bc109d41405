// What the user should know, for as long as it takes to read it.

import { button, h, setText } from "./dom.js"

const shown = new Map()

// On a phone they lie over the end of the view, which can be scrolled out from under them.
new ResizeObserver(([{ contentRect }]) => {
  document.documentElement.style.setProperty("--notices", `${contentRect.height}px`)
}).observe(document.getElementById("notices"))

const longest = 4
const actionTime = 20_000

/**
 * Says something; `kind` is `info` or `error`. The same words are not said twice at a time. What can be done about it,
 * `actions`, leaves more time. What it returns takes it away again.
 */
export function tell(text, kind = "info", actions = []) {
  const list = document.getElementById("notices")
  clearTimeout(shown.get(text)?.timer)
  const element = shown.get(text)?.element ?? notice(text, kind, actions, () => remove())
  const remove = () => {
    element.remove()
    shown.delete(text)
  }
  if (!element.isConnected) list.append(element)
  for (const other of [...list.querySelectorAll(":scope > :not(.working)")].slice(0, -longest)) other.remove()
  const time = 4000 + 60 * text.length + (actions.length > 0 ? actionTime : 0)
  shown.set(text, { element, timer: setTimeout(remove, time) })
  return remove
}

function notice(text, kind, actions, remove) {
  if (actions.length === 0) return h("p", { class: `notice ${kind}`, text, on: { click: remove } })
  const close = button({ label: "Close", kind: "quiet", press: remove })
  return h("div", { class: `notice ${kind}` }, h("p", { text }), h("div", { class: "row" }, actions, close))
}

/** Shows that something takes its time, until it ends; `cancel` is called by who does not want to wait. */
export function working(cancel) {
  const text = h("span")
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress" })
  // What has come of it is said in the end, not every step.
  const element = h(
    "div",
    { class: "notice working", "aria-live": "off" },
    text,
    bar,
    button({ label: "Cancel", kind: "quiet", press: cancel }),
  )
  document.getElementById("notices").append(element)
  return {
    show(said, fraction) {
      setText(text, said)
      bar.value = fraction
    },
    end() {
      element.remove()
    },
  }
}
