import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Random presses, stops and keeps on several tracks: what takes have is what their range of the input had, and nothing
/// depends on the blocks.
@Suite("Storms of takes")
struct TakeStormTests {
    private static let length = 480_000
    private static let trackCount = 3
    private static let beat = 12_000

    private struct Storm {
        let engine: Engine
        let recorder: Recorder
        let clips: [ClipHandle]
        let latency: Int

        init(seed: UInt64, changesTempo: Bool, input: [[Float]]) throws {
            var random = TestRandom(seed: seed)
            let latency = random.pick([0, 1, 700, 5_000])
            let engine = try TakeStage.engine(tracks: trackCount, latency: latency)
            var clips: [ClipHandle] = []
            for place in 0..<4 * trackCount {
                var settings = TakeSettings(
                    track: TrackIndex(place % trackCount), input: InputIndex(0), bars: random.pick([nil, 1, 2]))
                settings.quantization = random.pick([nil, Quantization.none, .note(numerator: 1, denominator: 1)])
                clips.append(try engine.launcher.arm(settings))
            }
            for _ in 0..<60 {
                let frame = FrameTime(Int64(random.int(0...length)))
                let clip = clips[random.int(0...clips.count - 1)]
                let track = TrackIndex(random.int(0...trackCount - 1))
                switch random.int(0...9) {
                case 0: try engine.launcher.stop(track, at: frame)
                case 1: try engine.launcher.stopNow(track, at: frame)
                case 2: try engine.launcher.keepLast(bars: random.int(1...3), as: clip, at: frame)
                case 3 where changesTempo:
                    try engine.transport.setTempo(
                        Tempo(clamping: Double(random.int(90...300))), overBeats: random.pick([0, 3]), at: frame)
                default: try engine.launcher.launch(clip, at: frame)
                }
            }
            recorder = Recorder(engine, frames: length, keepsTracks: true)
            recorder.give(input)
            (self.engine, self.clips, self.latency) = (engine, clips, latency)
        }

        var takes: [TakeHandle] { clips.compactMap { engine.launcher.take(of: $0) } }
    }

    @Test("Takes and what is played are the same at any block size", arguments: UInt64(0)..<12)
    func blocks(seed: UInt64) throws {
        let input = [TakeStage.noise(Self.length, seed: seed), TakeStage.noise(Self.length, seed: seed + 100)]
        let storms = try [BlockPlan.fixed(64), .mixed(seed: seed), .fixed(4_096)].map { plan in
            let storm = try Storm(seed: seed, changesTempo: true, input: input)
            storm.recorder.render(Self.length, plan)
            return storm
        }
        for other in storms.dropFirst() {
            #expect(storms[0].recorder.isIdentical(to: other.recorder))
            for (first, second) in zip(storms[0].takes, other.takes) {
                #expect(first.result == second.result)
                first.withSamples(from: 0) { left, right in
                    second.withSamples(from: 0) { otherLeft, otherRight in
                        #expect(left.elementsEqual(otherLeft) && right.elementsEqual(otherRight))
                    }
                }
            }
        }
    }

    @Test("A take has what its range of the input had, on the beats of its grid", arguments: UInt64(50)..<62)
    func ranges(seed: UInt64) throws {
        let input = [TakeStage.noise(Self.length, seed: seed), TakeStage.noise(Self.length, seed: seed + 100)]
        let storm = try Storm(seed: seed, changesTempo: false, input: input)
        storm.recorder.render(Self.length, .mixed(seed: seed))
        var count = 0
        for (clip, take) in zip(storm.clips, storm.takes) {
            guard let result = take.result else { continue }
            count += 1
            let first = Int(result.start.frame.rawValue) + storm.latency
            take.withSamples(from: result.region.lowerBound) { left, right in
                let known = min(result.region.count, left.count)
                func had(_ channel: [Float], _ place: Int) -> Float {
                    channel.indices.contains(place) ? channel[place] : 0
                }
                #expect((0..<known).allSatisfy { left[$0] == had(input[0], first + $0) })
                #expect((0..<known).allSatisfy { right[$0] == had(input[1], first + $0) })
            }
            #expect(abs(result.beats * Double(Self.beat) - Double(result.region.count)) <= 1)
            let isFree = storm.engine.launcher.settings(of: clip)?.quantization == Quantization.none
            #expect(isFree || result.start.frame.rawValue % Int64(Self.beat) == 0)
        }
        #expect(count > 0)
    }
}
