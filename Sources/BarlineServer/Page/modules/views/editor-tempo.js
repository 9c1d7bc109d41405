// The clip editor's tempo: what it is, what was heard, and how to correct it.

import { loopBeats } from "../model/recording.js"
import { secondsOf, tempoOf } from "../model/tempo.js"
import { beatsText, bpmText, percentText, tempoUnknown } from "../model/text.js"
import { button, field, h, replaceChildren, setText, setValue } from "../ui/dom.js"
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

/** Makes the group; `clip()` gives the clip that is edited. */
export function tempoGroup(app, clip) {
  const edit = (set) => app.perform({ do: "editClip", clip: clip().id, set })
  const correct = (rest) => app.perform({ do: "correctTempo", clip: clip().id, ...rest })
  const exact = h("input", { type: "checkbox", data: { key: "exact" } })
  // A loop takes the tempo nearest to the one that is given at which it is whole beats long.
  const give = async (rest, isExact = false) => {
    const done = await correct(isExact || exact.checked ? { ...rest, exact: true } : rest)
    const { bpm, beats } = done?.result ?? {}
    if (rest.bpm && Math.abs(bpm - rest.bpm) >= 0.005)
      tell(`${beatsText(beats)}, so ${bpmText(bpm)} BPM. “Exact” keeps ${bpmText(rest.bpm)}.`)
  }
  const number = (label, send) => {
    const input = h("input", { class: "input", inputmode: "decimal", autocomplete: "off" })
    input.addEventListener("input", () => (input.dataset.changing = "yes"))
    input.addEventListener("blur", () => delete input.dataset.changing)
    input.addEventListener("change", () => {
      delete input.dataset.changing
      const value = Number(input.value.replace(",", "."))
      if (input.value.trim() === "") send(null)
      else if (value > 0) send(value)
      else input.value = ""
    })
    return { input, element: field(label, input) }
  }
  const bpm = number("Tempo, BPM", (value) => (value === null ? correct({ by: "detected" }) : give({ bpm: value })))
  const beats = number("Beats", (value) => (value === null ? edit({ beats: null }) : correct({ beats: value })))
  const by = (shown, label, word) =>
    button({ label, shown, title: label, press: () => correct({ by: word }), "aria-label": label })

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

  const source = h("p", { class: "muted sentence", role: "status" })
  const alternatives = h("div", { class: "chips", role: "group", "aria-label": "Tempos that were heard" })
  const lengths = h("div", { class: "chips", role: "group", "aria-label": "Tempos of the set from this loop" })
  const detected = button({ label: "Back to what is heard", press: () => correct({ by: "detected" }) })
  const element = h(
    "fieldset",
    { class: "editor-group" },
    h("legend", { text: "Tempo" }),
    h("div", { class: "pair" }, bpm.element, beats.element),
    source,
    h(
      "div",
      { class: "row" },
      by("÷2", "Half the tempo", "halve"),
      by("×2", "Twice the tempo", "double"),
      by("×2/3", "Two thirds of the tempo", "twoThirds"),
      by("×3/2", "Three halves of the tempo", "threeHalves"),
      tap,
    ),
    alternatives,
    lengths,
    h(
      "label",
      { class: "switch", title: "A loop takes the tempo at which it is whole beats long; this keeps the one you give" },
      exact,
      h("span", { text: "Exact: not rounded to whole beats" }),
    ),
    h(
      "div",
      { class: "row" },
      button({
        label: "Downbeat a beat earlier",
        shown: "◂ Downbeat",
        press: () => correct({ downbeat: -1 }),
        "aria-label": "Downbeat a beat earlier",
      }),
      button({
        label: "Downbeat a beat later",
        shown: "Downbeat ▸",
        press: () => correct({ downbeat: 1 }),
        "aria-label": "Downbeat a beat later",
      }),
    ),
    h("div", { class: "row" }, detected),
  )
  let shown = ""
  let shownLengths = ""

  // How long a loop is in beats, and so how fast the set is.
  function showLengths({ tempo, length }) {
    const [count, unit] = (app.state.session.timeSignature ?? "4/4").split("/").map(Number)
    const seconds = tempo && length ? secondsOf(length, tempo) : 0
    const offered = seconds > 0 ? loopBeats(seconds, (4 * count) / unit) : []
    const now = JSON.stringify([offered, seconds])
    if (now === shownLengths) return
    shownLengths = now
    lengths.hidden = offered.length === 0
    replaceChildren(
      lengths,
      offered.map((beats) => {
        const words = `The set at ${bpmText(tempoOf(beats, seconds))} BPM: ${beatsText(beats)}`
        return button({
          label: words,
          shown: `Set ${bpmText(tempoOf(beats, seconds))} · ${beatsText(beats)}`,
          kind: "chip",
          "aria-label": words,
          key: `set-tempo-${beats}`,
          title: "The set's tempo is that of this loop",
          press: () => app.perform({ do: "tempoFromClip", clip: clip().id, beats }),
        })
      }),
    )
  }

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
      showLengths(clip)
      const now = JSON.stringify(heard)
      if (now === shown) return
      shown = now
      replaceChildren(
        alternatives,
        heard.length === 0
          ? [h("span", { class: "muted", text: analysis ? "Nothing was heard that has a tempo." : "Listening…" })]
          : heard.map(({ bpm, confidence }, index) =>
              button({
                label: `${bpmText(bpm)} BPM, confidence ${percentText(confidence)}`,
                shown: `${bpmText(bpm)} · ${percentText(confidence)}`,
                kind: "chip",
                "aria-label": `${bpmText(bpm)} BPM, confidence ${percentText(confidence)}`,
                key: `heard-${index}`,
                title: "Alt keeps the exact number",
                press: (event) => give({ bpm }, event.altKey),
              }),
            ),
      )
    },
  }
}
