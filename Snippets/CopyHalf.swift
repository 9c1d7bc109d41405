// The second half of a file, as 24-bit FLAC.

import BarlineFiles

let source = try AudioFileStream(path: CommandLine.arguments[1])
let target = try AudioFileWriter(path: "half.flac", sampleRate: source.sampleRate, format: .integer24)
try source.seek(to: source.frameCount / 2)
let left = UnsafeMutablePointer<Float>.allocate(capacity: 4_096)
let right = UnsafeMutablePointer<Float>.allocate(capacity: 4_096)
while true {
    let frames = try source.read(left: left, right: right, count: 4_096)
    if frames == 0 { break }
    try target.write(left: left, right: right, frames: frames)
}
try target.finish()
left.deallocate()
right.deallocate()
