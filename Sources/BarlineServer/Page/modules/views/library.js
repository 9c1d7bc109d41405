// The library: audio files that the session's folder and the user's library have, to be chosen from.

import { fetchLibrary } from "../net/files.js"
import { ask } from "../ui/dialog.js"
import { button, h, setText } from "../ui/dom.js"
import { tell } from "../ui/notices.js"

const most = 200

/** Asks for files of the library; fulfilled with their names as a session has them, in the order in which they were chosen. */
export async function askFiles() {
  let files
  try {
    files = await fetchLibrary()
  } catch (error) {
    tell(error.message, "error")
    return []
  }
  const chosen = new Set()
  const answer = await ask("Add from the library", (close) => {
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
      list.replaceChildren(...found.slice(0, most).map(choice))
      const rest = found.length > most ? ` The first ${most} of ${found.length} are shown: search for the others.` : ""
      setText(
        told,
        files.length === 0
          ? "There is no audio in the session's folder or the library yet. Drop files on the page to bring some."
          : found.length === 0
            ? "No file is called that."
            : `${found.length} ${found.length === 1 ? "file" : "files"}.${rest}`,
      )
    }

    function choice(file) {
      const box = h("input", {
        type: "checkbox",
        on: {
          change: () => {
            if (box.checked) chosen.add(file)
            else chosen.delete(file)
            count()
          },
        },
      })
      box.checked = chosen.has(file)
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

    show()
    count()
    return [
      search,
      told,
      list,
      h("div", { class: "actions" }, button({ label: "Cancel", press: () => close([]) }), add),
    ]
  })
  return answer ?? []
}
