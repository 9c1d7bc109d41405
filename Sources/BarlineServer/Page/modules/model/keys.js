// The keys of the grid, as the terminal's instrument has them: a row of letters a scene, a letter a track.

const rows = ["qwertyui", "asdfghjk", "zxcvbnm,", "12345678"]

/** The key of a place in the grid; empty where the keyboard is too small. */
export function keyLabel(track, slot) {
  return rows[slot]?.[track] ?? ""
}

/** The place of a key: `{track, slot}`, `{scene}`, or `undefined`. */
export function placeOfKey(event) {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : ""
  for (const [slot, row] of rows.entries()) {
    const track = letter ? row.indexOf(letter) : -1
    if (track >= 0) return event.shiftKey && /[a-z]/.test(letter) ? { scene: slot } : { track, slot }
  }
  const number = /^F([1-8])$/.exec(event.key)
  return number ? { scene: Number(number[1]) - 1 } : undefined
}
