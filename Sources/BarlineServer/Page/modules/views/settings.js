// Settings: of this page, of the set, and what the output is.

import { button, field, h, renew, select, setAttribute, setChecked, setText, toggle } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { numberField } from "../ui/number.js"
import { rescueButtons, takeButton, takeLink } from "../ui/takes.js"
import { setTheme, theme } from "../ui/theme.js"
import { controlCard } from "./control.js"
import { inputsCard } from "./inputs.js"
import { midiCard } from "./midi.js"
import { outputCard } from "./output.js"
import { roomsCard } from "./rooms.js"
import { choose, quantizations } from "./transport.js"

const keys = (parts) => [
  [
    "Q W E R…, A S D F…, Z X C V…, 1 2 3 4…",
    "launch the clips of a row; record into its free places of tracks with an input",
  ],
  ["Shift + a letter of the row, F1 … F8", "launch the whole row"],
  ...parts.flatMap((part) => part.keys),
  [
    "Space",
    "stop all; with nothing playing, start and stop the transport; in Stems and Playlist, play and pause those",
  ],
  [".", "panic: silence everything now"],
  ["+ −, [ ]", "tempo by 1, by 0.1"],
  ["P", "tap the tempo"],
  ["L", "metronome"],
  ["Gamepad: d-pad, A, B, shoulders, Start", "move, launch, stop the track, stop all and launch the row, transport"],
  ["Right-click, Shift + Enter", ["edit a clip", ...parts.map(({ noun }) => `a ${noun}`)].join(" or ")],
  ["Ctrl Z, Ctrl Y, Ctrl S", "undo, redo, save"],
]

