import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

@Suite("Stems")
struct MultitrackTests {
    typealias Step = ReferenceMultitrack.Step

    /// Compares a render with the reference, frame by frame.
    private func check(
        _ stage: StemStage, _ sources: [SampleStem], _ steps: [(frame: Int, step: Step)], frames: Int,
        offsets: [Int]? = nil
    ) {
        let length = zip(sources, offsets ?? sources.map { _ in 0 }).map { $0.left.count - $1 }.max() ?? 0
        let model = ReferenceMultitrack(steps, length: length, frames: frames, fade: 240)
        for frame in 0..<frames {
            var left = 0.0
            var right = 0.0
            for (position, weight) in model.sounding(at: frame) {
                for (index, source) in sources.enumerated() {
                    let offset = offsets?[index] ?? 0
                    // Only the start at position 0 has a stem come in from within its file.
                    let sample = source.heard(position + offset, from: steps.count == 1 ? max(0, offset) : 0)
                    left += weight * sample.left
                    right += weight * sample.right
                }
            }
            let isLeft = abs(Double(stage.recorder.left()[frame]) - left) < 2e-6
            let isRight = abs(Double(stage.recorder.right()[frame]) - right) < 2e-6
            if !isLeft || !isRight {
                Issue.record("frame \(frame): \(stage.recorder.left()[frame]) instead of \(left)")
                return
            }
        }
    }

