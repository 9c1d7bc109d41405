// Plays what the server sends, a little later than it came, and follows the server's clock by speed.

const channels = 2
/** Frames that are kept; a second and more at every usual rate. */
const size = 1 << 17
/** Frames over which sound comes and goes: some five milliseconds. */
const fade = 250

class Listening extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super()
    this.samples = [new Float32Array(size), new Float32Array(size)]
    this.ratio = processorOptions.sampleRate / sampleRate
    this.target = processorOptions.sampleRate * processorOptions.delay
    // Frames of the server: the next one to come in, and the one that is played.
    this.end = null
    this.start = 0
    this.position = null
    this.gain = 0
    // What was left fades out beside what is played, from its frame `faded` on.
    this.tail = [new Float32Array(fade), new Float32Array(fade)]
    this.faded = fade
    this.isOver = false
    this.blocks = 0
    this.gaps = 0
    this.port.onmessage = ({ data }) => (data.isOver ? this.finish() : this.take(data))
  }

  finish() {
    this.leave()
    this.isOver = true
  }

  // Leaves what is played, which fades out: up to its last frame, so that enough of it must be there.
  leave() {
    if (this.position === null) return
    const tail = [new Float32Array(fade), new Float32Array(fade)]
    for (let index = 0; index < fade; index += 1) {
      const [position, gain] = [this.position + index * this.ratio, Math.max(0, this.gain - (index + 1) / fade)]
      for (let side = 0; side < channels; side += 1) {
        const before = this.faded + index < fade ? this.tail[side][this.faded + index] : 0
        tail[side][index] = before + (position < this.end - 2 ? gain * this.read(this.samples[side], position) : 0)
      }
    }
    this.tail = tail
    this.faded = 0
    this.gain = 0
    this.position = null
  }

  take({ frame, interleaved }) {
    const count = interleaved.length / channels
    // After a gap or a restart the old samples are of no use.
    if (this.end === null || frame !== this.end) {
      if (this.end !== null) this.gaps += 1
      this.leave()
      this.start = frame
    }
    for (let index = 0; index < count; index += 1) {
      const place = (frame + index) & (size - 1)
      this.samples[0][place] = interleaved[index * channels]
      this.samples[1][place] = interleaved[index * channels + 1]
    }
    this.end = frame + count
    this.start = Math.max(this.start, this.end - size + 8)
  }

  read(list, position) {
    const whole = Math.floor(position)
    const t = position - whole
    const at = (offset) => list[(whole + offset) & (size - 1)]
    const [a, b, c, d] = [at(-1), at(0), at(1), at(2)]
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
  }

  process(_, [[left, right = left]]) {
    const waiting = this.end === null ? 0 : this.end - (this.position ?? this.start)
    // Too little came, or far too much: begin again at the distance that is wanted.
    if (this.position !== null && waiting < (left.length + fade) * this.ratio + 8) {
      this.gaps += 1
      this.leave()
      this.start = this.end
    } else if (this.position !== null && waiting > 4 * this.target) {
      this.leave()
    }
    if (this.position === null && this.end - this.start >= this.target && !this.isOver) {
      this.position = this.end - this.target
    }
    // Half a percent at most: inaudible, and more than two clocks ever differ.
    const error = this.position === null ? 0 : (waiting - this.target) / this.target
    const step = this.ratio * (1 + Math.max(-0.005, Math.min(0.005, error * 0.01)))
    for (let index = 0; index < left.length; index += 1) {
      left[index] = right[index] = 0
      if (this.faded < fade) {
        left[index] = this.tail[0][this.faded]
        right[index] = this.tail[1][this.faded]
        this.faded += 1
      }
      if (this.position === null) continue
      this.gain = Math.min(1, this.gain + 1 / fade)
      left[index] += this.gain * this.read(this.samples[0], this.position)
      right[index] += this.gain * this.read(this.samples[1], this.position)
      this.position += step
    }
    this.blocks += 1
    if (this.blocks % 16 === 0) {
      this.port.postMessage({
        position: this.position,
        at: currentTime,
        waiting: Math.max(0, waiting),
        gaps: this.gaps,
      })
    }
    return true
  }
}

registerProcessor("barline-listening", Listening)
