// A stem that is made while it plays: a source says what it is, a reader gives its frames. Neither needs a lock.

import Barline
import Foundation

struct Tone: StemSource {
    let frequency: Double
    let sampleRate = SampleRate.standard
    let frameCount: Int64 = 480_000

    func open() throws -> sending any StemReader { ToneReader(self) }
}

final class ToneReader: StemReader {
    private let tone: Tone
    private var next: Int64 = 0

    init(_ tone: Tone) { self.tone = tone }

    func seek(to frame: Int64) { next = frame }

    func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) -> Int {
        let frames = Int(min(Int64(count), tone.frameCount - next))
        for frame in 0..<max(0, frames) {
            let time = Double(next + Int64(frame)) / tone.sampleRate.hertz
            left[frame] = Float(0.1 * sin(2 * .pi * tone.frequency * time))
            right[frame] = left[frame]
        }
        next += Int64(max(0, frames))
        return max(0, frames)
    }
}

let stage = try Stage()
let song = try stage.engine.stems.load([220.0, 275, 330].map { Stem(Tone(frequency: $0)) })
song.play()
try await stage.runToEnd()