    @Test("The sum of stems at unity gain and equal rates is exact to the last bit, from half a millisecond on")
    func sumIsExact() throws {
        let sources = (0..<5).map { SampleStem(noise: UInt64($0 + 10), frames: 90_000 + 7_001 * $0) }
        let stage = try StemStage(sources.map { Stem($0) }, frames: 130_000)
        try stage.perform([(1_234, .play)], frames: 130_000)
        for frame in 0..<130_000 {
            let sum = sources.reduce(Float(0)) { $0 + $1.sample(frame - 1_234).left }
            if (1_234..<1_258).contains(frame) {
                let soft = sources.reduce(0.0) { $0 + $1.heard(frame - 1_234).left }
                #expect(abs(Double(stage.recorder.left()[frame]) - soft) < 1e-6)
                continue
            }
            #expect(stage.recorder.left()[frame] == sum)
            if stage.recorder.left()[frame] != sum { return }
        }
        #expect(
            stage.recorder.events.contains { $0.kind == .stems(.started(position: 0)) && $0.frame == FrameTime(1_234) })
        let end = FrameTime(Int64(1_234 + 90_000 + 4 * 7_001))
        #expect(stage.recorder.events.contains { $0.kind == .stems(.ended) && $0.frame == end })
    }

    @Test("Pause loses no frame and repeats none; seek is exact; after the end play begins anew")
    func pauseAndSeek() throws {
        let sources = [SampleStem(noise: 1, frames: 60_000), SampleStem(noise: 2, frames: 50_000)]
        let steps: [(frame: Int, step: Step)] = [
            (100, .play), (9_077, .pause), (20_001, .play), (30_000, .seek(40_003)), (33_333, .pause),
            (34_000, .seek(17)), (35_000, .play), (36_000, .seek(58_000)), (45_000, .play), (50_000, .pause),
        ]
        let stage = try StemStage(sources.map { Stem($0) }, frames: 60_000)
        try stage.perform(steps, frames: 60_000)
        check(stage, sources, steps, frames: 60_000)
    }

    @Test("A loop region comes round on its frame, again and again")
    func loop() throws {
        let sources = [SampleStem(noise: 3, frames: 200_000), SampleStem(noise: 4, frames: 200_000)]
        let steps: [(frame: Int, step: Step)] = [
            (0, .loop(5_000..<12_345)), (10, .play), (100_000, .endLoop), (120_000, .loop(30_000..<33_000)),
            (140_000, .seek(32_000)), (170_000, .pause),
        ]
        let stage = try StemStage(sources.map { Stem($0) }, frames: 180_000, blocks: [64, 1_000, 4_096])
        try stage.perform(steps, frames: 180_000)
        check(stage, sources, steps, frames: 180_000)
    }

    @Test("Offsets shift a stem by frames of its source, both ways")
    func offsets() throws {
        let sources = [SampleStem(noise: 5, frames: 20_000), SampleStem(noise: 6, frames: 20_000)]
        let stems = [Stem(sources[0], offset: 3_001), Stem(sources[1], offset: -777)]
        let steps: [(frame: Int, step: Step)] = [(500, .play)]
        let stage = try StemStage(stems, frames: 30_000)
        try stage.perform(steps, frames: 30_000)
        check(stage, sources, steps, frames: 30_000, offsets: [3_001, -777])
    }

    @Test("Storms of pauses, seeks and loops sound as the model says, whatever the blocks", arguments: 1...12)
    func storm(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let sources = (0..<3).map { SampleStem(noise: UInt64(seed * 10 + $0), frames: 70_000 + 5_000 * $0) }
        var steps: [(frame: Int, step: Step)] = []
        var frame = 0
        while frame < 150_000 {
            switch random.int(0...9) {
            case 0...3: steps.append((frame, .play))
            case 4...5: steps.append((frame, .pause))
            case 6...7: steps.append((frame, .seek(random.int(0...75_000))))
            case 8:
                let start = random.int(0...60_000)
                steps.append((frame, .loop(start..<start + random.int(2_500...20_000))))
            default: steps.append((frame, .endLoop))
            }
            frame += random.chance(0.3) ? random.int(250...600) : random.int(600...9_000)
        }
        let frames = frame + 1_000
        let first = try StemStage(sources.map { Stem($0) }, frames: frames, blocks: [1, 17, 64, 333, 4_096])
        try first.perform(steps, frames: frames)
        check(first, sources, steps, frames: frames)
        let second = try StemStage(sources.map { Stem($0) }, frames: frames, blocks: [1_024])
        try second.perform(steps, frames: frames)
        #expect(first.recorder.left().elementsEqual(second.recorder.left()))
    }

    @Test("Stems of other rates stay in step: a tone is where its time says", arguments: [22_050.0, 44_100, 96_000])
    func otherRates(rate: Double) throws {
        let count = Int(rate * 4)
        let tone = (0..<count).map { Float(0.5 * sin(2 * .pi * 441 * Double($0) / rate)) }
        let source = SampleStem(left: tone, right: tone, sampleRate: try #require(SampleRate(rate)))
        let stage = try StemStage([Stem(source)], frames: 180_000)
        try stage.perform([(1_000, .play), (100_000, .seek(14_321))], frames: 180_000)
        for frame in 2_000..<175_000 where abs(frame - 100_120) > 200 {
            let position = frame < 100_000 ? frame - 1_000 : frame - 100_000 + 14_321
            let expected = 0.5 * sin(2 * .pi * 441 * Double(position) / 48_000)
            let error = abs(Double(stage.recorder.left()[frame]) - expected)
            if error > 2e-5 {
                Issue.record("frame \(frame) is off by \(error)")
                return
            }
        }
    }

    @Test("Stems that follow the tempo are where its integral says, through changes and ramps")
    func followsTempo() throws {
        let frequency = 200.0
        let tone = (0..<400_000).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / 48_000)) }
        let recorded: Tempo = 100
        let stage = try StemStage(
            [Stem(SampleStem(left: tone, right: tone))], frames: 200_000, recordedTempo: recorded, blocks: [64, 700])
        try stage.engine.transport.setTempo(100, at: FrameTime.zero)
        try stage.engine.transport.start(at: FrameTime.zero)
        try stage.engine.transport.setTempo(150, at: FrameTime(48_000))
        try stage.engine.transport.setTempo(75, overBeats: 2, at: FrameTime(96_000))
        try stage.perform([(0, .play)], frames: 200_000)
        // The tempo is linear in beats over the ramp, so the beat grows exponentially; integrated here frame by frame.
        var beat = 0.0
        let rampStart = 96_000.0 / 48_000 * 100 / 60 / 2 + 48_000.0 / 48_000 * 150 / 60
        for frame in 0..<195_000 {
            let bpm: (Double) -> Double = { beat in
                if frame < 48_000 { return 100 }
                if frame < 96_000 { return 150 }
                return max(75, 150 - 75 / 2 * (beat - rampStart))
            }
            let expected = 0.5 * sin(2 * .pi * frequency * beat * 60 / 100)
            let error = abs(Double(stage.recorder.left()[frame]) - expected)
            if error > 2e-3 {
                Issue.record("frame \(frame) is off by \(error)")
                return
            }
            // Runge-Kutta of second order: exact enough over four seconds.
            let middle = beat + bpm(beat) / 60 / 48_000 / 2
            beat += bpm(middle) / 60 / 48_000
        }
    }

    @Test("Faders, mute and solo act on one stem, the master on all")
    func mixer() throws {
        let sources = (0..<3).map { SampleStem(noise: UInt64($0 + 30), frames: 200_000) }
        let stage = try StemStage(sources.map { Stem($0) }, frames: 150_000)
        func expect(_ gains: [Float], around frame: Int) {
            let expected = zip(sources, gains).reduce(Float(0)) { $0 + $1.0.sample(frame).left * $1.1 }
            #expect(abs(stage.recorder.left()[frame] - expected) < 1e-6)
        }
        try stage.perform(.play, at: 0)
        try stage.engine.mixer[.stem(StemIndex(1))].setGain(Decibels(-6), at: FrameTime(10_000))
        try stage.engine.mixer[.stem(StemIndex(2))].setMute(true, at: FrameTime(20_000))
        try stage.engine.mixer[.stem(StemIndex(0))].setSolo(true, at: FrameTime(30_000))
        try stage.engine.mixer[.stem(StemIndex(0))].setSolo(false, at: FrameTime(40_000))
        try stage.engine.stems.setGain(Decibels(-20), at: FrameTime(50_000))
        stage.render(to: 60_000)
        let half = Float(pow(10, -6.0 / 20))
        expect([1, 1, 1], around: 9_999)
        expect([1, half, 1], around: 15_000)
        expect([1, half, 0], around: 25_000)
        expect([1, 0, 0], around: 35_000)
        expect([1, half, 0], around: 45_000)
        expect([0.1, 0.1 * half, 0], around: 55_000)
    }

    @Test("Stems that are loaded while a track is soloed are silent until it no longer is")
    func loadedUnderSolo() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 2))
        let recorder = Recorder(engine, frames: 60_000)
        try engine.mixer[.track(TrackIndex(0))].setSolo(true)
        recorder.render(4_096)
        let sources = (0..<2).map { SampleStem(noise: UInt64($0 + 60), frames: 100_000) }
        let multitrack = try Multitrack(sources.map { Stem($0) }, on: engine, feeding: .manual)
        func render(to frame: Int) {
            while recorder.frames < frame {
                multitrack.feed()
                recorder.render(min(512, frame - recorder.frames))
            }
        }
        render(to: 8_192)
        multitrack.play(at: FrameTime(10_000))
        render(to: 30_000)
        #expect(recorder.left()[..<30_000].allSatisfy { $0 == 0 })
        try engine.mixer[.track(TrackIndex(0))].setSolo(false, at: FrameTime(30_000))
        render(to: 40_000)
        let played = sources.reduce(Float(0)) { $0 + $1.sample(25_000).left }
        #expect(abs(recorder.left()[35_000] - played) < 1e-6)
    }

    @Test("Other stems take the place of the first, which are freed")
    func replacement() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 4))
        let recorder = Recorder(engine, frames: 60_000)
        weak var first: SampleStem?
        var second: Multitrack?
        do {
            let source = SampleStem(noise: 1, frames: 48_000)
            first = source
            let multitrack = try Multitrack([Stem(source)], on: engine, feeding: .manual)
            multitrack.play(at: FrameTime.zero)
            recorder.render(4_000)
            second = try Multitrack([Stem(SampleStem(noise: 2, frames: 48_000))], on: engine, feeding: .manual)
            multitrack.close()
        }
        second?.play()
        recorder.render(1_000)
        second?.feed()
        recorder.render(1_000)
        second?.pause()
        #expect(first == nil)
        #expect(throws: EngineError.self) {
            _ = try Multitrack((0..<5).map { Stem(SampleStem(noise: UInt64($0), frames: 10)) }, on: engine)
        }
    }
}

