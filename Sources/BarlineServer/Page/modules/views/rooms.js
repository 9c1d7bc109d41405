// The rooms of a Snapcast server: how loud they are, and what they play.

import { fetchRooms } from "../net/files.js"
import { button, h, replaceChildren, select, setText } from "../ui/dom.js"
import { icon } from "../ui/icons.js"
import { pacer } from "../ui/sending.js"

// A room; `change(set)` sets something of it, and `isSeen` has the list read again.
function roomRow(room, streams, change) {
  const paced = pacer((volume) => change({ volume }, false))
  const value = h("span", { class: "room-volume", text: `${room.volume} %` })
  const volume = h("input", {
    type: "range",
    class: "fader level",
    min: 0,
    max: 100,
    "aria-label": `${room.name}: volume`,
    data: { key: `room-volume-${room.id}` },
    on: {
      input: () => {
        setText(value, `${volume.value} %`)
        paced(Number(volume.value))
      },
    },
  })
  volume.value = room.volume
  return h(
    "li",
    {},
    h("span", { class: "room-name", text: room.isConnected ? room.name : `${room.name} (not there)` }),
    volume,
    value,
    button({
      label: `Mute ${room.name}`,
      icon: h("span", { text: "M" }),
      kind: "mute",
      pressed: room.isMuted,
      key: `room-mute-${room.id}`,
      press: () => change({ mute: !room.isMuted }),
    }),
    select(
      streams.map(({ id, isPlaying }) => [id, isPlaying ? `${id} (sounds)` : id]),
      {
        value: room.stream,
        change: (stream) => change({ stream }),
        "aria-label": `${room.name}: what it plays`,
        data: { key: `room-stream-${room.id}` },
      },
    ),
  )
}

/** Makes the card. */
export function roomsCard(app) {
  const list = h("ul", { class: "rooms" })
  const said = h("p", {
    class: "muted",
    role: "status",
    text: "Rooms that a Snapcast server on this machine, or the one that is played to, knows.",
  })
  const element = h(
    "div",
    { class: "card" },
    h("h3", { text: "Rooms" }),
    said,
    list,
    button({
      label: "Look for rooms",
      shown: "Look for rooms",
      icon: icon("loop", 18),
      kind: "quiet",
      press: () => look(),
    }),
  )

  async function look() {
    try {
      const { server, rooms, streams, message } = await fetchRooms()
      setText(said, message ?? (rooms.length > 0 ? `Rooms of ${server}:` : `${server} has no rooms.`))
      replaceChildren(
        list,
        rooms.map((room) => roomRow(room, streams, (set, isSeen) => change(room, set, isSeen))),
      )
    } catch (error) {
      setText(said, error.message)
      replaceChildren(list)
    }
  }

  async function change(room, set, isSeen = true) {
    await app.perform({ do: "room", room: room.id, ...set })
    if (isSeen) await look()
  }

  return { element }
}
