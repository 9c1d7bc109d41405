// The parts that are folders of their own, by what the page knows of them without showing it: the one list for the model.
//
// A part has `id`, its key in a moment; `nothing`, what is known of it before a frame has come; `read(view, place)`, which reads
// what a frame has of it and says where that ends; and `session(document, state)`, what it adds to the views' session.

import { padsModel } from "../pads/model.js"

export const parts = [padsModel]
