// A list that is edited while it plays.

import Barline

let stage = try Stage()
try stage.play("one.flac", "two.mp3")
try stage.playlist.insert(stage.items(["three.wav"]), at: 1)
stage.playlist.crossfade = 4
stage.playlist.modes.isShuffled = true
try await stage.runToEnd()
