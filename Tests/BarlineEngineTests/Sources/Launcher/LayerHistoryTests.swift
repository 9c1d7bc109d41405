import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// The layers that undo and redo go to, without takes, voices and sound.
@Suite("Layers without recordings")
struct LayerHistoryTests {
    private static func clip() -> PreparedClip {
        PreparedClip(
            buffer: SampleBuffer(left: [0.5, 0.25], sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: nil),
            sampleRate: .standard)
    }

    /// What is below the layer that plays and what is above it, the nearest first.
    private static func layers(of clip: PreparedClip) -> (below: [UnsafeRawPointer], above: [UnsafeRawPointer]) {
        var (below, above): ([UnsafeRawPointer], [UnsafeRawPointer]) = ([], [])
        var layer = clip.content.pointee.layers.below
        while let next = layer, below.count < 100 {
            below.append(next)
            layer = next.pointee.layers.below
        }
        layer = clip.content.pointee.layers.above
        while let next = layer, above.count < 100 {
            above.append(next)
            layer = next.pointee.layers.above
        }
        return (below, above)
    }

    /// Takes what was retired out of the queue, so that nothing of it is handed back.
    private static func takeRetired(_ context: inout RenderContext) -> Set<UnsafeRawPointer> {
        var retired: Set<UnsafeRawPointer> = []
        while context.retirement.count > 0 {
            retired.insert(context.retirement.candidate)
            context.retirement.removeCandidate()
        }
        return retired
    }

    @Test(
        "What is put on either side stays in its order, and what is taken away is retired, once",
        arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let renderer = engine.realtimeHandle.assumingMemoryBound(to: Renderer.self)
        let playing = Self.clip()
        let history = LayerHistory(playing.content)
        var kept = [playing]
        var (below, above): ([UnsafeRawPointer], [UnsafeRawPointer]) = ([], [])
        for _ in 0..<200 {
            var expected: [UnsafeRawPointer] = []
            switch random.int(0...9) {
            case 0...6:
                let layer = Self.clip()
                kept.append(layer)
                let isAbove = random.chance(0.5)
                history.add(layer.content, isAbove: isAbove)
                if isAbove { above.append(layer.content) } else { below.append(layer.content) }
            case 7:
                history.retireUndone(&renderer.pointee.context)
                (expected, above) = (above, [])
            default:
                let count = random.int(0...4)
                history.retireBelow(keeping: count, &renderer.pointee.context)
                expected = Array(below.dropFirst(count))
                below = Array(below.prefix(count))
            }
            #expect(Self.takeRetired(&renderer.pointee.context) == Set(expected))
            let layers = Self.layers(of: playing)
            #expect(layers.below == below && layers.above == above)
        }
        history.retireAll(&renderer.pointee.context)
        #expect(Self.takeRetired(&renderer.pointee.context) == Set(below + above + [UnsafeRawPointer(playing.content)]))
        let none = Self.layers(of: playing)
        #expect(none.below.isEmpty && none.above.isEmpty)
        withExtendedLifetime((kept, engine)) {}
    }
}
