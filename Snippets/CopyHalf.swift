// The second half of a file, as 24-bit FLAC.

import BarlineFiles

let source = try AudioFileStream(path: CommandLine.arguments[1])
let target = try AudioFileWriter(path: "half.flac", sampleRate: source.sampleRate, format: .integer24)
try source.seek(to: source.frameCount / 2)
while let piece = try source.read(4_096) { try target.write(piece) }
try target.finish()
