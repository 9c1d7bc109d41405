// The pads, as one of the page's parts.

import { padsModel } from "./model.js"
import { padsView } from "./view.js"

export const pads = { ...padsModel, ...padsView, sheet: new URL("pads.css", import.meta.url).pathname }
