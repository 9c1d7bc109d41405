// The clip editor: below the view on a wide screen, over it on a phone.

import { timeText } from "../model/text.js"
import { fetchAnalysis } from "../net/files.js"
import { button, field, h, select, setAttribute, setChecked, setText, setValue, toggle } from "../ui/dom.js"
import { gainFader } from "../ui/fader.js"
import { icon } from "../ui/icons.js"
import { swatches } from "../ui/swatches.js"
import { fadeFields } from "./editor-fades.js"
import { firstBeatField } from "./editor-first-beat.js"
import { layersGroup } from "./editor-layers.js"
import { pitchFields } from "./editor-pitch.js"
import { tempoGroup } from "./editor-tempo.js"
import { pinKinds, warpGroup } from "./editor-warp.js"
import { EditorWave } from "./editor-wave.js"
import { choose, quantizations } from "./transport.js"

const modes = {
  playback: [
    ["repitch", "In time, by speed"],
    ["stretch", "In time, at its pitch"],
    ["original", "At its own rate"],
  ],
  launchMode: [
    ["trigger", "Trigger"],
    ["gate", "Gate: while held"],
    ["toggle", "Toggle"],
    ["repeat", "Repeat while held"],
  ],
  startPosition: [
    ["fromStart", "From its start"],
    ["legato", "Where the last one was"],
    ["synced", "In phase with the set"],
  ],
}

// Frames that a loop may begin or end on.
function snapPoints(clip, analysis, kind) {
  if (kind === "none") return []
  const ends = [0, clip.frames]
  const heard = kind === "bar" ? analysis?.downbeats : analysis?.beats
  if (kind !== "half" && heard?.length > 1) return [...ends, ...heard]
  const { start, end } = { start: clip.start ?? 0, end: clip.end ?? clip.frames }
  const step = clip.length ? (end - start) / clip.length / (kind === "half" ? 2 : 1) : clip.sampleRate / 4
  const points = []
  for (let frame = start % step; frame <= clip.frames && points.length < 20000; frame += step) points.push(frame)
  return [...ends, ...points]
}

