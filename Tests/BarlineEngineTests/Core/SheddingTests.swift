import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// Which voices go when the machine doesn't keep up, beside a model that sorts them.
@Suite("Voices that are shed")
struct SheddingTests {
    private static let frames = 4_800

    private struct Stage {
        let engine: Engine
        let clips: [ClipHandle]
        let pads: [PadHandle]
    }

    /// Tracks with a clip each, of a constant of their own, and pads.
    private func stage(tracks: Int = 12, pads: Int = 4) throws -> Stage {
        let engine = Engine(
            EngineConfiguration(
                trackCount: tracks, tempo: Tempo(clamping: 120), launchQuantization: .none, firstLaunch: .immediate))
        func buffer(_ level: Float) -> SampleBuffer {
            SampleBuffer(left: [Float](repeating: level, count: 480_000), sampleRate: .standard)
        }
        return Stage(
            engine: engine,
            clips: try (0..<tracks).map {
                try engine.launcher.load(buffer(0x1p-10), settings: ClipSettings(track: TrackIndex($0), beats: nil))
            },
            pads: try (0..<pads).map { _ in try engine.sampler.load(buffer(0x1p-10)) })
    }

    /// Renders a block, and returns what its left channel has.
    private func render(_ engine: Engine, shedding part: Double = 0, frames: Int = SheddingTests.frames) -> [Float] {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
        samples.initialize(repeating: 0, count: 2 * frames)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
        for channel in 0..<2 { (pointers + channel).initialize(to: samples + channel * frames) }
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        var block = AudioBlock(outputs: UnsafePointer(pointers), outputCount: 2, frames: frames)
        block.shedding = part
        engine.render(block)
        return Array(UnsafeBufferPointer(start: samples, count: frames))
    }

    @Test("Pads go before clips, the oldest hit first, and of clips the one that was launched last", arguments: 1...40)
    func order(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let stage = try stage()
        let engine = stage.engine
        // When each clip was launched, and each hit was played, oldest first.
        var launches: [(frame: Int, track: Int)] = []
        var hits: [Int] = []
        for track in stage.clips.indices where random.chance(0.7) {
            let frame = random.int(0...9) * 300
            launches.append((frame, track))
            try engine.launcher.launch(stage.clips[track], at: FrameTime(Int64(frame)))
        }
        for index in 0..<random.int(0...10) {
            let pad = random.int(0...stage.pads.count - 1)
            hits.append(pad)
            try engine.sampler.trigger(stage.pads[pad], at: FrameTime(Int64(3_000 + 10 * index)))
        }
        let events = engine.events.queue()
        _ = render(engine)
        _ = events.take()
        for _ in 0..<3 {
            let part = random.double(0.01...0.99)
            let sounding = launches.count + hits.count
            _ = render(engine, shedding: part)
            let told = events.take()
            if sounding == 0 {
                #expect(told.isEmpty)
                break
            }
            let count = min(sounding, max(1, Int((part * Double(sounding)).rounded(.up))))
            let goingHits = min(count, hits.count)
            hits.removeFirst(goingHits)
            launches.sort { ($0.frame, $0.track) < ($1.frame, $1.track) }
            let going = launches.suffix(count - goingHits).map(\.track)
            launches.removeLast(going.count)
            let stopped = told.compactMap { event -> Int? in
                if case .launcher(.stopped(_, let track)) = event.kind { track.rawValue } else { nil }
            }
            #expect(stopped == going.reversed())
            #expect(told.map(\.kind).last == .voicesShed(count: count))
            let state = engine.state
            #expect(state.tracks.indices.filter { state.tracks[$0].playing != nil } == launches.map(\.track).sorted())
            #expect(
                state.pads.prefix(stage.pads.count).map(\.voices)
                    == stage.pads.indices.map { pad in hits.filter { $0 == pad }.count })
        }
    }

    @Test("They fade out over 5 ms, and what stays is the same to the bit as if the others had never been")
    func fade() throws {
        let (all, few) = (try stage(tracks: 4, pads: 1), try stage(tracks: 4, pads: 1))
        for (index, clip) in all.clips.enumerated() {
            try all.engine.launcher.launch(clip, at: FrameTime(Int64(index)))
        }
        for (index, clip) in few.clips.prefix(3).enumerated() {
            try few.engine.launcher.launch(clip, at: FrameTime(Int64(index)))
        }
        _ = render(all.engine)
        _ = render(few.engine)
        let (faded, kept) = (render(all.engine, shedding: 0.25), render(few.engine))
        let step = 0x1p-10 / Float(240)
        #expect(zip(faded, faded.dropFirst()).allSatisfy { abs($1 - $0) <= 1.01 * step })
        #expect(faded[0] > kept[0])
        #expect(faded[240...].elementsEqual(kept[240...]))
    }

    @Test("Where nothing may go nothing happens: the click goes on")
    func click() throws {
        let (asked, left) = (try stage(), try stage())
        for stage in [asked, left] {
            stage.engine.metronome.isOn = true
            try stage.engine.transport.start(at: FrameTime.zero)
        }
        let events = asked.engine.events.queue()
        for _ in 0..<20 { #expect(render(asked.engine, shedding: 0.9) == render(left.engine)) }
        #expect(!events.take().contains { if case .voicesShed = $0.kind { true } else { false } })
    }
}
