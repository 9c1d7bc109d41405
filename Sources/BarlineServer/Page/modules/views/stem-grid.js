// The stems' tempo and bar lines: where they are known, the transport, the click and launches go with the stems.

import { nearestLine, placeText, stemGrid } from "../model/stem-grid.js"
import { bpmText } from "../model/text.js"
import { fetchAnalysis } from "../net/files.js"
import { button, h, hold, keepTyping, select, setAttribute, setText, setValue } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { tell } from "../ui/notices.js"
import { choose } from "./transport.js"

const kept = "barline.snapsStems"

// How the stems follow the tempo.
function playbackChoice(app) {
  return select(
    [
      ["original", "at their own tempo"],
      ["stretch", "in time, pitch kept"],
      ["repitch", "in time, by speed"],
    ],
    {
      "aria-label": "How the stems follow the tempo",
      title: "Whether the stems follow the set’s tempo; needs theirs",
      data: { key: "stems-playback" },
      change: (value) => app.perform({ do: "playbackOfStems", playback: value }),
    },
  )
}

// The button that listens to the stems; `isFixed()` tells whether their tempo can't be set.
function findButton(edit, isFixed) {
  const find = button({
    label: "Find the tempo",
    shown: "Find the tempo",
    icon: icon("listen", 18),
    kind: "quiet",
    key: "stems-find",
    title: "Listens to the stems for their tempo and bars",
    press: () => listen(),
  })

  async function listen() {
    find.disabled = true
    tell("Listening to the stems…")
    try {
      const { bpm, firstBeat } = await fetchAnalysis({ stems: 1 })
      if (bpm) await edit({ bpm, firstBeat })
      tell(bpm ? `The stems are at ${bpmText(bpm)} BPM.` : "No steady tempo is heard in the stems.")
    } catch (error) {
      tell(error.message, "error")
    }
    find.disabled = isFixed()
  }

  return find
}

// Whether places snap to bar lines, which this browser keeps.
function snapButton() {
  const isOn = () => localStorage.getItem(kept) === "yes"
  const show = () => setAttribute(element, "aria-pressed", isOn())
  const element = button({
    label: "Snap to bars",
    shown: "Snap to bars",
    icon: icon("grid", 18),
    pressed: false,
    key: "stems-snap",
    title: "Seeks, markers and loops go to bar lines",
    press: () => {
      localStorage.setItem(kept, isOn() ? "no" : "yes")
      show()
    },
  })
  return { element, isOn, show }
}

/** Makes the controls; `snap()` returns whether places snap to bar lines, `position()` where the stems are. */
export function stemGridControls(app, position) {
  const edit = (set) => app.perform({ do: "editStemSet", set })
  const tempo = h("input", {
    class: "input",
    inputmode: "decimal",
    placeholder: "none",
    autocomplete: "off",
    data: { key: "stems-tempo" },
    on: { change: () => enter() },
  })
  keepTyping(tempo)
  const find = findButton(edit, () => tempo.disabled)
  const here = button({
    label: "Bar line here",
    shown: "Bar line here",
    icon: icon("flag", 18),
    kind: "quiet",
    key: "stems-bar-line",
    title: "Says that a bar begins where the stems are now",
    press: () => {
      const [first] = app.state.session.stems
      edit({ firstBeat: Math.round(position() * first.sampleRate) + (first.offset ?? 0) })
    },
  })
  const snap = snapButton()
  const playback = playbackChoice(app)
  const place = h("span", { class: "stem-place", title: "Bar and beat of the stems" })
  const element = h(
    "div",
    { class: "stem-grid", role: "group", "aria-label": "Bars of the stems" },
    h("label", { class: "stem-tempo" }, h("span", { class: "muted", text: "BPM" }), tempo),
    find,
    playback,
    place,
    here,
    snap.element,
  )
  let grid = null

  function enter() {
    delete tempo.dataset.changing
    const text = tempo.value.trim().replace(",", ".")
    if (text === "") hold(tempo, edit({ bpm: null }))
    else if (Number(text) > 0) hold(tempo, edit({ bpm: Number(text) }))
    else {
      tell("A tempo is a number of beats a minute.", "error")
      tempo.value = tempo.shown
    }
  }

  return {
    element,
    snap: () => grid !== null && snap.isOn(),
    /** The whole bars that are nearest to a region. */
    wholeBars({ start, end }) {
      const from = nearestLine(grid, start)
      return { start: from, end: nearestLine(grid, Math.max(end, from + grid.bar)) }
    },
    update(session) {
      grid = stemGrid(session)
      if (!tempo.held) setValue(tempo, grid ? bpmText(grid.bpm) : "")
      tempo.disabled = (session.stems[0]?.playback ?? "original") !== "original"
      find.hidden = tempo.disabled
      choose(playback, session.stems[0]?.playback ?? "original")
      playback.disabled = grid === null
      setAttribute(tempo, "aria-label", "Tempo of the stems, beats a minute; empty where it is not known")
      snap.show()
      here.disabled = snap.element.disabled = grid === null
      return grid
    },
    frame(seconds) {
      setText(place, grid ? placeText(grid, seconds) : "")
    },
  }
}
