import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// What a server may do while it is played to.
    @Suite("Faults", .timeLimit(.minutes(10)))
    struct JackFaultTests {
        private static let connection = JackConnection.matching("^capture:in_")

        @Test("A change of block size is followed, and the sound goes on in phase")
        func blockSize() throws {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let capture = try JackCapture(name: "capture", seconds: 20)
            let engine = try PlaceEngine.make()
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "faults", connection: JackFaultTests.connection), engine: engine,
                busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
            defer { supervisor.stop() }
            for frames in [1024, 64, 256] {
                let before = engine.state.frame.rawValue
                #expect(eventually { engine.state.frame.rawValue > before + 12_000 })
                #expect(capture.setBlockFrames(frames))
                #expect(eventually { supervisor.format.blockFrames == frames })
                let start = capture.frameCount
                #expect(eventually { capture.frameCount > start + 9_600 })
                #expect(PlaceEngine.breaks(in: Array(capture.left[(start + 2048)...])) == 0, "\(frames)")
            }
            #expect(supervisor.status == .running)
        }

        @Test(
            "Where the engine is to wait for it, the next server goes on where the first one ended",
            arguments: [48_000, 44_100])
        func crash(rate: Int) throws {
            var server = try JackServer()
            defer { server.end() }
            let isBack = Flag()
            let engine = try PlaceEngine.make()
            var timeouts = OutputSupervisor.Timeouts()
            timeouts.firstRetry = 0.05
            timeouts.longestRetry = 0.1
            timeouts.continuesByClock = false
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "faults", connection: .none), engine: engine, busNames: ["main"],
                timeouts: timeouts,
                reopenWith: { () throws(OutputError) in
                    guard isBack.isSet else { throw .noServer(backend: "jack", reason: "not yet") }
                    return try JackDevice(name: "faults", connection: JackFaultTests.connection)
                })
            defer { supervisor.stop() }
            #expect(eventually { engine.state.frame.rawValue > 30_000 })
            server.crash()
            #expect(eventually { supervisor.status != .running })
            let lost = engine.state.frame.rawValue
            let beat = engine.state.transport.beat.rawValue
            server = try JackServer(sampleRate: rate, waitsForClients: true)
            #expect(engine.state.frame.rawValue == lost, "the position is kept")
            let capture = try JackCapture(name: "capture", seconds: 10)
            isBack.set()
            #expect(eventually { supervisor.status == .running && engine.state.frame.rawValue > lost + 24_000 })
            #expect(eventually { capture.frameCount > 24_000 })
            #expect(engine.state.sampleRate.hertz == Double(rate))
            try expectResumption(capture.left, beat: beat, rate: rate)
        }

        @Test(
            "While a server is gone the beat goes on by the clock, and the next one has it where it belongs",
            arguments: [48_000, 44_100])
        func beatGoesOn(rate: Int) throws {
            var server = try JackServer()
            defer { server.end() }
            let engine = try PlaceEngine.make()
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "faults", connection: .none), engine: engine, busNames: ["main"],
                reopenWith: { () throws(OutputError) in
                    try JackDevice(name: "faults", connection: JackFaultTests.connection)
                })
            defer { supervisor.stop() }
            /// Seconds from the clock to the first beat that is not rendered; the freshest of many readings, less the
            /// block.
            func distance(blockFrames: Int) -> Double {
                let readings = (0..<600).map { _ in
                    Thread.sleep(forTimeInterval: 0.0005)
                    let state = engine.state
                    let ahead = Double(blockFrames) / state.sampleRate.hertz
                    return state.transport.beat.rawValue / 2 - Double(DispatchTime.now().uptimeNanoseconds) * 1e-9
                        - ahead
                }
                return readings.max() ?? 0
            }
            /// The same, of a machine that has not stood still meanwhile: measured until it is what it was before.
            func settledDistance(blockFrames: Int) -> Double {
                var last = distance(blockFrames: blockFrames)
                for _ in 0..<20 {
                    let next = distance(blockFrames: blockFrames)
                    if abs(next - last) < 0.005 { return next }
                    last = next
                }
                return last
            }
            #expect(eventually { engine.state.frame.rawValue > 30_000 })
            let before = settledDistance(blockFrames: supervisor.format.blockFrames)
            server.crash()
            #expect(eventually { if case .lost(let attempts) = supervisor.status { attempts > 0 } else { false } })
            #expect(abs(settledDistance(blockFrames: 256) - before) < 0.02)
            #expect(supervisor.status != .running)
            server = try JackServer(sampleRate: rate, waitsForClients: true)
            let capture = try JackCapture(name: "capture", seconds: 30)
            #expect(eventually { supervisor.status == .running && engine.state.sampleRate.hertz == Double(rate) })
            #expect(abs(settledDistance(blockFrames: supervisor.format.blockFrames) - before) < 0.02)
            // It sounds, without a break, from where it comes in.
            #expect(eventually { capture.frameCount > 24_000 && capture.left.contains { $0 != 0 } })
            // A block that the machine was late for is a break of the server's: what is wrong has one in each half second.
            let isWhole = (0..<6).contains { _ in
                let start = capture.frameCount
                #expect(eventually { capture.frameCount > start + 24_000 })
                let heard = Array(capture.left[start..<start + 20_000])
                return PlaceEngine.breaks(in: heard, rate: 48_000 / Double(rate)) == 0
            }
            #expect(isWhole)
        }

        private func expectResumption(_ samples: [Float], beat: Double, rate: Int) throws {
            let first = try #require(samples.firstIndex { $0 != 0 })
            // What was played before the ports were connected, and the fade-in, is left out.
            let heard = Array(samples[(first + rate / 200)...].prefix(12_000))
            #expect(heard.count == 12_000)
            #expect(PlaceEngine.breaks(in: heard, rate: 48_000 / Double(rate)) == 0)
            let expected = (beat * 24_000).truncatingRemainder(dividingBy: 96_000)
            let place = PlaceEngine.place(heard[0])
            let missed = (place - expected + 96_000).truncatingRemainder(dividingBy: 96_000)
            #expect(missed < 24_000, "from \(expected) to \(place)")
        }
    }
}

/// Something that happens once, seen from any thread.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
