// The metronome: its pattern, its sound, and a trainer that raises the tempo step by step.

import { clickWaits } from "../model/text.js"
import { button, field, h, replaceChildren, select, setAttribute, setChecked, setText, toggle } from "../ui/dom.js"
import { gainFader } from "../ui/fader.js"
import { icon } from "../ui/icons.js"
import { SpeedTrainer } from "./speed-trainer.js"
import { choose } from "./transport.js"

const kinds = { X: "accent", x: "beat", ".": "silent" }
const next = { X: "x", x: ".", ".": "X" }
const presets = [
  ["Plain", null],
  ["Backbeat", ".X.X"],
  ["First only", "X..."],
  ["Every other", "X.x."],
]

/** The pattern that plays, with a character for each pulse. */
function patternOf(metronome, pulses) {
  const given = metronome.pattern || "X".padEnd(pulses, "x")
  return Array.from({ length: Math.max(pulses, given.length) }, (_, index) => given[index % given.length])
}

// The pulses of a bar, which are pressed to change their kind.
function patternPads(act) {
  const element = h("div", { class: "pattern", role: "group", "aria-label": "Pattern: press a pulse to change it" })
  let shape = ""
  let lit = -1
  function build(pattern) {
    replaceChildren(
      element,
      pattern.map((kind, index) =>
        button({
          label: `Pulse ${index + 1}: ${kinds[kind]}`,
          icon: h("span", { text: String(index + 1) }),
          kind: `pulse pulse-${kinds[kind]}`,
          key: `pulse-${index}`,
          press: () => {
            const changed = [...pattern]
            changed[index] = next[kind]
            act({ pattern: changed.join("") })
          },
        }),
      ),
    )
    lit = -1
  }

  return {
    element,
    update(pattern) {
      if (pattern.join("") !== shape) build(pattern)
      shape = pattern.join("")
    },
    light(pulse) {
      if (pulse === lit) return
      element.children[lit]?.classList.remove("lit")
      element.children[pulse]?.classList.add("lit")
      lit = pulse
    },
  }
}

// What is between the beats.
function subdivisionCard(act) {
  const subdivision = select(
    [
      [1, "beats"],
      [2, "eighths"],
      [3, "triplets"],
      [4, "sixteenths"],
    ],
    { change: (value) => act({ subdivision: Number(value) }) },
  )
  const swing = h("input", {
    type: "range",
    class: "fader level",
    min: 50,
    max: 75,
    step: 1,
    "aria-label": "Swing",
    on: { change: () => act({ swing: Number(swing.value) }) },
  })
  const swingText = h("span", { class: "muted" })
  swing.addEventListener("input", () => setText(swingText, `${swing.value} %`))
  return {
    element: h(
      "div",
      { class: "card" },
      h("h3", { text: "Between the beats" }),
      field("Subdivision", subdivision),
      field("Swing", swing),
      swingText,
    ),
    update(settings) {
      choose(subdivision, settings.subdivision ?? 1)
      if (document.activeElement !== swing) {
        swing.value = settings.swing ?? 50
        setText(swingText, `${swing.value} %`)
      }
      swing.disabled = (settings.subdivision ?? 1) % 2 !== 0
    },
  }
}

function soundCard(act, edit) {
  const gain = gainFader("Metronome", (db) => act({ gain: db }), { upright: false })
  const sound = select(
    [
      ["sine", "Sine"],
      ["woodblock", "Wood block"],
      ["noise", "Noise"],
    ],
    { change: (value) => edit({ sound: value }) },
  )
  const countIn = select(
    [
      [0, "none"],
      [1, "1 bar"],
      [2, "2 bars"],
      [4, "4 bars"],
    ],
    { change: (value) => edit({ countIn: Number(value) }) },
  )
  const enabled = toggle("On when the session opens", { change: (on) => edit({ enabled: on }) })
  return {
    element: h(
      "div",
      { class: "card" },
      h("h3", { text: "Sound" }),
      field("Kind", sound),
      h("div", { class: "inline" }, gain.slider, gain.value, h("span", { class: "muted", text: "dB" })),
      field("Count-in", countIn),
      enabled.element,
    ),
    update(settings) {
      gain.update(settings.gain ?? 0)
      choose(sound, settings.sound ?? "sine")
      choose(countIn, settings.countIn ?? 0)
      setChecked(enabled.box, Boolean(settings.enabled))
    },
  }
}

/** Makes the view. */
export function metronome(app) {
  const act = (rest) => app.perform({ do: "metronome", ...rest })
  const edit = (set) => app.perform({ do: "editMetronome", set })
  const power = button({
    label: "Click on",
    shown: "Click on",
    icon: icon("click"),
    kind: "big",
    pressed: false,
    press: () => app.toggleClick(),
  })
  const hint = h("p", { class: "muted", role: "status" })
  const pads = patternPads(act)
  const subdivision = subdivisionCard(act)
  const sound = soundCard(act, edit)
  const trainer = new SpeedTrainer(app)
  const element = h(
    "section",
    { class: "page", "aria-label": "Metronome" },
    h("header", {}, h("h2", { text: "Metronome" }), hint, power),
    h(
      "div",
      { class: "cards" },
      h(
        "div",
        { class: "card wide" },
        h("h3", { text: "Pattern" }),
        pads.element,
        h(
          "div",
          { class: "row" },
          presets.map(([label, pattern]) => button({ label, kind: "chip", press: () => edit({ pattern }) })),
        ),
      ),
      subdivision.element,
      sound.element,
      trainer.element,
    ),
  )

  return {
    element,
    update({ session }) {
      const settings = session.metronome ?? {}
      pads.update(patternOf(settings, Number((session.timeSignature ?? "4/4").split("/")[0])))
      subdivision.update(settings)
      sound.update(settings)
    },
    frame(live) {
      setAttribute(power, "aria-pressed", live.isMetronomeOn)
      setText(hint, live.isMetronomeOn && !live.isRolling ? clickWaits : "")
      pads.light(live.isRolling ? live.pulse - 1 : -1)
    },
  }
}
