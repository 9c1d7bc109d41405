// Audio files, dropped or picked: each is uploaded and becomes a clip.

import { h } from "../ui/dom.js"
import { tell } from "../ui/notices.js"

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
  const clip = transfer.getData("text/x-barline-clip")
  if (clip) return app.perform({ do: "moveClip", clip, ...place })
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  const files = []
  for (const entry of entries) files.push(...(await filesOf(entry)))
  await upload(app, files, place)
}

/** Uploads files one after the other; those that are no audio are refused by the server, which says why. */
export async function upload(app, files, place) {
  let slot = place.slot
  for (const file of files) {
    if (file.name.startsWith(".")) continue
    if (files.length > 1) tell(`Adding ${file.name}…`)
    const added = await app.upload(file, { ...place, slot })
    if (added && slot !== undefined) slot += 1
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

/** Lets the whole page take files. */
export function acceptDrops(app) {
  const body = document.body
  let depth = 0
  const has = (event) => event.dataTransfer?.types.includes("Files")
  body.dataset.drop = "Drop audio to add it"
  body.addEventListener("dragenter", (event) => {
    if (!has(event)) return
    depth += 1
    body.classList.add("dropping")
  })
  body.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1)
    if (depth === 0) body.classList.remove("dropping")
  })
  body.addEventListener("dragover", (event) => has(event) && event.preventDefault())
  body.addEventListener(
    "drop",
    (event) => {
      depth = 0
      body.classList.remove("dropping")
      if (!has(event)) return
      event.preventDefault()
      takeFiles(app, event.dataTransfer, app.dropPlace())
    },
    { capture: false },
  )
}
