// The transport: always there, in every view.

import { loudnessText, timeText } from "../model/text.js"
import { button, h, select, setAttribute, setOff, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { beatDisplay } from "./beat.js"
import { outputLevel } from "./output-level.js"
import { sessionMenu } from "./session-menu.js"
import { songControl } from "./song.js"
import { tempoControl } from "./tempo.js"

/** The launch quantisations that the page offers. */
export const quantizations = ["none", "1/16", "1/8", "1/4", "1/2", "1 bar", "2 bars", "4 bars", "8 bars"]
const metres = ["2/4", "3/4", "4/4", "5/4", "6/4", "7/4", "3/8", "5/8", "6/8", "7/8", "9/8", "12/8"]

/** A choice that also shows a value it doesn't offer. */
export function choose(control, value) {
  if (control.held || (document.activeElement === control && control.matches(":open"))) return
  if (![...control.options].some((option) => option.value === String(value)))
    control.append(h("option", { value, text: value }))
  if (control.value !== String(value)) control.value = value
}

function labelled(label, control) {
  return h("label", { class: "field" }, h("span", { class: "label", text: label }), control)
}

// Play, record, metronome, tap, and panic.
function mainButtons(app) {
  const roll = button({
    label: "Play",
    icon: icon("play", 26),
    kind: "go",
    key: "roll",
    title: "Start and stop the transport (Space)",
    press: () => app.perform({ do: "transport", action: app.live.isRolling ? "stop" : "play" }),
  })
  const click = button({
    label: "Metronome",
    icon: icon("click"),
    pressed: false,
    key: "click",
    title: "Metronome (L)",
    press: () => app.toggleClick(),
  })
  const panic = button({
    label: "Panic: silence everything now",
    icon: icon("panic"),
    kind: "danger",
    key: "panic",
    title: "Silence everything now (.)",
    press: () => app.panic(),
  })
  const record = button({
    label: "Record the performance",
    icon: icon("record"),
    kind: "danger recording",
    pressed: false,
    key: "record",
    press: () => app.toggleRecording(),
  })
  const tap = button({ label: "Tap", key: "tap", title: "Tap the tempo (P)" })
  tap.addEventListener("pointerdown", (event) => event.button === 0 && app.perform({ do: "tap" }))
  tap.addEventListener("click", (event) => event.detail === 0 && app.perform({ do: "tap" }))

  let rolls
  return {
    element: h("div", { class: "group main" }, roll, panic, record, click, tap),
    update({ recording }) {
      setAttribute(record, "aria-pressed", Boolean(recording))
      record.title = recording ? "Stop recording" : "Record the performance"
    },
    frame(live) {
      if (rolls !== live.isRolling) {
        rolls = live.isRolling
        roll.replaceChildren(icon(rolls ? "stop" : "play", 26))
        setAttribute(roll, "aria-label", rolls ? "Stop" : "Play")
        setAttribute(roll, "aria-pressed", Boolean(rolls))
      }
      setAttribute(click, "aria-pressed", Boolean(live.isMetronomeOn))
      if (app.state.recording)
        record.title = `Stop recording: ${timeText((live.heard - app.state.recording.since) / live.sampleRate, 0)}`
    },
  }
}

function historyButtons(app) {
  const undo = button({
    label: "Undo",
    icon: icon("undo"),
    kind: "quiet",
    key: "undo",
    press: () => app.perform({ do: "undo" }),
  })
  const redo = button({
    label: "Redo",
    icon: icon("redo"),
    kind: "quiet",
    key: "redo",
    press: () => app.perform({ do: "redo" }),
  })
  return {
    element: h("div", { class: "group history" }, undo, redo),
    update({ history }) {
      setOff(undo, !history.undo)
      setOff(redo, !history.redo)
      undo.title = history.undo ? `Undo: ${history.undo}` : "Nothing to undo"
      redo.title = history.redo ? `Redo: ${history.redo}` : "Nothing to redo"
    },
  }
}

// Metre, quantisation and count-in.
function gridChoices(app) {
  const metre = select(
    metres.map((value) => [value, value]),
    {
      change: (value) => app.perform({ do: "timeSignature", value }),
      data: { key: "metre" },
    },
  )
  const quantization = select(
    quantizations.map((value) => [value, value]),
    {
      change: (value) => app.perform({ do: "quantization", value }),
      data: { key: "quantization" },
    },
  )
  const countIn = select(
    [
      [0, "none"],
      [1, "1 bar"],
      [2, "2 bars"],
      [4, "4 bars"],
    ],
    {
      change: (bars) => app.perform({ do: "editMetronome", set: { countIn: Number(bars) } }),
      data: { key: "count-in" },
    },
  )
  return {
    elements: [labelled("Metre", metre), labelled("Launch on", quantization), labelled("Count-in", countIn)],
    update({ session }) {
      choose(metre, session.timeSignature)
      choose(quantization, session.launchQuantization)
      choose(countIn, session.metronome?.countIn ?? 0)
    },
  }
}

// The browser as the output, where there is no other.
function listenButton(app) {
  const listen = button({
    label: "Listen here",
    icon: icon("listen"),
    pressed: false,
    key: "listen-here",
    hidden: true,
    title: "Hear it in this browser: Barline plays to no sound device",
    press: () => app.toggleListening(),
  })
  app.onListening(() => setAttribute(listen, "aria-pressed", app.listener.isOn))
  return {
    element: listen,
    update({ engine }) {
      listen.hidden = engine.backend !== "null" && !app.listener.isOn
    },
  }
}

// The output, and how it fares.
function outputStatus() {
  const name = h("span")
  const facts = h("span")
  const output = h("div", { class: "output" }, name, facts)
  return {
    element: h("div", { class: "group end" }, output),
    update({ engine }) {
      const isLost = engine.status !== "running"
      setText(name, engine.output)
      const latency = engine.latency ? `, ${Math.round(engine.latency * 1000)} ms` : ""
      setText(facts, isLost ? "is gone: waiting for it" : `${engine.sampleRate / 1000} kHz${latency}`)
      output.classList.toggle("lost", isLost)
    },
  }
}

// Shows what a narrow screen leaves out.
function moreButton(element) {
  const more = button({
    label: "Metre, quantisation, count-in, song",
    icon: icon("more"),
    kind: "quiet more",
    key: "more",
    press: () => {
      const isOpen = element.classList.toggle("open")
      setAttribute(more, "aria-expanded", isOpen)
    },
  })
  more.setAttribute("aria-expanded", "false")
  return more
}

/** Fills the header. */
export function transport(app, element) {
  const beat = beatDisplay()
  const ramp = select(
    [
      [0, "now"],
      [4, "4 beats"],
      [8, "8 beats"],
      [16, "16 beats"],
      [32, "32 beats"],
    ],
    { value: 0, data: { key: "ramp" } },
  )
  const tempo = tempoControl(app, () => Number(ramp.value))
  app.tempo = tempo

  const main = mainButtons(app)
  const history = historyButtons(app)
  const grid = gridChoices(app)
  const song = songControl(app)
  const listen = listenButton(app)
  const level = outputLevel(app)
  const loudness = h("span", { class: "muted", title: "Loudness of the last 3 s" })
  const output = outputStatus()

  element.append(
    sessionMenu(app),
    main.element,
    beat.element,
    tempo.element,
    h("div", { class: "details" }, labelled("Ramp", ramp), grid.elements, song.element, listen.element),
    history.element,
    moreButton(element),
    level.element,
    h("div", { class: "loudness" }, loudness),
    output.element,
  )

  return {
    update(state) {
      for (const part of [tempo, level, song, grid, history, main, listen, output]) part.update(state)
    },
    frame(live) {
      for (const part of [beat, tempo, song, main, level]) part.frame(live)
      setText(loudness, loudnessText(live.loudness))
    },
  }
}
