// The pads in the server's state and in frames.

import { clipColour } from "../ui/colour.js"

function withFacts(pad, facts, index) {
  const slot = pad.slot ?? index
  return {
    ...pad,
    name: pad.name ?? pad.id,
    slot,
    colour: clipColour(pad.color, slot),
    problem: facts?.message ?? null,
    version: facts?.version,
    frames: facts?.frames ?? 0,
    sampleRate: facts?.sampleRate ?? 48000,
  }
}

export const padsModel = {
  id: "pads",
  nothing: { level: [0, 0], pads: [] },
  read(view, place) {
    const float = (offset) => view.getFloat32(offset, true)
    const count = view.byteLength >= place + 24 ? view.getUint32(place, true) : 0
    const pads = Array.from({ length: count }, (_, index) => {
      const start = place + 24 + 16 * index
      return {
        hits: view.getUint32(start, true),
        voices: view.getUint16(start + 4, true),
        waiting: view.getUint16(start + 6, true),
        velocity: float(start + 8),
        progress: float(start + 12),
      }
    })
    const level = count > 0 ? [float(place + 8), float(place + 12)] : [0, 0]
    return { value: { level, pads }, end: place + 24 + 16 * count }
  },
  session: (document, state) => ({
    pads: (document.pads ?? []).map((pad, index) => withFacts(pad, state.pads?.[pad.id], index)),
  }),
}
