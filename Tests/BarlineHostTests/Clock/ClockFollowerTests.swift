import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineHost

/// What a transport does that follows a clock, in a model of both: a clock that is known, and a transport whose beats are
/// a sum of its tempo.
@Suite("Following a MIDI clock")
struct ClockFollowerTests {
    /// A transport that does what it is told with its next block.
    private struct Transport {
        var isRolling = false
        var tempo = 100.0
        /// The beat at `time`, and where the song is there.
        private(set) var beat = 0.0
        private(set) var song = 0.0
        private(set) var time = 0.0
        private(set) var jumps: [Double] = []
        private(set) var tempos: [(time: Double, bpm: Double)] = []
        private(set) var stops = 0
        private var located: Double?

        var seen: ClockFollower.Transport {
            ClockFollower.Transport(seconds: time, beat: isRolling ? beat : nil, beatsPerMinute: tempo)
        }

        mutating func advance(to end: Double) {
            if isRolling {
                beat += (end - time) * tempo / 60
                song += (end - time) * tempo / 60
            }
            time = end
        }

        mutating func perform(_ orders: [ClockFollower.Order]) {
            for order in orders {
                switch order {
                case .start(let place, let seconds):
                    isRolling = true
                    beat = (time - seconds) * tempo / 60
                    song = place + beat
                case .stop:
                    isRolling = false
                    stops += 1
                case .locate(let place, let seconds): song = place + (time - seconds) * tempo / 60
                case .tempo(let bpm):
                    tempo = bpm
                    tempos.append((time, bpm))
                case .jump(let seconds):
                    beat += seconds * tempo / 60
                    song += seconds * tempo / 60
                    jumps.append(seconds)
                }
            }
        }
    }

    /// A clock, and what follows it.
    private struct Stage {
        var follower = ClockFollower()
        var transport = Transport()
        private var random = TestRandom(seed: 4)
        private(set) var tick = 0
        private(set) var time = 0.0

        /// Whether each tick comes up to 1 ms early or late.
        var isUneven = false
        /// How long after a message the transport sees it.
        static let delay = 0.005

        mutating func send(_ bytes: [UInt8]) {
            let arrival = time + (isUneven ? 1e-3 * random.amplitude() : 0)
            transport.advance(to: max(transport.time, time + Stage.delay))
            transport.perform(follower.take(bytes, at: arrival, transport.seen))
        }

        /// Sends ticks for so many beats.
        mutating func play(_ beats: Double, at tempo: Double, _ each: (Stage) -> Void = { _ in }) {
            for _ in 0..<Int((beats * 24).rounded()) {
                send([0xf8])
                each(self)
                tick += 1
                time += 60 / (24 * tempo)
            }
        }

        /// One that was started after four beats at 120 BPM, and rolls for `beats` more.
        static func rolling(_ beats: Double) -> Stage {
            var stage = Stage()
            stage.play(4, at: 120)
            stage.send([0xfa])
            stage.play(beats, at: 120)
            return stage
        }

        mutating func pause(_ seconds: Double) { time += seconds }

        /// Whether the clock is seen to be gone, or back, where that has changed.
        mutating func loss() -> Bool? {
            guard let (isLost, orders) = follower.takeLoss(at: time, transport.seen) else { return nil }
            transport.perform(orders)
            return isLost
        }

        /// By how much the transport's beat is later than that of a clock that is `beats` beats in, in seconds.
        func error(_ beats: Double, at tempo: Double) -> Double {
            let expected = beats + (transport.time - time) * tempo / 60
            return (expected - transport.beat) * 60 / tempo
        }
    }

    @Test("The tempo is the clock's before it starts, and a start is the beat of the first tick")
    func start() {
        var stage = Stage()
        stage.play(4, at: 120)
        #expect(stage.transport.tempo == 120 && !stage.transport.isRolling)
        stage.send([0xfa])
        #expect(!stage.transport.isRolling)
        stage.play(1, at: 120) { stage in
            #expect(stage.transport.isRolling)
            #expect(abs(stage.error(Double(stage.tick - 96) / 24, at: 120)) < 1e-4)
        }
        #expect(stage.transport.jumps.isEmpty && stage.transport.song > 0.9)
        stage.send([0xfc])
        #expect(!stage.transport.isRolling && stage.transport.stops == 1)
        // It goes on where it was: after 24 ticks.
        stage.send([0xfb])
        stage.play(1 / 24, at: 120)
        #expect(abs(stage.transport.song - stage.transport.beat - 1) < 1e-9)
    }

