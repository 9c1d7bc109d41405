import BarlineEngine
import BarlineTime
import Synchronization
import Testing

/// Observers of beats are called some time after what they are called for.
@Suite("Observers that are called late")
struct TimelineObserverTests {
    /// A stretch of time in which the transport rolls, with its tempo.
    private struct Roll {
        let frames: Range<Int>
        let tempo: ReferenceTempo
    }

    /// Three rolls, one of a tenth of a second, with a jump and a ramp of the tempo in the first, which ends on the
    /// ramp: the others have the tempo that was reached.
    private var rolls: [Roll] {
        var first = ReferenceTempo(frame: 5_000, beat: 0, tempo: 120, rate: 48_000)
        first.change(at: 100_000, to: 90, ramp: 0)
        first.change(at: 130_000, to: 150, ramp: 4)
        let reached = first.tempo(at: 200_000)
        func later(from frame: Int) -> ReferenceTempo {
            ReferenceTempo(frame: frame, beat: 0, tempo: reached, rate: 48_000)
        }
        return [
            Roll(frames: 5_000..<200_000, tempo: first), Roll(frames: 250_000..<254_800, tempo: later(from: 250_000)),
            Roll(frames: 300_000..<400_000, tempo: later(from: 300_000)),
        ]
    }

    /// The frames of every beat and of each of some moments, of an engine whose observers are called every
    /// `interval` frames.
    private func frames(interval: Int, at moments: [any Moment]) throws -> (beats: [Int], moments: [Int]) {
        let engine = Engine(EngineConfiguration(trackCount: 1, eventDelivery: .manual, launchQuantization: .none))
        let beats = Mutex<[Int]>([])
        let passed = Mutex<[Int]>([])
        let observations = [
            engine.transport.observe(every: .beats(1)) { tick in beats.withLock { $0.append(Int(tick.frame.rawValue)) }
            },
            engine.transport.observe(at: moments) { tick in passed.withLock { $0.append(Int(tick.frame.rawValue)) } },
        ]
        let recorder = Recorder(engine, frames: 400_000)
        try engine.transport.start(at: FrameTime(5_000))
        try engine.transport.setTempo(90, at: FrameTime(100_000))
        try engine.transport.setTempo(150, overBeats: 4, at: FrameTime(130_000))
        try engine.transport.stop(at: FrameTime(200_000))
        try engine.transport.start(at: FrameTime(250_000))
        try engine.transport.stop(at: FrameTime(254_800))
        try engine.transport.start(at: FrameTime(300_000))
        while recorder.frames < 400_000 {
            recorder.render(min(interval, 400_000 - recorder.frames), .fixed(500))
            engine.events.deliver()
        }
        withExtendedLifetime(observations) {}
        return (beats.withLock { $0 }, passed.withLock { $0 })
    }

    @Test(
        "Every beat is reported on its frame under the tempo of that time, however much has changed since",
        arguments: [500, 20_000, 100_000, 400_000])
    func beats(interval: Int) throws {
        let reported = try frames(interval: interval, at: [Beat(0), Beat(0.2), Bar(2), FrameTime(300_000)])
        func passing(_ beat: Double) -> [Int] {
            rolls.compactMap { roll in
                let frame = roll.tempo.frame(of: beat)
                return roll.frames.contains(frame) ? frame : nil
            }
        }
        let beats = rolls.flatMap { roll in
            (0..<20).map { roll.tempo.frame(of: Double($0)) }.filter(roll.frames.contains)
        }
        #expect(reported.beats == beats)
        #expect(reported.moments == ([0, 0.2, 4].flatMap(passing) + [300_000]).sorted())
    }

    @Test("A beat on which the tempo changes is reported once, on the frame on which it clicks, however near it lies")
    func onTheChange() throws {
        var random = TestRandom(seed: 11)
        for _ in 0..<300 {
            let (before, after) = (random.double(40...240), random.double(40...240))
            let engine = Engine(EngineConfiguration(trackCount: 1, eventDelivery: .manual, launchQuantization: .none))
            let found = Mutex<[[Int]]>([[], [], []])
            func note(_ kind: Int) -> @Sendable (TimelineTick) -> Void {
                { tick in found.withLock { $0[kind].append(Int(tick.frame.rawValue)) } }
            }
            try engine.transport.setTempo(Tempo(clamping: before))
            let observations = [
                engine.transport.observe(every: .beats(1), note(0)), engine.transport.observe(every: .bars(1), note(1)),
                engine.transport.observe(at: [Bar(2)], note(2)),
            ]
            let recorder = Recorder(engine, frames: 700_000)
            try engine.transport.start(at: FrameTime(0))
            try engine.transport.setTempo(Tempo(clamping: after), at: Bar(2))
            recorder.render(600_000, .fixed(4_096))
            engine.events.deliver()
            withExtendedLifetime(observations) {}
            // Bar 2 begins after four beats at the first tempo, and the beats after it count from its frame's.
            let (former, latter) = (60 * 48_000 / before, 60 * 48_000 / after)
            let change = (4 * former).rounded()
            var expected = (0..<4).map { Double($0) * former }
            for number in 4..<64 { expected.append(max(change, change + (Double(number) - change / former) * latter)) }
            expected.removeAll { $0 >= 599_000 }
            let beats = found.withLock { $0[0].filter { $0 < 599_000 } }
            #expect(beats.count == expected.count, "\(before) to \(after)")
            #expect(zip(beats, expected).allSatisfy { abs(Double($0) - $1) < 0.51 }, "\(before) to \(after)")
            #expect(found.withLock { $0[2] } == [beats[4]], "\(before) to \(after)")
            #expect(found.withLock { $0[1].dropFirst().first } == beats[4], "\(before) to \(after)")
        }
    }

    @Test("Moments that are none never come, and trap nobody")
    func outOfRange() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, eventDelivery: .manual))
        let count = Mutex(0)
        let observation = engine.transport.observe(
            at: [Beat(.nan), Beat(.infinity), Beat(-.infinity), Beat(1e19), Bar(.max), Bar(.min), FrameTime(.max)]
        ) { _ in count.withLock { $0 += 1 } }
        try engine.transport.start()
        let recorder = Recorder(engine, frames: 100_000)
        for _ in 0..<10 {
            recorder.render(10_000)
            engine.events.deliver()
        }
        withExtendedLifetime(observation) {}
        #expect(count.withLock { $0 } == 0)
    }
}
