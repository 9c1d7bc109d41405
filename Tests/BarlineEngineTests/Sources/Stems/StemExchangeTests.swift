import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

/// Stems that come and go while others play.
@Suite("Stems that are added, replaced and removed", .serialized)
struct StemExchangeTests {
    private static let fade = 240

    /// A change of one place on a frame.
    private typealias Change = (frame: Int, place: Int, stem: SampleStem?)

    private func noise(_ seed: Int, frames: Int = 400_000) -> SampleStem {
        SampleStem(noise: UInt64(seed), frames: frames)
    }

    /// Compares a render with what positions and places say, frame by frame; where nothing fades, to the last bit.
    private func check(_ stage: StemStage, _ positions: ReferenceMultitrack, _ places: ReferencePlaces) {
        for frame in 0..<stage.recorder.frames {
            var sum = 0.0
            var isExact = true
            for (position, level) in positions.sounding(at: frame) {
                for (stem, weight) in places.sounding(at: frame) {
                    sum += level * weight * stem.heard(position).left
                    isExact = isExact && level == 1 && weight == 1 && position >= 24
                }
            }
            let heard = Double(stage.recorder.left()[frame])
            if abs(heard - sum) > (isExact ? 0 : 2e-6) {
                Issue.record("frame \(frame): \(heard) instead of \(sum)")
                return
            }
        }
    }

    @Test(
        "Others play on to the sample while one is added, replaced and removed; what comes and goes fades on its frame")
    func undisturbed() throws {
        let stems = (0..<3).map { noise($0) }
        let (added, other) = (noise(7), noise(8))
        let changes: [Change] = [
            (20_001, 3, added), (31_000, 1, other), (40_777, 0, nil), (41_500, 3, nil), (60_000, 0, noise(9)),
        ]
        var renders: [StemStage] = []
        for blocks in [[1, 17, 64, 333, 4_096], [1_024]] {
            let stage = try StemStage(stems.map { Stem($0) }, frames: 90_000, capacity: 6, blocks: blocks)
            try stage.perform(.play, at: 100)
            for (frame, place, stem) in changes { try stage.set(stem, in: place, at: frame) }
            stage.render(to: 90_000)
            let positions = ReferenceMultitrack([(100, .play)], length: 400_000, frames: 90_000, fade: Self.fade)
            var places = ReferencePlaces(stems, fade: Self.fade)
            for (frame, place, stem) in changes { places.set(stem, in: place, at: frame, isPlaying: true) }
            check(stage, positions, places)
            let reported = stage.recorder.events.filter { event in
                switch event.kind {
                case .stems(.joined), .stems(.left), .stems(.underrun): true
                default: false
                }
            }
            let expected = changes.map { frame, place, stem in
                let position = Double(frame - 100) / 48_000
                return EngineEvent(
                    frame: FrameTime(Int64(frame)),
                    kind: stem == nil
                        ? .stems(.left(stem: StemIndex(place), position: position))
                        : .stems(.joined(stem: StemIndex(place), position: position)))
            }
            #expect(reported == expected)
            renders.append(stage)
        }
        withExtendedLifetime(renders) {
            #expect(renders[0].recorder.left().elementsEqual(renders[1].recorder.left()))
        }
    }

