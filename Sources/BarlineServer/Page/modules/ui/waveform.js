// Waveforms on a canvas, from pairs of lowest and highest sample.

/** Fits a canvas to its box; returns whether it has a size. */
export function fit(canvas) {
  const density = window.devicePixelRatio || 1
  const width = Math.round(canvas.clientWidth * density)
  const height = Math.round(canvas.clientHeight * density)
  if (width === 0 || height === 0) return false
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  return true
}

/**
 * Draws points `from` … `to` (fractions of the whole, which may lie outside 0 … 1) over the canvas's width.
 * `points` has `min`, `max` and, where it is known, `rms`, each in −1 … 1.
 */
export function drawWaveform(context, points, { from = 0, to = 1, colour, scale = 1, rms = true }) {
  const { width, height } = context.canvas
  const count = points.max.length
  const middle = height / 2
  const reach = (height / 2 - 1) * scale
  const perPixel = ((to - from) * count) / width
  context.fillStyle = colour
  const column = (list, first, last, pick) => {
    let value = list[first]
    for (let index = first + 1; index <= last; index += 1) value = pick(value, list[index])
    return value
  }
  const draw = (low, high) => {
    for (let x = 0; x < width; x += 1) {
      const first = Math.floor(from * count + x * perPixel)
      if (first < 0 || first >= count) continue
      const last = Math.min(count - 1, Math.max(first, Math.floor(from * count + (x + 1) * perPixel) - 1))
      const top = middle - Math.min(1, column(high, first, last, Math.max)) * reach
      const bottom = middle - Math.max(-1, column(low, first, last, Math.min)) * reach
      context.fillRect(x, top, 1, Math.max(1, bottom - top))
    }
  }
  if (rms && points.rms) {
    context.globalAlpha = 0.45
    draw(points.min, points.max)
    context.globalAlpha = 1
    draw(
      points.rms.map((value) => -value),
      points.rms,
    )
  } else {
    draw(points.min, points.max)
  }
}

/** How much a waveform may be enlarged so that its highest peak fills the height; quiet ones stay smaller than loud ones. */
export function scaleOf(points) {
  let peak = 0
  for (let index = 0; index < points.max.length; index += 1)
    peak = Math.max(peak, points.max[index], -points.min[index])
  return peak > 0 ? Math.min(4, 0.95 / Math.sqrt(peak)) : 1
}
