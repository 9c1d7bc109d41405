// An output of one's own: whatever asks the engine for audio, block by block, on a thread of its own.

import Barline
import Foundation
import Synchronization

/// Prints the level of what it is given.
final class LevelOutput: OutputDevice {
    static let frames = 480
    let format = OutputFormat(
        backend: .null, name: "levels on the terminal", sampleRate: .standard, blockFrames: frames, latency: 0.01)
    let isLost = false
    private let isClosed = Atomic<Bool>(false)

    func start(_ source: RenderSource) {
        Thread.detachNewThread { [self] in
            let buffer = RenderBuffer(busCount: source.busNames.count, frameCapacity: LevelOutput.frames)
            while !isClosed.load(ordering: .acquiring) {
                source.render(into: buffer, frames: LevelOutput.frames)
                print((0..<LevelOutput.frames).map { abs(buffer.left[$0]) }.max() ?? 0)
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    func close() { isClosed.store(true, ordering: .releasing) }
}

let stage = try Stage(.device { LevelOutput() })
stage.metronome.isOn = true
try stage.transport.start()
try await stage.run(seconds: 2)
try stage.stop()
