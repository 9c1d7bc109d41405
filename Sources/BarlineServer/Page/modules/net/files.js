// Requests over HTTP.

async function answer(response) {
  if (response.ok) return response.json()
  const said = await response.json().catch(() => ({}))
  throw new Error(said.message ?? `The server answered ${response.status}.`)
}

function query(values) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  // A space is %20 here: a plus sign in an address is one.
  return known.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join("&")
}

/** The shape of a clip or stem: `{min, max, rms}`, each in −1 … 1. */
export async function fetchWaveform(options) {
  const data = await answer(await fetch(`/api/waveform?${query(options)}`))
  const scaled = (list) => Float32Array.from(list, (value) => value / 127)
  return { ...data, min: scaled(data.min), max: scaled(data.max), rms: scaled(data.rms) }
}

/** What is heard in a clip's file. */
export async function fetchAnalysis(options) {
  return answer(await fetch(`/api/analysis?${query(options)}`))
}

/** The cover in the file of an item of the playlist, as a `Blob`; `null` where there is none. */
export async function fetchCover(item) {
  const response = await fetch(`/api/cover?${query({ item })}`)
  return response.status === 200 ? response.blob() : null
}

/** The outputs that there are. */
export async function fetchOutputs() {
  return (await answer(await fetch("/api/outputs"))).outputs
}

/** The rooms of a Snapcast server, and what they can play. */
export async function fetchRooms() {
  return answer(await fetch("/api/rooms"))
}

/** What the session's file was before it was saved, the latest first. */
export async function fetchVersions() {
  return (await answer(await fetch("/api/versions"))).versions
}

/** The audio files of the session's folder and the library. */
export async function fetchLibrary() {
  return (await answer(await fetch("/api/library"))).files
}

const audioNames = /\.(wav|aiff?|flac|og[ga]|opus|mp[34]|m4a|aac|caf|w64|rf64|wv|mka|webm)$/i

/** Whether a file is called like audio that the server may know. */
export function isAudioName(name) {
  return audioNames.test(name)
}

/** Uploads an audio file; fulfilled with its name in the session. `progress` is called with the bytes sent so far. */
export function uploadFile(file, { signal, progress }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    // A file that is stored under a name with a dot before it is hidden, and some names no system takes.
    const name = file.name.replace(/^\.+/, "").replace(/[\\\p{Cc}]/gu, "_")
    request.open("PUT", `/api/files?${query({ name })}`)
    request.responseType = "json"
    request.setRequestHeader("Content-Type", "application/octet-stream")
    request.upload.addEventListener("progress", ({ loaded }) => progress(Math.min(loaded, file.size)))
    request.addEventListener("load", () => {
      if (request.status < 300) resolve(request.response)
      else reject(new Error(request.response?.message ?? `the server answered ${request.status}`))
    })
    request.addEventListener("error", () => reject(new Error("could not be sent")))
    request.addEventListener("abort", () => reject(new Error("was not sent")))
    signal.addEventListener("abort", () => request.abort())
    request.send(file)
  })
}

/** Performs an action that may be longer than a message of the socket. */
export async function performByRequest(action) {
  const headers = { "Content-Type": "application/json" }
  const response = await fetch("/api/actions", { method: "POST", body: JSON.stringify(action), headers }).catch(() => {
    throw new Error("Barline can’t be reached")
  })
  const { results } = await answer(response)
  if (!results[0].ok) throw new Error(results[0].message)
  return results[0]
}
