// A button that opens a short list of commands.

import { button, h, setAttribute } from "./dom.js"

/** `items()` gives the commands, called each time: `{label, keys, press, disabled}`, or `null` for a gap. */
export function menu({ label, icon, shown, kind = "quiet", key, right = false, items }) {
  const opener = button({ label, icon, shown, kind, key, press: () => (sheet.hidden ? open() : close()) })
  opener.setAttribute("aria-haspopup", "menu")
  opener.setAttribute("aria-expanded", "false")
  const sheet = h("div", { class: `sheet${right ? " right" : ""}`, role: "menu", "aria-label": label, hidden: true })
  const element = h("div", { class: "menu" }, opener, sheet)

  const leave = (event) => element.contains(event.target) || close()

  function open() {
    document.addEventListener("pointerdown", leave)
    sheet.replaceChildren(
      ...items().map((item) =>
        h(
          "button",
          {
            type: "button",
            class: "button",
            role: "menuitem",
            disabled: item.disabled,
            on: {
              click: (event) => {
                close()
                // Chosen by a key: keys go on from where the list was opened.
                if (event.detail === 0) opener.focus()
                item.press()
              },
            },
          },
          h("span", { text: item.label }),
          item.keys ? h("span", { class: "keys", text: item.keys }) : null,
        ),
      ),
    )
    sheet.hidden = false
    setAttribute(opener, "aria-expanded", true)
    sheet.querySelector("button:not(:disabled)")?.focus()
  }

  function close() {
    document.removeEventListener("pointerdown", leave)
    sheet.hidden = true
    setAttribute(opener, "aria-expanded", false)
  }

  element.addEventListener("keydown", (event) => {
    if (sheet.hidden) return
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const buttons = [...sheet.querySelectorAll("button:not(:disabled)")]
    const focused = buttons.indexOf(document.activeElement)
    const places = { ArrowDown: focused + 1, ArrowUp: focused < 0 ? -1 : focused - 1, Home: 0, End: -1 }
    if (event.key in places) {
      buttons.at(places[event.key] % buttons.length)?.focus()
    } else if (event.key.length === 1 && event.key !== " ") {
      // A letter leads to the next command that begins with it, and plays nothing meanwhile.
      const letter = event.key.toLowerCase()
      const after = [...buttons.slice(focused + 1), ...buttons.slice(0, focused + 1)]
      after.find((item) => item.textContent.toLowerCase().startsWith(letter))?.focus()
    } else if (event.key === "Escape") {
      close()
      opener.focus()
    } else {
      return
    }
    event.preventDefault()
    event.stopPropagation()
  })
  element.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !element.contains(event.relatedTarget)) close()
  })
  return element
}
