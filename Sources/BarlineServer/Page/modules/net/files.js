// What is asked for by HTTP.

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

/** The outputs that there are. */
export async function fetchOutputs() {
  return (await answer(await fetch("/api/outputs"))).outputs
}

/** The rooms of a Snapcast server, and what they can play. */
export async function fetchRooms() {
  return answer(await fetch("/api/rooms"))
}

/** The audio files of the session's folder and the library. */
export async function fetchLibrary() {
  return (await answer(await fetch("/api/library"))).files
}

/** Uploads an audio file; with `track` and `slot` it becomes a clip, with `stem` a stem, with `playlist` an item at that place. */
export async function uploadFile(file, place) {
  const url = `/api/files?${query({ name: file.name, track: place.track, slot: place.slot, stem: place.stem ? 1 : undefined, playlist: place.playlist })}`
  return answer(
    await fetch(url, { method: "PUT", body: file, headers: { "Content-Type": "application/octet-stream" } }),
  )
}
