// What sounds as long as a pointer or a key is held down.

/** Knows what is held, also where the element that was pressed is gone, or the window no longer hears of it. */
export class Holds {
  constructor() {
    this.held = new Map()
    for (const type of ["pointerup", "pointercancel"])
      addEventListener(type, ({ pointerId }) => this.end(`pointer ${pointerId}`))
    addEventListener("keyup", ({ code }) => this.end(`key ${code}`))
    // What is let go elsewhere is not heard of here.
    addEventListener("blur", () => this.endAll())
    document.addEventListener("visibilitychange", () => document.hidden && this.endAll())
  }

  /** Calls `release` when what `event` has pressed, a pointer or a key, is let go. */
  begin(event, release) {
    const name = event.pointerId === undefined ? `key ${event.code}` : `pointer ${event.pointerId}`
    this.end(name)
    this.held.set(name, release)
  }

  end(name) {
    const release = this.held.get(name)
    this.held.delete(name)
    release?.()
  }

  endAll() {
    for (const name of [...this.held.keys()]) this.end(name)
  }
}
