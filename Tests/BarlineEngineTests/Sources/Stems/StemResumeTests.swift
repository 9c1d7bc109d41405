import BarlineEngine
import BarlineTime
import Foundation
import Testing

@Suite("Stems that take the place of others that play")
struct StemResumeTests {
    private static let slope = Float(1) / 4_194_304

    /// A stem whose samples tell their frame.
    private static func stem(pause: Double = 0) -> Stem { Stem(PacedStem(pause: pause) { Float($0) * slope }) }

    private static func engine() -> Engine { Engine(EngineConfiguration(trackCount: 1, stemCapacity: 2)) }

    private static func next(_ stem: Stem, on engine: Engine, tempo: Tempo? = nil) throws -> Multitrack {
        try Multitrack(
            at: [0: stem], on: engine, recordedTempo: tempo, grid: nil, feeding: .manual,
            resumingAt: engine.state.multitrack.position)
    }

    @Test("Play on where those were, from the very frame on, across the fade", arguments: [64, 333, 1_024])
    func byHand(block: Int) throws {
        let engine = Self.engine()
        let (first, second) = (SampleStem(noise: 1, frames: 200_000), SampleStem(noise: 2, frames: 200_000))
        var multitrack = try Multitrack([Stem(first)], on: engine, feeding: .manual)
        let recorder = Recorder(engine, frames: 100_000)
        func render(to frame: Int) {
            while recorder.frames < frame {
                multitrack.feed()
                let count = min(block, multitrack.framesPerFeed, frame - recorder.frames)
                recorder.render(count, .fixed(count))
            }
        }
        multitrack.play(at: FrameTime(100))
        render(to: 50_001)
        multitrack = try Self.next(Stem(second), on: engine)
        render(to: 100_000)
        let samples = recorder.left()
        #expect((200..<50_001).allSatisfy { samples[$0] == first.left[$0 - 100] })
        for frame in 50_001..<50_241 {
            let share = Float(frame - 50_001) / 240
            let expected = first.left[frame - 100] * (1 - share) + second.left[frame - 100] * share
            #expect(abs(samples[frame] - expected) < 1e-5)
        }
        #expect((50_241..<100_000).allSatisfy { samples[$0] == second.left[$0 - 100] })
        let phases = recorder.events.compactMap { event -> String? in
            guard case .stems(let stems) = event.kind else { return nil }
            switch stems {
            case .started(let position): return "\(event.frame.rawValue) started \(Int((position * 48_000).rounded()))"
            case .paused, .underrun, .seeked: return "\(event.frame.rawValue) \(stems)"
            default: return nil
            }
        }
        #expect(phases == ["100 started 0", "50001 started 49901"])
    }

    @Test("Follow the tempo from their place on where those did not")
    func followingTempo() throws {
        let engine = Self.engine()
        try engine.transport.setTempo(150, at: FrameTime.zero)
        var multitrack = try Multitrack([Self.stem()], on: engine, feeding: .manual)
        let recorder = Recorder(engine, frames: 60_000)
        func render(to frame: Int) {
            while recorder.frames < frame {
                multitrack.feed()
                let count = min(256, multitrack.framesPerFeed, frame - recorder.frames)
                recorder.render(count, .fixed(count))
            }
        }
        multitrack.play(at: FrameTime(0))
        render(to: 30_000)
        multitrack = try Self.next(Self.stem(), on: engine, tempo: 100)
        render(to: 60_000)
        for frame in [1_000, 29_999, 30_240, 45_000, 59_999] {
            let place = frame < 30_000 ? Double(frame) : 30_000 + 1.5 * Double(frame - 30_000)
            #expect(abs(Double(recorder.left()[frame]) / Double(Self.slope) - place) < 2, "at \(frame)")
        }
    }

    @Test("Live they come in where they would be by then, when they are read, and nothing is late")
    func live() throws {
        let engine = Self.engine()
        let first = try Multitrack([Self.stem()], on: engine, feeding: .threads(1))
        let recorder = Recorder(engine, frames: 2_000_000)
        func render(until isDone: () -> Bool) {
            while recorder.frames < recorder.capacity - 64, !isDone() {
                recorder.render(64, .fixed(64))
                Thread.sleep(forTimeInterval: 0.0005)
            }
        }
        first.play()
        render { recorder.frames > 20_000 && recorder.left()[recorder.frames - 1] > 10_000 * Self.slope }
        let frame = recorder.frames
        let start = Double(frame - 1) - Double(recorder.left()[frame - 1] / Self.slope)
        let second = try Multitrack(
            at: [0: Self.stem(pause: 0.03)], on: engine, recordedTempo: nil, grid: nil, feeding: .threads(1),
            resumingAt: engine.state.multitrack.position)
        first.close()
        defer { second.close() }
        render { recorder.frames > frame + 2_000 && recorder.left()[recorder.frames - 1] > 0 }
        let heard = recorder.frames
        render { recorder.frames > heard + 20_000 }
        #expect(engine.state.multitrack.phase == .playing)
        for frame in [heard + 1_000, heard + 19_000] {
            let place = Double(recorder.left()[frame] / Self.slope)
            #expect(abs(Double(frame) - start - place) < 1)
        }
        #expect(!recorder.events.contains { if case .stems(.underrun) = $0.kind { true } else { false } })
    }
}
