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
            let channels = 2 * source.busNames.count
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: channels * LevelOutput.frames)
            samples.initialize(repeating: 0, count: channels * LevelOutput.frames)
            let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: channels)
            for channel in 0..<channels { (outputs + channel).initialize(to: samples + channel * LevelOutput.frames) }
            while !isClosed.load(ordering: .acquiring) {
                let block = AudioBlock(
                    outputs: UnsafePointer(outputs), outputCount: channels, frames: LevelOutput.frames)
                source.realtimeGate.pointee.render(block)
                print((0..<LevelOutput.frames).map { abs(samples[$0]) }.max() ?? 0)
                Thread.sleep(forTimeInterval: 0.01)
            }
            outputs.deallocate()
            samples.deallocate()
        }
    }

    func close() { isClosed.store(true, ordering: .releasing) }
}

let engine = Engine()
let supervisor = try OutputSupervisor(
    LevelOutput(), engine: engine, busNames: ["main"], reopenWith: { () throws(OutputError) in LevelOutput() })
engine.metronome.isOn = true
try engine.transport.start()
try await Task.sleep(for: .seconds(2))
supervisor.stop()
