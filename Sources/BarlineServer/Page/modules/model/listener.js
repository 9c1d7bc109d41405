// "Listen here": the engine's output in this browser.

const delay = 0.12
const socketPath = "/api/listen"
// Milliseconds from a loss to the next attempt.
const pause = 1000
// Milliseconds that the sound has to fade out in.
const rest = 60

/** Turned on by a press, as browsers want it; `changed()` is called when something is to be shown. */
export class Listener {
  constructor(changed) {
    this.changed = changed
    this.status = "off"
    this.report = null
  }

  get isOn() {
    return this.status !== "off"
  }

  start() {
    if (this.isOn) return
    this.hasBegun = false
    this.set("connecting")
    this.connect()
  }

  connect() {
    const address = new URL(socketPath, location.href)
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:"
    const socket = new WebSocket(address)
    this.socket = socket
    socket.binaryType = "arraybuffer"
    socket.addEventListener("message", ({ data }) => {
      if (socket !== this.socket) return
      if (typeof data === "string") this.prepare(JSON.parse(data))
      else this.take(data)
    })
    socket.addEventListener("close", () => socket === this.socket && this.lose())
  }

  // Who listens here goes on when the program is there again.
  lose() {
    if (!this.hasBegun) return this.stop()
    this.close()
    this.set("connecting")
    this.retry = setTimeout(() => this.connect(), pause)
  }

  async prepare(format) {
    if (format.type !== "format") return
    this.hasBegun = true
    await this.context?.close()
    const context = new AudioContext({ sampleRate: format.sampleRate, latencyHint: "interactive" })
    this.context = context
    this.sampleRate = format.sampleRate
    this.node = null
    await context.audioWorklet.addModule("/modules/listen-worklet.js")
    if (this.context !== context) return
    this.node = new AudioWorkletNode(context, "barline-listening", {
      numberOfInputs: 0,
      outputChannelCount: [2],
      processorOptions: { sampleRate: format.sampleRate, delay },
    })
    this.node.port.onmessage = ({ data }) => {
      this.report = data
      this.changed()
    }
    this.node.connect(context.destination)
    await context.resume()
    this.set("on")
  }

  take(buffer) {
    const view = new DataView(buffer)
    if (!this.node || view.getUint8(0) !== 2) return
    const count = view.getUint16(2, true)
    const frame = view.getFloat64(8, true)
    const interleaved = new Float32Array(buffer.slice(16, 16 + count * 8))
    this.node.port.postMessage({ frame, interleaved }, [interleaved.buffer])
  }

  close() {
    const { socket, context, node } = this
    this.socket = this.context = this.node = this.report = null
    socket?.close()
    node?.port.postMessage({ isOver: true })
    if (context) setTimeout(() => context.close(), rest)
  }

  stop() {
    clearTimeout(this.retry)
    this.close()
    this.set("off")
  }

  set(status) {
    this.status = status
    this.changed()
  }

  /** Seconds from the engine to the ear: what waits here, and what the browser and its device add. */
  get latency() {
    if (!this.report || !this.context) return undefined
    return this.report.waiting / this.sampleRate + this.context.baseLatency + (this.context.outputLatency || 0)
  }

  /** The frame that is heard here now; `undefined` where nothing plays here. */
  get heard() {
    const { report, context } = this
    if (!report || report.position === null || !context) return undefined
    const since = context.currentTime - report.at - (context.outputLatency || context.baseLatency)
    return report.position + since * this.sampleRate
  }
}
