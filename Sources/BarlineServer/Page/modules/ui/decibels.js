// Gains in dB, and the law of the faders.

/** The lowest gain a fader shows; below it is silence. */
export const floor = -60
/** The highest. */
export const ceiling = 6

// More way for what a mixer moves most: half of the way is the top 18 dB.
const law = [
  [0, floor],
  [0.05, -48],
  [0.25, -24],
  [0.5, -12],
  [0.8, 0],
  [1, ceiling],
]

function between(points, x, from, to) {
  if (x <= points[0][from]) return points[0][to]
  for (let index = 1; index < points.length; index += 1) {
    const a = points[index - 1]
    const b = points[index]
    if (x <= b[from]) return a[to] + ((x - a[from]) / (b[from] - a[from])) * (b[to] - a[to])
  }
  return points[points.length - 1][to]
}

/** The gain at a place of the fader, 0 … 1; `null` is silence. */
export function gainAt(place) {
  return place <= 0 ? null : Math.round(between(law, place, 0, 1) * 10) / 10
}

/** The place of a gain on the fader, 0 … 1. */
export function placeOf(gain) {
  return gain === null || gain === undefined || gain <= floor ? 0 : between(law, gain, 1, 0)
}

/** A gain as text, without its unit. */
export function gainText(gain) {
  if (gain === null || gain === undefined || gain === -Infinity) return "−∞"
  return `${gain > 0 ? "+" : gain < 0 ? "−" : ""}${Math.abs(gain).toFixed(1)}`
}

/** The highest gain that can be typed. */
export const highest = 24

/** The gain that a text means, however high; `undefined` where it means none. */
export function gainOf(text) {
  const plain = text
    .trim()
    .replace("−", "-")
    .replace(",", ".")
    .replace(/\s*dB$/i, "")
  if (plain === "-∞" || /^-?inf/i.test(plain)) return null
  const gain = Number(plain)
  return plain === "" || !Number.isFinite(gain) ? undefined : gain
}

/** A sample's magnitude in dB. */
export function decibels(magnitude) {
  return magnitude > 0 ? 20 * Math.log10(magnitude) : -Infinity
}
