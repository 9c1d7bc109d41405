// The clip editor's tempo: what it is, what was heard, and how to correct it.

import { loopBeats } from "../model/recording.js"
import { secondsOf, tempoOf } from "../model/tempo.js"
import { beatsText, bpmText, percentText, tempoUnknown } from "../model/text.js"
import { button, field, h, keepTyping, replaceChildren, setText, setValue } from "../ui/dom.js"
import { tell } from "../ui/notices.js"

/** Says why no tempo was found, or where the one in use is from; `heard` are the tempos that are offered. */
function origin(clip, analysis, heard) {
  if (clip.isFree) return `${tempoUnknown}. ${heard.length > 0 ? "Choose one below, t" : "T"}ap along, or type it.`
  if (clip.tempo === null) return "Plays at its own speed, as its playback says."
  if (clip.beats !== null && clip.beats !== undefined) return "As its number of beats says."
  if (clip.bpm !== null && clip.bpm !== undefined) return "As set."
  if (!analysis) return "Listening to it…"
  return analysis.source === "audio" ? "As heard." : "As the file says."
}

// A field for a number above 0; `send(null)` where it was emptied. What is refused is taken back.
function numberAbove0(label, send) {
  const input = h("input", { class: "input", inputmode: "decimal", autocomplete: "off" })
  keepTyping(input)
  input.addEventListener("change", async () => {
    delete input.dataset.changing
    const value = Number(input.value.replace(",", "."))
    const isEmpty = input.value.trim() === ""
    if ((!isEmpty && !(value > 0)) || !(await send(isEmpty ? null : value))) input.value = input.shown ?? ""
  })
  return { input, element: field(label, input) }
}

// Tapped along with the clip: four taps or more.
function tapButton(give) {
  let taps = []
  const tapped = () => {
    const now = performance.now() / 1000
    if (taps.length > 0 && now - taps[taps.length - 1] > 3) taps = []
    taps.push(now)
    if (taps.length >= 4) give({ taps: taps.slice(-16).map((time) => time - taps[0]) })
  }
  const tap = button({
    label: "Tap along with the clip",
    shown: "Tap",
    title: "Tap along with the clip: four taps or more",
    "aria-label": "Tap along with the clip",
  })
  tap.addEventListener("pointerdown", (event) => event.button === 0 && tapped())
  tap.addEventListener("click", (event) => event.detail === 0 && tapped())
  return tap
}

// The tempos that were heard.
function heardTempos(give) {
  const element = h("div", { class: "chips", role: "group", "aria-label": "Tempos that were heard" })
  const chip = ({ bpm, confidence }, index) => {
    const words = `${bpmText(bpm)} BPM, confidence ${percentText(confidence)}`
    return button({
      label: words,
      shown: `${bpmText(bpm)} · ${percentText(confidence)}`,
      kind: "chip",
      "aria-label": words,
      key: `heard-${index}`,
      title: "Alt keeps the exact number",
      press: (event) => give({ bpm }, event.altKey),
    })
  }
  let shown = ""
  return {
    element,
    update(heard, isKnown) {
      const now = JSON.stringify(heard)
      if (now === shown) return
      shown = now
      const none = isKnown ? "Nothing was heard that has a tempo." : "Listening…"
      replaceChildren(element, heard.length === 0 ? [h("span", { class: "muted", text: none })] : heard.map(chip))
    },
  }
}

// How long a loop is in beats, and so how fast the set is.
function setTempos(app, clip) {
  const element = h("div", { class: "chips", role: "group", "aria-label": "Tempos of the set from this loop" })
  const chip = (beats, seconds) => {
    const tempo = bpmText(tempoOf(beats, seconds))
    const words = `The set at ${tempo} BPM: ${beatsText(beats)}`
    return button({
      label: words,
      shown: `Set ${tempo} · ${beatsText(beats)}`,
      kind: "chip",
      "aria-label": words,
      key: `set-tempo-${beats}`,
      title: "The set's tempo is that of this loop",
      press: () => app.perform({ do: "tempoFromClip", clip: clip().id, beats }),
    })
  }
  let shown = ""
  return {
    element,
    update({ tempo, length }) {
      const [count, unit] = (app.state.session.timeSignature ?? "4/4").split("/").map(Number)
      const seconds = tempo && length ? secondsOf(length, tempo) : 0
      const offered = seconds > 0 ? loopBeats(seconds, (4 * count) / unit) : []
      const now = JSON.stringify([offered, seconds])
      if (now === shown) return
      shown = now
      element.hidden = offered.length === 0
      replaceChildren(
        element,
        offered.map((beats) => chip(beats, seconds)),
      )
    },
  }
}

