// The first visit: one obvious thing to press. It leaves with the first sound, and doesn't come back.

import { button, h } from "../ui/dom.js"
import { icon } from "../ui/icons.js"

const seen = "barline.welcomed"

/** Makes the greeting. */
export function welcome(app) {
  const text = h("span")
  const keys = h("span", { class: "keys-hint", text: " Letters on your keyboard do the same." })
  const silent = h("span", { text: " There is no sound device: this browser can play it." })
  const start = button({
    label: "Play the first scene", shown: "Play the first scene", icon: icon("play"), kind: "primary", key: "welcome",
    press: () => app.perform({ do: "launchScene", scene: app.firstScene() }),
  })
  const element = h("div", { class: "welcome", hidden: true }, h("p", {}, text, keys, silent), start,
    button({ label: "Close the welcome", icon: icon("close", 18), kind: "quiet", press: () => leave() }))

  const listen = button({
    label: "Listen here", shown: "Hear it here", icon: icon("listen"), hidden: true, press: () => app.toggleListening(),
  })
  element.lastChild.before(listen)

  function leave() {
    localStorage.setItem(seen, "yes")
    element.hidden = true
  }

  return {
    element,
    update({ session, engine }) {
      listen.hidden = engine.backend !== "null" || app.listener.isOn
      const isEmpty = !session.tracks.some((track) => track.clips.length > 0)
      element.hidden = localStorage.getItem(seen) === "yes" && !isEmpty
      start.hidden = isEmpty
      text.textContent = isEmpty
        ? "This set is empty. Drop audio files anywhere on the page: each becomes a loop, in time with the others."
        : "Press a clip, or a whole row at its left: it starts on the next bar, in time."
      keys.hidden = isEmpty
      silent.hidden = engine.backend !== "null"
    },
    frame(live) {
      if (!element.hidden && !start.hidden && live.tracks.some((track) => track.playing)) leave()
    },
  }
}
