// The parts that are folders of their own: the one list.
//
// A part is what its `part.js` exports. For the model it has `id`, its key in a moment; `nothing`, what is known of it before a frame
// has come; `read(view, place)`, which reads what a frame has of it and says where that ends; and `session(document, state)`, what it
// adds to the views' session. For the views it has `view`, its kind of view, with a drawing of its own as `icon`; `keys` and `noun` for
// the help; `isUsed(session)`; `strip`, `stripOf(session)` and `level(live)` for the mixer; `targets(session, stripTargets)`, what
// controls can be taught; `silence(app)`; `dropPlace(app)`, where files go that are dropped beside every place; and `press(app, event)`,
// what a key does while its view is shown. `sheet` is where its style sheet is.

import { pads } from "./pads/part.js"

export const parts = [pads]
