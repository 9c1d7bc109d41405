import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Many threads at one multitrack while it plays.
@Suite("Stems under load", .serialized, .timeLimit(.minutes(10)))
struct StemStormTests {
    /// Seconds for which the storm blows; a sanitizer run asks for more.
    private static var seconds: Double {
        let text = ProcessInfo.processInfo.environment["BARLINE_STORM_SECONDS"] ?? ""
        return (Double(text) ?? 6) / 3
    }

    private func act(
        _ random: inout TestRandom, _ multitrack: Multitrack, _ others: [Stem], _ engine: Engine
    ) throws {
        let frame = random.chance(0.3) ? engine.state.frame + Int64(random.int(-500...5_000)) : nil
        let stem = Channel.stem(StemIndex(random.int(0...3)))
        switch random.int(0...11) {
        case 0...2: multitrack.play(at: frame)
        case 3: multitrack.pause(at: frame)
        case 4: multitrack.seek(to: random.double(0...4), at: frame)
        case 5:
            let start = random.double(0...3)
            try multitrack.setLoop(start..<start + random.double(0.05...1), at: frame)
        case 6: try multitrack.setLoop(nil, at: frame)
        case 7: try engine.mixer[stem].setMute(random.chance(0.3), at: frame)
        case 8: try engine.transport.setTempo(Tempo(clamping: random.double(60...180)), overBeats: random.double(0...2))
        case 9: multitrack.stop(at: frame)
        default:
            try multitrack.setStem(
                random.chance(0.7) ? random.pick(others) : nil, at: StemIndex(random.int(0...5)))
        }
        _ = multitrack.readiness
        _ = engine.state.multitrack.position
        #expect(multitrack.checkInvariants())
    }

    @Test("Four threads play, seek, loop and exchange stems at random while they are rendered and replaced")
    func storm() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, commandCapacity: 1 << 14))
        let recorder = Recorder(engine, frames: 48_000 * 600)
        func stems(_ seed: Int) -> [Stem] {
            (0..<4).map { Stem(SampleStem(noise: UInt64(10 * seed + $0), frames: 150_000 + 30_000 * $0)) }
        }
        let others = stems(1_000)
        let deadline = Date(timeIntervalSinceNow: StemStormTests.seconds)
        var round = 0
        // Where the machine is busy with something else, reading may have come too late for any start: then some more.
        var more = 0
        while deadline.timeIntervalSinceNow > 0 || (more < 50 && !recorder.left().contains { $0 != 0 }) {
            if deadline.timeIntervalSinceNow <= 0 { more += 1 }
            let multitrack = try Multitrack(
                stems(round), on: engine, recordedTempo: round % 2 == 0 ? nil : Tempo.standard)
            round += 1
            let seed = UInt64(100 * round)
            let threads = DispatchGroup()
            for thread in 0..<4 {
                DispatchQueue.global().async(group: threads) {
                    var random = TestRandom(seed: seed + UInt64(thread))
                    for _ in 0..<40 {
                        do {
                            try act(&random, multitrack, others, engine)
                        } catch EngineError.busy {
                            // The ring is full: that is an answer, not a failure.
                        } catch {
                            Issue.record("\(error)")
                        }
                        usleep(UInt32(random.int(0...3_000)))
                    }
                }
            }
            while threads.wait(timeout: .now()) == .timedOut, recorder.frames + 256 <= recorder.capacity {
                recorder.render(256)
                usleep(500)
            }
            threads.wait()
            multitrack.close()
        }
        #expect(recorder.left().allSatisfy { $0.isFinite && abs($0) < 4 })
        #expect(recorder.left().contains { $0 != 0 })
    }
}
