// The tempo: dragged, typed, nudged, tapped, at once or over some beats.

import { bpmText, highestTempo, lowestTempo, tempoBeyond, typedTempo } from "../model/text.js"
import { button, h, hold, setAttribute, setText, setValue } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { tell } from "../ui/notices.js"

// Lets the tempo be dragged: three pixels are half a BPM, with Shift a tenth.
function makeDraggable(input, tempo, set) {
  let drag = null
  let sent = 0
  input.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || document.activeElement === input) return
    event.preventDefault()
    drag = { y: event.clientY, from: tempo(), moved: false, id: event.pointerId }
    input.setPointerCapture(event.pointerId)
  })
  input.addEventListener("pointermove", (event) => {
    if (!drag) return
    const way = drag.y - event.clientY
    if (!drag.moved && Math.abs(way) < 4) return
    drag.moved = true
    input.classList.add("moving")
    // A hand moves faster than a performance wants to record.
    if (event.timeStamp - sent < 30) return
    sent = event.timeStamp
    const step = event.shiftKey ? 0.1 : 0.5
    set(Math.round((drag.from + Math.round(way / 3) * step) * 10) / 10)
  })
  const end = () => {
    const was = drag
    drag = null
    input.classList.remove("moving")
    if (was && !was.moved) {
      input.focus()
      input.select()
    }
  }
  input.addEventListener("pointerup", end)
  input.addEventListener("pointercancel", end)
}

// What is said beside the tempo while another clock is followed.
const followed = {
  waiting: ["BPM", "Waits for a MIDI clock"],
  following: ["MIDI", "The tempo of the MIDI clock"],
  lost: ["lost", "The MIDI clock is gone: its latest tempo goes on"],
}

/** Makes the control. `ramp()` gives the beats over which a typed tempo is reached. */
export function tempoControl(app, ramp) {
  const input = h("input", {
    class: "number",
    role: "spinbutton",
    inputmode: "decimal",
    "aria-label": "Tempo, beats a minute",
    autocomplete: "off",
    "aria-valuemin": lowestTempo,
    "aria-valuemax": highestTempo,
    title: "Drag, type, or use the arrow keys",
    data: { key: "tempo" },
  })
  let tempo

  // The next nudge starts from the requested tempo, not from the one heard a moment later.
  function set(bpm, beats = 0) {
    const clamped = Math.round(Math.max(lowestTempo, Math.min(highestTempo, bpm)) * 100) / 100
    if (beats > 0) return app.perform({ do: "tempo", bpm: clamped, ramp: beats })
    show(clamped)
    return hold(input, app.perform({ do: "tempo", bpm: clamped }))
  }

  function show(bpm) {
    tempo = bpm
    const text = bpmText(tempo)
    input.classList.toggle("long", text.length > 5)
    setAttribute(input, "aria-valuenow", text)
    setValue(input, text)
  }

  const nudge = (step) => set(Math.round((tempo + step) * 10) / 10)

  function enter() {
    const typed = typedTempo(input.value)
    delete input.dataset.changing
    const beyond = tempoBeyond(input.value)
    if (beyond) tell(beyond, "error")
    if (typed !== undefined) set(typed, ramp())
    input.value = bpmText(tempo)
  }

  function forget() {
    delete input.dataset.changing
    input.value = bpmText(tempo)
  }

  function leave(after) {
    after()
    input.blur()
  }

  makeDraggable(input, () => tempo, set)
  input.addEventListener("input", () => (input.dataset.changing = "yes"))
  input.addEventListener("change", () => input.dataset.changing && enter())
  input.addEventListener("blur", () => delete input.dataset.changing)
  input.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key]
    if (step) nudge(event.shiftKey ? step / 10 : step)
    else if (event.key === "Enter") leave(enter)
    else if (event.key === "Escape") leave(forget)
    else return
    event.preventDefault()
  })

  const unit = h("span", { class: "unit", text: "BPM" })
  const element = h(
    "div",
    { class: "tempo", role: "group", "aria-label": "Tempo" },
    button({ label: "Slower by 1", icon: icon("minus", 18), kind: "quiet nudge", press: () => nudge(-1) }),
    input,
    unit,
    button({ label: "Faster by 1", icon: icon("add", 18), kind: "quiet nudge", press: () => nudge(1) }),
  )

  return {
    element,
    nudge,
    update({ engine }) {
      const [text, meaning] = followed[engine.clock.state] ?? ["BPM", null]
      setText(unit, text)
      setAttribute(unit, "title", meaning)
    },
    frame(live) {
      if (live.tempo !== undefined && live.tempo !== tempo && !input.held) show(live.tempo)
    },
  }
}
