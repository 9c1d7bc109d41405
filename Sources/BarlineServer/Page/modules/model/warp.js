// Which beat of a clip is on which frame of its source.

/** The clip's markers; where it has none, its ends, with `undefined` where its tempo is unknown. */
export function markersOf(clip) {
  if (clip.playback === "original") return undefined
  if (clip.warp) return clip.warp
  if (!clip.length) return undefined
  const start = clip.start ?? 0
  const end = clip.end ?? clip.frames
  const first = (((clip.firstBeat ?? start) - start) / (end - start)) * clip.length
  return [
    { frame: start, beat: -first },
    { frame: end, beat: clip.length - first },
  ]
}

function along(markers, from, to, value) {
  let index = 1
  while (index < markers.length - 1 && markers[index][from] <= value) index += 1
  const [low, high] = [markers[index - 1], markers[index]]
  return low[to] + ((value - low[from]) * (high[to] - low[to])) / (high[from] - low[from])
}

/** The beat on a frame. */
export const beatAt = (markers, frame) => along(markers, "frame", "beat", frame)

/** The frame, not rounded, that a beat is on. */
export const frameOf = (markers, beat) => along(markers, "beat", "frame", beat)
