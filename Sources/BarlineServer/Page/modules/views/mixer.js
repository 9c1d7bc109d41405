// The mixer: a strip for each track and stem, for each part, the playlist, the metronome and the master.

import { loudnessText } from "../model/text.js"
import { arrangeChildren, h, Kept, keepFocus, setText } from "../ui/dom.js"
import { lowestGain, reductionText } from "./output-level.js"
import { strip } from "./strip.js"

// The strips that are always there.
function fixedStrips(app) {
  const click = strip(app, {
    name: "Click",
    target: {},
    effects: { strip: "metronome" },
    isPlain: true,
    gain: (db) => app.perform({ do: "metronome", gain: db }),
    route: (output) => app.perform({ do: "editMetronome", set: { output } }),
  })
  const list = strip(app, {
    name: "Playlist",
    target: {},
    effects: { strip: "playlist" },
    isPlain: true,
    gain: (db) => app.perform({ do: "playlist", action: "gain", db }),
    route: (output) => app.perform({ do: "editPlaylist", set: { output } }),
  })
  const others = app.parts.map((part) => ({
    part,
    strip: strip(app, { ...part.strip, route: (output) => app.perform(part.strip.route(output)) }),
  }))
  const master = strip(app, { name: "Master", target: {}, isPlain: true })
  return { click, list, others, master }
}

// Which strips there are.
function shapeOf(app, session) {
  return JSON.stringify([
    session.tracks.map(({ id, name }) => [id, name]),
    session.stems.map(({ id, name }) => [id, name]),
    session.playlist.length > 0,
    app.parts.map((part) => part.isUsed(session)),
  ])
}

/** Makes the view. */
export function mixer(app) {
  const strips = h("div", { class: "strips" })
  const loudness = h("p", { class: "loudness-value" })
  const reduction = h("p", { class: "reduction", title: "How far the limiter holds the outputs down" })
  const element = h(
    "section",
    { class: "mixer", "aria-label": "Mixer" },
    h("h2", { class: "unseen", text: "Mixer" }),
    strips,
  )
  const { click, list, others, master } = fixedStrips(app)
  master.element.classList.add("master")
  master.element.querySelector(".switches").append(loudness, reduction)
  // A fader that is held, or a menu that is open, stays while strips come and go beside it.
  const kept = new Kept()
  let shape = ""
  let tracks = []
  let stems = []

  function build(session) {
    const own = (kind, edit, { id, name }) =>
      kept.get(`${kind} ${id} ${name}`, () =>
        strip(app, {
          name,
          target: { [kind]: id },
          route: (output) => app.perform({ do: edit, [kind]: id, set: { output } }),
        }),
      )
    tracks = session.tracks.map((track) => own("track", "editTrack", track))
    stems = session.stems.map((stem) => own("stem", "editStem", stem))
    kept.endTurn()
    const shown = [
      ...tracks,
      ...stems,
      ...others.filter(({ part }) => part.isUsed(session)).map(({ strip }) => strip),
      ...(session.playlist.length > 0 ? [list] : []),
      click,
      master,
    ]
    keepFocus(strips, () =>
      arrangeChildren(
        strips,
        shown.map((strip) => strip.element),
      ),
    )
  }

  return {
    element,
    update({ session, playlist }) {
      const now = shapeOf(app, session)
      if (now !== shape) build(session)
      shape = now
      tracks.forEach((strip, index) => strip.update(session.tracks[index]))
      stems.forEach((strip, index) => strip.update(session.stems[index]))
      for (const { part, strip } of others) strip.update(part.stripOf(session))
      const { output, effects } = session.playlistSettings ?? {}
      list.update({ name: "Playlist", gain: playlist.gain, output, effects })
      const { metronome } = session
      click.update({
        name: "Click",
        gain: metronome?.gain ?? 0,
        output: metronome?.output,
        effects: metronome?.effects,
      })
      master.update({ name: "Master", gain: session.master?.gain ?? 0, effects: session.master?.effects })
    },
    frame(live) {
      const { levels, outputs, playlist, now, loudness: value } = live
      tracks.forEach((strip, index) => strip.frame(levels.tracks[index], now))
      stems.forEach((strip, index) => strip.frame(levels.stems[index], now))
      for (const { part, strip } of others) strip.frame(part.level(live), now)
      list.frame(playlist.level, now)
      click.frame(levels.metronome, now)
      master.frame(levels.master, now)
      setText(loudness, loudnessText(value))
      setText(reduction, reductionText(lowestGain(outputs)))
    },
  }
}
