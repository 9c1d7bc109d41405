// The shortest program: a file is played, for as long as it lasts.

import Barline

let stage = try Stage()
try stage.play(CommandLine.arguments[1])
try await stage.runToEnd()
