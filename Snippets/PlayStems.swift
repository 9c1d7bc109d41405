// Files that start on one frame: the stems named on the command line, from their beginning.

import BarlineEngine
import BarlineFiles
import BarlineTime

let engine = Engine()
let stems = try CommandLine.arguments.dropFirst().map { Stem(try StemFile(path: $0)) }
let multitrack = try engine.stems.load(stems)

multitrack.play()
multitrack.seek(to: 30)
engine.stems[0].isMuted = true
print("\(stems.count) stems, \(multitrack.duration) s")
