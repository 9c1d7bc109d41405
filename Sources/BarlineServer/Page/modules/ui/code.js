// A QR code, drawn from rows of zeros and ones.

const namespace = "http://www.w3.org/2000/svg"

/** Squares of nothing around a code, without which cameras don't find it. */
const quiet = 4

/** Draws a code; dark on light in every theme, as cameras want it. */
export function pictureCode(rows, label) {
  if (!rows) return null
  const size = rows.length + 2 * quiet
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ index, 0: run }) => `M${index + quiet} ${y + quiet}h${run.length}v1h-${run.length}z`,
    ),
  )
  const drawing = document.createElementNS(namespace, "svg")
  drawing.setAttribute("viewBox", `0 0 ${size} ${size}`)
  drawing.setAttribute("shape-rendering", "crispEdges")
  drawing.setAttribute("class", "code")
  drawing.setAttribute("role", "img")
  drawing.setAttribute("aria-label", label)
  const path = document.createElementNS(namespace, "path")
  path.setAttribute("d", runs.join(""))
  drawing.append(path)
  return drawing
}
