import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// The MIDI clock as another client of a real server receives it.
    @Suite("The MIDI clock through JACK", .timeLimit(.minutes(10)))
    struct JackClockTests {
        @Test("Each tick of a beat comes with its click, behind the limiter too", arguments: [false, true])
        func ticksAndClicks(isLimited: Bool) throws {
            // A server that waits for its clients passes over no frames, however busy the machine is.
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let tempo = 137.3
            var configuration = EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: tempo))
            configuration.limiter = isLimited ? LimiterSettings() : nil
            let engine = Engine(configuration)
            try engine.metronome.setOn(true, at: FrameTime.zero)
            let capture = try JackClockCapture(name: "drum", capacity: 4_096)
            let device = try JackDevice(name: "live", connection: .none)
            let supervisor = try OutputSupervisor(
                device, engine: engine, busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
            defer { supervisor.stop() }
            #expect(supervisor.clockPort == "live:clock_out")
            #expect(eventually { capture.connect(clock: "live:clock_out") && capture.connect(sound: "live:main_1") })
            // Ticks come before the transport rolls.
            #expect(eventually { capture.messages.count > 10 })
            #expect(capture.messages.allSatisfy { $0.status == 0xf8 })
            try engine.transport.start()
            #expect(eventually { capture.onsets.count > 12 })
            capture.close()
            let start = try #require(capture.messages.firstIndex { $0.status == 0xfa })
            let ticks = capture.messages[(start + 1)...]
            #expect(ticks.allSatisfy { $0.status == 0xf8 })
            let first = try #require(ticks.first?.frame)
            #expect(capture.messages[start].frame == first)
            let period = 60 * 48_000 / (24 * tempo)
            for (index, tick) in ticks.enumerated() {
                #expect(Int(tick.frame &- first) == Int((Double(index) * period).rounded()))
            }
            // A click's first frame is 0: it is heard from the next one on.
            for (index, onset) in capture.onsets.enumerated() where 24 * index < ticks.count {
                #expect(onset &- 1 == ticks[start + 1 + 24 * index].frame)
            }
        }
    }
}
