// Recordings: where one is, and how it sounds.

import { timeText } from "../model/text.js"
import { confirm } from "./dialog.js"
import { button, h, setAttribute, setText } from "./dom.js"
import { tell } from "./notices.js"

let playing
const sound = new Audio()
sound.preload = "none"
for (const type of ["ended", "pause", "playing"]) sound.addEventListener(type, show)
sound.addEventListener("error", () => {
  if (playing === undefined) return
  tell(`“${playing}” can't be played by this browser.`, "error")
  stop()
})

function address(name) {
  return `/api/recordings/${encodeURIComponent(name)}`
}

function stop() {
  playing = undefined
  sound.pause()
  show()
}

function toggle(name) {
  if (playing === name) return stop()
  playing = name
  sound.src = address(name)
  sound.play().catch(() => {})
  show()
}

/** Brings every button of a recording into line with what plays. */
function show() {
  if (sound.ended) playing = undefined
  for (const element of document.querySelectorAll("[data-take]")) label(element)
}

function label(element) {
  const name = element.dataset.take
  const word = playing === name ? "Stop" : "Play"
  setAttribute(element, "aria-label", `${word} ${name}`)
  setText(element.querySelector("span"), word)
}

/** A button that plays a recording on this page, or ends that. */
export function takeButton(name) {
  const element = button({
    label: `Play ${name}`,
    shown: "Play",
    key: `take-${name}`,
    press: () => toggle(name),
  })
  element.dataset.take = name
  label(element)
  return element
}

/** A link to a recording's file. */
export function takeLink(name, text = name) {
  return h("a", { href: address(name), download: name, text })
}

/** Says where a recording is that has just ended, and offers to play it. */
export function tellTake({ recordings, folder, seconds }) {
  const files = recordings.filter((name) => name.endsWith(".wav"))
  const sounds = files.filter((name) => !name.includes("/"))
  const [name] = sounds.length > 0 ? sounds : recordings
  if (!name) return
  const apart = files.length - sounds.length
  const more = apart > 0 ? `, and ${apart} ${apart === 1 ? "file" : "files"} of tracks and outputs,` : ""
  tell(`Recorded ${timeText(seconds)}: “${name}”${more} in ${folder}`, "info", [
    ...sounds.map(takeButton),
    takeLink(name, "Download"),
  ])
}

/** Keeps or throws away a recording that was broken off. */
export function rescueButtons(app, { name, session }) {
  const keep = async () => {
    const isSure =
      !session ||
      (await confirm(
        "Keep it without its place?",
        `“${name}” was recorded into a slot of “${session}”. Open that session first to have it there again; kept now, it ` +
          "is a file among the recordings.",
        "Keep the file",
      ))
    if (isSure) app.perform({ do: "keepTake", name })
  }
  const discard = async () => {
    const isSure = await confirm("Throw the recording away?", `“${name}” is deleted for good.`, "Throw it away")
    if (isSure) app.perform({ do: "discardTake", name })
  }
  return [
    button({
      label: `Keep ${name}`,
      shown: "Keep",
      key: `keep-${name}`,
      press: keep,
    }),
    button({ label: `Throw ${name} away`, shown: "Throw away", key: `discard-${name}`, press: discard }),
  ]
}

/** Offers recordings that were broken off when an earlier program ended, once on every page, until they are answered. */
export function offerRescued(app) {
  const told = new Map()
  app.onState(({ rescued = [] }) => {
    for (const [name, withdraw] of told) {
      if (rescued.some((take) => take.name === name)) continue
      told.delete(name)
      withdraw()
    }
    for (const take of rescued) {
      if (told.has(take.name)) continue
      const sounds = take.recordings
        .filter(({ kind, name }) => kind === "audio" && !name.includes("/"))
        .map(({ name }) => takeButton(name))
      const place = take.session ? ` of “${take.session}”` : ""
      const words = `A recording${place} of ${timeText(take.seconds)} was rescued: “${take.name}”`
      told.set(take.name, tell(words, "info", [...sounds, ...rescueButtons(app, take)]))
    }
  })
}
