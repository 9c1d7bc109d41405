// Colours to choose from, and any other.

import { palette } from "./colour.js"
import { h, setAttribute } from "./dom.js"

/** Makes the choice; `choose(colour)` is called with the one that is pressed. */
export function swatches(choose) {
  const own = h("input", {
    type: "color",
    class: "swatch own",
    "aria-label": "Another colour",
    on: { change: () => choose(own.value) },
  })
  const offered = palette.map((colour, index) =>
    h("button", {
      type: "button",
      class: "swatch",
      vars: { clip: colour },
      "aria-label": `Colour ${index + 1}`,
      data: { colour, key: `colour-${index}` },
      on: { click: () => choose(colour) },
    }),
  )
  return {
    element: h("div", { class: "swatches", role: "group", "aria-label": "Colour" }, offered, own),
    /** Shows the colour that was chosen, and the one that is shown where none was. */
    update(chosen, shown) {
      for (const swatch of offered) setAttribute(swatch, "aria-pressed", swatch.dataset.colour === chosen)
      // While its colours are open it is the user's.
      if (document.activeElement !== own) own.value = shown
    },
  }
}
