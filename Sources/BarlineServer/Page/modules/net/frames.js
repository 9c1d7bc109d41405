// The binary frames of positions and meters.

const playlistPhases = ["stopped", "paused", "waiting", "playing"]
const stemPhases = ["paused", "waiting", "playing", "starved"]

/** Reads a frame, with what `kinds` of parts have in it; `undefined` for a kind of frame that this page doesn't know. */
export function readFrame(buffer, kinds) {
  const view = new DataView(buffer)
  if (view.getUint8(0) !== 1) return undefined
  const flags = view.getUint8(1)
  const trackCount = view.getUint16(2, true)
  const stemCount = view.getUint16(4, true)
  const beatCount = view.getUint16(6, true)
  const double = (offset) => view.getFloat64(offset, true)
  const float = (offset) => view.getFloat32(offset, true)
  let offset = 104
  const tracks = Array.from({ length: trackCount }, () => {
    const track = {
      playing: view.getInt32(offset, true),
      queued: view.getInt32(offset + 4, true),
      boundary: double(offset + 8),
      progress: double(offset + 16),
      rate: double(offset + 24),
      iteration: view.getInt32(offset + 32, true),
      level: [float(offset + 40), float(offset + 44)],
    }
    offset += 48
    return track
  })
  const stems = Array.from({ length: stemCount }, () => {
    const level = [float(offset), float(offset + 4)]
    offset += 16
    return { level }
  })
  const beats = Array.from({ length: beatCount }, () => {
    const beat = {
      frame: double(offset),
      bar: view.getInt32(offset + 8, true),
      pulse: view.getUint16(offset + 12, true),
      isAccented: (view.getUint16(offset + 14, true) & 1) === 1,
    }
    offset += 16
    return beat
  })
  const playlist = offset
  const outputCount = view.byteLength >= playlist + 40 ? view.getUint32(playlist + 32, true) : 0
  const outputs = Array.from({ length: outputCount }, (_, index) => {
    const place = playlist + 40 + 24 * index
    return {
      level: [float(place), float(place + 4)],
      gain: float(place + 8),
      lowestGain: float(place + 12),
      overs: view.getUint32(place + 16, true),
      peak: float(place + 20),
    }
  })
  const parts = {}
  let inputPlace = playlist + 40 + 24 * outputCount
  for (const { id, read } of kinds) {
    const { value, end } = read(view, inputPlace)
    parts[id] = value
    inputPlace = end
  }
  const inputCount = view.byteLength >= inputPlace + 8 ? view.getUint32(inputPlace, true) : 0
  const inputs = Array.from({ length: inputCount }, (_, index) => {
    const place = inputPlace + 8 + 8 * index
    return [float(place), float(place + 4)]
  })
  return {
    isRolling: (flags & 1) !== 0,
    isMetronomeOn: (flags & 2) !== 0,
    isOutputLost: (flags & 4) !== 0,
    frame: double(8),
    time: double(16),
    beat: double(24),
    tempo: double(32),
    songPosition: double(40),
    stemsPosition: double(48),
    latency: float(56),
    sampleRate: float(60),
    bar: view.getInt32(64, true),
    pulse: view.getUint8(68),
    pulses: view.getUint8(69),
    stemsPhase: stemPhases[view.getUint8(71)] ?? "paused",
    loudness: float(72),
    metronome: [float(76), float(80)],
    master: [float(84), float(88)],
    voices: view.getUint32(100, true),
    tracks,
    stems,
    beats,
    playlist: {
      item: view.getInt32(offset, true),
      phase: playlistPhases[view.getUint32(offset + 4, true)] ?? "stopped",
      position: double(offset + 8),
      level: [float(offset + 16), float(offset + 20)],
    },
    outputs,
    parts,
    inputs,
  }
}
