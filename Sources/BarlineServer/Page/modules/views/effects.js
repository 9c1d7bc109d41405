// The effects of a strip: a button with their number, and the rack in which they are set.

import { effectKinds } from "../model/effects.js"
import { ask } from "../ui/dialog.js"
import { button, field, flip, h, removing, replaceChildren, select, setAttribute, setText } from "../ui/dom.js"
import { parameterSlider } from "../ui/fader.js"
import { stepper } from "../ui/sending.js"

function countText(count) {
  return count === 0 ? "Effects" : count === 1 ? "1 effect" : `${count} effects`
}

/** Makes the button and the rack of a strip; `target` names the strip in actions, nothing the master. */
export function rack(app, name, target) {
  let effects = []
  let units = []
  let shape = ""
  let shut
  const act = (action) => app.perform({ ...action, ...target })
  const list = h("div", { class: "rack" })
  const nothing = h("p", { class: "muted", text: "No effects yet." })
  const key = Object.values(target).join("-") || "master"
  const element = button({
    label: `Effects of ${name}`,
    shown: "Effects",
    kind: "quiet effects",
    key: `effects-${key}`,
    press: () => {
      show()
      const build = (close) => {
        shut = close
        return [
          list,
          h(
            "div",
            { class: "actions" },
            Object.entries(effectKinds).map(([type, kind]) =>
              button({ label: `Add ${kind.name.toLowerCase()}`, press: () => act({ do: "addEffect", type }) }),
            ),
            button({ label: "Close", press: () => close(undefined) }),
          ),
        ]
      }
      ask(`Effects of ${name}`, build, { isPanel: true })
    },
  })

  function show() {
    const now = JSON.stringify(effects.map(({ id, type }) => [id, type]))
    if (now !== shape || units.length !== effects.length) {
      units = effects.map((effect, index) => unit(effect, index, effects.length, act))
      replaceChildren(list, units.length > 0 ? units.map((unit) => unit.element) : nothing)
    }
    shape = now
    units.forEach((unit, index) => unit.update(effects[index]))
    if (units.length === 0 && !nothing.isConnected) replaceChildren(list, nothing)
  }

  return {
    element,
    update(next) {
      effects = next ?? []
      setText(element.querySelector("span"), countText(effects.length))
      element.classList.toggle("used", effects.length > 0)
      show()
    },
    /** The strip is gone. */
    leave() {
      shut?.(undefined)
    },
  }
}

const steps = stepper()

// One effect of the rack.
function unit({ id, type }, index, count, act) {
  const kind = effectKinds[type]
  const name = kind ? `${kind.name} ${index + 1}` : `${type} ${index + 1}`
  const set = (parameter, value) => act({ do: "effect", effect: id, parameter, value })
  const bypass = button({
    label: `Bypass ${name}`,
    shown: "Bypass",
    pressed: false,
    key: `bypass-${id}`,
    press: () => flip(bypass, (isOn) => set("bypass", isOn)),
  })
  const sliders = Object.entries(kind?.parameters ?? {}).map(([key, parameter]) => ({
    key,
    ...parameter,
    ...parameterSlider(`${name}: ${parameter.name}`, parameter, (value) => set(key, value)),
  }))
  const choices = Object.entries(kind?.choices ?? {}).map(([key, choice]) => ({
    key,
    name: choice.name,
    first: Object.keys(choice.words)[0],
    control: select(Object.entries(choice.words), {
      change: (word) => set(key, word),
      "aria-label": `${name}: ${choice.name}`,
    }),
  }))
  const move = (by, word, shown) =>
    button({
      label: `Move ${name} ${word}`,
      icon: h("span", { text: shown }),
      kind: "quiet",
      "aria-disabled": index + by < 0 || index + by >= count,
      key: `move-${word}-${id}`,
      press: () => {
        const place = Math.max(0, Math.min(count - 1, steps.place(id, index) + by))
        steps.ask(id, place, () => act({ do: "moveEffect", effect: id, index: place }))
      },
    })
  const element = h(
    "div",
    { class: "effect", role: "group", "aria-label": name },
    h(
      "div",
      { class: "effect-head" },
      h("h3", { text: name }),
      move(-1, "up", "↑"),
      move(1, "down", "↓"),
      kind ? bypass : null,
      button({
        label: `Remove ${name}`,
        shown: "Remove",
        press: removing(() => act({ do: "removeEffect", effect: id })),
      }),
    ),
    kind ? null : h("p", { class: "muted", text: "This version does not know it: it is kept, and not heard." }),
    choices.map(({ name, control }) => field(name, control)),
    sliders.map(({ name, slider, value }) =>
      h("div", { class: "parameter" }, h("span", { class: "label", text: name }), slider, value),
    ),
  )
  return {
    element,
    update(effect) {
      setAttribute(bypass, "aria-pressed", Boolean(effect.bypass))
      element.classList.toggle("silent", Boolean(effect.bypass))
      for (const { key, initial, update } of sliders) update(effect[key] ?? initial)
      for (const { key, first, control } of choices) if (!control.held) control.value = effect[key] ?? first
    },
  }
}
