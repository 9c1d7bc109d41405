// The pads, as one of the page's parts, which the server lists in `parts.js`. docs/page.md says what a part is.

import { padsModel } from "./model.js"
import { padsView } from "./view.js"

export const part = { ...padsModel, ...padsView, sheet: new URL("pads.css", import.meta.url).pathname }
