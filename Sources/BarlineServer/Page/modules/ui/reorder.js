// A list whose rows are dragged to other places: by a grip with a finger, anywhere on the row with a mouse, by arrow
// keys on the grip.

import { stepper } from "./sending.js"

const threshold = 6
const edge = 56

// The place before which something at `y` would be put.
function placeAmong(rows, y) {
  for (const row of rows) {
    const box = row.getBoundingClientRect()
    if (y < box.top + box.height / 2) return Number(row.dataset.index)
  }
  const last = rows.at(-1)
  return last ? Number(last.dataset.index) + 1 : 0
}

// Arrow keys on a grip move its row.
function moveByKeys(list, { move, count }) {
  const steps = stepper()
  list.addEventListener("keydown", (event) => {
    const row = event.target.closest("[data-grip]")?.closest("[data-index]")
    if (!row) return
    const from = Number(row.dataset.index)
    const place = steps.place(row, from)
    const last = count() - 1
    const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    if (to !== place && to >= 0 && to <= last) steps.ask(row, to, () => move(from, to))
  })
}

/**
 * Makes the children of `list` movable; each has its place in `data-index` and a grip with `data-grip`. `move(from, to)`
 * is called with the places in the list as it is and as it will be; `cover`, if there is one, stays where it is over what
 * is scrolled.
 */
export function reorderable(list, { scroller, line, move, count, cover = null }) {
  let drag = null

  const rows = () => [...list.children].filter((row) => row.checkVisibility())
  // Where the list begins to be seen.
  const top = () => Math.max(scroller().getBoundingClientRect().top, cover?.getBoundingClientRect().bottom ?? 0)
  const placeAt = (y) => placeAmong(rows(), Math.max(y, top()))

  /** Shows the place before which something would be put; `null` for none. */
  function show(place) {
    line.hidden = place === null
    if (place === null) return
    const seen = rows()
    const next = seen.find((row) => Number(row.dataset.index) >= place)
    const last = seen.at(-1)
    const offset = next ? next.offsetTop : last ? last.offsetTop + last.offsetHeight : 0
    line.style.setProperty("transform", `translateY(${offset}px)`)
  }

  function begin(event, row) {
    drag = { row, pointer: event.pointerId, start: event.clientY, y: event.clientY, isMoving: false }
  }

  function step() {
    if (!drag?.isMoving) return
    const above = drag.y - top()
    const below = scroller().getBoundingClientRect().bottom - drag.y
    const speed = above < edge ? above - edge : below < edge ? edge - below : 0
    if (speed !== 0) scroller().scrollBy(0, speed / 4)
    show(placeAt(drag.y))
    requestAnimationFrame(step)
  }

  function follow(event) {
    if (!drag || event.pointerId !== drag.pointer) return
    // It was let go where nothing of it was heard here.
    if (event.buttons === 0) return end(false)
    drag.y = event.clientY
    if (!drag.isMoving && Math.abs(drag.y - drag.start) > threshold) {
      drag.isMoving = true
      list.setPointerCapture(event.pointerId)
      drag.row.classList.add("dragged")
      requestAnimationFrame(step)
    }
    if (drag.isMoving) event.preventDefault()
  }

  function end(isDropped) {
    if (!drag) return
    const { row, isMoving, y } = drag
    drag = null
    row.classList.remove("dragged")
    show(null)
    if (!isMoving || !isDropped || !row.isConnected) return
    const from = Number(row.dataset.index)
    const place = placeAt(y)
    const to = place > from ? place - 1 : place
    if (to !== from) move(from, to)
  }

  list.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("[data-index]")
    const isOnGrip = Boolean(event.target.closest("[data-grip]"))
    if (!row || event.button !== 0) return
    if (!isOnGrip && (event.pointerType !== "mouse" || event.target.closest("button, a, input"))) return
    begin(event, row)
  })
  list.addEventListener("pointermove", follow)
  const isDrags = (event) => event.pointerId === drag?.pointer
  list.addEventListener("pointerup", (event) => isDrags(event) && end(true))
  list.addEventListener("pointercancel", (event) => isDrags(event) && end(false))
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drag?.isMoving) {
      event.stopPropagation()
      end(false)
    }
  })
  moveByKeys(list, { move, count })
  return { placeAt, show }
}
