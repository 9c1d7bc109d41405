import BarlineEngine
import BarlineTime
import Foundation
import Testing

@Suite("Stems of which a value is dragged")
struct StemDragTests {
    /// The levels of versions, each nearer to 1.
    private static func level(_ version: Int) -> Float { Float(version) / 64 }

    /// A stem of one level, which takes its time to read.
    private static func stem(_ level: Float) -> Stem { Stem(PacedStem(pause: 0.02) { _ in level }) }

    /// A stem that plays in real time, with threads that read it.
    private struct Stage {
        let multitrack: Multitrack
        private let recorder: Recorder

        init(level: Float) throws {
            let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 2))
            multitrack = try Multitrack([StemDragTests.stem(level)], on: engine, feeding: .threads(2))
            recorder = Recorder(engine, frames: 2_000_000)
            multitrack.play()
            render { $0 == level }
        }

        var frames: Int { recorder.frames }
        var samples: UnsafeBufferPointer<Float> { recorder.left() }

        /// Renders until the last sample is such a one.
        func render(until isDone: (Float) -> Bool) {
            repeat {
                recorder.render(64, .fixed(64))
                // The threads that read are to keep up.
                Thread.sleep(forTimeInterval: 0.0005)
            } while recorder.frames < recorder.capacity - 64 && !isDone(recorder.left()[recorder.frames - 1])
        }

        func render(frames: Int) {
            let end = recorder.frames + frames
            render { _ in recorder.frames >= end }
        }
    }

    @Test("A value that is dragged is heard on the way, each time later than the last, and where the hand rests")
    func live() throws {
        let stage = try Stage(level: Self.level(1))
        defer { stage.multitrack.close() }
        let start = stage.frames
        for version in 2...63 {
            try stage.multitrack.exchange(with: Self.stem(Self.level(version)), at: 0)
            stage.render(frames: 960)
            let stem = try #require(stage.multitrack.stem(at: 0)?.source as? PacedStem)
            #expect(stem.sample(0) == Self.level(version), "who asks is told of the last one")
        }
        let end = stage.frames
        stage.render { $0 == Self.level(63) }
        let samples = stage.samples[start..<end]
        // Where nothing fades, one of the versions is heard.
        let plateaus = zip(samples, samples.dropFirst()).reduce(into: [Float]()) { levels, pair in
            if pair.0 == pair.1, levels.last != pair.1 { levels.append(pair.1) }
        }
        #expect(plateaus.count > 4)
        #expect(zip(plateaus, plateaus.dropFirst()).allSatisfy(<))
        #expect(stage.samples[stage.frames - 1] == Self.level(63) && stage.multitrack.isSettled)
    }

    @Test("Another stem takes the place of one that waits, and none does")
    func replaced() throws {
        for stem in [Self.stem(0.25), nil] {
            let stage = try Stage(level: 0.5)
            defer { stage.multitrack.close() }
            try stage.multitrack.exchange(with: Self.stem(1), at: 0)
            try stage.multitrack.exchange(with: Self.stem(0.75), at: 0)
            try stage.multitrack.setStem(stem, at: 0)
            let level = stem == nil ? 0 : Float(0.25)
            stage.render { $0 == level }
            stage.render(frames: 48_000)
            #expect(stage.samples[stage.frames - 1] == level)
            #expect(stage.samples.allSatisfy { $0 <= 0.5 })
        }
    }
}
