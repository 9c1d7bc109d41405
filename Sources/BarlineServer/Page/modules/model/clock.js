// Which frame is heard now.

const window = 12

/** The server's clock on this page's, from the quickest of the latest pings. */
export class ServerClock {
  constructor() {
    this.samples = []
    this.offset = undefined
  }

  /** A ping that went out at `sent` came back at `received` (this page's seconds), and was at the server at `time`. */
  add(sent, received, time) {
    this.samples.push({ way: received - sent, offset: time - (sent + received) / 2 })
    if (this.samples.length > window) this.samples.shift()
    this.offset = this.samples.reduce((best, sample) => (sample.way < best.way ? sample : best)).offset
  }

  /** Forgets what was measured: another server has another clock. */
  clear() {
    this.samples = []
    this.offset = undefined
  }

  /** The frame that is heard at `now`, from one position frame of the server. Never further ahead than a dead server would allow. */
  heard(frame, now) {
    if (this.offset === undefined) return frame.frame - frame.latency * frame.sampleRate
    const since = Math.min(1, now + this.offset - frame.time)
    return frame.frame + (since - frame.latency) * frame.sampleRate
  }
}
