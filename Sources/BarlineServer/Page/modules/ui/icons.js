// The page's own drawings, on a grid of 24.

const shapes = {
  play: "M8 5v14l11-7z",
  stop: "M6.5 6.5h11v11h-11z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  record: "M12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
  scene: "M4 6v12l7-6zM12 6v12l8-6z",
  next: "M6 5v14l9-7zM16 5h3v14h-3z",
  previous: "M18 5v14l-9-7zM5 5h3v14H5z",
  panic: "M8.2 3h7.6L21 8.2v7.6L15.8 21H8.2L3 15.8V8.2zM11 7v6h2V7zM11 15v2h2v-2z",
}

const lines = {
  click: "M9 3h6l4 18H5zM12 15l6-10M6.5 15h11",
  undo: "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12H9",
  redo: "M16 5l4 4-4 4M20 9h-9a6 6 0 0 0 0 12h4",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  edit: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  close: "M6 6l12 12M18 6L6 18",
  add: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  grid: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  mixer: "M6 4v16M12 4v16M18 4v16M3.5 9h5M9.5 15h5M15.5 8h5",
  stems: "M3 7h4M9 5v4M9 7h12M3 12h10M15 10v4M15 12h6M3 17h2M7 15v4M7 17h14",
  list: "M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01",
  settings:
    "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1",
  listen: "M4 13a8 8 0 0 1 16 0M4 13v5h3v-6M20 13v5h-3v-6",
  zoomIn: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 21 21M7.5 10.5h6M10.5 7.5v6",
  zoomOut: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 21 21M7.5 10.5h6",
  fit: "M4 5v14M20 5v14M7 12h10M10 9l-3 3 3 3M14 9l3 3-3 3",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  flag: "M6 21V4h11l-3 4 3 4H6",
  loop: "M17 3l4 4-4 4M3 11V9a2 2 0 0 1 2-2h16M7 21l-4-4 4-4M21 13v2a2 2 0 0 1-2 2H3",
  shuffle: "M3 7h4l10 10h4M3 17h4l3-3M14 10l3-3h4M18 4l3 3-3 3M18 14l3 3-3 3",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  volume: "M4 9v6h4l5 4V5L8 9zM16.5 9a4 4 0 0 1 0 6",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
}

const namespace = "http://www.w3.org/2000/svg"

/**
 * The drawing of that name, or one that is given as the path of a `shape` or of a `line`, for a button; it is hidden from screen
 * readers, who hear the button's label.
 */
export function icon(name, size = 22) {
  const { shape, line } = name.shape || name.line ? name : { shape: shapes[name], line: lines[name] }
  const drawing = document.createElementNS(namespace, "svg")
  drawing.setAttribute("viewBox", "0 0 24 24")
  drawing.setAttribute("width", size)
  drawing.setAttribute("height", size)
  drawing.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(namespace, "path")
  path.setAttribute("d", shape ?? line)
  if (shape) {
    path.setAttribute("fill", "currentColor")
    path.setAttribute("fill-rule", "evenodd")
  } else {
    path.setAttribute("fill", "none")
    path.setAttribute("stroke", "currentColor")
    path.setAttribute("stroke-width", "2")
    path.setAttribute("stroke-linecap", "round")
    path.setAttribute("stroke-linejoin", "round")
  }
  drawing.append(path)
  return drawing
}
