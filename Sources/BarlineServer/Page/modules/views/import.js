// Audio files, dropped or picked: each is uploaded and becomes a clip.

import { h } from "../ui/dom.js"
import { tell } from "../ui/notices.js"

/** What a clip that is dragged within the grid is known by. */
export const clipType = "text/x-barline-clip"

async function filesOf(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))]
  if (!entry.isDirectory) return []
  const reader = entry.createReader()
  const found = []
  for (;;) {
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) break
    for (const child of entries.sort((a, b) => a.name.localeCompare(b.name))) found.push(...(await filesOf(child)))
  }
  return found
}

/** Takes what was dropped: files, and folders of them. `place` may name a track, a slot, or stems. */
export async function takeFiles(app, transfer, place) {
  const clip = transfer.getData(clipType)
  if (clip) return app.perform({ do: "moveClip", clip, ...place })
  // What a drop has can only be asked for at once, before anything is waited for.
  const plain = [...transfer.files]
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  const files = []
  for (const entry of entries) files.push(...(await filesOf(entry)))
  if (entries.length === 0) files.push(...plain)
  await upload(app, files, place)
}

/** Uploads files one after the other, to places one after the other; those that are no audio are refused by the server, which says why. */
export async function upload(app, files, place) {
  let { slot, playlist } = place
  for (const file of files) {
    if (file.name.startsWith(".")) continue
    if (files.length > 1) tell(`Adding ${file.name}…`)
    const added = await app.upload(file, { ...place, slot, playlist })
    if (added && slot !== undefined) slot += 1
    if (added && playlist !== undefined) playlist += 1
  }
}

/** Asks for files. */
export function pickFiles(app, place) {
  const input = h("input", {
    type: "file",
    accept: "audio/*,.wav,.flac,.mp3,.ogg,.opus,.aif,.aiff,.m4a",
    multiple: true,
  })
  input.addEventListener("change", () => upload(app, [...input.files], place))
  input.click()
}

/** Lets a place of the grid take files, and clips from other places. */
export function acceptDropsOn(app, element, place) {
  element.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.some((type) => type === "Files" || type === clipType)) return
    event.preventDefault()
    event.stopPropagation()
    element.classList.add("target")
  })
  element.addEventListener("dragleave", () => element.classList.remove("target"))
  element.addEventListener("drop", (event) => {
    event.preventDefault()
    event.stopPropagation()
    element.classList.remove("target")
    takeFiles(app, event.dataTransfer, place)
  })
}

/** Lets the whole page take files. */
export function acceptDrops(app) {
  const body = document.body
  let depth = 0
  const has = (event) => event.dataTransfer?.types.includes("Files")
  const count = (to) => {
    depth = Math.max(0, to)
    body.classList.toggle("dropping", depth > 0)
  }
  body.dataset.drop = "Drop audio to add it"
  body.addEventListener("dragenter", (event) => has(event) && count(depth + 1))
  body.addEventListener("dragleave", (event) => has(event) && count(depth - 1))
  body.addEventListener("dragover", (event) => has(event) && event.preventDefault())
  // Wherever it is dropped, and whoever takes it.
  body.addEventListener("drop", () => count(0), { capture: true })
  body.addEventListener("drop", (event) => {
    if (!has(event)) return
    event.preventDefault()
    takeFiles(app, event.dataTransfer, app.dropPlace())
  })
}
