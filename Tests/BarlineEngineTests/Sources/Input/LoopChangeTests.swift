import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Loops that are changed as a whole.
@Suite("Changed loops")
struct LoopChangeTests {
    private static let bar = LayerStage.bar
    private static let plans: [BlockPlan] = [.fixed(1), .fixed(64), .fixed(4_096), .mixed(seed: 7)]

    private static func noise(_ bars: Int, seed: UInt64) -> [[Float]] {
        [TakeStage.noise(bars * bar, seed: seed), TakeStage.noise(bars * bar, seed: seed + 50)]
    }

    private static func change(
        _ engine: Engine, _ clip: ClipHandle, _ change: LoopChange, at frame: Int, _ grid: Quantization? = nil
    ) throws {
        try engine.launcher.changeLoop(of: clip, change, quantization: grid, at: FrameTime(Int64(frame)))
    }

    /// What arrays make of a loop.
    private static func changed(_ loop: [Float], _ change: LoopChange, seam: Int = LayerStage.seam) -> [Float] {
        switch change {
        case .reverse: return loop.reversed()
        case .multiply: return loop + loop
        case .insert:
            let tail = (0..<loop.count).map { index -> Float in
                index < seam ? (1 - Float(index + 1) / Float(seam)) * loop[index] : 0
            }
            var changed = loop + tail
            if LayerModel.endsMatch(changed) { return changed }
            for part in 0..<seam {
                let weight = Float(part + 1) / Float(seam)
                let place = changed.count - seam + part
                changed[place] += weight * (loop[loop.count - seam + part] - changed[place])
            }
            return changed
        case .halfSpeed, .doubleSpeed: return []
        }
    }

    private static func added(_ recorder: Recorder) -> [(frame: Int, frames: Int)] {
        recorder.events.compactMap { event in
            guard case .launcher(.layerAdded(_, _, _, let frames)) = event.kind else { return nil }
            return (Int(event.frame.rawValue), Int(frames))
        }
    }

    /// The first frame from `start` on, until `end`, at which what is played is not what arrays have of the loop that
    /// was launched at bar 2.
    private static func fault(_ stage: LayerStage, _ loop: [[Float]], _ start: Int, until end: Int) -> Int? {
        let (left, right) = (stage.recorder.left(), stage.recorder.right())
        defer { withExtendedLifetime(stage.recorder) {} }
        return (start..<end).first { frame in
            let place = (frame - 2 * bar) % loop[0].count
            return left[frame] != loop[0][place] || right[frame] != loop[1][place]
        }
    }

    @Test(
        "What is changed is heard from the boundary on, frame by frame",
        arguments: [LoopChange.reverse, .multiply, .insert], plans)
    func changes(change: LoopChange, plan: BlockPlan) throws {
        let stage = try LayerStage(bars: 9, input: Self.noise(9, seed: 1), latency: 900) { engine, clip in
            try Self.change(engine, clip, change, at: 3 * Self.bar - 5_000)
        }
        try stage.render(9 * Self.bar, plan)
        let base = LayerModel(stage).current
        let loop = base.map { Self.changed($0, change) }
        let added = Self.added(stage.recorder)
        #expect(added.map(\.frame) == [3 * Self.bar] && added.map(\.frames) == [loop[0].count])
        #expect(Self.fault(stage, base, 2 * Self.bar + 24, until: 3 * Self.bar) == nil)
        #expect(Self.fault(stage, loop, 3 * Self.bar + 240, until: 9 * Self.bar) == nil)
    }

    @Test(
        "At half and double speed a tone is an octave lower and higher",
        arguments: [LoopChange.halfSpeed, .doubleSpeed])
    func speeds(change: LoopChange) throws {
        func tone(_ hertz: Double, _ frame: Int) -> Double { 0.5 * sin(2 * .pi * hertz * Double(frame) / 48_000) }
        let input = (0..<9 * Self.bar).map { Float(tone(100, $0)) }
        let stage = try LayerStage(bars: 9, input: [input, input]) { engine, clip in
            try Self.change(engine, clip, change, at: 3 * Self.bar - 5_000)
        }
        try stage.render(9 * Self.bar, .mixed(seed: 4))
        let (hertz, length) = change == .halfSpeed ? (50.0, 2 * Self.bar) : (200.0, Self.bar / 2)
        #expect(Self.added(stage.recorder).map(\.frames) == [length])
        let left = stage.recorder.left()
        let error = (3 * Self.bar + 240..<9 * Self.bar).map { frame in
            abs(Double(left[frame]) - tone(hertz, (frame - 2 * Self.bar) % length))
        }.max()
        #expect(try #require(error) < 1e-3)
        withExtendedLifetime(stage.recorder) {}
    }

    @Test("It is undone and redone as a layer is")
    func undo() throws {
        let stage = try LayerStage(bars: 8, input: Self.noise(8, seed: 2)) { engine, clip in
            try Self.change(engine, clip, .reverse, at: 3 * Self.bar - 5_000)
            try engine.launcher.undoLayer(of: clip, at: FrameTime(Int64(5 * Self.bar + 1_000)))
            try engine.launcher.redoLayer(of: clip, at: FrameTime(Int64(6 * Self.bar + 1_000)))
        }
        try stage.render(8 * Self.bar, .mixed(seed: 5))
        let base = LayerModel(stage).current
        let loop = base.map { Self.changed($0, .reverse) }
        #expect(Self.fault(stage, base, 5 * Self.bar + 1_240, until: 6 * Self.bar + 1_000) == nil)
        #expect(Self.fault(stage, loop, 6 * Self.bar + 1_240, until: 8 * Self.bar) == nil)
    }

