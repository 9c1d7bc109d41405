// The clip editor's settings of a clip's level and of its place in the set.

import { timeText } from "../model/text.js"
import { field, h, select, setText } from "../ui/dom.js"
import { gainFader } from "../ui/fader.js"
import { choose } from "./transport.js"

function offer(control, options, value) {
  const text = JSON.stringify(options)
  if (control.dataset.options !== text)
    control.replaceChildren(...options.map(([value, text]) => h("option", { value, text })))
  control.dataset.options = text
  choose(control, value)
}

/** Makes the group; `clip()` gives the clip. */
export function placeGroup(app, clip, edit) {
  let place
  const move = (track, slot) => app.perform({ do: "moveClip", clip: clip().id, track, slot })
  const gain = gainFader("Clip", (gain, id) => edit({ gain }, id), { upright: false, target: () => clip()?.id })
  const track = select([], { change: (value) => move(value, clip().slot) })
  const slot = select([], { change: (value) => move(place.id, Number(value)) })
  const file = h("p", { class: "muted file" })
  const element = h(
    "fieldset",
    { class: "editor-group" },
    h("legend", { text: "Level and place" }),
    h("div", { class: "level-row" }, gain.slider, gain.value, h("span", { class: "muted", text: "dB" })),
    h("div", { class: "pair" }, field("Track", track), field("Scene", slot)),
    file,
  )
  return {
    element,
    update(clip) {
      gain.update(clip.gain)
      const fileName = clip.file.slice(clip.file.lastIndexOf("/") + 1)
      const length = timeText(clip.frames / clip.sampleRate, 3)
      setText(file, `${fileName} · ${length} · ${clip.sampleRate / 1000} kHz`)
    },
    updatePlace({ id, slot: row }, { tracks, scenes }) {
      place = tracks.find((track) => track.clips.some((clip) => clip.id === id))
      offer(
        track,
        tracks.map(({ id, name }) => [id, name]),
        place.id,
      )
      offer(
        slot,
        Array.from({ length: app.rowCount() }, (_, row) => [row, scenes[row]?.name || `Scene ${row + 1}`]),
        row,
      )
    },
  }
}
