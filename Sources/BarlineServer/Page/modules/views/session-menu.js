// The session's menu: its name, and what is done with files.

import { askText, confirm } from "../ui/dialog.js"
import { setAttribute, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { menu } from "../ui/menu.js"
import { tell } from "../ui/notices.js"
import { brokenFiles, findFiles } from "./missing-files.js"
import { askSession, askVersion, when } from "./saved-sessions.js"

/** Leaves the session for another one; asks first where something would be lost. */
async function leave(app, action) {
  if (!app.state.file.isDirty) return app.perform(action)
  const isSure = await confirm("Leave the changes?", "The session has changes that are not saved.", "Leave them")
  return isSure ? app.perform({ ...action, discard: true }) : undefined
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
  if (isSure && (await app.perform({ do: "saveAs", name }))) tell(`Saved as “${name}”.`)
}

async function goBack(app) {
  const action = await askVersion()
  if (action && (await app.perform(action))) tell("The session is as it was then. Undo brings back what it was.")
}

/** Offers what an interrupted session left. */
function recovery(app) {
  const all = app.state.recoverables ?? []
  return all.flatMap(({ name, copy, modified }) => {
    const time = all.length > 1 ? ` of ${when(modified)}` : ""
    return [
      { label: `Recover “${name}”${time}`, press: () => leave(app, { do: "recover", copy }) },
      { label: `Discard what could be recovered${time}`, press: () => app.perform({ do: "discardRecovery", copy }) },
    ]
  })
}

/** Makes the menu; its button shows the session's name, and a dot where there is something to save. */
export function sessionMenu(app) {
  const rename = async () => {
    const name = await askText("Rename the session", {
      label: "Name",
      value: app.state.session.name,
      confirm: "Rename",
    })
    if (name) app.perform({ do: "editSession", set: { name } })
  }
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
      { label: "Rename…", press: rename },
      { label: "Earlier versions…", press: () => goBack(app) },
      { label: "Add audio files…", press: () => app.pickFiles(app.dropPlace()) },
      ...(brokenFiles(app).length > 0 ? [{ label: "Find missing files…", press: () => findFiles(app) }] : []),
    ],
  })
  element.classList.add("set")
  const opener = element.querySelector(".button")
  const shown = opener.querySelector("span")
  let offered
  app.onState(({ session, file, recoverable, recoverables }) => {
    const name = session.name || "Untitled"
    setText(shown, `${name}${file.isDirty ? " •" : ""}`)
    opener.title = file.isDirty ? `${name}: not saved` : name
    setAttribute(opener, "aria-label", `Session: ${name}${file.isDirty ? ", not saved" : ""}`)
    document.title = `${name} – Barline`
    if (recoverable && offered !== recoverable.name) {
      const times = recoverables.length > 1 ? ` ${recoverables.length} times` : ""
      tell(`“${recoverable.name}” was not saved${times}; the session menu can recover it.`)
    }
    offered = recoverable?.name
  })
  app.save = () => save(app)
  return element
}
