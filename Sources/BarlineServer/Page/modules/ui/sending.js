// Values that a hand moves: as many are sent as the server takes, and the last one always.

/** `send(value)` returns a promise; while one is under way only the latest value is kept. */
export function pacer(send) {
  let isBusy = false
  let waiting = null

  async function run(value) {
    isBusy = true
    await send(value)
    isBusy = false
    if (waiting) {
      const [next] = waiting
      waiting = null
      run(next)
    }
  }

  return (value) => {
    if (isBusy) waiting = [value]
    else run(value)
  }
}
