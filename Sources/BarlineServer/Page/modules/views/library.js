// The library: audio files that the session's folder and the user's library have, to be chosen from.

import { fetchLibrary } from "../net/files.js"
import { ask } from "../ui/dialog.js"
import { button, h, setText } from "../ui/dom.js"
import { tell } from "../ui/notices.js"

const most = 200

// A file that may be chosen; `flip(isChosen)` is told when it is.
function choice(file, isChosen, flip) {
  const box = h("input", { type: "checkbox", on: { change: () => flip(box.checked) } })
  box.checked = isChosen
  const folder = file.slice(0, Math.max(0, file.lastIndexOf("/")))
  return h(
    "label",
    { class: "switch" },
    box,
    h(
      "span",
      { class: "library-name" },
      h("span", { text: file.slice(file.lastIndexOf("/") + 1) }),
      folder ? h("span", { class: "muted", text: folder }) : null,
    ),
  )
}

function foundText(files, found) {
  if (files.length === 0)
    return "There is no audio in the session's folder or the library yet. Drop files on the page to bring some."
  if (found.length === 0) return "No file is called that."
  const rest = found.length > most ? ` The first ${most} of ${found.length} are shown: search for the others.` : ""
  return `${found.length} ${found.length === 1 ? "file" : "files"}.${rest}`
}

// What the dialog has; `close(names)` ends it.
function fileChooser(files, close) {
  const chosen = new Set()
  const told = h("p", { class: "muted", role: "status" })
  const list = h("div", { class: "choices library" })
  const add = button({ label: "Add", kind: "primary", key: "library-add", press: () => close([...chosen]) })
  const search = h("input", {
    class: "input",
    type: "search",
    "aria-label": "Search the library",
    placeholder: "Search",
    autofocus: true,
    autocomplete: "off",
    on: {
      input: () => show(),
      keydown: (event) => event.key === "Enter" && event.preventDefault(),
    },
  })

  function count() {
    setText(add.querySelector("span"), chosen.size > 0 ? `Add ${chosen.size}` : "Add")
    add.disabled = chosen.size === 0
  }

  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = files.filter((file) => words.every((word) => file.toLowerCase().includes(word)))
    list.replaceChildren(
      ...found.slice(0, most).map((file) =>
        choice(file, chosen.has(file), (isChosen) => {
          if (isChosen) chosen.add(file)
          else chosen.delete(file)
          count()
        }),
      ),
    )
    setText(told, foundText(files, found))
  }

  show()
  count()
  return [search, told, list, h("div", { class: "actions" }, button({ label: "Cancel", press: () => close([]) }), add)]
}

/** Asks for files of the library; fulfilled with their names as a session has them, in the order in which they were chosen. */
export async function askFiles() {
  try {
    const files = await fetchLibrary()
    return (await ask("Add from the library", (close) => fileChooser(files, close))) ?? []
  } catch (error) {
    tell(error.message, "error")
    return []
  }
}
