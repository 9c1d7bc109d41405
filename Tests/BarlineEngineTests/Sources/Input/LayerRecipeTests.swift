import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Layers that are made again of what was played.
@Suite("Remade layers")
struct LayerRecipeTests {
    private static let bar = LayerStage.bar

    private static func noise(_ bars: Int) -> [[Float]] {
        [TakeStage.noise(bars * bar, seed: 11), TakeStage.noise(bars * bar, seed: 12)]
    }

    /// What a take has before its first frame and in it.
    private static func samples(_ take: TakeHandle, _ count: Int) -> [[Float]] {
        take.withSamples(from: take.margin - LayerStage.seam) { left, right in
            [Array(left.prefix(count)), Array(right.prefix(count))]
        }
    }

    private static func samples(_ buffer: SampleBuffer, _ count: Int) -> [[Float]] {
        let first = LayerRecipe.marginFrames(at: .standard) - LayerStage.seam
        return [buffer.left, buffer.right].map { Array(UnsafeBufferPointer(start: $0 + first, count: count)) }
    }

    @Test(
        "What was played during a layer is kept with half a second at both ends, and the layer made again of it is the layer",
        arguments: [120.0, 240, 300], [BlockPlan.fixed(64), .mixed(seed: 5)])
    func remade(tempo: Double, plan: BlockPlan) throws {
        let input = Self.noise(24)
        let stage = try LayerStage(bars: 24, input: input, latency: 900, quantization: Quantization.none) {
            engine, clip in
            try engine.transport.setTempo(Tempo(clamping: tempo), at: FrameTime(Int64(3 * Self.bar)))
            for (frame, feedback) in [(200_000, 0.7), (420_000, 0), (700_000, 1)] {
                let settings = OverdubSettings(input: InputIndex(0), feedback: feedback)
                try engine.launcher.overdub(clip, settings, at: FrameTime(Int64(frame)))
                let end = FrameTime(Int64(frame + (feedback == 0 ? 30_000 : 150_000)))
                try engine.launcher.overdub(clip, settings, at: end)
            }
            try engine.launcher.changeLoop(of: clip, .reverse, at: FrameTime(940_000))
            try engine.launcher.changeLoop(of: clip, .halfSpeed, at: FrameTime(1_000_000))
        }
        try stage.render(24 * Self.bar, plan)
        let layers = stage.engine.launcher.layers(of: stage.clip).map(\.take)
        #expect(layers.count >= 5)
        var below = try #require(stage.engine.launcher.take(of: stage.clip))
        var (passes, parts, changes) = (0, 0, 0)
        for layer in layers {
            let recipe = try #require(layer.recipe)
            let base = try #require(below.result)
            let start = try #require(layer.start)
            var played: LayerRecipe.Played?
            if case .overdub(_, let recorded) = recipe.making {
                let kept = try #require(layer.played)
                let first = Int(start.frame.rawValue) + start.latency - layer.margin
                let end = min(recipe.length, recorded + LayerStage.seam) + 2 * layer.margin
                #expect(kept.frameCount == end)
                for (channel, samples) in [kept.left, kept.right].enumerated() {
                    #expect((0..<end).allSatisfy { samples[$0] == input[channel][first + $0] })
                }
                played = LayerRecipe.Played(kept, from: layer.margin)
                if recorded < recipe.length { parts += 1 } else { passes += 1 }
            } else {
                changes += 1
            }
            let made = try #require(
                recipe.make(
                    over: below.samples(atLeast: base.region.upperBound), base.region, played: played, at: .standard))
            let count = recipe.length + LayerStage.seam
            #expect(Self.samples(made, count) == Self.samples(layer, count))
            below = layer
        }
        #expect(passes > 0 && parts > 0 && changes == 2)
    }

    @Test("A recipe for what there is not makes nothing")
    func nothing() {
        let loop = SampleBuffer(left: [Float](repeating: 0.5, count: 1_000), sampleRate: .standard)
        let cases: [(LayerRecipe, Range<Int>)] = [
            (LayerRecipe(.change(.reverse), position: 0, length: 0), 0..<1_000),
            (LayerRecipe(.change(.reverse), position: 0, length: 1_000), 0..<1_001),
            (LayerRecipe(.change(.reverse), position: 0, length: 1_000), 500..<500),
            (LayerRecipe(.overdub(feedback: 1, recorded: 1_000), position: 1e300, length: 1_000), 0..<1_000),
        ]
        for (recipe, region) in cases {
            #expect(recipe.make(over: loop, region, played: nil, at: .standard) == nil)
        }
    }
}
