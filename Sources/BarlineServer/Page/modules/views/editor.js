// The clip editor: below the view on a wide screen, over it on a phone.

import { fetchAnalysis } from "../net/files.js"
import { button, h, setAttribute, setText, setValue } from "../ui/dom.js"
import { hideEditor } from "../ui/grid-focus.js"
import { icon } from "../ui/icons.js"
import { nameField } from "../ui/name-field.js"
import { swatches } from "../ui/swatches.js"
import { layersGroup } from "./editor-layers.js"
import { placeGroup } from "./editor-place.js"
import { playingGroup } from "./editor-playing.js"
import { clipSound } from "./editor-sound.js"
import { tempoGroup } from "./editor-tempo.js"
import { warpGroup } from "./editor-warp.js"
import { chooseAnother, findFiles } from "./missing-files.js"

// The editor's first line: what is done with the clip as a whole.
function clipHeader(app, clip, edit) {
  const name = nameField("Name of the clip", (name) => edit({ name }))
  const launch = button({
    label: "Launch",
    icon: icon("play"),
    kind: "go",
    press: () => app.perform({ do: "launch", clip: clip().id }),
  })
  const colours = swatches((color) => edit({ color }))
  const element = h(
    "header",
    { class: "editor-header" },
    launch,
    name,
    colours.element,
    h(
      "div",
      { class: "actions" },
      button({ label: "Duplicate", press: () => app.perform({ do: "duplicateClip", clip: clip().id }) }),
      button({
        label: "Remove the clip",
        icon: icon("trash"),
        press: () => app.perform({ do: "removeClip", clip: clip().id }),
      }),
    ),
    button({ label: "Close the editor", icon: icon("close"), kind: "quiet close", press: () => app.choose(null) }),
  )
  return {
    element,
    update(clip) {
      setValue(name, clip.name)
      colours.update(clip.color, clip.colour)
    },
    frame: (isPlaying) => setAttribute(launch, "aria-pressed", isPlaying),
  }
}

/** Fills the editor's place. */
export function clipEditor(app, element) {
  let clip
  let analysis
  let asked = ""
  const chosen = () => clip
  // A field that is left because the clip has gone has nothing to change.
  const edit = (set, id = clip?.id) => id && app.perform({ do: "editClip", clip: id, set })
  const header = clipHeader(app, chosen, edit)
  const sound = clipSound(app, chosen, () => analysis, edit)
  const place = placeGroup(app, chosen, edit)
  const groups = [layersGroup(app, chosen), tempoGroup(app, chosen), warpGroup(app, chosen), playingGroup(edit), place]
  const problem = h("p", { class: "problem", role: "alert" })
  const repair = h(
    "div",
    { class: "repair" },
    button({ label: "Find missing files…", press: () => findFiles(app) }),
    button({ label: "Another file…", press: () => chooseAnother((file) => edit({ file })) }),
  )
  element.append(
    header.element,
    problem,
    repair,
    ...sound.elements,
    h(
      "div",
      { class: "editor-groups" },
      groups.map((group) => group.element),
    ),
  )

  async function listen() {
    const wanted = `${clip.id} ${clip.version}`
    if (asked === wanted || !clip.version) return
    asked = wanted
    analysis = undefined
    const heard = await fetchAnalysis({ clip: clip.id, v: clip.version }).catch(() => undefined)
    if (asked !== wanted) return
    analysis = heard
    show()
  }

  function show() {
    if (!clip) return
    element.style.setProperty("--clip", clip.colour)
    header.update(clip)
    sound.update(clip)
    for (const group of groups) group.update(clip)
    setText(problem, clip.problem ?? "")
    problem.hidden = repair.hidden = !clip.problem
  }

  return {
    update(state) {
      const before = clip?.id
      clip = app.chosen ? state.clips.get(app.chosen) : undefined
      if (!clip) {
        if (before) hideEditor(element, () => document.querySelector(`[data-clip="${CSS.escape(before)}"]`))
        else element.hidden = true
        return
      }
      element.hidden = false
      show()
      place.updatePlace(clip, state.session)
      listen()
      if (clip.id !== before) element.scrollTo(0, 0)
    },
    frame(live) {
      if (!clip) return
      const slot = live.tracks.find((track) => track.playing === clip.id)
      sound.frame(slot ? slot.progress : null)
      header.frame(Boolean(slot))
    },
  }
}
