// Waveforms of clips and stems, fetched once for each version of their samples.

import { fetchWaveform } from "../net/files.js"

const overviewPoints = 512

/** What was fetched, and what is under way. */
export class Waveforms {
  constructor() {
    this.known = new Map()
  }

  get(key, options) {
    const kept = this.known.get(key)
    if (kept) return kept
    // A waveform that could not be fetched is fetched again when the view is drawn again.
    const fetched = fetchWaveform(options).catch(() => {
      this.known.delete(key)
      return undefined
    })
    this.known.set(key, fetched)
    if (this.known.size > 400) this.known.delete(this.known.keys().next().value)
    return fetched
  }

  /** The whole of a clip's file. */
  overview(clip) {
    return this.whole("clip", clip)
  }

  /** The whole of the file of a clip, or of something of a part: `kind` is what it is. */
  whole(kind, { id, version }) {
    return version
      ? this.get(`${kind} ${id} ${version}`, { [kind]: id, points: overviewPoints, v: version })
      : Promise.resolve(undefined)
  }

  /** A part of a clip's file. */
  part({ id, version }, points, from, to) {
    return this.get(`clip ${id} ${version} ${points} ${from} ${to}`, { clip: id, points, from, to, v: version })
  }

  /** The whole of a stem's file. */
  stem({ id, version }) {
    return this.get(`stem ${id} ${version}`, { stem: id, points: 1024, v: version })
  }
}
