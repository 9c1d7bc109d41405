// Files that can't be played where the session says that they are: they are looked for, or chosen.

import { performByRequest } from "../net/files.js"
import { ask } from "../ui/dialog.js"
import { button, h } from "../ui/dom.js"
import { tell } from "../ui/notices.js"
import { chooseFiles, sendFiles } from "./import.js"

// More names than that say no more.
const mostNames = 6
// What the server takes in one step.
const most = 512

const nameOf = (file) => file.slice(file.lastIndexOf("/") + 1)
const listed = (names) =>
  names.length > mostNames
    ? `${names.slice(0, mostNames).join(", ")} and ${names.length - mostNames} more`
    : names.join(", ")

/** The names of the files that can't be played, each once. */
export function brokenFiles(app) {
  const { session, clips } = app.state
  const all = [clips.values(), session.stems, session.playlist, ...app.parts.map((part) => part.sounds(session))]
  const broken = all.flatMap((things) => [...things].filter(({ problem }) => problem))
  const layers = [...clips.values()].flatMap(({ missingLayers }) => missingLayers ?? [])
  return [...new Set([...broken.map(({ file }) => file), ...layers].map(nameOf))]
}

async function find(files) {
  const { result } = await performByRequest({ do: "findFiles", files })
  const count = result.found.length
  // Those that are where they were again are read without a word of the server's.
  if (count > 0) tell(count === 1 ? "1 file was found." : `${count} files were found.`)
  if (result.missing.length > 0) tell(`Not found: ${listed(result.missing.map(nameOf))}`, "error")
  else if (count === 0) tell("All files are where they should be.")
}

/** Asks where the files are to be looked for, and looks for them. */
export async function findFiles(app) {
  const names = brokenFiles(app)
  const way = await ask("Find missing files", (close) => [
    h("p", { text: `Can't be played: ${listed(names)}` }),
    h("p", { class: "muted", text: "They are found by their names." }),
    h(
      "div",
      { class: "actions" },
      button({ label: "Cancel", press: () => close(undefined) }),
      button({ label: "Choose files…", press: () => close("choose") }),
      button({ label: "Look in the library", kind: "primary", autofocus: true, press: () => close("library") }),
    ),
  ])
  if (way === "choose")
    chooseFiles({ multiple: true }, (files) => sendFiles(files, (stored) => find(stored.slice(0, most))))
  else if (way === "library") await find([]).catch(({ message }) => tell(message, "error"))
}

/** Has another file played in the place of one: `use(file)` is called with what the session calls it. */
export function chooseAnother(use) {
  chooseFiles({ multiple: false }, (files) => sendFiles(files, ([stored]) => stored && use(stored.file)))
}

/** Says of a session that is opened that some of its files can't be played. */
export function watchFiles(app) {
  let told
  app.onState(({ file }) => {
    if (file.name === told) return
    told = file.name
    const count = brokenFiles(app).length
    if (count > 0)
      tell(
        `${count === 1 ? "A file" : `${count} files`} can't be played. “Find missing files…” in the session menu looks for them.`,
        "error",
      )
  })
}
