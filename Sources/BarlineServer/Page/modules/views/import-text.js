// What is said about files that were added, and about those that were not.

// Names that one notice has room for.
const some = 6

function list(texts) {
  const rest = texts.length - some
  return texts.slice(0, some).join(", ") + (rest > 0 ? ` and ${rest} more` : "")
}

/** What an import has done, where that is not seen at a glance: `placed` are the clips that were made. */
export function addedText(placed) {
  return placed.length > 1 ? `${placed.length} clips added.` : null
}

/** Which files were left out, and why: each that could not be read, and some of those that are no audio at all. */
export function leftOutText(problems, foreign) {
  const told = [
    problems.map(({ name, error }) => `${name}: ${error}`).join("; "),
    foreign.length > 0 ? `no audio: ${list(foreign)}` : "",
  ]
  return `Left out: ${told.filter(Boolean).join("; ")}`
}