/// What was once wrong with stems.
@Suite("Stems at the edges")
struct MultitrackEdgeTests {
    @Test(
        "A loop whose end lies between two frames comes round for ever, without drift",
        arguments: [1.000_008, 0.700_01, 1.33])
    func fractionalLoop(end: Double) throws {
        let ramp = (0..<240_000).map { Float($0) / 480_000 }
        let stage = try StemStage([Stem(SampleStem(left: ramp, right: ramp))], frames: 480_000, blocks: [1_000, 64])
        try stage.multitrack.setLoop(0..<end, at: FrameTime.zero)
        stage.multitrack.play(at: FrameTime.zero)
        stage.render(to: 480_000)
        let wraps = stage.recorder.events.filter { event in
            if case .stems(.looped) = event.kind { return true }
            return false
        }
        let cycles = Int(480_000 / (end * 48_000))
        #expect(wraps.map { Int($0.frame.rawValue) } == (1...cycles).map { Int((Double($0) * end * 48_000).rounded()) })
        for frame in stride(from: 500, to: 480_000, by: 777) {
            let time = (Double(frame) / 48_000).truncatingRemainder(dividingBy: end)
            guard time > 0.006 else { continue }
            let error = abs(Double(stage.recorder.left()[frame]) - time / 10)
            #expect(error < 1e-4, "frame \(frame)")
            if error >= 1e-4 { return }
        }
    }

