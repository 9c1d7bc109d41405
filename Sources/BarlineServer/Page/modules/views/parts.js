// The parts that are folders of their own, by what the page shows of them: the one list for the views.
//
// A part has `view`, its kind of view, with `keys` and `noun` for the help; `isUsed(session)`; `strip`, `stripOf(session)` and
// `level(live)` for the mixer; `targets(session, stripTargets)`, what controls can be taught; `silence(app)`; `dropPlace(app)`, where
// files go that are dropped beside every place; and `press(app, event)`, what a key does while its view is shown.

import { padsView } from "../pads/view.js"

export const parts = [padsView]
