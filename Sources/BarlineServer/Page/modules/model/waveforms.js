// Waveforms of clips and stems, fetched once for each version of their samples.

import { fetchWaveform } from "../net/files.js"

const overviewPoints = 512
// More of them than are ever seen at once: what is drawn again is there.
const mostWholes = 2000
// Those of parts, which are looked at closely, have many more points.
const mostParts = 100
// At a time: those of a large grid would fill the browser's queue.
const lanes = 6

/** What was fetched, and what is under way. */
export class Waveforms {
  constructor() {
    this.wholes = new Map()
    this.parts = new Map()
    this.waiting = []
    this.underWay = 0
  }

  get(known, most, key, options) {
    let fetched = known.get(key)
    // What was asked for last goes last.
    known.delete(key)
    // A waveform that could not be fetched is fetched again when the view is drawn again.
    fetched ??= this.fetch(options).catch(() => {
      known.delete(key)
      return undefined
    })
    known.set(key, fetched)
    if (known.size > most) known.delete(known.keys().next().value)
    return fetched
  }

  /** Fetches one when it is its turn; what was asked for last comes first, as it is seen now. */
  fetch(options) {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => fetchWaveform(options).then(resolve, reject))
      this.next()
    })
  }

  async next() {
    if (this.underWay === lanes || this.waiting.length === 0) return
    this.underWay += 1
    await this.waiting.pop()()
    this.underWay -= 1
    this.next()
  }

  /** The whole of a clip's file. */
  overview(clip) {
    return this.whole("clip", clip)
  }

  /** The whole of the file of a clip, or of something of a part: `kind` is what it is. */
  whole(kind, { id, version }) {
    return version
      ? this.get(this.wholes, mostWholes, `${kind} ${id} ${version}`, {
          [kind]: id,
          points: overviewPoints,
          v: version,
        })
      : Promise.resolve(undefined)
  }

  /** A part of a clip's file. */
  part({ id, version }, points, from, to) {
    return this.get(this.parts, mostParts, `clip ${id} ${version} ${points} ${from} ${to}`, {
      clip: id,
      points,
      from,
      to,
      v: version,
    })
  }

  /** The whole of a stem's file. */
  stem({ id, version }) {
    return this.get(this.wholes, mostWholes, `stem ${id} ${version}`, { stem: id, points: 1024, v: version })
  }
}