    @Test("Pausing and playing again and again on one frame changes nothing")
    func tossing() throws {
        let source = SampleStem(noise: 3, frames: 200_000)
        let stage = try StemStage([Stem(source)], frames: 120_000)
        try stage.perform(.play, at: 0)
        for frame in [10_000, 20_000, 30_000, 40_000] {
            try stage.perform(.seek(2 * frame), at: frame)
            for _ in 0..<20 {
                try stage.perform(.pause, at: frame)
                try stage.perform(.play, at: frame)
            }
        }
        try stage.perform(.seek(7), at: 60_000)
        stage.render(to: 100_000)
        #expect(stage.multitrack.isSettled)
        #expect((40_240..<60_000).allSatisfy { stage.recorder.left()[$0] == source.left[80_000 + $0 - 40_000] })
        #expect((60_240..<100_000).allSatisfy { stage.recorder.left()[$0] == source.left[7 + $0 - 60_000] })
    }

    @Test("A frame before the first one means at once")
    func pastFrame() throws {
        let source = SampleStem(noise: 3, frames: 20_000)
        let stage = try StemStage([Stem(source)], frames: 5_000)
        stage.multitrack.play(at: FrameTime(-5))
        stage.multitrack.pause(at: FrameTime(2_000))
        stage.render(to: 5_000)
        #expect(stage.multitrack.isSettled)
        #expect((24..<2_000).allSatisfy { stage.recorder.left()[$0] == source.left[$0] })
        #expect((2_240..<5_000).allSatisfy { stage.recorder.left()[$0] == 0 })
    }

    @Test("What was asked of stems that are gone does not reach their successors")
    func successors() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 1))
        let recorder = Recorder(engine, frames: 60_000)
        let first = try Multitrack([Stem(SampleStem(noise: 1, frames: 480_000))], on: engine, feeding: .manual)
        first.play(at: FrameTime.zero)
        first.seek(to: 5, at: FrameTime(20_000))
        let source = SampleStem(noise: 2, frames: 480_000)
        let second = try Multitrack([Stem(source)], on: engine, feeding: .manual)
        second.play(at: FrameTime(4_096))
        while recorder.frames < 49_152 {
            first.feed()
            second.feed()
            recorder.render(4_096, .fixed(4_096))
        }
        #expect((4_120..<49_152).allSatisfy { recorder.left()[$0] == source.left[$0 - 4_096] })
    }

    @Test("Asking does not wait for a disk that stands still")
    func neverWaits() throws {
        final class Stuck: StemSource, @unchecked Sendable {
            let isReading = Atomic<Bool>(false)
            let hasReturned = Atomic<Bool>(false)
            let isReleased = Atomic<Bool>(false)

            final class Reader: StemReader {
                let stuck: Stuck
                init(_ stuck: Stuck) { self.stuck = stuck }

                func seek(to frame: Int64) throws {}
                func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws
                    -> Int
                {
                    stuck.isReading.store(true, ordering: .releasing)
                    // Not for ever: a call that waits for this is to fail the test, not to hang it.
                    let end = Date(timeIntervalSinceNow: 60)
                    while !stuck.isReleased.load(ordering: .acquiring), end.timeIntervalSinceNow > 0 {
                        Thread.sleep(forTimeInterval: 0.001)
                    }
                    stuck.hasReturned.store(true, ordering: .releasing)
                    return 0
                }
            }
            var sampleRate: SampleRate { .standard }
            var frameCount: Int64 { 48_000 }
            func open() throws -> sending any StemReader { Reader(self) }
        }
        let stuck = Stuck()
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 1))
        let multitrack = try Multitrack([Stem(stuck)], on: engine)
        defer { multitrack.close() }
        defer { stuck.isReleased.store(true, ordering: .releasing) }
        let end = Date(timeIntervalSinceNow: 60)
        while !stuck.isReading.load(ordering: .acquiring), end.timeIntervalSinceNow > 0 {
            Thread.sleep(forTimeInterval: 0.001)
        }
        for second in 0..<20 {
            multitrack.seek(to: Double(second))
            multitrack.pause()
            _ = multitrack.problems
            _ = multitrack.readiness
        }
        #expect(stuck.isReading.load(ordering: .acquiring) && !stuck.hasReturned.load(ordering: .acquiring))
    }
}
