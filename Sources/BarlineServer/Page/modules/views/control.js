// Control by other programs: OSC's port, and where the page is.

import { button, field, h, setAttribute, setText, setValue } from "../ui/dom.js"

/** Makes the card. */
export function controlCard(app) {
  const port = h("input", {
    class: "input",
    type: "number",
    min: 1,
    max: 65535,
    step: 1,
    value: 9000,
    data: { key: "osc-port" },
    on: { change: () => isOn && open() },
  })
  const listen = button({
    label: "Take OSC",
    pressed: false,
    key: "osc",
    press: () => (isOn ? app.perform({ do: "osc", port: null }) : open()),
  })
  const said = h("p", { class: "muted", role: "status" })
  const element = h(
    "div",
    { class: "card" },
    h("h3", { text: "Other programs" }),
    field("OSC: UDP port", port),
    listen,
    said,
    h("p", { class: "muted", text: `HTTP and WebSocket: ${location.origin}/api/openapi.json` }),
  )
  let isOn = false

  function open() {
    return app.perform({ do: "osc", port: Math.round(Number(port.value)) })
  }

  return {
    element,
    update({ engine }) {
      const { osc } = engine
      isOn = Boolean(osc)
      setAttribute(listen, "aria-pressed", isOn)
      setText(listen.querySelector("span"), isOn ? "Stop taking OSC" : "Take OSC")
      setText(said, osc ? `Listens on ${osc.host}, UDP port ${osc.port}.` : "Nobody can control Barline by OSC now.")
      if (osc && document.activeElement !== port) setValue(port, osc.port)
    },
  }
}
