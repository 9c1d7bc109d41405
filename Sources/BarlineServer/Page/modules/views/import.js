// Audio files, dropped or picked: they are uploaded, and then added in one step, each to a place of its own.

import { isAudioName, performByRequest, uploadFile } from "../net/files.js"
import { ask } from "../ui/dialog.js"
import { button, h } from "../ui/dom.js"
import { tell, working } from "../ui/notices.js"
import { addedText, leftOutText } from "./import-text.js"

/** What a clip that is dragged within the grid is known by. */
export const clipType = "text/x-barline-clip"

// Uploads at a time: one computes what the other one waits for.
const lanes = 3
// What the server takes in one step.
const most = 512
// Below these sizes no progress is shown.
const longFile = 4e6

const inOrder = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })
const byName = (first, second) => inOrder.compare(first.name, second.name)
// A playlist has the order in which its files were chosen.
const arranged = (files, place) => (place.playlist === undefined ? [...files].sort(byName) : [...files])
const titleOf = (name) => name.replace(/\.[^.]*$/, "")

// What of an entry can be read; the names of what can't be go to `lost`.
async function filesOf(entry, lost) {
  try {
    return await readEntry(entry, lost)
  } catch {
    lost.push(entry.name)
    return []
  }
}

async function readEntry(entry, lost) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))]
  if (!entry.isDirectory) return []
  const reader = entry.createReader()
  const children = []
  for (;;) {
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) break
    children.push(...entries)
  }
  const found = []
  for (const child of children.sort(byName)) found.push(...(await filesOf(child, lost)))
  return found
}

/**
 * Takes what was dropped: files, and folders of them. `place` may name a track, a slot, stems or a place of the playlist, or be one of a part:
 * then `type` and `move(id)` are for what else can be dropped there, `to` says where files go, and `exchange(session, file)` what one
 * file is for that is dropped on what is there.
 */
export async function takeFiles(app, transfer, place) {
  const clip = transfer.getData(clipType)
  if (clip) return app.perform({ do: "moveClip", clip, ...place })
  const moved = place.type && transfer.getData(place.type)
  if (moved) return app.perform(place.move(moved))
  // The items of a drop must be read at once, before the first await.
  const plain = arranged(transfer.files, place)
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  if (entries.length === 0) return importFiles(app, plain, place)
  const files = []
  const lost = []
  for (const entry of arranged(entries, place)) files.push(...(await filesOf(entry, lost)))
  if (lost.length > 0)
    tell(
      leftOutText(
        lost.map((name) => ({ name, error: "It can’t be read." })),
        [],
      ),
      "error",
    )
  const folder = entries.find((entry) => entry.isDirectory)
  const isAsked = folder && !place.stem && place.playlist === undefined && !place.to
  const chosen = isAsked ? await askLayout(app, folder.name, files, place) : place
  if (chosen) await importFiles(app, files, chosen)
}

/** Asks how the files of a folder are laid out; fulfilled with their place, with `undefined` where they are not wanted. */
function askLayout(app, folder, files, place) {
  const count = files.filter(({ name }) => isAudioName(name)).length
  if (count < 2) return place
  const track = app.state.session.tracks.find(({ id }) => id === place.track)
  const down = track ? place : { name: folder }
  return ask(`Add the ${count} files of “${folder}”`, (close) => [
    h(
      "div",
      { class: "choices" },
      button({
        label: `Down one track: ${track?.name ?? folder}`,
        kind: "quiet",
        autofocus: true,
        press: () => close(down),
      }),
      button({ label: "One track each", kind: "quiet", press: () => close({ ...place, spread: "each" }) }),
    ),
    h("div", { class: "actions" }, button({ label: "Cancel", press: () => close(undefined) })),
  ])
}

/** Adds files at a place, one after the other; those that can't be read are reported by name, and the others are added all the same. */
export function importFiles(app, files, place) {
  return sendFiles(files, async (stored) => {
    while (stored.length > 0) {
      if (place.playlist) await insert(place.playlist, stored[0])
      else await add(app, stored.slice(0, most), place)
      stored.splice(0, place.playlist ? 1 : most)
    }
  })
}

/**
 * Uploads audio files, and says how far it is; `use(stored)` has what the session calls those that came, with their names. Where it
 * fails, those that are in `stored` then are named.
 */
