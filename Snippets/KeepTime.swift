// A click with a count-in, a tempo that moves, and an observer of every beat.

import Barline

let stage = try Stage()
stage.transport.tempo = 126
stage.metronome.settings = MetronomeSettings(isEnabled: true, subdivision: 2, countInBars: 1)
let beats = stage.transport.observe(every: .beats(1)) { tick in print(tick.beat.rawValue, tick.frame.rawValue) }
try stage.transport.start()
try stage.transport.setTempo(140, overBeats: 8, at: Bar.next)
try stage.transport.setTempo(126, over: .seconds(20), at: Bar(9))
try await stage.run(seconds: 60)
beats.cancel()
try stage.stop()
