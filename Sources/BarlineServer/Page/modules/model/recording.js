// Slots that are recorded into, and what there is to record.

import { beatsIn } from "./tempo.js"

/** The numbers of beats that a loop of so many seconds may have: bars that are two or three times as many again and again, at 60 to 180 BPM. */
export function loopBeats(seconds, barLength) {
  const fits = (beats) => beats > seconds * 0.999 && beats < seconds * 3.001
  const powers = Array.from({ length: 13 }, (_, index) => 2 ** index)
  const bars = powers.flatMap((count) => [count, 1.5 * count]).filter((count) => count === Math.round(count))
  const found = bars.map((count) => count * barLength).filter(fits)
  return found.length > 0 ? found : [1, 2, 3].filter(fits)
}

/** Whether a track records what its input gives: the output gives it, or it is of what is played. */
export function isArmed(state, track) {
  if (!track?.input) return false
  return Boolean(state.givesInputs) || state.session.inputs.some(({ name, from }) => name === track.input && from)
}

/** What is recorded into a slot. */
export function takeAt(state, track, slot) {
  return (state.takes ?? []).find((take) => take.track === track && take.slot === slot)
}

/** What the button of an empty slot does: it records, where the track has an input, and else stops the track. */
export function actionOfEmptySlot(state, track, slot) {
  return isArmed(state, track) ? { do: "recordClip", track: track.id, slot } : { do: "stop", track: track.id }
}

/** The first row in which a track has nothing. */
export function freeSlot(state, track) {
  let slot = 0
  while (track.clips.some((clip) => clip.slot === slot) || takeAt(state, track.id, slot)) slot += 1
  return slot
}

/** What a take does at a moment, and the beats that are counted: those that are waited for, or those that it has. */
export function takeStatus(take, slot, live) {
  const waits = slot?.queued === take.clip
  const toGo = waits ? Math.max(1, Math.ceil(slot.beatsToGo - 0.001)) : null
  if (take.since === null) return { status: waits ? "waiting" : "ready", count: toGo }
  const beats = beatsIn((live.heard - take.since) / live.sampleRate, live.tempo ?? 0)
  return { status: waits ? "closing" : "recording", count: toGo ?? Math.max(1, Math.floor(beats) + 1) }
}

/** What there is of a loop's layers, and whether something is recorded over it. */
export function layersText(layers, undone, status) {
  const count = layers === 0 ? "No layers" : layers === 1 ? "1 layer" : `${layers} layers`
  const more = undone > 0 ? `, ${undone} undone` : ""
  if (!status) return count + more
  return `${count}${more}: ${status.since === null ? "waiting to record" : "recording"}`
}
