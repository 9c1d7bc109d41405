// The sends of a strip: a button with their number, and a level for each output that it does not go to anyway.

import { ask } from "../ui/dialog.js"
import { button, flip, h, replaceChildren, setAttribute, setText } from "../ui/dom.js"
import { gainFader } from "../ui/fader.js"

function countText(count) {
  return count === 0 ? "Sends" : count === 1 ? "1 send" : `${count} sends`
}

/** Makes the button and the levels of a strip; `target` names the strip in actions. Hidden where there is one output only. */
export function sends(app, name, target) {
  let state = []
  let rows = []
  let shape = ""
  const list = h("div", { class: "rack sends" })
  const key = Object.values(target).join("-")
  const element = button({
    label: `Sends of ${name}`,
    shown: "Sends",
    kind: "quiet effects",
    key: `sends-${key}`,
    press: () =>
      ask(
        `Sends of ${name}`,
        (close) => [list, h("div", { class: "actions" }, button({ label: "Close", press: () => close(undefined) }))],
        { isPanel: true },
      ),
  })
  element.hidden = true

  function row(output) {
    const act = (values) => app.perform({ do: "send", output, ...values, ...target })
    const fader = gainFader(`${name} to ${output}`, (db) => act({ db }), {
      upright: false,
      key: `send-${key}-${output}`,
    })
    const point = button({
      label: `${name} to ${output}: before the fader`,
      shown: "Pre-fader",
      pressed: false,
      key: `pre-${key}-${output}`,
      press: () => flip(point, (preFader) => act({ db: levelOf(output), preFader })),
    })
    return {
      output,
      point,
      fader,
      element: h(
        "div",
        { class: "send", role: "group", "aria-label": `${name} to ${output}` },
        h("span", { class: "label", text: output }),
        fader.slider,
        fader.value,
        point,
      ),
    }
  }

  const find = (output) => state.find((send) => send.output === output)

  // Silent where there is none; silence is null.
  function levelOf(output) {
    const send = find(output)
    return send ? (send.level === undefined ? 0 : send.level) : null
  }

  return {
    element,
    update(next, own = "main") {
      state = next ?? []
      const outputs = [...new Set(["main", ...app.state.engine.outputs, ...state.map(({ output }) => output)])]
      const shown = outputs.filter((output) => output !== own || find(output))
      if (shown.join("\n") !== shape) {
        rows = shown.map(row)
        replaceChildren(
          list,
          rows.map((row) => row.element),
        )
        shape = shown.join("\n")
      }
      for (const { output, fader, point } of rows) {
        fader.update(levelOf(output))
        setAttribute(point, "aria-pressed", Boolean(find(output)?.preFader))
      }
      const count = state.filter(({ level }) => level !== null).length
      setText(element.querySelector("span"), countText(count))
      element.classList.toggle("used", count > 0)
      element.hidden = shown.length === 0
    },
  }
}
