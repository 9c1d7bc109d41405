import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// Clicks as another client of a real server hears them.
    @Suite("The metronome through JACK", .timeLimit(.minutes(10)))
    struct JackMetronomeTests {
        /// A minute with both cores busy where it is asked for; otherwise some seconds on an idle machine.
        static let seconds = ProcessInfo.processInfo.environment["BARLINE_SLOW_TESTS"] == nil ? 6 : 60
        static let tempo = 137.3

        @Test("Every click is on its frame, wherever no block came late")
        func everyClick() throws {
            let isSlow = JackMetronomeTests.seconds == 60
            let load = isSlow ? try (0..<2).map { _ in try Program("sh", ["-c", "while :; do :; done"]) } : []
            defer { for program in load { program.end() } }
            let capture = try play()
            let heard = capture.left
            let first = try #require(heard.firstIndex { $0 != 0 }) - 1
            // A late block shifts what follows by whole blocks: between two of them all clicks are on one grid.
            let borders = [first] + capture.faults.filter { $0 > first } + [heard.count]
            var clicks = 0
            for (start, end) in zip(borders, borders.dropFirst()) {
                let isFirst = start == first
                guard let stretch = grid(heard, from: start, to: end, isFirst ? 0...0 : nil) else {
                    Issue.record("no grid fits frames \(start) ..< \(end)")
                    continue
                }
                clicks += stretch
            }
            print("JACK capture: \(clicks) clicks compared, \(borders.count - 2) late blocks")
            #expect(clicks > JackMetronomeTests.seconds / 2)
        }

        private func play() throws -> JackCapture {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let engine = Engine(
                EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: JackMetronomeTests.tempo)))
            try engine.metronome.setOn(true, at: FrameTime.zero)
            // By then the ports are connected.
            try engine.transport.start(at: FrameTime(48_000))
            let capture = try JackCapture(name: "capture", seconds: JackMetronomeTests.seconds + 5)
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "live", connection: .matching("^capture:in_")), engine: engine,
                busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
            let end = Int64(48_000 * JackMetronomeTests.seconds)
            #expect(eventually { engine.state.frame.rawValue >= end })
            capture.close()
            supervisor.stop()
            return capture
        }

        /// How many whole clicks of a stretch are the closed form on the frames of one grid, which begins with one of
        /// the beats `candidates`; `nil` where there is no such grid.
        private func grid(_ heard: [Float], from start: Int, to end: Int, _ candidates: ClosedRange<Int>?) -> Int? {
            // What is left of a click that the border cut goes first.
            var onset = start
            if candidates == nil {
                onset += 6_000
                while onset < end, heard[onset] != 0 { onset += 1 }
                while onset < end, heard[onset] == 0 { onset += 1 }
                onset -= 1
            }
            guard onset + 4_800 < end else { return 0 }
            let near = Int(Double(onset) / period)
            for beat in candidates ?? max(0, near - 200)...(near + 4) {
                if let count = clicks(heard, onset: onset, beat: beat, end: end) { return count }
            }
            return nil
        }

        private var period: Double { 60 * 48_000 / JackMetronomeTests.tempo }

        private func frame(_ beat: Int) -> Int { Int((Double(beat) * period).rounded()) }

        private func clicks(_ heard: [Float], onset: Int, beat: Int, end: Int) -> Int? {
            var count = 0
            while true {
                let start = onset + frame(beat + count) - frame(beat)
                // A server tells of a late block a moment after it.
                guard start + 9_600 < end else { return count }
                for index in 0..<4_800 {
                    if abs(Double(heard[start + index]) - exact(beat + count, index)) > 1e-5 { return nil }
                }
                count += 1
            }
        }

        private func exact(_ beat: Int, _ index: Int) -> Double {
            let time = Double(index) / 48_000
            let (level, frequency) = beat % 4 == 0 ? (0.9, 1200.0) : (0.6, 800)
            return level * sin(2 * Double.pi * frequency * time) * exp(-30 * time) * min(1, (0.1 - time) / 0.005)
        }
    }
}
