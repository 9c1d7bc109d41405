// What was asked for and is shown already, while the server still says what was before.

/** How long what the server says may be from before it was asked, in milliseconds. */
const settling = 250

/** Whether what is shown is ahead of what the server says. */
export class Lead {
  constructor() {
    this.isOn = false
    this.turn = 0
  }

  /** Is ahead, for as long as something is chosen. */
  begin() {
    this.isOn = true
    this.turn += 1
  }

  /** Is ahead until a promise is fulfilled, and for a little longer, unless something else was asked for meanwhile. */
  async until(done) {
    this.begin()
    const { turn } = this
    await done
    await new Promise((resolve) => setTimeout(resolve, settling))
    if (turn === this.turn) this.isOn = false
  }
}
