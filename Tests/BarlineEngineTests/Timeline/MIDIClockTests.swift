import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// What other machines are told of the transport by MIDI: 24 ticks a beat, starts, stops and places in the song.
@Suite("The MIDI clock")
struct MIDIClockTests {
    static let rate = 48_000.0

    private func listener(
        bpm: Double, rate: Double = MIDIClockTests.rate, _ change: (inout EngineConfiguration) -> Void = { _ in }
    ) -> ClockListener {
        var configuration = EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: bpm))
        configuration.sampleRate = SampleRate(rate) ?? .standard
        change(&configuration)
        return ClockListener(Engine(configuration))
    }

    /// The frames from one tick to the next.
    private func period(_ bpm: Double, _ rate: Double = MIDIClockTests.rate) -> Double { 60 * rate / (24 * bpm) }

    private func position(_ sixteenths: Int) -> [UInt8] { [0xf2, UInt8(sixteenths % 128), UInt8(sixteenths / 128)] }

    @Test(
        "Every tick is on the frame nearest to its place, from the first one for an hour",
        arguments: [(120, 48_000), (137.3, 44_100), (999, 8_000), (20, 192_000)])
    func constant(bpm: Double, rate: Double) throws {
        let listener = listener(bpm: bpm, rate: rate)
        try listener.engine.transport.start(at: FrameTime(1_001))
        let end = Int(rate) * 3_600
        listener.render(to: end, .fixed(8_192))
        let ticks = listener.ticks(from: 1_001)
        let count = Int((Double(end - 1 - 1_001) / period(bpm, rate)).rounded(.down)) + 1
        #expect(abs(ticks.count - count) <= 1)
        let wrong = ticks.indices.first { ticks[$0] != 1_001 + Int((Double($0) * period(bpm, rate)).rounded()) }
        #expect(wrong == nil)
        #expect(listener.others == [ClockListener.Message(frame: 1_001, bytes: [0xfa])])
    }

    @Test("Start comes with beat 0, before its tick; while nothing rolls, ticks tell the tempo")
    func start() throws {
        let listener = listener(bpm: 120)
        try listener.engine.transport.start(at: FrameTime(10_300))
        try listener.engine.transport.stop(at: FrameTime(50_000))
        listener.render(to: 100_000)
        let before = listener.ticks().filter { $0 < 10_300 }
        #expect(before == (0...10).map { 1_000 * $0 })
        let start = listener.messages.firstIndex { $0.bytes == [0xfa] }
        let index = try #require(start)
        #expect(listener.messages[index].frame == 10_300)
        #expect(listener.messages[index + 1] == ClockListener.Message(frame: 10_300, bytes: [0xf8]))
        #expect(listener.ticks(from: 10_300).filter { $0 < 50_000 } == (0..<40).map { 10_300 + 1_000 * $0 })
        // The transport will start from the song's beginning, and ticks go on from the last one.
        #expect(
            Array(listener.others.dropFirst()) == [
                ClockListener.Message(frame: 50_000, bytes: [0xfc]),
                ClockListener.Message(frame: 50_000, bytes: position(0)),
            ])
        #expect(listener.ticks(from: 50_000) == (0..<50).map { 50_300 + 1_000 * $0 })
    }

    @Test("A count-in has ticks, and machines start with the beat after it")
    func countIn() throws {
        let listener = listener(bpm: 120) { $0.metronome.countInBars = 1 }
        try listener.engine.transport.start(at: FrameTime(500))
        listener.render(to: 200_000)
        #expect(listener.others == [ClockListener.Message(frame: 96_500, bytes: [0xfa])])
        #expect(listener.ticks(from: 500) == (0..<200).map { 500 + 1_000 * $0 })
    }

    @Test("Ticks lie where their beats do through steps and ramps of the tempo, and none is lost or sent again")
    func tempi() throws {
        let listener = listener(bpm: 120)
        try listener.engine.transport.start(at: FrameTime(0))
        // 120 BPM for 10.25 beats, 90 for 20 beats, a ramp to 180 over 16 beats.
        let step = 246_000
        let second = step + 20 * 32_000
        try listener.engine.transport.setTempo(Tempo(clamping: 90), at: FrameTime(Int64(step)))
        try listener.engine.transport.setTempo(
            Tempo(clamping: 180), overBeats: 16, at: FrameTime(Int64(second)))
        listener.render(to: 3_000_000, .mixed(seed: 7))
        func frame(_ tick: Int) -> Double {
            let beat = Double(tick) / 24
            if beat <= 10.25 { return beat * 24_000 }
            if beat <= 30.25 { return Double(step) + (beat - 10.25) * 32_000 }
            // Where the tempo is linear in beats, time is its logarithm.
            let slope = (180.0 - 90) / 16
            let inside = min(beat - 30.25, 16)
            let ramp = 60 * 48_000 / slope * log((90 + slope * inside) / 90)
            return Double(second) + ramp + max(0, beat - 46.25) * 16_000
        }
        let ticks = listener.ticks()
        #expect(ticks.count > 3_000)
        #expect(ticks.indices.allSatisfy { abs(Double(ticks[$0]) - frame($0)) <= 0.5 + 1e-6 })
    }

    @Test("The tempo of a transport that stands is told from the last tick on")
    func standing() throws {
        let listener = listener(bpm: 120)
        try listener.engine.transport.setTempo(Tempo(clamping: 60), at: FrameTime(10_400))
        try listener.engine.transport.setTempo(Tempo(clamping: 240), at: FrameTime(30_100))
        listener.render(to: 40_000, .mixed(seed: 3))
        let first: [Int] = (0...10).map { 1_000 * $0 }
        let second: [Int] = (1...10).map { 10_000 + 2_000 * $0 }
        let third: [Int] = (1..<20).map { 30_000 + 500 * $0 }
        #expect(listener.ticks() == first + second + third)
    }

    @Test("Messages are the same at every block size", arguments: [BlockPlan.fixed(1), .fixed(64), .mixed(seed: 5)])
    func blocks(plan: BlockPlan) throws {
        func messages(_ plan: BlockPlan) throws -> [ClockListener.Message] {
            let listener = listener(bpm: 133)
            let transport = listener.engine.transport
            try transport.relocate(to: Beat(9), at: FrameTime(300))
            try transport.start(at: FrameTime(777))
            try transport.setTempo(Tempo(clamping: 201), overBeats: 3, at: FrameTime(20_011))
            try transport.relocate(to: Beat(70.3), at: FrameTime(41_234))
            try transport.setLoop(from: Beat(71), length: 1.5, at: FrameTime(43_000))
            try transport.stop(at: FrameTime(88_001))
            try transport.start(at: FrameTime(88_001))
            listener.render(to: 120_000, plan)
            return listener.messages
        }
        let expected = try messages(.fixed(8_192))
        #expect(expected.count > 150)
        #expect(try messages(plan) == expected)
    }

    @Test("Where the song begins elsewhere, machines are told while they stand, and continue with its first tick")
    func entry() throws {
        let listener = listener(bpm: 120)
        try listener.engine.transport.relocate(to: Beat(600), at: FrameTime(2_000))
        try listener.engine.transport.start(at: FrameTime(9_000))
        listener.render(to: 20_000)
        #expect(
            listener.others == [
                ClockListener.Message(frame: 2_000, bytes: position(2_400)),
                ClockListener.Message(frame: 9_000, bytes: [0xfb]),
            ])
    }

    @Test("Where the song's position jumps, machines are stopped and go on with a sixteenth a tick or more later")
    func relocation() throws {
        let listener = listener(bpm: 120)
        try listener.engine.transport.start(at: FrameTime(0))
        // 2.75 ticks before the next beat of the song.
        try listener.engine.transport.relocate(to: Beat(17) + -2.75 / 24, at: FrameTime(100_250))
        listener.render(to: 200_000)
        #expect(
            Array(listener.others.dropFirst()) == [
                ClockListener.Message(frame: 100_250, bytes: [0xfc]),
                ClockListener.Message(frame: 100_250, bytes: position(68)),
                ClockListener.Message(frame: 103_000, bytes: [0xfb]),
            ])
        #expect(listener.ticks() == (0..<200).map { 1_000 * $0 })
    }

    @Test("While a loop has no sixteenth, machines wait, and go on with the first one behind it")
    func shortLoop() throws {
        let listener = listener(bpm: 120)
        try listener.engine.transport.start(at: FrameTime(0))
        // The song's ticks 25 to 27, from tick 28 on, until it goes on with 28 at tick 61.
        try listener.engine.transport.setLoop(from: Beat(25.0 / 24), length: 3.0 / 24, at: FrameTime(0))
        try listener.engine.transport.setLooping(false, at: FrameTime(60_500))
        listener.render(to: 100_000)
        #expect(
            Array(listener.others.dropFirst()) == [
                ClockListener.Message(frame: 27_000, bytes: [0xfc]),
                ClockListener.Message(frame: 62_000, bytes: position(5)),
                ClockListener.Message(frame: 63_000, bytes: [0xfb]),
            ])
    }

    @Test("A machine is where the song is with every tick, through jumps, loops, starts and stops", arguments: 1...6)
    func storm(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let listener = listener(bpm: 120)
        let transport = listener.engine.transport
        var song = SongModel()
        var machine = ClockedMachine()
        var (seen, played, silent, longest) = (0, 0, 0, 0)
        for _ in 0..<300 {
            let frame = listener.frames
            let place = Double(random.int(0...400)) / random.pick([1, 4, 24, 7])
            switch random.int(0...5) {
            case 0:
                try transport.start()
                song.start(at: frame)
            case 1 where random.chance(0.3):
                try transport.stop()
                song.stop()
            case 2:
                try transport.relocate(to: Beat(place))
                song.relocate(to: place, at: frame)
            case 3:
                let length = Double(random.int(1...96)) / 24
                try transport.setLoop(from: Beat(place), length: length)
                song.loop(from: place, length, at: frame)
            case 4:
                try transport.setLooping(false)
                song.unloop(at: frame)
            default: break
            }
            let end = frame + random.int(1...40_000)
            listener.render(to: end, .mixed(seed: random.next()))
            for message in listener.messages[seen...] {
                let tick = machine.take(message.bytes)
                guard message.bytes == [0xf8] else { continue }
                if let tick {
                    // A tick is sent on a whole frame, and the nearest tick of the song is played on it.
                    let expected = try #require(song.position(at: message.frame))
                    #expect(abs(Double(tick) - 24 * expected) <= 0.5 + 0.001, "at \(message.frame)")
                    played += 1
                    silent = 0
                } else if song.isRolling {
                    silent += 1
                    longest = max(longest, silent)
                }
            }
            seen = listener.messages.count
        }
        #expect(played > 1_000)
        // A loop of a few ticks has one sixteenth a turn, at the most.
        #expect(longest < 8 * 24)
    }

    @Test("Behind the limiter ticks are as late as the sound is")
    func latency() throws {
        let listener = listener(bpm: 120) { $0.limiter = LimiterSettings() }
        try listener.engine.transport.start(at: FrameTime(0))
        listener.render(to: 100_000, .fixed(100))
        let latency = listener.engine.outputLatency
        #expect(latency > 100)
        let expected: [Int] = (0..<100).map { latency + 1_000 * $0 }
        #expect(listener.ticks() == expected.filter { $0 < 100_000 })
        #expect(listener.others == [ClockListener.Message(frame: latency, bytes: [0xfa])])
    }

    @Test("An output that comes while the transport rolls has machines enter with a sixteenth")
    func lateOutput() throws {
        let listener = listener(bpm: 120)
        try listener.engine.transport.start(at: FrameTime(0))
        listener.render(to: 100_500, isHeard: false)
        listener.render(to: 150_000)
        #expect(
            listener.others == [
                ClockListener.Message(frame: 100_500, bytes: position(17)),
                ClockListener.Message(frame: 102_000, bytes: [0xfb]),
            ])
        #expect(listener.ticks() == (101..<150).map { 1_000 * $0 })
    }
}