/** Fills the editor's place. */
export function clipEditor(app, element) {
  let clip
  let analysis
  let asked = ""
  let place
  const edit = (set) => app.perform({ do: "editClip", clip: clip.id, set })
  const snap = select(
    [
      ["bar", "bars"],
      ["beat", "beats"],
      ["half", "half beats"],
      ["none", "nothing"],
    ],
    { value: "beat" },
  )
  const unit = () => ({ bar: 1, beat: 1, half: 0.5 })[snap.value] ?? 0
  const wave = new EditorWave(app, {
    pins: pinKinds(app, () => clip, unit),
    snap: () => snapPoints(clip, analysis, snap.value),
    moved: (start, end) => {
      const set = { start, end: end === clip.frames ? null : end }
      // A loop that is cut to half its length has half its beats: its tempo stays what it was.
      const before = (clip.end ?? clip.frames) - (clip.start ?? 0)
      if (clip.beats && !clip.warp) set.beats = Math.round(((clip.beats * (end - start)) / before) * 1000) / 1000
      edit(set)
    },
  })
  const handles = select(
    [
      ["loop", "of the loop"],
      ["warp", "of the beats"],
      ["onsets", "of the attacks"],
    ],
    { value: "loop", change: (kind) => wave.choose(kind) },
  )
  const name = h("input", {
    class: "input name",
    "aria-label": "Name of the clip",
    on: { change: () => name.value.trim() && edit({ name: name.value.trim() }) },
  })
  name.addEventListener("input", () => (name.dataset.changing = "yes"))
  name.addEventListener("blur", () => delete name.dataset.changing)
  const launch = button({
    label: "Launch",
    icon: icon("play"),
    kind: "go",
    press: () => app.perform({ do: "launch", clip: clip.id }),
  })
  const colours = swatches((color) => edit({ color }))

  const tempo = tempoGroup(app, () => clip)
  const warp = warpGroup(app, () => clip)
  const layers = layersGroup(app, () => clip)
  const selects = Object.fromEntries(
    Object.entries(modes).map(([key, options]) => [
      key,
      select(options, { change: (value) => edit({ [key]: value }) }),
    ]),
  )
  const quantization = select([["", "as the set"], ...quantizations.map((value) => [value, value])], {
    change: (value) => edit({ quantization: value || null }),
  })
  const fades = fadeFields(edit)
  const firstBeat = firstBeatField(edit)
  const pitch = pitchFields(edit)
  const loop = toggle("Loop", { change: (on) => edit({ loop: on }) })
  const gain = gainFader("Clip", (gain) => edit({ gain }), { upright: false })
  const track = select([], {
    change: (value) => app.perform({ do: "moveClip", clip: clip.id, track: value, slot: clip.slot }),
  })
  const slot = select([], {
    change: (value) => app.perform({ do: "moveClip", clip: clip.id, track: place.id, slot: Number(value) }),
  })
  const region = h("p", { class: "muted" })
  const file = h("p", { class: "muted file" })
  const problem = h("p", { class: "problem", role: "alert" })

  element.append(
    h(
      "header",
      { class: "editor-header" },
      launch,
      name,
      colours.element,
      h(
        "div",
        { class: "actions" },
        button({ label: "Duplicate", press: () => app.perform({ do: "duplicateClip", clip: clip.id }) }),
        button({
          label: "Remove the clip",
          icon: icon("trash"),
          press: () => app.perform({ do: "removeClip", clip: clip.id }),
        }),
      ),
      button({ label: "Close the editor", icon: icon("close"), kind: "quiet close", press: () => app.choose(null) }),
    ),
    problem,
    wave.element,
    h(
      "div",
      { class: "editor-tools" },
      button({ label: "Zoom in", icon: icon("zoomIn"), press: () => wave.zoom(0.5) }),
      button({ label: "Zoom out", icon: icon("zoomOut"), press: () => wave.zoom(2) }),
      button({ label: "Show the loop", icon: icon("fit"), press: () => wave.fitLoop() }),
      h("label", { class: "inline" }, h("span", { class: "muted", text: "Snap to" }), snap),
      h("label", { class: "inline" }, h("span", { class: "muted", text: "Handles" }), handles),
      region,
    ),
    h(
      "div",
      { class: "editor-groups" },
      layers.element,
      tempo.element,
      warp.element,
      h(
        "fieldset",
        { class: "editor-group" },
        h("legend", { text: "Playing" }),
        h("div", { class: "pair" }, field("Playback", selects.playback), field("Launch", selects.launchMode)),
        pitch.element,
        h("div", { class: "pair" }, field("Starts", selects.startPosition), field("Launch on", quantization)),
        fades.element,
        h("div", { class: "pair" }, firstBeat.element, loop.element),
      ),
      h(
        "fieldset",
        { class: "editor-group" },
        h("legend", { text: "Level and place" }),
        h("div", { class: "level-row" }, gain.slider, gain.value, h("span", { class: "muted", text: "dB" })),
        h("div", { class: "pair" }, field("Track", track), field("Scene", slot)),
        file,
      ),
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

  function offer(control, options, value) {
    const text = JSON.stringify(options)
    if (control.dataset.options !== text)
      control.replaceChildren(...options.map(([value, text]) => h("option", { value, text })))
    control.dataset.options = text
    choose(control, value)
  }

  function showPlace({ tracks, scenes }) {
    place = tracks.find((track) => track.clips.some(({ id }) => id === clip.id))
    offer(
      track,
      tracks.map(({ id, name }) => [id, name]),
      place.id,
    )
    offer(
      slot,
      Array.from({ length: app.rowCount() }, (_, row) => [row, scenes[row]?.name || `Scene ${row + 1}`]),
      clip.slot,
    )
  }

  function show() {
    if (!clip) return
    const { colour } = clip
    element.style.setProperty("--clip", colour)
    wave.show(clip, analysis, colour)
    setValue(name, clip.name)
    for (const [key, control] of Object.entries(selects)) choose(control, clip[key] ?? modes[key][0][0])
    choose(quantization, clip.quantization ?? "")
    fades.update(clip)
    firstBeat.update(clip)
    pitch.update(clip)
    setChecked(loop.box, clip.loop !== false)
    gain.update(clip.gain)
    tempo.update(clip)
    warp.update(clip)
    layers.update(clip)
    colours.update(clip.color, colour)
    const { start, end } = wave.region
    const seconds = (frame) => timeText(frame / clip.sampleRate, 3)
    setText(region, clip.frames ? `${seconds(start)} – ${seconds(end)}` : "")
    const fileName = clip.file.slice(clip.file.lastIndexOf("/") + 1)
    setText(file, `${fileName} · ${seconds(clip.frames)} · ${clip.sampleRate / 1000} kHz`)
    setText(problem, clip.problem ?? "")
    problem.hidden = !clip.problem
  }

  return {
    update(state) {
      const before = clip?.id
      clip = app.chosen ? state.clips.get(app.chosen) : undefined
      element.hidden = !clip
      if (!clip) return
      show()
      showPlace(state.session)
      listen()
      if (clip.id !== before) element.scrollTo(0, 0)
    },
    frame(live) {
      if (!clip) return
      const slot = live.tracks.find((track) => track.playing === clip.id)
      wave.frame(slot ? slot.progress : null)
      setAttribute(launch, "aria-pressed", Boolean(slot))
    },
  }
}
