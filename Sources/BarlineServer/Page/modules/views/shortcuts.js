// The keyboard, as the terminal's instrument has it.

import { placeOfKey } from "../model/keys.js"

const typing = "input:not([type=range]):not([type=checkbox]), select, textarea, dialog, [role=menu]"

function clipAt(app, { track, slot }) {
  return app.state.session.tracks[track]?.clips.find((clip) => clip.slot === slot)
}

/** Listens to keys wherever nothing is being typed. */
export function listenToKeys(app) {
  const held = new Map()

  function launch(event, place) {
    if (place.scene !== undefined) {
      if (place.scene < app.rowCount()) app.perform({ do: "launchScene", scene: place.scene })
      return
    }
    const clip = clipAt(app, place)
    const track = app.state.session.tracks[place.track]
    if (clip) app.perform({ do: "launch", clip: clip.id })
    else if (track) app.perform({ do: "stop", track: track.id })
    if (clip?.launchMode === "gate" || clip?.launchMode === "repeat") held.set(event.code, clip.id)
  }

  function space() {
    if (app.view === "playlist") return app.togglePlaylist()
    const plays = app.live.tracks.some((track) => track.playing || track.queued)
    if (plays) app.perform({ do: "stopAll" })
    else app.perform({ do: "transport", action: app.live.isRolling ? "stop" : "play" })
  }

  const commands = {
    " ": space,
    ".": () => app.panic(),
    "+": () => app.tempo.nudge(1),
    "=": () => app.tempo.nudge(1),
    "-": () => app.tempo.nudge(-1),
    "[": () => app.tempo.nudge(-0.1),
    "]": () => app.tempo.nudge(0.1),
    l: () => app.toggleClick(),
    p: () => app.perform({ do: "tap" }),
    Escape: () => app.choose(null),
  }

  function withControl(event) {
    const key = event.key.toLowerCase()
    if (key === "z") app.perform({ do: event.shiftKey ? "redo" : "undo" })
    else if (key === "y") app.perform({ do: "redo" })
    else if (key === "s") app.save()
    else return
    event.preventDefault()
  }

  addEventListener("keydown", (event) => {
    if (!app.state || event.target.closest?.(typing)) return
    if (event.ctrlKey || event.metaKey) return withControl(event)
    if (event.altKey) return
    // A button that has the focus is pressed by the space bar, as everywhere.
    if (event.key === " " && event.target.closest?.("button, a, input")) return
    const command = commands[event.key]
    const place = command ? undefined : placeOfKey(event)
    if (!command && !place) return
    event.preventDefault()
    if (event.repeat && !["+", "-", "=", "[", "]"].includes(event.key)) return
    if (command) command()
    else launch(event, place)
  })

  addEventListener("keyup", (event) => {
    const clip = held.get(event.code)
    if (!clip) return
    held.delete(event.code)
    app.perform({ do: "release", clip })
  })
}
