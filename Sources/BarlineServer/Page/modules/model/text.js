// Numbers as the field writes them.

/** The slowest tempo that there is. */
export const lowestTempo = 20

/** The fastest one. */
export const highestTempo = 999

/** A tempo: no more digits than it has, two at most, at least one where there is room for it. */
export function bpmText(bpm) {
  if (bpm === null || bpm === undefined) return "–"
  const rounded = Math.round(bpm * 100) / 100
  return Number.isInteger(rounded * 10) ? rounded.toFixed(1) : rounded.toFixed(2)
}

const typedNumber = (text) => {
  const number = /^\s*(\d+(?:[.,]\d*)?|[.,]\d+)\s*(?:bpm)?\s*$/i.exec(text)?.[1]
  return Number(number?.replace(",", "."))
}

/** The tempo in what was typed, "128", "92,5" or "120 BPM", within what there is; `undefined` where there is none in it. */
export function typedTempo(text) {
  const bpm = typedNumber(text)
  return bpm > 0 ? Math.max(lowestTempo, Math.min(highestTempo, bpm)) : undefined
}

/** What is said of a typed tempo that is beyond what there is, of which the nearest is taken; `undefined` of others. */
export function tempoBeyond(text) {
  const typed = typedTempo(text)
  return typed !== undefined && typed !== typedNumber(text)
    ? `Tempos are from ${lowestTempo} to ${highestTempo} BPM.`
    : undefined
}

/** The words for a clip whose tempo is uncertain. */
export const tempoUnknown = "tempo unknown: plays at its own speed"

/** What is said of a click that is on while the transport is stopped. */
export const clickWaits = "The click is on. It sounds when the transport runs: press Play, or Space."

/** Minutes, seconds and tenths. */
export function timeText(seconds, digits = 1) {
  const sign = seconds < 0 ? "−" : ""
  const unit = 10 ** digits
  const whole = Math.round(Math.abs(seconds) * unit) / unit
  const minutes = Math.floor(whole / 60)
  const rest = (whole - 60 * minutes).toFixed(digits)
  return `${sign}${minutes}:${rest.padStart(digits > 0 ? digits + 3 : 2, "0")}`
}

/** A length in beats. */
export function beatsText(beats) {
  const rounded = Math.round(beats * 100) / 100
  return `${rounded} ${rounded === 1 ? "beat" : "beats"}`
}

/** A fraction in percent. */
export function percentText(fraction) {
  return `${Math.round(fraction * 100)} %`
}

/** A pan position: left, centre, right. */
export function panText(pan) {
  const percent = Math.round(Math.abs(pan) * 100)
  return percent === 0 ? "C" : `${pan < 0 ? "L" : "R"}${percent}`
}

/** A loudness; a dash for silence. */
export function loudnessText(loudness) {
  return `${Number.isFinite(loudness) ? loudness.toFixed(1).replace("-", "−") : "–"} LUFS`
}
