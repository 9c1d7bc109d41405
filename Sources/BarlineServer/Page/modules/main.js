// The page: the server's state, the moment, and the views that show them.

import { App } from "./app.js"
import { parts } from "./parts.js"
import { button, setAttribute } from "./ui/dom.js"
import { gamepads } from "./ui/gamepad.js"
import { icon } from "./ui/icons.js"
import { addSheets } from "./ui/sheets.js"
import { clipEditor } from "./views/editor.js"
import { acceptDrops } from "./views/import.js"
import { launcher } from "./views/launcher.js"
import { metronome } from "./views/metronome.js"
import { watchFiles } from "./views/missing-files.js"
import { mixer } from "./views/mixer.js"
import { playlist } from "./views/playlist.js"
import { settings } from "./views/settings.js"
import { listenToKeys } from "./views/shortcuts.js"
import { stems } from "./views/stems.js"
import { transport } from "./views/transport.js"

const kinds = [
  { id: "launcher", label: "Clips", icon: "grid", make: launcher },
  ...parts.map(({ view }) => view),
  { id: "mixer", label: "Mixer", icon: "mixer", make: mixer },
  { id: "stems", label: "Stems", icon: "stems", make: stems },
  { id: "playlist", label: "Playlist", icon: "list", make: playlist },
  { id: "metronome", label: "Metronome", icon: "click", make: metronome },
  { id: "settings", label: "Settings", icon: "settings", make: settings },
]

// Nothing is shown before it looks as it should.
await addSheets(parts.map(({ sheet }) => sheet))

const element = (id) => document.getElementById(id)
const app = new App(parts)
const bar = transport(app, element("transport"))
const controllers = gamepads(app)
const editor = clipEditor(app, element("editor"))
const made = new Map()
const tabs = new Map()
let view

function show(id) {
  const kind = kinds.find((candidate) => candidate.id === id) ?? kinds[0]
  if (!made.has(kind.id)) made.set(kind.id, kind.make(app))
  view = made.get(kind.id)
  app.view = kind.id
  element("view").replaceChildren(view.element)
  element("view").scrollTo(0, 0)
  for (const [id, tab] of tabs) setAttribute(tab, "aria-current", id === kind.id ? "page" : null)
  if (app.state) view.update(app.state)
}

element("views").append(
  ...kinds.map(({ id, label, icon: name }) => {
    const tab = button({
      label,
      shown: label,
      icon: icon(name, 24),
      key: `view-${id}`,
      press: () => (location.hash = id),
    })
    tabs.set(id, tab)
    return tab
  }),
)

function update() {
  bar.update(app.state)
  editor.update(app.state)
  view.update(app.state)
}

app.onState(update)
app.onChoice(() => app.state && update())

function draw(milliseconds) {
  requestAnimationFrame(draw)
  if (!app.state) return
  controllers.frame(milliseconds / 1000)
  const live = app.moment(milliseconds / 1000)
  bar.frame(live)
  view.frame(live)
  editor.frame(live)
}

// The address says which view is shown: the link moves the focus only.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault()
  element("view").focus()
})

addEventListener("hashchange", () => show(location.hash.slice(1)))
show(location.hash.slice(1))
acceptDrops(app)
watchFiles(app)
listenToKeys(app)
app.connect()
requestAnimationFrame(draw)
