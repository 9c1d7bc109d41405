// The output that something goes to: any name, each a pair of channels of its own.

import { askText } from "../ui/dialog.js"
import { h, replaceChildren, select } from "../ui/dom.js"
import { choose } from "./transport.js"

const another = "\n"

/** A choice of outputs for what is called `name`; `change` is called with the one that is chosen. */
export function outputChoice(app, name, change) {
  const control = select([], {
    class: "select output-choice",
    "aria-label": `Output of ${name}`,
    title: `Output of ${name}`,
    data: { key: `output-${name}` },
    change: async (value) => {
      if (value !== another) return change(value)
      const asked = await askText("Another output", { label: `Name of the output for ${name}`, confirm: "Use" })
      if (asked) await change(asked)
      else control.value = shown
      return undefined
    },
  })
  let shown = "main"
  let offered = ""
  return {
    element: control,
    update(output = "main") {
      shown = output
      const names = [...new Set(["main", ...app.state.engine.outputs, output])]
      if (names.join("\n") !== offered && !control.held) {
        offered = names.join("\n")
        replaceChildren(control, [
          ...names.map((value) => h("option", { value, text: value })),
          h("option", { value: another, text: "New output…" }),
        ])
        control.value = output
      }
      choose(control, output)
    },
  }
}