/// The song's position at 120 BPM and 48 kHz, as a tape that is wound and looped.
private struct SongModel {
    private(set) var isRolling = false
    private var entry = 0.0
    /// A frame, and the song's beat there.
    private var frame = 0
    private var beat = 0.0
    private var loop: Range<Double>?

    func position(at frame: Int) -> Double? {
        guard isRolling else { return nil }
        let straight = beat + Double(frame - self.frame) / 24_000
        // A tick that falls on a loop's end by rounding is at its beginning.
        guard let loop, beat < loop.upperBound, straight >= loop.upperBound - 1e-9 else { return straight }
        return loop.lowerBound
            + (straight - loop.upperBound + 1e-9).truncatingRemainder(dividingBy: loop.upperBound - loop.lowerBound)
    }

    mutating func start(at frame: Int) {
        if isRolling { return }
        (isRolling, self.frame, beat) = (true, frame, entry)
    }

    mutating func stop() { isRolling = false }

    mutating func relocate(to place: Double, at frame: Int) {
        if isRolling { (self.frame, beat) = (frame, place) } else { entry = place }
    }

    mutating func loop(from start: Double, _ length: Double, at frame: Int) {
        hold(at: frame)
        loop = start..<start + length
    }

    mutating func unloop(at frame: Int) {
        hold(at: frame)
        loop = nil
    }

    private mutating func hold(at frame: Int) {
        guard let position = position(at: frame) else { return }
        (self.frame, beat) = (frame, position)
    }
}
