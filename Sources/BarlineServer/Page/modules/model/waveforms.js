// Shapes of clips and stems, asked for once for each version of their samples.

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
    // A shape that can't be had is asked for again when the view is drawn again.
    const fetched = fetchWaveform(options).catch(() => {
      this.known.delete(key)
      return undefined
    })
    this.known.set(key, fetched)
    if (this.known.size > 400) this.known.delete(this.known.keys().next().value)
    return fetched
  }

  /** The whole of a clip's file. */
  overview({ id, version }) {
    return version
      ? this.get(`clip ${id} ${version}`, { clip: id, points: overviewPoints, v: version })
      : Promise.resolve(undefined)
  }

  /** A part of a clip's file. */
  part({ id, version }, points, from, to) {
    return this.get(`clip ${id} ${version} ${points} ${from} ${to}`, { clip: id, points, from, to, v: version })
  }

  /** The whole of a pad's file. */
  pad({ id, version }) {
    return version
      ? this.get(`pad ${id} ${version}`, { pad: id, points: overviewPoints, v: version })
      : Promise.resolve(undefined)
  }

  /** The whole of a stem's file. */
  stem({ id, version }) {
    return this.get(`stem ${id} ${version}`, { stem: id, points: 1024, v: version })
  }
}
