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
            let capture = try JackCapture(name: "drum", seconds: 60)
            let device = try JackDevice(name: "live", connection: .none)
            let supervisor = try OutputSupervisor(
                device, engine: engine, busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
            defer { supervisor.stop() }
            #expect(supervisor.clockPort == "live:clock_out")
            #expect(capture.connect("live:clock_out", to: "drum:clock"))
            #expect(capture.connect("live:main_1", to: "drum:in_1"))
            // Ticks come before the transport rolls.
            #expect(eventually { capture.messages.count > 10 })
            #expect(capture.messages.allSatisfy { $0.status == 0xf8 })
            try engine.transport.start()
            #expect(eventually { capture.messages.count > 13 * 24 })
            capture.close()
            let start = try #require(capture.messages.firstIndex { $0.status == 0xfa })
            let ticks = capture.messages[(start + 1)...]
            #expect(ticks.allSatisfy { $0.status == 0xf8 })
            let first = try #require(ticks.first?.frame)
            #expect(capture.messages[start].frame == first)
            let period = 60 * 48_000 / (24 * tempo)
            for (index, tick) in ticks.enumerated() {
                #expect(tick.frame - first == Int((Double(index) * period).rounded()))
            }
            // A click's first frame is 0: it is heard from the next one on.
            let clicks = onsets(capture.left)
            #expect(clicks.count > 10)
            for (index, click) in clicks.enumerated() where 24 * index < ticks.count {
                #expect(click - 1 == ticks[start + 1 + 24 * index].frame)
            }
        }

        /// The frames on which sound comes after a hundred frames of silence.
        private func onsets(_ heard: [Float]) -> [Int] {
            var last = -100
            return heard.indices.filter { heard[$0] != 0 }.filter { frame in
                defer { last = frame }
                return frame - last > 100
            }
        }
    }
}
