// The places of pads: four to a row, sixteen to a page, from the lowest row up, as drum machines have them.

/** Pads of a page, and how many pages there are. */
export const pageSize = 16
export const pageCount = 4

// The keys of the places, row by row from the top, as they lie on the keyboard.
const keys = ["1234", "qwer", "asdf", "zxcv"]

/** The places of a page, row by row from the top. */
export function rowsOf(page) {
  return [3, 2, 1, 0].map((row) => [0, 1, 2, 3].map((column) => pageSize * page + 4 * row + column))
}

/** Says how many of the sounds that were added from a place on have no place on its page; `pads` are those before. */
const countElsewhere = (slot) =>
  function said({ pads }, { pads: added = [] }) {
    const end = slot - (slot % pageSize) + pageSize
    const free = end - slot - pads.filter((pad) => pad.slot >= slot && pad.slot < end).length
    return added.length > free ? `On other pages: ${added.length - free} of ${added.length} sounds.` : null
  }

/** What a pad that is dragged to another place is known by. */
export const padType = "text/x-barline-pad"

/** A place, for files and pads that are dropped there. */
export function padPlace(slot) {
  return {
    type: padType,
    move: (pad) => ({ do: "movePad", pad, slot }),
    to: { to: "pads", slot },
    said: countElsewhere(slot),
    // One sound for a pad that is there is another sound of that pad, which keeps what it was set to.
    exchange({ pads }, file) {
      const pad = pads.find((candidate) => candidate.slot === slot)
      return pad && { do: "editPad", pad: pad.id, set: file }
    },
  }
}

/** The place beside one on its page, where an arrow key says; `undefined` where there is none. */
export function placeBeside(slot, key) {
  const [column, row] = [slot % 4, Math.floor(slot / 4) % 4]
  const beside = {
    ArrowLeft: [column - 1, row],
    ArrowRight: [column + 1, row],
    ArrowUp: [column, row + 1],
    ArrowDown: [column, row - 1],
  }
  const [toColumn, toRow] = beside[key] ?? [-1, -1]
  if (toColumn < 0 || toColumn > 3 || toRow < 0 || toRow > 3) return undefined
  return slot - column - 4 * row + toColumn + 4 * toRow
}

/** The free places from one on, for files that are meant for none of them. */
export const freePlaces = (slot) => ({ to: { to: "pads", slot }, said: countElsewhere(slot) })

/** The key of a place. */
export function padKey(slot) {
  return keys[3 - (Math.floor(slot / 4) % 4)][slot % 4]
}

/** The place of a key on a page; `undefined` for any other key. */
export function padOfKey(event, page) {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : ""
  // With Shift a digit is another character; where the key lies is the same.
  const key = letter && !/[a-z0-9]/.test(letter) ? /^Digit(\d)$/.exec(event.code)?.[1] : letter
  if (!key) return undefined
  const row = keys.findIndex((row) => row.includes(key))
  return row < 0 ? undefined : pageSize * page + 4 * (3 - row) + keys[row].indexOf(key)
}

const names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]

/** A note of MIDI by its name: 36 is C1. */
export function noteText(note) {
  return `${names[note % 12]}${Math.floor(note / 12) - 2}`.replace("-", "−")
}
