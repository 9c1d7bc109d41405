import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// An engine that was made without a thought of the device.
    @Suite("The device's sample rate", .timeLimit(.minutes(10)))
    struct JackRateTests {
        @Test("An engine of 48 kHz on a server of 44.1 kHz plays at the right speed, from its first beat on")
        func rate() throws {
            let server = try JackServer(sampleRate: 44_100, waitsForClients: true)
            defer { server.end() }
            let engine = Engine()
            try engine.metronome.setOn(true)
            try engine.transport.start(at: FrameTime(44_100))
            let capture = try JackCapture(name: "capture", seconds: 8)
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "rate", connection: .matching("^capture:in_")), engine: engine,
                busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
            #expect(eventually { engine.state.frame.rawValue >= 44_100 * 4 && capture.frameCount > 44_100 * 4 })
            let state = engine.state
            capture.close()
            supervisor.stop()
            #expect(state.sampleRate.hertz == 44_100)
            // 120 BPM are two beats a second.
            #expect(abs(state.transport.beat.rawValue - Double(state.frame.rawValue - 44_100) / 22_050) < 1e-6)
            let heard = capture.left
            let clicks = heard.indices.dropFirst(4_000).filter { frame in
                heard[frame] != 0 && heard[(frame - 4_000)..<frame].allSatisfy { $0 == 0 }
            }
            #expect(clicks.count >= 4)
            for (first, second) in zip(clicks, clicks.dropFirst()) where capture.lastFault < first {
                #expect(second - first == 22_050)
            }
        }
    }
}