function bytesText(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** The recordings, and those that were broken off. */
function recordingRows(app, files, rescued) {
  const row = ({ name, kind, bytes }, ...more) =>
    h(
      "li",
      {},
      takeLink(name),
      h("span", { class: "muted", text: bytesText(bytes) }),
      kind === "audio" && takeButton(name),
      ...more,
    )
  const rows = [
    ...rescued.flatMap((take) =>
      take.recordings.map((file, index) => row(file, ...(index === 0 ? rescueButtons(app, take) : []))),
    ),
    ...files.map((file) => row(file)),
  ]
  if (rows.length > 0) return rows
  return [h("li", { class: "muted", text: "None yet. The red button above records what you do, and how it sounds." })]
}

function card(title, ...content) {
  return h("div", { class: "card" }, h("h3", { text: title }), content)
}

// Hearing the set in this browser.
function listeningCard(app) {
  const listen = button({
    label: "Listen here",
    shown: "Listen here",
    icon: icon("listen"),
    kind: "go",
    pressed: false,
    key: "listen",
    press: () => app.toggleListening(),
  })
  const listening = h("p", { class: "muted", role: "status" })
  function show() {
    const { listener } = app
    setAttribute(listen, "aria-pressed", listener.isOn)
    setText(listen.querySelector("span"), listener.isOn ? "Stop listening here" : "Listen here")
    const { latency } = listener
    setText(
      listening,
      {
        off: "Plays the main output in this browser, for a machine without a sound device.",
        connecting: "Connecting…",
        on:
          latency === undefined
            ? "Waiting for sound…"
            : `You hear it ${Math.round(latency * 1000)} ms late; so do the lights of this page.`,
      }[listener.status],
    )
  }

  app.onListening(show)
  show()
  return card("Listening", listen, listening)
}

function themeCard() {
  const look = h(
    "div",
    { class: "segments", role: "group", "aria-label": "Theme" },
    [
      ["auto", "As the system"],
      ["dark", "Dark"],
      ["light", "Light"],
    ].map(([value, label]) => button({ label, pressed: theme() === value, value, press: () => chooseTheme(value) })),
  )
  function chooseTheme(chosen) {
    setTheme(chosen)
    for (const choice of look.children) setAttribute(choice, "aria-pressed", choice.value === theme())
  }

  return card("This page", look)
}

function launchingCard(edit) {
  const quantization = select(
    quantizations.map((value) => [value, value]),
    { change: (value) => edit({ launchQuantization: value }) },
  )
  const first = select(
    [
      ["afterOnePeriod", "one period after the press"],
      ["immediate", "at once"],
    ],
    { change: (value) => edit({ firstLaunch: value }) },
  )
  const snap = numberField({
    min: 0,
    max: 50,
    data: { key: "snap-tolerance" },
    change: (percent) => edit({ snapTolerance: percent / 100 }),
  })
  const firstLoop = toggle("The first loop that is recorded says the tempo", {
    change: (isOn) => edit({ tempoFromFirstLoop: isOn }),
    data: { key: "tempo-from-first-loop" },
  })
  const element = card(
    "Launching",
    field("Launch on", quantization),
    field("The first launch of a set starts", first),
    field("A press so late still counts, % of a period", snap.input),
    firstLoop.element,
  )
  return {
    element,
    update({ session }) {
      choose(quantization, session.launchQuantization)
      choose(first, session.firstLaunch ?? "afterOnePeriod")
      snap.update(Math.round((session.snapTolerance ?? 0.02) * 100))
      setChecked(firstLoop.box, session.tempoFromFirstLoop ?? false)
    },
  }
}

function levelCard(edit) {
  const limiter = toggle("Limiter: hold peaks down on every output", {
    change: (isOn) => edit({ master: { limiter: isOn } }),
    data: { key: "limiter" },
  })
  const ceiling = numberField({
    min: -24,
    max: 0,
    data: { key: "ceiling" },
    change: (db) => edit({ master: { ceiling: db } }),
  })
  return {
    element: card("Level", limiter.element, field("Ceiling, true peak in dB", ceiling.input)),
    update({ session }) {
      setChecked(limiter.box, session.master?.limiter ?? true)
      ceiling.update(session.master?.ceiling ?? -1)
    },
  }
}

function importingCard(edit) {
  const loudness = select(
    [
      ["louder", "those louder than the set"],
      ["all", "all"],
      ["off", "none"],
    ],
    { change: (value) => edit({ importLoudness: value }) },
  )
  return {
    element: card("Importing", field("Match the loudness of new clips", loudness)),
    update: ({ session }) => choose(loudness, session.importLoudness ?? "louder"),
  }
}

function recordingsCard(app) {
  const recordings = h("ul", { class: "files" })
  const recordTracks = button({
    label: "Record every track",
    key: "record-tracks",
    title: "Records what you do and how it sounds, and every track, stem, output and input to a file of its own too",
    press: () => app.toggleRecording({ tracks: true }),
  })
  return {
    element: card("Recordings", recordTracks, recordings),
    update(state) {
      setText(recordTracks.querySelector("span"), state.recording ? "End the recording" : "Record every track")
      renew(recordings, [state.recordings ?? [], state.rescued ?? []], (known) => recordingRows(app, ...known))
    },
  }
}

// What the session lacks; hidden where it lacks nothing.
function warningsCard() {
  const warnings = h("ul", { class: "warnings" })
  const element = h("div", { class: "card wide" }, h("h3", { text: "What the session lacks" }), warnings)
  return {
    element,
    update({ messages = [] }) {
      element.hidden = messages.length === 0
      renew(warnings, messages, () => messages.map((text) => h("li", { text })))
    },
  }
}

function keysCard(app) {
  const list = keys(app.parts).map(([key, does]) => [h("dt", { text: key }), h("dd", { text: does })])
  return h("div", { class: "card wide" }, h("h3", { text: "Keys" }), h("dl", { class: "keys-list" }, list))
}

/** Makes the view. */
export function settings(app) {
  const edit = (set) => app.perform({ do: "editSession", set })
  const warned = warningsCard()
  const output = outputCard(app)
  const inputs = inputsCard(app)
  const launching = launchingCard(edit)
  const level = levelCard(edit)
  const importing = importingCard(edit)
  const midi = midiCard(app)
  const rooms = roomsCard(app)
  const control = controlCard(app)
  const recordings = recordingsCard(app)
  const element = h(
    "section",
    { class: "page", "aria-label": "Settings" },
    h("header", {}, h("h2", { text: "Settings" })),
    h(
      "div",
      { class: "cards flow" },
      warned.element,
      output.element,
      inputs.element,
      listeningCard(app),
      launching.element,
      level.element,
      importing.element,
      midi.element,
      rooms.element,
      control.element,
      themeCard(),
      recordings.element,
      keysCard(app),
    ),
  )
  const cards = [inputs, midi, launching, level, importing, output, control, recordings, warned]
  return {
    element,
    update(state) {
      for (const card of cards) card.update(state)
    },
    frame: (live) => inputs.frame(live),
  }
}
