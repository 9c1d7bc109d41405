import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

/// The output that is paced by the clock.
@Suite("The null output")
struct NullDeviceTests {
    @Test("It asks for frames at the pace of real time", arguments: [(48_000.0, 512), (44_100, 64), (96_000, 4096)])
    func pace(rate: Double, blockFrames: Int) throws {
        let engine = try SineEngine.make(sampleRate: rate)
        let device = NullDevice(sampleRate: try #require(SampleRate(rate)), blockFrames: blockFrames)
        let started = Date()
        let supervisor = try OutputSupervisor(
            device, engine: engine, busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
        #expect(eventually { engine.state.frame.rawValue > Int64(rate / 2) })
        let frames = engine.state.frame.rawValue
        let seconds = -started.timeIntervalSinceNow
        supervisor.stop()
        // Never ahead of the clock by more than a block; how far behind is the machine's business.
        #expect(Double(frames) <= seconds * rate + Double(2 * blockFrames))
        #expect(supervisor.status == .stopped)
        let stopped = engine.state.frame
        Thread.sleep(forTimeInterval: 0.05)
        #expect(engine.state.frame == stopped, "nothing is rendered after the end")
    }

    @Test("What is sent while everything rests does not make it run ahead")
    func rest() throws {
        let engine = Engine()
        let started = Date()
        let supervisor = try OutputSupervisor(
            NullDevice(sampleRate: .standard, blockFrames: 512), engine: engine, busNames: ["main"],
            reopenWith: { () throws(OutputError) in NullDevice() })
        #expect(eventually { engine.state.frame.rawValue > 0 })
        for step in 0..<400 {
            try engine.mixer[.track(0)].setGain(Decibels(-Double(step % 2)))
            Thread.sleep(forTimeInterval: 0.001)
        }
        let frames = engine.state.frame.rawValue
        let seconds = -started.timeIntervalSinceNow
        supervisor.stop()
        #expect(Double(frames) <= seconds * 48_000 + 2 * 512)
    }

    @Test("It says what it is")
    func format() throws {
        let format = NullDevice(sampleRate: .standard, blockFrames: 480).format
        #expect(format.backend == .null)
        #expect(format.latency == 0.01)
        #expect(format.blockFrames == 480)
        #expect(!NullDevice().isLost)
    }

    @Test("A device that was never started can be closed", .timeLimit(.minutes(10)))
    func closeUnstarted() { NullDevice().close() }
}