// Corrections of what was heard.
function corrections(correct) {
  const by = (shown, label, word) =>
    button({ label, shown, title: label, press: () => correct({ by: word }), "aria-label": label })
  const move = (shown, label, downbeat) =>
    button({ label, shown, press: () => correct({ downbeat }), "aria-label": label })
  return {
    factors: [
      by("÷2", "Half the tempo", "halve"),
      by("×2", "Twice the tempo", "double"),
      by("×2/3", "Two thirds of the tempo", "twoThirds"),
      by("×3/2", "Three halves of the tempo", "threeHalves"),
    ],
    downbeats: [move("◂ Downbeat", "Downbeat a beat earlier", -1), move("Downbeat ▸", "Downbeat a beat later", 1)],
    detected: button({ label: "Back to what is heard", press: () => correct({ by: "detected" }) }),
  }
}

/** Makes the group; `clip()` gives the clip that is edited. */
export function tempoGroup(app, clip) {
  // A field that is left because its clip has gone changes nothing.
  const perform = (action) => clip() && app.perform({ ...action, clip: clip().id })
  const edit = (set) => perform({ do: "editClip", set })
  const correct = (rest) => perform({ do: "correctTempo", ...rest })
  const exact = h("input", { type: "checkbox", data: { key: "exact" } })
  // A loop takes the tempo nearest to the one that is given at which it is whole beats long.
  const give = async (rest, isExact = false) => {
    const done = await correct(isExact || exact.checked ? { ...rest, exact: true } : rest)
    const { bpm, beats } = done?.result ?? {}
    if (rest.bpm && Math.abs(bpm - rest.bpm) >= 0.005)
      tell(`${beatsText(beats)}, so ${bpmText(bpm)} BPM. “Exact” keeps ${bpmText(rest.bpm)}.`)
    return done
  }
  const bpm = numberAbove0("Tempo, BPM", (value) =>
    value === null ? correct({ by: "detected" }) : give({ bpm: value }),
  )
  const beats = numberAbove0("Beats", (value) => (value === null ? edit({ beats: null }) : correct({ beats: value })))
  const source = h("p", { class: "muted sentence", role: "status" })
  const alternatives = heardTempos(give)
  const lengths = setTempos(app, clip)
  const { factors, downbeats, detected } = corrections(correct)
  const element = h(
    "fieldset",
    { class: "editor-group" },
    h("legend", { text: "Tempo" }),
    h("div", { class: "pair" }, bpm.element, beats.element),
    source,
    h("div", { class: "row" }, factors, tapButton(give)),
    alternatives.element,
    lengths.element,
    h(
      "label",
      { class: "switch", title: "A loop takes the tempo at which it is whole beats long; this keeps the one you give" },
      exact,
      h("span", { text: "Exact: not rounded to whole beats" }),
    ),
    h("div", { class: "row" }, downbeats),
    h("div", { class: "row" }, detected),
  )

  return {
    element,
    update(clip) {
      const { analysis } = clip
      setValue(bpm.input, clip.tempo === null ? "" : bpmText(clip.tempo))
      setValue(beats.input, clip.length === null ? "" : String(Math.round(clip.length * 1000) / 1000))
      const first = analysis?.bpm ? [{ bpm: analysis.bpm, confidence: analysis.confidence }] : []
      const others = (analysis?.alternatives ?? []).filter(({ bpm }) => bpm !== analysis.bpm)
      const heard = [...first, ...others].slice(0, 4)
      setText(source, origin(clip, analysis, heard))
      lengths.update(clip)
      alternatives.update(heard, Boolean(analysis))
    },
  }
}
