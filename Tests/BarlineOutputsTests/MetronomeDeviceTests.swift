import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine
@testable import BarlineOutputs

/// The metronome on a device that runs by itself.
@Suite("The metronome on a running device", .timeLimit(.minutes(10)))
struct MetronomeDeviceTests {
    @Test("A control side that does nothing for seconds changes no beat")
    func blockedControl() throws {
        // A machine that is too slow for the clock is not what this is about.
        let engine = Engine(
            EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 999), resyncThreshold: .infinity))
        let queue = engine.events.queue()
        try engine.metronome.setOn(true, at: FrameTime.zero)
        try engine.transport.start(at: FrameTime.zero)
        let supervisor = try OutputSupervisor(
            NullDevice(), engine: engine, busNames: ["main"],
            reopenWith: { () throws(OutputError) in NullDevice() })
        // The control side's lock is held, and nobody takes an event or sends a command, for longer than the
        // look-ahead.
        engine.control.withLock { _ in Thread.sleep(forTimeInterval: 2.5) }
        supervisor.stop()
        let frames = queue.take().compactMap { event -> Int? in
            if case .metronome(.pulse) = event.kind { return Int(event.frame.rawValue) }
            return nil
        }
        #expect(frames.count > 35)
        let expected = frames.indices.map { beat -> Int in
            let frame: Double = Double(beat) * 60 * 48_000 / 999
            return Int(frame.rounded())
        }
        #expect(frames == expected)
    }
}
