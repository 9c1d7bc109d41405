// The binary frames of positions and meters.

const playlistPhases = ["stopped", "paused", "waiting", "playing"]
const stemPhases = ["paused", "waiting", "playing", "starved"]

// The bytes before the tracks.
const headSize = 104

// Reads values of a frame one after the other.
class FrameReader {
  constructor(buffer) {
    this.view = new DataView(buffer)
    this.offset = 0
  }

  double = (offset) => this.view.getFloat64(offset, true)
  float = (offset) => this.view.getFloat32(offset, true)
  level = (offset) => [this.float(offset), this.float(offset + 4)]
  int = (offset) => this.view.getInt32(offset, true)
  count = (offset) => this.view.getUint32(offset, true)
  short = (offset) => this.view.getUint16(offset, true)
  byte = (offset) => this.view.getUint8(offset)

  /** A list of `count` values of `size` bytes each; `read(offset)` reads one. */
  list(count, size, read) {
    const values = Array.from({ length: count }, (_, index) => read(this.offset + size * index))
    this.offset += size * count
    return values
  }

  /** The number of values of a list that may be missing: 0 where the frame ends before it, or has no room for `size` bytes. */
  countAt(offset, size) {
    return this.view.byteLength >= offset + size ? this.count(offset) : 0
  }
}

function readTracks(reader, count) {
  return reader.list(count, 48, (offset) => ({
    playing: reader.int(offset),
    queued: reader.int(offset + 4),
    boundary: reader.double(offset + 8),
    progress: reader.double(offset + 16),
    rate: reader.double(offset + 24),
    iteration: reader.int(offset + 32),
    level: reader.level(offset + 40),
  }))
}

function readBeats(reader, count) {
  return reader.list(count, 16, (offset) => ({
    frame: reader.double(offset),
    bar: reader.int(offset + 8),
    pulse: reader.short(offset + 12),
    isAccented: (reader.short(offset + 14) & 1) === 1,
  }))
}

function readPlaylist(reader, offset) {
  return {
    item: reader.int(offset),
    phase: playlistPhases[reader.count(offset + 4)] ?? "stopped",
    position: reader.double(offset + 8),
    level: reader.level(offset + 16),
  }
}

function readOutputs(reader, count) {
  return reader.list(count, 24, (offset) => ({
    level: reader.level(offset),
    gain: reader.float(offset + 8),
    lowestGain: reader.float(offset + 12),
    overs: reader.count(offset + 16),
    peak: reader.float(offset + 20),
  }))
}

function readParts(reader, kinds) {
  const parts = {}
  for (const { id, read } of kinds) {
    const { value, end } = read(reader.view, reader.offset)
    parts[id] = value
    reader.offset = end
  }
  return parts
}

// What every frame begins with.
function readHead(reader) {
  const flags = reader.byte(1)
  return {
    isRolling: (flags & 1) !== 0,
    isMetronomeOn: (flags & 2) !== 0,
    isOutputLost: (flags & 4) !== 0,
    frame: reader.double(8),
    time: reader.double(16),
    beat: reader.double(24),
    tempo: reader.double(32),
    songPosition: reader.double(40),
    stemsPosition: reader.double(48),
    latency: reader.float(56),
    sampleRate: reader.float(60),
    bar: reader.int(64),
    pulse: reader.byte(68),
    pulses: reader.byte(69),
    stemsPhase: stemPhases[reader.byte(71)] ?? "paused",
    loudness: reader.float(72),
    metronome: reader.level(76),
    master: reader.level(84),
    voices: reader.count(100),
  }
}

/** Reads a frame, with what `kinds` of parts have in it; `undefined` for a kind of frame that this page doesn't know. */
export function readFrame(buffer, kinds) {
  const reader = new FrameReader(buffer)
  if (reader.byte(0) !== 1) return undefined
  const head = readHead(reader)
  reader.offset = headSize
  const tracks = readTracks(reader, reader.short(2))
  const stems = reader.list(reader.short(4), 16, (offset) => ({ level: reader.level(offset) }))
  const beats = readBeats(reader, reader.short(6))
  const playlist = readPlaylist(reader, reader.offset)
  const outputCount = reader.countAt(reader.offset + 32, 8)
  reader.offset += 40
  const outputs = readOutputs(reader, outputCount)
  const parts = readParts(reader, kinds)
  const inputCount = reader.countAt(reader.offset, 8)
  reader.offset += 8
  const inputs = reader.list(inputCount, 8, reader.level)
  return { ...head, tracks, stems, beats, playlist, outputs, parts, inputs }
}
