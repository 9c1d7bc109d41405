import BarlineEngine
import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineHost

/// A host that follows a clock whose ticks are exactly 100 BPM.
@Suite("A host that follows a MIDI clock", .fewAtATime)
struct MIDIClockInputTests {
    /// A clock, and what it is sent to.
    private final class Clock {
        let engine: Engine
        let input: MIDIClockInput
        let first: Int64
        /// The next tick.
        private(set) var tick: Int64 = 0
        static let period: Int64 = 1_200

        init(_ host: SessionHost) {
            engine = host.player.engine
            input = MIDIClockInput(host.session, host.clock) { host.notify($0) }
            first = engine.now.rawValue + 4_800
        }

        /// The frame of the next tick.
        var frame: Int64 { first + tick * Clock.period }

        func send(_ bytes: [UInt8]) { _ = input.take((bytes, FrameTime(frame))) }

        /// Sends ticks as their frames come.
        func play(_ count: Int) {
            for _ in 0..<count {
                while engine.now.rawValue < frame { Thread.sleep(forTimeInterval: 0.001) }
                send([0xf8])
                tick += 1
            }
        }
    }

    @Test("It starts, stops and has its beats where the clock has them; the session's own tempo stays")
    func follows() async throws {
        let stage = try await HostStage { plan, folder in
            plan.clock = .midi
            plan.record = folder.path("take.jsonl")
        }
        let host = stage.host
        let witness = Witness()
        host.add(witness)
        host.start()
        let clock = Clock(host)
        #expect(host.clock.source == .midi && host.clock.state == .waiting)
        #expect(!clock.input.take(([0x90, 60, 100], .zero)))
        clock.play(24)
        #expect(host.clock.state == .following)
        let transport = host.player.engine.transport
        #expect(eventually { transport.tempo.beatsPerMinute == 100 } && !transport.isRolling)
        clock.send([0xfa])
        let began = clock.frame - Int64(host.player.engine.outputLatency)
        clock.play(24)
        #expect(transport.isRolling)
        _ = try host.session.perform(.launch(clip: "a"))
        clock.play(48)
        for beat in 0...2 {
            let found = transport.map.beat(at: FrameTime(began + Int64(beat) * 24 * Clock.period)).rawValue
            #expect(abs(found - Double(beat)) < 1e-3, "\(found)")
        }
        #expect(host.player.document.tempo == 120 && host.session.status.undo == nil)
        // Somebody who changes the tempo meanwhile has it back with the next ticks.
        _ = try host.session.perform(.tempo(bpm: 140, ramp: 0))
        clock.play(24)
        #expect(eventually { abs(transport.tempo.beatsPerMinute - 100) < 0.6 }, "\(transport.tempo)")
        clock.send([0xfc])
        #expect(eventually { !transport.isRolling })
        try host.stop()
        let script = try stage.folder.text("take.jsonl")
        #expect(script.contains(#""bpm":100"#) && script.contains(#""do":"transport""#), "\(script)")
    }

    @Test("The song is where the clock says: after a position, and after a start while it plays")
    func places() async throws {
        let stage = try await HostStage { plan, _ in plan.clock = .midi }
        let host = stage.host
        host.start()
        let clock = Clock(host)
        clock.play(12)
        let latency = Int64(host.player.engine.outputLatency)
        let transport = host.player.engine.transport
        /// By how much the song is off, `beats` being where the clock was at `frame`.
        func error(_ beats: Double, at frame: Int64) -> Double {
            let state = host.player.engine.state
            let elapsed = Double(state.frame.rawValue - frame + latency)
            return state.transport.songPosition.rawValue - beats - elapsed / Double(24 * Clock.period)
        }
        clock.send([0xf2, 22, 0])
        clock.send([0xfb])
        var began = clock.frame
        // It begins anew within a beat, so that beats are moved as well.
        clock.play(43)
        #expect(abs(error(5.5, at: began)) < 0.02, "\(error(5.5, at: began))")
        clock.send([0xfa])
        began = clock.frame
        clock.play(48)
        #expect(transport.isRolling && abs(error(0, at: began)) < 0.02, "\(error(0, at: began))")
        try host.stop()
    }

    @Test("A clock that stops coming is told once, and when it is back")
    func loss() async throws {
        let stage = try await HostStage { plan, _ in plan.clock = .midi }
        let host = stage.host
        let witness = Witness()
        host.add(witness)
        host.start()
        let clock = Clock(host)
        clock.input.look()
        clock.play(12)
        clock.send([0xfa])
        clock.play(24)
        clock.input.look()
        #expect(host.clock.state == .following)
        #expect(
            eventually {
                clock.input.look()
                return host.clock.state == .lost
            })
        clock.input.look()
        let transport = host.player.engine.transport
        #expect(transport.isRolling && abs(transport.tempo.beatsPerMinute - 100) < 0.6)
        #expect(eventually { witness.all.notices.count { $0.text.contains("MIDI clock is gone") } == 1 })
        #expect(
            eventually {
                clock.play(1)
                clock.input.look()
                return host.clock.state == .following
            })
        #expect(eventually { witness.all.notices.contains { $0.text.contains("MIDI clock is back") } })
        try host.stop()
    }
}
