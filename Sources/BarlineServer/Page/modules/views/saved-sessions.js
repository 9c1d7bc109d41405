// The saved sessions: opened, renamed, deleted, and what they were before.

import { fetchVersions } from "../net/files.js"
import { ask, askText, confirm } from "../ui/dialog.js"
import { button, h, replaceChildren } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { tell } from "../ui/notices.js"

/** A moment in seconds since 1970, for people. */
export const when = (seconds, timeStyle = "short") =>
  new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle })

/** How the times of several moments are said, those of one minute with their seconds. */
export function timeStyleOf(moments) {
  const said = moments.map((moment) => when(moment))
  return new Set(said).size < said.length ? "medium" : "short"
}

async function rename(app, name) {
  const to = await askText(`Rename “${name}”`, { label: "New name", value: name, confirm: "Rename" })
  if (to && to !== name) await app.perform({ do: "renameSession", name, to })
}

async function remove(app, name) {
  const isSure = await confirm(
    `Delete “${name}”?`,
    "The session is gone for good. Its audio files stay where they are.",
    "Delete it",
  )
  if (isSure && (await app.perform({ do: "deleteSession", name }))) tell(`“${name}” is deleted.`)
}

function row(app, { name, modified, isOpen, isDirty }, index, close) {
  const id = `saved-session-${index}`
  const changes = isDirty ? " · changes were not saved" : ""
  return h(
    "li",
    {},
    button({
      label: name,
      shown: `${name} · ${isOpen ? "open now" : when(modified)}${changes}`,
      kind: "quiet",
      key: `open-${name}`,
      id,
      press: () => close({ do: "open", name }),
    }),
    button({
      label: "Rename",
      "aria-describedby": id,
      icon: icon("edit", 18),
      kind: "quiet",
      key: `rename-${name}`,
      press: () => rename(app, name),
    }),
    button({
      label: "Delete",
      "aria-describedby": id,
      title: isOpen ? "It is open: open another one first" : undefined,
      icon: icon("trash", 18),
      kind: "quiet",
      key: `delete-${name}`,
      disabled: isOpen,
      press: () => remove(app, name),
    }),
  )
}

/** Asks which session is to be opened; fulfilled with the action that opens it, with `undefined` for none. */
export async function askSession(app) {
  let shown
  let end
  const action = await ask("Open a session", (close) => {
    const list = h("ul", { class: "sessions", "aria-label": "Saved sessions" })
    const none = h("p", { class: "muted", text: "Nothing was saved yet. “Save as…” keeps a session here." })
    const show = ({ sessions = [] }) => {
      const now = JSON.stringify(sessions)
      if (now === shown) return
      shown = now
      none.hidden = sessions.length > 0
      replaceChildren(
        list,
        sessions.map((session, index) => row(app, session, index, close)),
      )
    }
    show(app.state)
    end = app.onState(show)
    return [
      none,
      h(
        "div",
        { class: "choices" },
        list,
        button({ label: "The demo set", kind: "quiet", press: () => close({ do: "openDemo" }) }),
      ),
      h("div", { class: "actions" }, button({ label: "Cancel", press: () => close(undefined) })),
    ]
  })
  end()
  return action
}

/** Asks which version the session is to be again; fulfilled with the action that makes it so, with `undefined` for none. */
export async function askVersion() {
  const versions = await fetchVersions().catch((error) => tell(error.message, "error"))
  if (!versions) return undefined
  const style = timeStyleOf(versions.map(({ modified }) => modified))
  return ask("Earlier versions", (close) => [
    h("p", {
      class: "muted",
      text:
        versions.length > 0
          ? "What was saved before, the latest first."
          : "There is none yet. Each time the session is saved, what it was before is kept.",
    }),
    h(
      "div",
      { class: "choices" },
      versions.map(({ version, modified }) =>
        button({
          label: `The version of ${when(modified, style)}`,
          shown: when(modified, style),
          kind: "quiet",
          key: `version-${version}`,
          press: () => close({ do: "restoreVersion", version }),
        }),
      ),
    ),
    h("div", { class: "actions" }, button({ label: "Cancel", press: () => close(undefined) })),
  ])
}