    @Test("Through storms of pauses, seeks, loops and changes stems sound as the models say", arguments: 1...10)
    func storm(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed + 400))
        let stems = (0..<3).map { noise(seed * 10 + $0) }
        var steps: [(frame: Int, step: ReferenceMultitrack.Step)] = []
        var changes: [Change] = []
        var frame = 0
        while frame < 150_000 {
            switch random.int(0...11) {
            case 0...2: steps.append((frame, .play))
            case 3: steps.append((frame, .pause))
            case 4...5: steps.append((frame, .seek(random.int(0...75_000))))
            case 6:
                let start = random.int(0...60_000)
                steps.append((frame, .loop(start..<start + random.int(2_500...20_000))))
            case 7: steps.append((frame, .endLoop))
            default:
                let stem = random.chance(0.7) ? noise(seed * 1_000 + changes.count) : nil
                changes.append((frame, random.int(0...4), stem))
            }
            frame += random.chance(0.3) ? random.int(250...600) : random.int(600...9_000)
        }
        // Never without stems, which would end.
        changes.insert((10, 5, noise(seed * 10 + 9)), at: 0)
        let frames = frame + 1_000
        let positions = ReferenceMultitrack(steps, length: 400_000, frames: frames, fade: Self.fade)
        var places = ReferencePlaces(stems, fade: Self.fade)
        for (frame, place, stem) in changes {
            places.set(stem, in: place, at: frame, isPlaying: positions.isPlaying(at: frame))
        }
        let stage = try StemStage(
            stems.map { Stem($0) }, frames: frames, capacity: 6, blocks: [1, 17, 64, 333, 4_096], seed: UInt64(seed))
        var waiting = changes[...]
        for (frame, step) in steps {
            while let change = waiting.first, change.frame < frame {
                waiting.removeFirst()
                try stage.set(change.stem, in: change.place, at: change.frame)
            }
            try stage.perform(step, at: frame)
        }
        for (frame, place, stem) in waiting { try stage.set(stem, in: place, at: frame) }
        stage.render(to: frames)
        check(stage, positions, places)
    }

    @Test("Stems that follow the tempo are joined in step through a ramp of it")
    func followsTempo() throws {
        let tone = (0..<400_000).map { Float(0.25 * sin(2 * .pi * 200 * Double($0) / 48_000)) }
        func stem() -> SampleStem { SampleStem(left: tone, right: tone) }
        let alone = try StemStage([Stem(stem())], frames: 120_000, capacity: 2, recordedTempo: 100, blocks: [64, 700])
        let joined = try StemStage([Stem(stem())], frames: 120_000, capacity: 2, recordedTempo: 100, blocks: [64, 700])
        for stage in [alone, joined] {
            try stage.engine.transport.setTempo(100, at: FrameTime.zero)
            try stage.engine.transport.start(at: FrameTime.zero)
            try stage.engine.transport.setTempo(150, overBeats: 3, at: FrameTime(40_000))
            try stage.perform(.play, at: 0)
        }
        // The same sound in a second place is the same wave, twice as loud.
        try joined.set(stem(), in: 1, at: 60_000)
        for stage in [alone, joined] { stage.render(to: 120_000) }
        for frame in 1_000..<120_000 {
            let level = 1 + min(1, max(0, Float(frame - 60_000) / 240))
            let difference = abs(joined.recorder.left()[frame] - level * alone.recorder.left()[frame])
            if difference > 1e-6 {
                Issue.record("frame \(frame) is off by \(difference)")
                return
            }
        }
    }

    @Test("Where the new file is slow, what was there is heard until enough of the new one is, and nothing is silent")
    func slowFile() throws {
        let (kept, old) = (noise(1, frames: 48_000 * 30), noise(2, frames: 48_000 * 30))
        let slow = TappedStem(noise(3, frames: 48_000 * 30))
        slow.isClosed.store(true, ordering: .releasing)
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 2))
        let recorder = Recorder(engine, frames: 48_000 * 60)
        defer { withExtendedLifetime(recorder) {} }
        let multitrack = try Multitrack([Stem(kept), Stem(old)], on: engine)
        defer { multitrack.close() }
        func render(until isDone: (Recorder) -> Bool) {
            while !isDone(recorder), recorder.frames + 480 <= recorder.capacity {
                recorder.render(480, .fixed(480))
                Thread.sleep(forTimeInterval: 0.003)
            }
        }
        multitrack.play()
        render { $0.events.contains { $0.kind == .stems(.started(position: 0)) } }
        let start = Int(try #require(recorder.events.last { $0.kind == .stems(.started(position: 0)) }).frame.rawValue)
        render { $0.frames >= start + 24_000 }
        try multitrack.setStem(Stem(slow), at: 1)
        render { $0.frames >= start + 24_000 + 96_000 }
        slow.isClosed.store(false, ordering: .releasing)
        func hasJoined(_ event: EngineEvent) -> Bool {
            if case .stems(.joined(stem: 1, _)) = event.kind { return true }
            return false
        }
        render { $0.events.contains(where: hasJoined) }
        let joined = try #require(recorder.events.first(where: hasJoined))
        #expect(joined.frame >= FrameTime(Int64(start + 24_000 + 96_000)))
        #expect(joined.kind == .stems(.joined(stem: 1, position: Double(Int(joined.frame.rawValue) - start) / 48_000)))
        recorder.render(4_800)
        #expect(engine.state.multitrack.underrunCount == 0)
        let turn = Int(joined.frame.rawValue)
        for frame in start + 24..<recorder.frames {
            let position = frame - start
            let share = min(1, max(0, Double(frame - turn) / 240))
            let second =
                Double(old.left[position]) * (1 - share) + Double(slow.inner.left[position]) * share
            let error = abs(Double(recorder.left()[frame]) - Double(kept.left[position]) - second)
            if error > (share == 0 || share == 1 ? 0 : 1e-6) {
                Issue.record("frame \(frame) is off by \(error)")
                return
            }
        }
    }

    @Test("What is put beside stems that stand still starts with them, when enough of it is there")
    func standing() throws {
        let kept = noise(1)
        let slow = TappedStem(noise(2))
        slow.isClosed.store(true, ordering: .releasing)
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 2))
        let recorder = Recorder(engine, frames: 48_000 * 60)
        defer { withExtendedLifetime(recorder) {} }
        let multitrack = try Multitrack([Stem(kept)], on: engine)
        defer { multitrack.close() }
        func render(until isDone: (Recorder) -> Bool) {
            while !isDone(recorder), recorder.frames + 480 <= recorder.capacity {
                recorder.render(480, .fixed(480))
                Thread.sleep(forTimeInterval: 0.003)
            }
        }
        render { _ in multitrack.isSettled }
        try multitrack.setStem(Stem(slow), at: 1)
        multitrack.play()
        render { $0.frames >= 24_000 }
        #expect(recorder.left().allSatisfy { $0 == 0 })
        slow.isClosed.store(false, ordering: .releasing)
        func hasStarted(_ event: EngineEvent) -> Bool { event.kind == .stems(.started(position: 0)) }
        render { $0.events.contains(where: hasStarted) }
        let start = Int(try #require(recorder.events.first(where: hasStarted)).frame.rawValue)
        recorder.render(4_800)
        #expect(
            (start + 24..<start + 4_800).allSatisfy {
                recorder.left()[$0] == kept.left[$0 - start] + slow.inner.left[$0 - start]
            })
    }

    @Test("What was taken away is freed, the end is that of what is left, and places that the engine lacks are refused")
    func removal() throws {
        weak var gone: SampleStem?
        let stage: StemStage
        do {
            let long = noise(1, frames: 90_000)
            gone = long
            stage = try StemStage([Stem(noise(2, frames: 40_000)), Stem(long)], frames: 60_000, capacity: 2)
        }
        try stage.perform(.play, at: 0)
        try stage.set(nil, in: 1, at: 20_000)
        #expect(stage.multitrack.stem(at: 1) == nil)
        stage.render(to: 50_000)
        #expect(gone == nil)
        let end = EngineEvent(frame: FrameTime(40_000), kind: .stems(.ended))
        #expect(stage.recorder.events.contains(end))
        #expect(throws: EngineError.unknownStem(2, count: 2)) { try stage.multitrack.setStem(nil, at: 2) }
    }

    @Test("Stems that are all taken off the engine pause and fade out on one frame; others can follow")
    func removedTogether() throws {
        let stem = noise(3)
        let stage = try StemStage([Stem(stem)], frames: 60_000, capacity: 2, blocks: [1, 64, 333])
        try stage.perform(.play, at: 100)
        stage.render(to: 20_001)
        try stage.multitrack.remove()
        stage.render(to: 30_000)
        let positions = ReferenceMultitrack(
            [(100, .play), (20_001, .pause)], length: 400_000, frames: 30_000, fade: Self.fade)
        check(stage, positions, ReferencePlaces([stem], fade: Self.fade))
        let position = Double(20_001 - 100) / 48_000
        let paused = EngineEvent(frame: FrameTime(20_001), kind: .stems(.paused(position: position)))
        #expect(stage.recorder.events.contains(paused))
        #expect(stage.engine.stems.state.phase == .paused && stage.engine.stems.state.position == 0)
        let next = noise(4)
        let others = try Multitrack([Stem(next)], on: stage.engine, feeding: .manual)
        others.play(at: FrameTime(30_000))
        while stage.recorder.frames < 40_000 {
            others.feed()
            stage.recorder.render(100, .fixed(100))
        }
        let heard = stage.recorder.left()
        let isRight = (0..<10_000).allSatisfy { frame in
            abs(Double(heard[30_000 + frame]) - next.heard(frame).left) <= (frame < 24 ? 2e-6 : 0)
        }
        #expect(isRight)
    }
}