export async function sendFiles(files, use) {
  // Files that operating systems leave in folders are skipped.
  const wanted = files.filter(({ name }) => !name.startsWith(".") || (isAudioName(name) && !name.startsWith("._")))
  const audio = wanted.filter(({ name }) => isAudioName(name))
  const foreign = wanted.filter(({ name }) => !isAudioName(name)).map(({ name }) => name)
  const problems = []
  const stop = new AbortController()
  const isLong = audio.length > 1 || audio.some(({ size }) => size > longFile)
  const shown = isLong ? working(() => stop.abort()) : null
  let stored = []
  try {
    stored = await upload(audio, problems, stop.signal, (said, share) => shown?.show(said, share))
    shown?.show("Adding to the set…", 1)
    await use(stored)
  } catch (error) {
    const names = stored.map(({ name }) => name).join(", ")
    if (names === "") tell(error.message, "error")
    else problems.push({ name: names, error: `sent, and not added: ${error.message}` })
  } finally {
    shown?.end()
  }
  if (problems.length + foreign.length > 0) tell(leftOutText(problems, foreign), "error")
}

/** Uploads files and says how far it is; fulfilled with what the session calls those that came, in their order. */
async function upload(files, problems, signal, say) {
  const bytes = files.map(() => 0)
  const whole = files.reduce((sum, { size }) => sum + size, 0)
  const stored = []
  let next = 0
  let done = 0
  const show = (name) =>
    say(
      files.length > 1 ? `Adding ${done + 1} of ${files.length}: ${name}` : `Adding ${name}`,
      bytes.reduce((sum, count) => sum + count, 0) / Math.max(1, whole),
    )
  const lane = async () => {
    while (next < files.length && !signal.aborted) {
      const index = next++
      const file = files[index]
      try {
        const progress = (count) => {
          bytes[index] = count
          show(file.name)
        }
        progress(0)
        const { file: path } = await uploadFile(file, { signal, progress })
        stored[index] = { file: path, name: titleOf(file.name) }
      } catch (error) {
        if (!signal.aborted) problems.push({ name: file.name, error: error.message })
      }
      done += 1
      if (done < files.length) show(file.name)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return signal.aborted ? [] : stored.filter(Boolean)
}

async function add(app, files, place) {
  const { session } = app.state
  const exchange = files.length === 1 && place.exchange?.(session, files[0])
  if (exchange) return app.perform(exchange)
  const { track, slot, name, spread } = place
  const action = { do: "importFiles", files }
  if (place.stem) action.to = "stems"
  else if (place.to) Object.assign(action, place.to)
  else if (spread === "each") Object.assign(action, { tracks: "each", track, slot })
  else if (name) action.name = name
  else Object.assign(action, { track: track ?? session.tracks[0]?.id, slot })
  const { result } = await performByRequest(action)
  for (const { file, error } of result.problems ?? []) tell(`${file}: ${error}`, "error")
  const said = result.placed ? addedText(result.placed) : place.said?.(session, result)
  if (said) tell(said)
}

function insert(list, { file, name }) {
  return list.add(file, titleOf(file.slice(file.lastIndexOf("/") + 1)) === name ? undefined : name)
}

/** Asks for files, which are added at a place. */
export function pickFiles(app, place) {
  chooseFiles({ multiple: !place.single }, (files) => importFiles(app, arranged(files, place), place))
}

/** Asks for audio files; `use(files)` is called with those that were chosen. */
export function chooseFiles({ multiple }, use) {
  const input = h("input", { type: "file", accept: "audio/*,.wav,.flac,.mp3,.ogg,.opus,.aif,.aiff,.m4a", multiple })
  input.addEventListener("change", () => use([...input.files]))
  input.click()
}

/** Lets a place of the grid take files, and, where it is a slot, clips from other places. */
export function acceptDropsOn(app, element, place) {
  const takes = ["Files", place.slot !== undefined && clipType, place.type]
  const has = (event) => event.dataTransfer.types.some((type) => takes.includes(type))
  element.addEventListener("dragover", (event) => {
    if (!has(event)) return
    event.preventDefault()
    event.stopPropagation()
    element.classList.add("target")
  })
  element.addEventListener("dragleave", () => element.classList.remove("target"))
  element.addEventListener("drop", (event) => {
    if (!has(event)) return
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
  // On any drop, whichever element takes it.
  body.addEventListener("drop", () => count(0), { capture: true })
  body.addEventListener("drop", (event) => {
    if (!has(event)) return
    event.preventDefault()
    takeFiles(app, event.dataTransfer, app.dropPlace())
  })
}
