import BarlineTime
import Testing

@testable import BarlineEngine

/// Random overdubs, undos and redos of a loop: what is played is what arrays have, and nothing depends on the blocks.
@Suite("Storms of layers")
struct LayerStormTests {
    private static let bars = 10
    private static let length = bars * LayerStage.bar

    /// One storm: what was asked for, by frames.
    private struct Storm {
        enum Act { case overdub(Float), undo, redo }

        let acts: [(frame: Int, act: Act)]
        let stage: LayerStage
        let isFree: Bool

        init(seed: UInt64) throws {
            var random = TestRandom(seed: seed)
            let latency = random.pick([0, 1, 700, 5_000])
            isFree = random.int(0...2) == 0
            var acts: [(frame: Int, act: Act)] = []
            for _ in 0..<22 {
                let frame = random.int(2 * LayerStage.bar + 100...length - 1)
                let act: Act =
                    switch random.int(0...6) {
                    case 0, 1: .undo
                    case 2: .redo
                    default: .overdub(Float(random.pick([0, 0.5, 0.9, 1])))
                    }
                acts.append((frame, act))
            }
            acts.sort { $0.frame < $1.frame }
            let input = [TakeStage.noise(length, seed: seed), TakeStage.noise(length, seed: seed + 100)]
            let planned = acts
            stage = try LayerStage(
                bars: bars, input: input, latency: latency, quantization: isFree ? Quantization.none : nil
            ) { engine, clip in
                for (frame, act) in planned {
                    let frame = FrameTime(Int64(frame))
                    switch act {
                    case .overdub(let feedback):
                        let settings = OverdubSettings(input: InputIndex(0), feedback: Double(feedback))
                        try engine.launcher.overdub(clip, settings, at: frame)
                    case .undo: try engine.launcher.undoLayer(of: clip, at: frame)
                    case .redo: try engine.launcher.redoLayer(of: clip, at: frame)
                    }
                }
            }
            self.acts = acts
        }

        /// The frame from which on is recorded what begins at `frame`: that of the press before it, or the boundary
        /// that was meant.
        func start(of frame: Int) -> Int {
            let presses = acts.filter { act in
                if case .overdub = act.act { act.frame <= frame } else { false }
            }
            let press = presses.last?.frame ?? frame
            if isFree { return press }
            let late = press % LayerStage.bar
            return late < LayerStage.bar / 50 ? press - late : press - late + LayerStage.bar
        }

        /// The level at which the loop goes on in what began at `frame`: that of the press before it.
        func feedback(at start: Int) -> Float {
            var level: Float = 1
            for (frame, act) in acts where frame <= start {
                if case .overdub(let feedback) = act { level = feedback }
            }
            return level
        }
    }

    @Test("What is played is the same at any block size", arguments: UInt64(0)..<8)
    func blocks(seed: UInt64) throws {
        let storms = try [BlockPlan.fixed(1), .fixed(64), .fixed(4_096), .mixed(seed: seed)].map { plan in
            let storm = try Storm(seed: seed)
            try storm.stage.render(Self.length, plan)
            return storm
        }
        for other in storms.dropFirst() {
            #expect(storms[0].stage.recorder.isIdentical(to: other.stage.recorder))
            let layers = [storms[0], other].map { $0.stage.engine.launcher.layers(of: $0.stage.clip) }
            #expect(layers[0].map(\.id) == layers[1].map(\.id))
            for (first, second) in zip(layers[0], layers[1]) where first.take.isFinished {
                #expect(first.take.result == second.take.result)
                let end = first.take.result?.region.upperBound
                first.take.withSamples(from: 0) { left, right in
                    #expect(left.count == end || first.take.isEmpty)
                    second.take.withSamples(from: 0) { otherLeft, otherRight in
                        #expect(left.elementsEqual(otherLeft) && right.elementsEqual(otherRight))
                    }
                }
            }
        }
    }

    @Test("Every layer is what arrays have, and undo and redo give back what was there")
    func model() throws {
        var sums = [0, 0, 0]
        for seed in UInt64(20)..<44 {
            let counts = try compare(seed: seed)
            sums = [sums[0] + counts.layers, sums[1] + counts.undone, sums[2] + counts.redone]
        }
        #expect(sums[0] > 30 && sums[1] > 10 && sums[2] > 0, "\(sums)")
    }

    /// Compares what a storm plays with what arrays have, and gives how many layers came and went.
    private func compare(seed: UInt64) throws -> (layers: Int, undone: Int, redone: Int) {
        let storm = try Storm(seed: seed)
        try storm.stage.render(Self.length, .mixed(seed: seed))
        var model = LayerModel(storm.stage)
        let recorder = storm.stage.recorder
        let (left, right) = (recorder.left(), recorder.right())
        // What is under way: where it began, where the cycle under way began, at which level, and, once it has ended,
        // how much there is of that cycle.
        var cycle: (start: Int, feedback: Float, frames: Int?)?
        var began = 0
        var next = 2 * LayerStage.bar + 24
        var counts = (layers: 0, undone: 0, redone: 0)
        func check(until end: Int) {
            let last = min(end, Self.length)
            guard next < last else { return }
            let fault = (next..<last).first { frame in
                let played = model.played(frame)
                return left[frame] != played[0] || right[frame] != played[1]
            }
            #expect(fault == nil, "seed \(seed), from \(next) until \(last)")
        }
        for event in recorder.events {
            let frame = Int(event.frame.rawValue)
            guard case .launcher(let kind) = event.kind else { continue }
            var fade = 240
            switch kind {
            case .recordStarted where frame > LayerStage.bar:
                began = storm.start(of: frame)
                cycle = (began, storm.feedback(at: frame), nil)
                continue
            case .recordEnded(_, _, let frames) where frame > 2 * LayerStage.bar:
                if let start = cycle?.start { cycle?.frames = began + Int(frames) - start }
                if let frames = cycle?.frames, frames < LayerStage.seam { cycle = nil }
                continue
            case .layerAdded:
                check(until: frame)
                let mixed = try #require(cycle)
                model.add(
                    feedback: mixed.feedback, from: mixed.start, frames: mixed.frames ?? LayerStage.bar)
                counts.layers += 1
                if mixed.frames == nil {
                    #expect(frame == mixed.start + LayerStage.bar)
                    fade = 24
                    cycle?.start += LayerStage.bar
                } else {
                    cycle = nil
                }
            case .layerUndone:
                check(until: frame)
                let isUndone = model.undo()
                #expect(isUndone)
                counts.undone += 1
            case .layerRedone:
                check(until: frame)
                let isRedone = model.redo()
                #expect(isRedone)
                counts.redone += 1
            default: continue
            }
            // Where two follow each other closely both fade.
            next = max(frame + fade, next > frame ? next + fade : 0)
        }
        check(until: Self.length)
        let undos = storm.acts.filter { if case .undo = $0.act { true } else { false } }
        #expect(counts.undone <= undos.count && counts.redone <= counts.undone)
        withExtendedLifetime(recorder) {}
        return counts
    }
}
