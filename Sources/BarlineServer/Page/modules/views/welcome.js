// The first visit: one obvious thing to press. It leaves with the first launch from this browser, and doesn't come back.

import { button, h, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"

const seen = "barline.welcomed"
const invitation = "Press a clip, or a whole row at its left: it starts on the next bar, in time."
const nothingYet =
  "This set is empty. Drop audio files anywhere on the page: each becomes a loop, in time with the others."

/** Makes the greeting. */
export function welcome(app) {
  const text = h("span")
  const keys = h("span", { class: "keys-hint", text: " Letters on your keyboard do the same." })
  const silent = h("span", { text: " There is no sound device: this browser can play it." })
  const start = button({
    label: "Play the first scene",
    shown: "Play the first scene",
    icon: icon("play"),
    kind: "primary",
    key: "welcome",
    press: () => app.perform({ do: "launchScene", scene: offered }),
  })
  const listen = button({
    label: "Hear it here",
    shown: "Hear it here",
    icon: icon("listen"),
    press: () => app.toggleListening(),
  })
  const element = h(
    "div",
    { class: "welcome", hidden: true },
    h("p", {}, text, keys, silent),
    start,
    listen,
    button({ label: "Close the welcome", icon: icon("close", 18), kind: "quiet", press: () => leave() }),
  )
  let offered = 0

  function leave() {
    localStorage.setItem(seen, "yes")
    element.hidden = true
  }

  app.onLaunch(leave)

  // With nothing playing the first row that has clips; else the one below what plays.
  function offer({ tracks }) {
    const clips = app.state.session.tracks.flatMap((track) => track.clips)
    const playing = new Set(tracks.flatMap(({ playing, queued }) => [playing, queued]).filter(Boolean))
    const slots = [...new Set(clips.map(({ slot }) => slot))].sort((a, b) => a - b)
    const row = Math.max(...clips.filter(({ id }) => playing.has(id)).map(({ slot }) => slot))
    offered = slots.find((slot) => slot > row) ?? slots[0]
    const name = app.state.session.scenes[offered]?.name
    setText(start.querySelector("span"), playing.size === 0 || !name ? "Play the first scene" : `Play “${name}”`)
  }

  return {
    element,
    update({ session, engine }) {
      const isEmpty = !session.tracks.some((track) => track.clips.length > 0)
      element.hidden = localStorage.getItem(seen) === "yes" && !isEmpty
      start.hidden = keys.hidden = isEmpty
      silent.hidden = listen.hidden = engine.backend !== "null" || app.listener.isOn
      setText(text, isEmpty ? nothingYet : invitation)
    },
    frame(live) {
      if (!element.hidden && !start.hidden) offer(live)
    },
  }
}
