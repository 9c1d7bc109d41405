// Control by other programs and pages: OSC's port and senders, and the links to the page.

import { pictureCode } from "../ui/code.js"
import { ask } from "../ui/dialog.js"
import { button, field, h, renew, setAttribute, setText, setValue } from "../ui/dom.js"

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
  const senders = h("ul", { class: "files", "aria-label": "Who sends OSC from the network" })
  const element = h(
    "div",
    { class: "card" },
    h("h3", { text: "Other programs and pages" }),
    field("OSC: UDP port", port),
    listen,
    said,
    senders,
    button({ label: "Links to this page…", key: "links", press: () => showLinks(app) }),
    h("p", { class: "muted", text: `HTTP and WebSocket: ${location.origin}/api/openapi.json` }),
  )
  let isOn = false

  function open() {
    return app.perform({ do: "osc", port: Math.round(Number(port.value)) })
  }

  function sender(address, isAllowed) {
    const on = !isAllowed
    return h(
      "li",
      {},
      h("span", { text: isAllowed ? `${address} may play` : `${address} was refused` }),
      button({
        label: isAllowed ? `Shut out ${address}` : `Let ${address} play`,
        shown: isAllowed ? "Shut out" : "Let play",
        press: () => app.perform({ do: "oscAllow", address, on }),
      }),
    )
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
      renew(senders, [osc?.allowed ?? [], osc?.refused ?? []], ([allowed, refused]) => [
        ...allowed.map((address) => sender(address, true)),
        ...refused.map((address) => sender(address, false)),
      ])
    },
  }
}

/** Shows the links that open this page elsewhere. */
async function showLinks(app) {
  const done = await app.perform({ do: "links" })
  if (!done) return
  const { play, watch, playCode, watchCode } = done.result
  const line = (label, value) =>
    field(label, h("input", { class: "input", value, readonly: true, on: { focus: (event) => event.target.select() } }))
  const answer = await ask("Links to this page", (close) => [
    line("To play", play),
    watch && pictureCode(playCode, "Code of the link to play"),
    watch
      ? [line("Only to watch", watch), pictureCode(watchCode, "Code of the link to watch")]
      : h("p", { class: "muted", text: "Only this machine can open it. Start with --listen to let others in." }),
    h(
      "div",
      { class: "actions" },
      watch && button({ label: "Make new ones, and shut out who has these", press: () => close("new") }),
      button({ label: "Close", press: () => close(undefined) }),
    ),
  ])
  if (answer !== "new") return
  const renewed = await app.perform({ do: "newLinks" })
  if (renewed) location.href = `/${new URL(renewed.result.play).search}#settings`
}
