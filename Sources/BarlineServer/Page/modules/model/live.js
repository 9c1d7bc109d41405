// What is heard now: the latest frame of the server's, carried on to this moment.

import { beatsIn, secondsOf } from "./tempo.js"

const idle = {
  now: 0,
  isRolling: false,
  isMetronomeOn: false,
  tempo: undefined,
  bar: 1,
  pulse: 0,
  pulses: 4,
  phase: 0,
  tracks: [],
  levels: { tracks: [], stems: [], master: [0, 0], metronome: [0, 0], inputs: [] },
  parts: {},
  outputs: [],
  stems: { phase: "paused", position: 0, known: 0 },
  playlist: { item: null, phase: "stopped", position: 0, level: [0, 0] },
  loudness: -Infinity,
  heard: 0,
  sampleRate: 48000,
}

/** The moment before anything is known. */
export function nothing(parts) {
  return { ...idle, parts: Object.fromEntries(parts.map(({ id, nothing }) => [id, nothing])) }
}

// The beat under way at a frame, and how far it has gone.
function place(frame, heard) {
  const { beats } = frame
  let index = beats.length - 1
  while (index >= 0 && beats[index].frame > heard) index -= 1
  if (index < 0) return { bar: frame.bar, pulse: frame.pulse, phase: 0 }
  const { bar, pulse, frame: start } = beats[index]
  const next = beats[index + 1]?.frame ?? start + frame.sampleRate * secondsOf(1, frame.tempo)
  return { bar, pulse, phase: Math.max(0, Math.min(1, (heard - start) / (next - start))) }
}

/**
 * The moment at which frame `heard` is heard, `now` in seconds of the page; `names` are the clips' identities by their
 * numbers, `items` the playlist's.
 */
export function moment(frame, heard, now, { numbers: names, loops, items }) {
  const seconds = (heard - frame.frame) / frame.sampleRate
  const tracks = frame.tracks.map((track) => {
    const playing = names.get(track.playing) ?? null
    let progress = track.progress + track.rate * (heard - frame.frame)
    progress = loops.get(playing) === false ? Math.min(1, Math.max(0, progress)) : progress - Math.floor(progress)
    return {
      playing,
      progress,
      iteration: track.iteration,
      isStopping: track.queued === -2 || (playing !== null && track.queued >= 0 && track.queued !== track.playing),
      queued: track.queued >= 0 ? (names.get(track.queued) ?? null) : null,
      isStopQueued: track.queued === -2,
      beatsToGo: beatsIn((track.boundary - heard) / frame.sampleRate, frame.tempo),
    }
  })
  const phase = frame.stemsPhase
  return {
    now,
    heard,
    sampleRate: frame.sampleRate,
    isRolling: frame.isRolling,
    isMetronomeOn: frame.isMetronomeOn,
    tempo: frame.tempo,
    songPosition: frame.songPosition,
    pulses: frame.pulses,
    ...place(frame, heard),
    tracks,
    levels: {
      tracks: frame.tracks.map(({ level }) => level),
      stems: frame.stems.map(({ level }) => level),
      master: frame.master,
      metronome: frame.metronome,
      inputs: frame.inputs,
    },
    parts: frame.parts,
    outputs: frame.outputs,
    stems: {
      phase,
      known: frame.stemsPosition,
      position: Math.max(0, frame.stemsPosition + (phase === "playing" ? seconds : 0)),
    },
    playlist: {
      ...frame.playlist,
      item: items.get(frame.playlist.item) ?? null,
      position: Math.max(0, frame.playlist.position + (frame.playlist.phase === "playing" ? seconds : 0)),
    },
    loudness: frame.loudness,
    voices: frame.voices,
  }
}
