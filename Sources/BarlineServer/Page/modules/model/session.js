// The server's state as the views want it: a clip's facts beside what the document says of it, and one colour for all views.

import { isColour, stemColour, trackColour } from "../ui/colour.js"

function withFacts(clip, facts, index, colour) {
  const frames = facts?.frames ?? 0
  const end = clip.end ?? frames
  return {
    ...clip,
    name: clip.name ?? clip.id,
    slot: clip.slot ?? index,
    colour: isColour(clip.color) ? clip.color : colour,
    number: facts?.number ?? -1,
    problem: facts?.message ?? null,
    // It follows the tempo, and its own is unknown.
    isFree: Boolean(facts) && !facts.problem && facts.beats === null && clip.playback !== "original",
    version: facts?.version,
    frames,
    sampleRate: facts?.sampleRate ?? 48000,
    channels: facts?.channels,
    tempo: facts?.tempo ?? null,
    length: facts?.beats ?? null,
    attacks: facts?.attacks ?? [],
    analysis: facts?.analysis ?? null,
    from: frames > 0 ? (clip.start ?? 0) / frames : 0,
    to: frames > 0 ? end / frames : 1,
  }
}

function withItemFacts(item, facts) {
  const title = facts?.title ?? item.title ?? item.file.slice(item.file.lastIndexOf("/") + 1)
  const search = [title, facts?.artist, facts?.album, item.file].filter(Boolean).join("\n").toLowerCase()
  return { ...item, ...facts, problem: facts?.message ?? null, title, search }
}

/** The views' state, with what parts add to it. */
export function viewState(state, parts) {
  const document = state.session
  const session = {
    ...document,
    tracks: (document.tracks ?? []).map((track, place) => {
      const colour = trackColour(track, place)
      return {
        ...track,
        name: track.name ?? track.id,
        colour,
        clips: (track.clips ?? []).map((clip, index) => withFacts(clip, state.clips?.[clip.id], index, colour)),
      }
    }),
    scenes: document.scenes ?? [],
    inputs: document.inputs ?? [],
    stems: (document.stems ?? []).map((stem, place) => ({
      ...stem,
      colour: stemColour(stem, place),
      ...(state.stems?.[stem.id] ?? {}),
      problem: state.stems?.[stem.id]?.message ?? null,
      name: stem.name ?? stem.id,
    })),
    markers: document.markers ?? [],
    ...Object.assign({}, ...parts.map((part) => part.session(document, state))),
    playlist: (document.playlist ?? []).map((item) => withItemFacts(item, state.playlist.items[item.id])),
  }
  const clips = new Map(session.tracks.flatMap((track) => track.clips.map((clip) => [clip.id, clip])))
  return {
    ...state,
    session,
    clips,
    // What could not be loaded has no number: -1 is for nothing. What is recorded has one before it is a clip.
    numbers: new Map([
      ...(state.takes ?? []).map(({ number, clip }) => [number, clip]),
      ...[...clips.values()].filter(({ number }) => number >= 0).map(({ number, id }) => [number, id]),
    ]),
    items: new Map(session.playlist.map((item) => [item.number, item.id])),
    loops: new Map([...clips.values()].map((clip) => [clip.id, clip.loop !== false])),
  }
}

/** Whether a clip sounds for as long as it is held. */
export function isHeldClip({ launchMode }) {
  return launchMode === "gate" || launchMode === "repeat"
}

/** How many rows the grid has: the scenes, and whatever clips lie below them. */
export function rowCount({ scenes, tracks }) {
  const slots = tracks.flatMap((track) => track.clips.map((clip) => clip.slot + 1))
  return Math.max(scenes.length, 1, ...slots)
}
