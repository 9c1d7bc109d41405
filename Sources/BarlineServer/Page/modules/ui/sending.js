// What a hand does faster than the server answers: values that it moves, and places that it steps through.

/**
 * Of the values that a hand moves as many are sent as the server takes, and the last one of each target always.
 *
 * `send(value, target)` returns a promise; while one is under way only the latest value is kept. `target()` says what a value is for
 * at the time when it is set: what is kept of another target is not the next one's.
 */
export function pacer(send, target = () => undefined) {
  let isBusy = false
  let waiting = null

  async function run(set) {
    isBusy = true
    await send(set.value, set.target)
    isBusy = false
    if (!waiting) return
    const next = waiting
    waiting = null
    run(next)
  }

  return (value) => {
    const set = { value, target: target() }
    if (!isBusy) {
      run(set)
      return
    }
    if (waiting && waiting.target !== set.target) send(waiting.value, waiting.target)
    waiting = set
  }
}

// The state that shows a new place may come after the answer.
const grace = 200

/** Places of things that are moved step by step: each step counts from where the one before has asked it to be. */
export function stepper() {
  const asked = new Map()
  return {
    /** Where `key` was asked to be; `shown` where it is. */
    place: (key, shown) => asked.get(key)?.place ?? shown,
    /** Asks for `key` to be at `place`, by `send()`. */
    async ask(key, place, send) {
      const request = { place }
      asked.set(key, request)
      await send()
      await new Promise((resolve) => setTimeout(resolve, grace))
      if (asked.get(key) === request) asked.delete(key)
    },
  }
}
