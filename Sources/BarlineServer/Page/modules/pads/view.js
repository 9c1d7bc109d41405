// The pads, as the page's frame, the mixer, the keyboard and the other views know them.

import { pads } from "./board.js"
import { freePlaces, padOfKey, pageSize } from "./places.js"

const squares =
  "M3 3h5v5H3zM9.5 3h5v5h-5zM16 3h5v5h-5zM3 9.5h5v5H3zM9.5 9.5h5v5h-5zM16 9.5h5v5h-5zM3 16h5v5H3zM9.5 16h5v5h-5zM16 16h5v5h-5z"

// How hard a key hits a pad with Shift.
const softly = 0.4

export const padsView = {
  view: { id: "pads", label: "Pads", icon: { shape: squares }, make: pads },
  keys: [["1 2 3 4, Q W E R, A S D F, Z X C V in Pads", "hit the pads, as they lie; with Shift softly"]],
  noun: "pad",
  isUsed: ({ pads }) => pads.length > 0,
  sounds: ({ pads }) => pads,
  strip: {
    name: "Pads",
    target: { strip: "pads" },
    route: (output) => ({ do: "editPadSet", set: { output } }),
  },
  stripOf: ({ padSet }) => ({ name: "Pads", gain: 0, ...padSet }),
  level: ({ parts }) => parts.pads.level,
  targets({ pads, padSet }, stripTargets) {
    if (pads.length === 0) return ["Pads", []]
    return [
      "Pads",
      [
        ...pads.map(({ id, name }) => [
          `Pad ${name}`,
          { action: { do: "hit", pad: id }, key: "velocity", from: 0, to: 1 },
        ]),
        ["Pads: silence", { action: { do: "choke" } }],
        ...stripTargets("Pads", { strip: "pads" }, padSet?.effects),
      ],
    ]
  },
  silence: (app) => app.perform({ do: "choke" }),
  dropPlace: (app) => freePlaces(pageSize * app.padBoard.page()),
  press(app, event) {
    const slot = padOfKey(event, app.padBoard.page())
    return slot === undefined ? undefined : () => app.padBoard.hit(slot, event.shiftKey ? softly : 1)
  },
}
