// Colours of clips: any the user likes, made to show on the stage's ground.

/** The colours offered for clips. */
export const palette = [
  "#e8825a",
  "#e0b040",
  "#8fbf4f",
  "#4fb89a",
  "#4fa8cf",
  "#5b8dd6",
  "#a07fd8",
  "#d877a8",
  "#a3adb8",
]

function parts(hex) {
  const value = parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** `#rrggbb` of whatever a document says, or of a place in the palette where it says nothing usable. */
export function clipColour(colour, place = 0) {
  return isColour(colour) ? colour : palette[place % palette.length]
}

/** Whether a document's colour is one that can be shown. */
export function isColour(colour) {
  return /^#[0-9a-f]{6}$/i.test(colour ?? "")
}

/** What a track is shown in: its own colour, else that of its first clip that has one, else its place's. */
export function trackColour(track, place) {
  const own = [track.color, ...(track.clips ?? []).map((clip) => clip.color)]
  return own.find((colour) => isColour(colour)) ?? clipColour(null, place)
}

/** What a stem is shown in; those without a colour begin further on in the palette than the tracks beside them. */
export function stemColour(stem, place) {
  return clipColour(stem.color, place + 3)
}

/** Between two colours; at 0 the first, at 1 the second. */
export function mix(first, second, amount) {
  const a = parts(first)
  const b = parts(second)
  const channel = (index) => Math.round(a[index] + (b[index] - a[index]) * amount)
  return `#${[0, 1, 2].map((index) => channel(index).toString(16).padStart(2, "0")).join("")}`
}

/** The colour of a waveform: a clip's own, moved towards what shows on the theme's ground. */
export function waveColour(colour, amount = 0.25) {
  const toward = getComputedStyle(document.documentElement).getPropertyValue("--wave-toward").trim()
  const isLight = document.documentElement.dataset.theme === "light"
  return mix(colour, toward, isLight ? amount + 0.25 : amount)
}
