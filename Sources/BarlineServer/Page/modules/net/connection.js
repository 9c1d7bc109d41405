// The WebSocket: state in, actions out; it comes back by itself when it is lost.

import { readFrame } from "./frames.js"
import { patched } from "./patch.js"

const firstDelay = 250
const longestDelay = 4000
const silence = 5000
// A large set takes its time over a slow link, and of a message that is on its way nothing is heard.
const firstSilence = 60000

/**
 * Reads frames with what `parts` have in them. Calls `state(state)`, `frame(frame)`, `clock(sent, received, time)`, `notice(text, level)`,
 * `watching()`, `link(isUp)` and, where the page's link does not hold any more, `ended()`.
 */
export class Connection {
  constructor(parts, handlers) {
    this.parts = parts
    this.handlers = handlers
    this.requests = new Map()
    this.request = 0
    this.delay = firstDelay
    this.state = null
    this.open()
    setInterval(() => this.watch(), 1000)
  }

  open() {
    const address = new URL("/api/socket", location.href)
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:"
    const socket = new WebSocket(address)
    socket.binaryType = "arraybuffer"
    socket.addEventListener("message", (event) => socket === this.socket && this.receive(event.data))
    socket.addEventListener("open", () => this.ping())
    socket.addEventListener("close", () => socket === this.socket && this.lose())
    this.socket = socket
    this.heard = performance.now()
  }

  lose() {
    this.socket = null
    this.forget("The connection was lost before it was done.")
    this.state = null
    this.handlers.link(false)
    setTimeout(() => this.open(), this.delay)
    this.delay = Math.min(longestDelay, this.delay * 1.6)
    this.ask()
  }

  // Why a connection is refused, a browser does not say.
  async ask() {
    const answer = await fetch("/", { cache: "no-store" }).catch(() => undefined)
    if (answer?.status === 401 && !this.state) this.handlers.ended()
  }

  forget(reason) {
    for (const { reject } of this.requests.values()) reject(new Error(reason))
    this.requests.clear()
  }

  /** A connection over which nothing arrives is dead, even if it was not closed. */
  watch() {
    if (!this.socket) return
    const quiet = performance.now() - this.heard
    const isOpen = this.socket.readyState === WebSocket.OPEN
    if (isOpen) this.ping()
    if (quiet > (isOpen && !this.state ? firstSilence : silence) && !document.hidden) {
      const socket = this.socket
      this.lose()
      socket.close()
    }
  }

  ping() {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ ping: performance.now() / 1000 }))
  }

  receive(data) {
    this.heard = performance.now()
    if (data instanceof ArrayBuffer) {
      const frame = readFrame(data, this.parts)
      if (frame && this.state) this.handlers.frame(frame)
      return
    }
    const message = JSON.parse(data)
    switch (message.type) {
      case "state":
        this.delay = firstDelay
        // A state again is for who could not be told of everything: what has become of requests is not known.
        if (this.state) this.forget("The connection was too slow to hear whether that was done.")
        this.take(message)
        this.handlers.link(true)
        break
      case "patch":
        if (!this.state) break
        if (message.revision !== this.state.revision + 1) {
          this.socket.close()
          break
        }
        this.take({ ...patched(this.state, message.patch), revision: message.revision })
        break
      case "access":
        this.handlers.watching()
        break
      case "ack":
        this.settle(message)
        break
      case "pong":
        this.handlers.clock(message.ping, performance.now() / 1000, message.time)
        break
      case "notice":
        this.handlers.notice(message.text, message.level)
        break
    }
  }

  take(state) {
    this.state = state
    this.handlers.state(state)
  }

  settle(message) {
    const waiting = this.requests.get(message.request)
    this.requests.delete(message.request)
    if (!waiting) return
    if (message.ok) waiting.resolve(message)
    else waiting.reject(new Error(message.message))
  }

  /** Sends an action; fulfilled with its acknowledgement. */
  perform(action) {
    if (this.socket?.readyState !== WebSocket.OPEN)
      return Promise.reject(new Error("There is no connection to Barline."))
    this.request += 1
    const request = this.request
    const promise = new Promise((resolve, reject) => this.requests.set(request, { resolve, reject }))
    this.socket.send(JSON.stringify({ request, ...action }))
    return promise
  }
}
