import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization

@testable import BarlineOutputs

/// An output that does what a test says: asks for frames, drops and repeats some, stalls, vanishes, hangs.
final class FakeDevice: OutputDevice, @unchecked Sendable {
    /// What happens when it is closed.
    enum Closing: Sendable {
        /// It closes.
        case atOnce
        /// It never comes back, until the test is over.
        case hangs
    }

    private struct State: @unchecked Sendable {
        var source: RenderSource?
        var isLost = false
        var isClosed = false
        var samples: [Float] = []
        var clock: Int64 = 1_000_000
    }

    let format: OutputFormat
    private let closing: Closing
    private let startError: OutputError?
    private let state = Mutex(State())
    private let release = DispatchSemaphore(value: 0)

    init(
        sampleRate: Double = 48_000, blockFrames: Int = 256, closing: Closing = .atOnce,
        startError: OutputError? = nil
    ) {
        format = OutputFormat(
            backend: .null, name: "fake", sampleRate: SampleRate(sampleRate) ?? .standard, blockFrames: blockFrames,
            latency: 0)
        self.closing = closing
        self.startError = startError
    }

    var isLost: Bool { state.withLock { $0.isLost } }
    /// Whether it was closed to the end.
    var isClosed: Bool { state.withLock { $0.isClosed } }
    /// Whether it was started.
    var isStarted: Bool { state.withLock { $0.source != nil } }
    /// The engine's frame behind the last block.
    var nextFrame: Int64? { state.withLock { $0.source?.gate.pointee.nextFrame } }
    /// What its left main channel has got.
    var samples: [Float] { state.withLock { $0.samples } }

    func start(_ source: RenderSource) throws(OutputError) {
        if let startError { throw startError }
        state.withLock { $0.source = source }
    }

    func close() {
        if closing == .hangs { release.wait() }
        state.withLock { $0.isClosed = true }
    }

    /// Lets a hanging close come back.
    func letGo() { release.signal() }

    /// Says that it is gone.
    func vanish() { state.withLock { $0.isLost = true } }

    /// Says that a block came too late.
    func reportXrun() { state.withLock { $0.source }?.realtimeGate.pointee.countXrun() }

    /// Loses `frames` frames: its clock goes on, and nobody asks for them.
    func drop(_ frames: Int) { state.withLock { $0.clock += Int64(frames) } }

    /// Asks for the last `frames` frames of its clock once more.
    func `repeat`(_ frames: Int) { state.withLock { $0.clock -= Int64(frames) } }

    /// Asks for `frames` frames, in blocks of its own size or of `blockFrames`.
    func play(_ frames: Int, blockFrames: Int? = nil) {
        guard let source = state.withLock({ $0.source }) else { return }
        var left = frames
        while left > 0 {
            let count = min(left, blockFrames ?? format.blockFrames)
            let played = FakeDevice.render(source, count, clock: state.withLock { $0.clock })
            state.withLock { state in
                state.samples += played
                state.clock += Int64(count)
            }
            left -= count
        }
    }

    private static func render(_ source: RenderSource, _ frames: Int, clock: Int64) -> [Float] {
        let channels = 2 * source.busNames.count
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: channels * frames)
        samples.initialize(repeating: .nan, count: channels * frames)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: channels)
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        for channel in 0..<channels { (pointers + channel).initialize(to: samples + channel * frames) }
        var block = AudioBlock(outputs: UnsafePointer(pointers), outputCount: channels, frames: frames)
        block.deviceFrame = clock
        source.realtimeGate.pointee.render(block)
        return Array(UnsafeBufferPointer(start: samples, count: frames))
    }
}
