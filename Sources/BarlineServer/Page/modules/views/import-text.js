// What is said about files that were added, and about those that were not.

// Names that one notice has room for.
const some = 6

function list(texts) {
  const rest = texts.length - some
  return texts.slice(0, some).join(", ") + (rest > 0 ? ` and ${rest} more` : "")
}

function gainText(decibels) {
  return `${decibels < 0 ? "−" : "+"}${Math.abs(decibels).toFixed(1)} dB`
}

/** What an import has done, where that is not seen: `placed` are the clips that were made. */
export function addedText(placed) {
  const matched = placed.filter(({ matched }) => matched !== undefined)
  if (placed.length === 1) {
    const [{ name, matched: gain }] = placed
    return gain === undefined ? null : `${name}: matched: ${gainText(gain)}`
  }
  const count = `${placed.length} clips added`
  if (matched.length === 0) return `${count}.`
  return `${count}; matched in loudness: ${list(matched.map(({ name, matched }) => `${name} ${gainText(matched)}`))}.`
}

// Some reasons name the file themselves.
function reason({ name, error }) {
  const said = error.replace(/\.+$/, "")
  return said.includes(name) ? said : `${name}: ${said}`
}

/** Which files were left out, and why: each that could not be read, and some of those that are no audio at all. */
export function leftOutText(problems, foreign) {
  const told = [problems.map(reason).join("; "), foreign.length > 0 ? `no audio: ${list(foreign)}` : ""]
  return `Left out: ${told.filter(Boolean).join("; ")}`
}
