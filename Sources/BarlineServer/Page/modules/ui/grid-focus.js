// The keyboard's way through a grid: one stop for the tab key, arrows from cell to cell.

const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }

// The cells' first buttons, row by row; the heading's controls are stops of their own.
function places(grid) {
  return [...grid.querySelectorAll("[role=row]")]
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.querySelector("button")))
}

/** Makes the grid's cells one stop; to be called when they are new. */
export function rove(grid) {
  const all = places(grid).flat()
  const current = all.find((place) => place === document.activeElement) ?? all[0]
  for (const place of all) place.tabIndex = place === current ? 0 : -1
}

/** Lets arrows move the focus, and whatever is focused be the stop to come back to. */
export function focusByArrows(grid) {
  grid.addEventListener("focusin", ({ target }) => {
    const all = places(grid).flat()
    if (all.includes(target)) for (const place of all) place.tabIndex = place === target ? 0 : -1
  })
  grid.addEventListener("keydown", (event) => {
    const step = steps[event.key]
    const rows = places(grid)
    const row = rows.findIndex((row) => row.includes(event.target))
    const end = { Home: 0, End: -1 }[event.key]
    if ((!step && end === undefined) || row < 0 || event.defaultPrevented) return
    event.preventDefault()
    if (step) rows[row + step[0]]?.[rows[row].indexOf(event.target) + step[1]]?.focus()
    else
      rows
        .at(event.ctrlKey ? end : row)
        .at(end)
        ?.focus()
  })
}

/**
 * Hides an editor, and gives the focus that was in it back to what was edited: `edited()` finds its button, and where that is
 * gone the grid's own stop gets it.
 */
export function hideEditor(editor, edited) {
  const hadFocus = editor.contains(document.activeElement)
  editor.hidden = true
  if (!hadFocus) return
  // What was removed is in the grid until that is drawn anew.
  requestAnimationFrame(() => {
    const { activeElement } = document
    if (activeElement !== document.body && !editor.contains(activeElement)) return
    const stops = [...document.querySelectorAll("[role=grid] [tabindex='0']")]
    const place = edited() ?? stops.find((stop) => stop.checkVisibility())
    place?.focus()
  })
}
