// How the stems lie on bars and beats, where their tempo is known.

import { secondsOf } from "./tempo.js"

/** The stems' tempo: that of those that follow the session's, else the set's, else a stem's. */
export function stemTempo({ stems, stemSet }) {
  if ((stems[0]?.playback ?? "original") !== "original") return stems[0].bpm ?? null
  return stemSet?.bpm ?? stems.find(({ bpm }) => bpm)?.bpm ?? null
}

/** `{bpm, beat, bar, line}`: seconds of a beat and of a bar, and the position of a bar line; `null` without a tempo. */
export function stemGrid(session) {
  const bpm = stemTempo(session)
  const [first] = session.stems
  if (!bpm || !first) return null
  const [pulses, note] = session.timeSignature.split("/").map(Number)
  const beat = secondsOf(4 / note, bpm)
  const frame = session.stemSet?.firstBeat
  const line = frame === undefined || frame === null ? 0 : (frame - (first.offset ?? 0)) / (first.sampleRate ?? 48000)
  return { bpm, beat, bar: beat * pulses, line }
}

/** The bar line that is nearest to `seconds`, and not before position 0. */
export function nearestLine(grid, seconds) {
  return Math.max(firstLine(grid), grid.line + Math.round((seconds - grid.line) / grid.bar) * grid.bar)
}

/** The bar and the beat at `seconds`, from 1; what comes before the first bar line is in bar 0. */
export function placeText({ beat, bar, line }, seconds) {
  const since = seconds - line + 0.0005
  const bars = Math.floor(since / bar)
  return `${bars + 1}.${Math.floor((since - bars * bar) / beat) + 1}`
}

/** The first bar line at or after position 0. */
export function firstLine({ bar, line }) {
  return line - bar * Math.floor(line / bar + 1e-9)
}