    @Test("Without a grid it is heard as soon as all of it is there, a 64th of its length later", arguments: plans)
    func free(plan: BlockPlan) throws {
        let press = 3 * Self.bar + 10_000
        let stage = try LayerStage(bars: 6, input: Self.noise(6, seed: 3)) { engine, clip in
            try Self.change(engine, clip, .reverse, at: press, Quantization.none)
        }
        try stage.render(6 * Self.bar, plan)
        #expect(Self.added(stage.recorder).map(\.frame) == [press + Self.bar / 64])
        let loop = LayerModel(stage).current.map { Self.changed($0, .reverse) }
        #expect(Self.fault(stage, loop, press + Self.bar / 64 + 240, until: 6 * Self.bar) == nil)
    }

    @Test("What is recorded over the loop ends with the press, and is changed with it", arguments: plans)
    func overdubbed(plan: BlockPlan) throws {
        let stage = try LayerStage(bars: 7, input: Self.noise(7, seed: 6), latency: 300) { engine, clip in
            let settings = OverdubSettings(input: InputIndex(0))
            try engine.launcher.overdub(clip, settings, at: FrameTime(Int64(3 * Self.bar - 5_000)))
            try Self.change(engine, clip, .reverse, at: 3 * Self.bar + 20_000)
        }
        try stage.render(7 * Self.bar, plan)
        var model = LayerModel(stage)
        model.add(feedback: 1, from: 3 * Self.bar, frames: 20_000)
        let added = Self.added(stage.recorder).map(\.frame)
        #expect(added.count == 2 && added.last == 4 * Self.bar)
        let loop = model.current.map { Self.changed($0, .reverse) }
        #expect(Self.fault(stage, loop, 4 * Self.bar + 240, until: 7 * Self.bar) == nil)
    }

    @Test("A loop that is there twice is recorded over as one of twice the length")
    func longer() throws {
        let stage = try LayerStage(bars: 9, input: Self.noise(9, seed: 8), latency: 500) { engine, clip in
            try Self.change(engine, clip, .multiply, at: 3 * Self.bar - 5_000)
            let settings = OverdubSettings(input: InputIndex(0), bars: 2)
            try engine.launcher.overdub(clip, settings, at: FrameTime(Int64(5 * Self.bar - 5_000)))
        }
        try stage.render(9 * Self.bar, .mixed(seed: 9))
        #expect(Self.added(stage.recorder).map(\.frames) == [2 * Self.bar, 2 * Self.bar])
        let base = LayerModel(stage).current
        let left = stage.recorder.left()
        let fault = (7 * Self.bar + 24..<9 * Self.bar - LayerStage.seam).first { frame in
            left[frame] != stage.given(0, frame - 2 * Self.bar) + base[0][frame % Self.bar]
        }
        #expect(fault == nil)
        withExtendedLifetime(stage.recorder) {}
    }

    @Test("Random changes, undos and redos are what arrays make of them", arguments: UInt64(0)..<8)
    func storm(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        var asked: [LoopChange] = []
        var growth = 0
        let stage = try LayerStage(bars: 16, input: Self.noise(16, seed: seed)) { engine, clip in
            var frame = 2 * Self.bar + 3_000
            while frame < 15 * Self.bar {
                switch random.int(0...5) {
                case 0: try engine.launcher.undoLayer(of: clip, at: FrameTime(Int64(frame)))
                case 1: try engine.launcher.redoLayer(of: clip, at: FrameTime(Int64(frame)))
                default:
                    let change = growth > 2 ? .reverse : random.pick([LoopChange.reverse, .multiply, .insert])
                    if change != .reverse { growth += 1 }
                    asked.append(change)
                    try Self.change(engine, clip, change, at: frame, Quantization.none)
                }
                // Time enough for the longest to be made.
                frame += random.int(7_000...40_000)
            }
        }
        try stage.render(16 * Self.bar, .mixed(seed: seed))
        var layers = [LayerModel(stage).current]
        var undone: [[[Float]]] = []
        var next = 2 * Self.bar + 24
        func check(until end: Int) {
            guard next < end else { return }
            #expect(Self.fault(stage, layers[layers.count - 1], next, until: end) == nil, "until \(end)")
        }
        for event in stage.recorder.events {
            guard case .launcher(let kind) = event.kind else { continue }
            switch kind {
            case .layerAdded:
                check(until: Int(event.frame.rawValue))
                let change = asked.removeFirst()
                layers.append(layers[layers.count - 1].map { Self.changed($0, change) })
                undone = []
            case .layerUndone:
                check(until: Int(event.frame.rawValue))
                undone.append(layers.removeLast())
            case .layerRedone:
                check(until: Int(event.frame.rawValue))
                let layer = undone.popLast()
                layers.append(try #require(layer))
            default: continue
            }
            next = Int(event.frame.rawValue) + 240
        }
        check(until: 16 * Self.bar)
        #expect(asked.isEmpty)
    }
}