    @Test("Ticks that begin anew with the start are where it starts, at the tempo before", arguments: [0.003, 0.011])
    func anew(pause: Double) {
        var stage = Stage()
        stage.play(4, at: 120)
        stage.pause(-pause)
        stage.send([0xfa])
        stage.play(8, at: 120) { stage in
            #expect(abs(stage.error(Double(stage.tick - 96) / 24, at: 120)) < 1e-4)
            #expect(stage.transport.tempo == 120)
        }
    }

    @Test("A song position says where it goes on", arguments: [16, 9])
    func position(sixteenths: Int) {
        var stage = Stage()
        stage.play(1, at: 90)
        stage.send([0xf2, UInt8(sixteenths & 127), UInt8(sixteenths >> 7)])
        stage.send([0xfb])
        stage.play(2, at: 90)
        #expect(abs(stage.transport.song - stage.transport.beat - Double(sixteenths) / 4) < 1e-9)
    }

    @Test(
        "Beats stay within 2 ms of a clock that comes unevenly, without a jump, and the tempo within 0.5 %",
        arguments: [61.37, 120, 120.03, 174.3])
    func phase(tempo: Double) {
        var stage = Stage()
        stage.isUneven = true
        stage.play(4, at: tempo)
        stage.send([0xfa])
        stage.play(400, at: tempo) { stage in
            let beats = Double(stage.tick - 96) / 24
            #expect(beats < 8 || abs(stage.error(beats, at: tempo)) < 2e-3)
        }
        #expect(stage.transport.jumps.isEmpty)
        let settled = stage.transport.tempos.filter { $0.time > 5 }.map(\.bpm)
        #expect(settled.allSatisfy { abs($0 / tempo - 1) <= 0.0051 })
        // What is recorded meanwhile keeps its tempo.
        #expect(settled.count < 200)
    }

    @Test(
        "A step of the tempo is followed within a beat, and what the beats have lost meanwhile is made up for",
        arguments: [(126.0, 3.0), (112, 3), (240, 12)])
    func step(after: Double, seconds: Double) {
        var stage = Stage.rolling(20)
        stage.play(1, at: after)
        #expect(abs(stage.transport.tempo / after - 1) < 0.006)
        stage.play(seconds * after / 60, at: after)
        stage.play(4, at: after) { stage in
            #expect(abs(stage.error(Double(stage.tick - 96) / 24, at: after)) < 2e-3)
        }
        #expect(stage.transport.jumps.isEmpty)
    }

    @Test("Where somebody starts the transport himself, its beats come to the clock's at once")
    func ownStart() {
        var stage = Stage.rolling(3.4)
        stage.transport.perform([.stop])
        stage.play(2, at: 120)
        stage.transport.perform([.start(place: 0, seconds: stage.transport.time - 0.13)])
        stage.play(1, at: 120)
        #expect(stage.transport.jumps.count == 1 && stage.transport.jumps.allSatisfy { abs($0) < 0.25 })
        stage.play(8, at: 120) { stage in
            let error = stage.error(Double(stage.tick - 96) / 24, at: 120) * 2
            #expect(abs(error - error.rounded()) < 2e-3)
        }
    }

    @Test("A start while the transport rolls moves the song, keeps what plays, and brings the beats to the clock's")
    func restart() {
        var stage = Stage.rolling(9.5)
        stage.send([0xfa])
        stage.play(4, at: 120)
        #expect(stage.transport.stops == 0 && stage.transport.isRolling)
        #expect(abs(stage.transport.song - 4 + 0.5 / 24) < 0.03, "\(stage.transport.song)")
        let error = stage.error(4, at: 120) * 2
        #expect(abs(error - error.rounded()) < 2e-3, "\(error)")
    }

    @Test("A clock that is lost is said once, its tempo goes on, and it is in phase again when it is back")
    func loss() {
        var stage = Stage.rolling(8)
        #expect(stage.loss() == nil)
        stage.pause(10)
        #expect(stage.loss() == true)
        #expect(stage.loss() == nil)
        stage.transport.advance(to: stage.time)
        #expect(stage.transport.isRolling && stage.transport.tempo == 120)
        stage.play(4, at: 120)
        #expect(stage.loss() == false)
        #expect(abs(stage.error(8 + 20 + 4, at: 120)) < 2e-3)
    }
}
