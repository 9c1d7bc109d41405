// Values that a hand moves: as many are sent as the server takes, and the last one of each target always.

/**
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
