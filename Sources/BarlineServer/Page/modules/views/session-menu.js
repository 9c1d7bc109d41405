// The session's menu: its name, and what is done with files.

import { askText, confirm } from "../ui/dialog.js"
import { setAttribute, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { menu } from "../ui/menu.js"
import { tell } from "../ui/notices.js"
import { brokenFiles, findFiles } from "./missing-files.js"
import { askSession, askVersion, timeStyleOf, when } from "./saved-sessions.js"

// Others may open another session while something is asked: the answer is for the one that was asked about.
const isOpen = (app, file) => app.state.file.name === file.name

function tellOther() {
  tell("Another session was opened meanwhile: nothing was done.", "error")
}

/** Leaves the session for another one; asks first where something would be lost, and again where that is another one. */
async function leave(app, action) {
  const { file, session } = app.state
  if (!file.isDirty) return app.perform(action)
  const name = session.name || "Untitled"
  const isSure = await confirm("Leave the changes?", `“${name}” has changes that are not saved.`, "Leave them")
  if (!isSure) return undefined
  return isOpen(app, file) ? app.perform({ ...action, discard: true }) : leave(app, action)
}

async function open(app) {
  const action = await askSession(app)
  if (action) leave(app, action)
}

async function create(app) {
  const name = await askText("New session", { label: "Name", value: "Untitled", confirm: "Make it" })
  if (name) leave(app, { do: "new", name })
}

async function save(app) {
  if (!app.state.file.canSave) return saveAs(app)
  if (await app.perform({ do: "save" })) tell("Saved.")
}

async function saveAs(app) {
  const { file } = app.state
  const name = await askText("Save as", {
    label: "Name of the session",
    value: app.state.session.name,
    confirm: "Save",
  })
  if (!name) return
  const isTaken = app.state.sessions.some((session) => session.name === name && !session.isOpen)
  const isSure =
    !isTaken ||
    (await confirm(
      `Replace “${name}”?`,
      "It is saved already. What it was stays among its earlier versions.",
      "Replace it",
    ))
  if (!isSure) return
  if (!isOpen(app, file)) return tellOther()
  if (await app.perform({ do: "saveAs", name })) tell(`Saved as “${name}”.`)
}

async function goBack(app) {
  const { file } = app.state
  const action = await askVersion()
  if (!action) return
  if (!isOpen(app, file)) return tellOther()
  if (await app.perform(action)) tell("The session is as it was then. Undo brings back what it was.")
}

/** Offers what an interrupted session left. */
function recovery(app) {
  const all = app.state.recoverables ?? []
  const timeStyle = timeStyleOf(all.map(({ modified }) => modified))
  return all.flatMap(({ name, copy, modified }) => {
    const time = all.length > 1 ? ` of ${when(modified, timeStyle)}` : ""
    return [
      { label: `Recover “${name}”${time}`, press: () => leave(app, { do: "recover", copy }) },
      { label: `Discard what could be recovered${time}`, press: () => app.perform({ do: "discardRecovery", copy }) },
    ]
  })
}

async function rename(app) {
  const { file, session } = app.state
  const name = await askText("Rename the session", { label: "Name", value: session.name, confirm: "Rename" })
  if (!name) return
  if (!isOpen(app, file)) return tellOther()
  // One that “Open…” lists is called so there too.
  const saved = app.state.sessions.find((session) => session.isOpen)
  if (saved && saved.name !== name) app.perform({ do: "renameSession", name: saved.name, to: name })
  else app.perform({ do: "editSession", set: { name } })
}

/** Makes the menu; its button shows the session's name, and a dot where there is something to save. */
export function sessionMenu(app) {
  const element = menu({
    label: "Session",
    icon: icon("menu"),
    shown: "…",
    items: () => [
      { label: "New session…", press: () => create(app) },
      { label: "Open…", press: () => open(app) },
      ...recovery(app),
      { label: "Undo", keys: "Ctrl Z", disabled: !app.state.history.undo, press: () => app.perform({ do: "undo" }) },
      { label: "Redo", keys: "Ctrl Y", disabled: !app.state.history.redo, press: () => app.perform({ do: "redo" }) },
      { label: "Save", keys: "Ctrl S", press: () => save(app) },
      { label: "Save as…", press: () => saveAs(app) },
      { label: "Rename…", press: () => rename(app) },
      { label: "Earlier versions…", press: () => goBack(app) },
      { label: "Add audio files…", press: () => app.pickFiles(app.dropPlace()) },
      ...(brokenFiles(app).length > 0 ? [{ label: "Find missing files…", press: () => findFiles(app) }] : []),
    ],
  })
  element.classList.add("set")
  const opener = element.querySelector(".button")
  const shown = opener.querySelector("span")
  let offered
  let withdraw = () => {}
  app.onState(({ session, file, recoverable, recoverables }) => {
    const name = session.name || "Untitled"
    setText(shown, `${name}${file.isDirty ? " •" : ""}`)
    opener.title = file.isDirty ? `${name}: not saved` : name
    setAttribute(opener, "aria-label", `Session: ${name}${file.isDirty ? ", not saved" : ""}`)
    document.title = `${name} – Barline`
    if (offered !== recoverable?.name) withdraw()
    if (recoverable && offered !== recoverable.name) {
      const times = recoverables.length > 1 ? ` ${recoverables.length} times` : ""
      withdraw = tell(`“${recoverable.name}” was not saved${times}; the session menu can recover it.`)
    }
    offered = recoverable?.name
  })
  app.save = () => save(app)
  return element
}
