import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Voices alone, without tracks, mixer and sound: which are free, where they are, and when they end.
@Suite("Voices without tracks")
struct VoicePlaceTests {
    private static func clip(_ frames: Int, beats: Double?, loops: Bool = true) -> PreparedClip {
        let sound = (0..<frames).map { Float($0 % 7) / 8 }
        return PreparedClip(
            buffer: SampleBuffer(left: sound, sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: beats, loops: loops), sampleRate: .standard)
    }

    private static func timeline(_ tempo: Double) -> Timeline {
        var timeline = Timeline(EngineConfiguration(tempo: Tempo(clamping: tempo)))
        _ = timeline.start(lead: 0, at: FrameTime(0))
        return timeline
    }

    /// Starts a clip on a boundary that is now, and returns the voice.
    private static func start(
        _ clip: PreparedClip, number: Int = 0, at boundary: Beat, _ pool: inout VoicePool,
        _ timeline: borrowing Timeline
    ) -> Int {
        var (voice, _) = pool.cue(number, clip.content, at: boundary, after: -1, timeline)
        voice.phase = .playing
        let index = pool.freeVoice()
        if index >= 0 { pool.start(voice, at: index, timeline) }
        return index
    }

    @Test("The lowest place that is free is taken, and one whose fade is over is free again")
    func places() {
        let clip = Self.clip(48_000, beats: 2)
        var timeline = Self.timeline(120)
        var pool = VoicePool(capacity: 3)
        var taken: [Int] = []
        for _ in 0..<4 { taken.append(Self.start(clip, at: Beat(0), &pool, timeline)) }
        #expect(taken == [0, 1, 2, -1])
        pool.fade(voice: 1, frames: 240, timeline)
        timeline.advance(by: 239)
        let early = pool.end(voice: 1, timeline)
        let tooEarly = pool.freeVoice()
        #expect(!early && tooEarly == -1)
        timeline.advance(by: 1)
        let isOneShot = pool.end(voice: 1, timeline)
        let next = Self.start(clip, at: Beat(0), &pool, timeline)
        #expect(!isOneShot && next == 1)
        let (count, isSound) = (pool.usedCount, pool.checkInvariants())
        #expect(count == 3 && isSound)
        withExtendedLifetime(clip) {}
    }

    @Test(
        "Where a loop is follows from the beats since its boundary, through any tempos",
        arguments: 0..<20 as Range<UInt64>)
    func positions(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let (frames, beats) = (random.int(20_000...90_000), Double(random.int(1...8)))
        let clip = Self.clip(frames, beats: beats)
        var tempo = Double(random.int(60...180))
        var timeline = Self.timeline(tempo)
        var pool = VoicePool(capacity: 1)
        let index = Self.start(clip, at: Beat(0), &pool, timeline)
        // Beats are added up span by span, as nothing in the engine does.
        var passed = 0.0
        var wraps = 0
        for _ in 0..<40 {
            let span = random.int(1...9_000)
            passed += Double(span) * tempo / (60 * 48_000)
            timeline.advance(by: Int64(span))
            if pool.wrap(voice: index, timeline) { wraps += 1 }
            if random.chance(0.5) {
                tempo = Double(random.int(60...180))
                _ = timeline.changeTempo(to: Tempo(clamping: tempo), rampBeats: 0)
                pool.noteRetiming()
                pool.reanchorIfStale(timeline)
            }
            let cycles = passed / beats
            let expected = (cycles - cycles.rounded(.down)) * Double(frames)
            let difference = abs(pool.sourcePosition(ofVoice: index, timeline) - expected)
            // At a wrap the two may be on either side of it.
            #expect(min(difference, Double(frames) - difference) < 1e-3, "after \(passed) beats")
        }
        let iteration = pool.voices[index].iteration
        #expect(abs(Double(iteration) - passed / beats) <= 1, "wraps are counted")
        withExtendedLifetime(clip) {}
    }

    @Test("However many tempos there were, each voice is restated once")
    func reanchorings() {
        let clip = Self.clip(48_000, beats: 2)
        let timeline = Self.timeline(120)
        var pool = VoicePool(capacity: 8)
        for _ in 0..<5 { _ = Self.start(clip, at: Beat(0), &pool, timeline) }
        for _ in 0..<1_000 { pool.noteRetiming() }
        pool.reanchorIfStale(voice: 2, timeline)
        let first = pool.reanchorings
        pool.reanchorIfStale(timeline)
        pool.reanchorIfStale(timeline)
        let all = pool.reanchorings
        #expect(first == 1 && all == 6)
        withExtendedLifetime(clip) {}
    }

    @Test("A one-shot at its own rate ends with its last frame, and its voice is free")
    func oneShot() {
        let clip = Self.clip(1_000, beats: nil, loops: false)
        var timeline = Self.timeline(97)
        var pool = VoicePool(capacity: 1)
        let index = Self.start(clip, at: Beat(0), &pool, timeline)
        var end: Int64 = -1
        for frame in 1...2_000 as ClosedRange<Int64> {
            timeline.advance(by: 1)
            if pool.end(voice: index, timeline) {
                end = frame
                break
            }
        }
        pool.trim()
        let (used, isSound) = (pool.usedCount, pool.checkInvariants())
        #expect(end == 1_000 && used == 0 && isSound)
        withExtendedLifetime(clip) {}
    }

    @Test("A lead-in begins as long before its boundary as the clip fades in, but not before its file")
    func leadIns() {
        let timeline = Self.timeline(120)
        let (boundary, due) = (Beat(2), FrameTime(48_000))
        let loop = Self.clip(48_000, beats: 2)
        let loopStart = LeadIn.start(of: loop.content, boundary: boundary, due: due, timeline)
        #expect(loopStart == due - 240)
        let whole = Self.clip(48_000, beats: nil, loops: false)
        let wholeStart = LeadIn.start(of: whole.content, boundary: boundary, due: due, timeline)
        #expect(wholeStart == .never, "nothing of the file comes before the region")
        let sound = [Float](repeating: 0.5, count: 2_000)
        func region(from first: Int) -> PreparedClip {
            PreparedClip(
                buffer: SampleBuffer(left: sound, sampleRate: .standard),
                settings: ClipSettings(track: 0, region: first..<2_000, beats: nil, loops: false),
                sampleRate: .standard)
        }
        for (first, expected) in [(100, 100), (1_000, 240)] as [(Int, Int64)] {
            let part = region(from: first)
            let start = LeadIn.start(of: part.content, boundary: boundary, due: due, timeline)
            #expect(start == due - expected)
            withExtendedLifetime(part) {}
        }
        #expect(LeadIn.start(of: loop.content, boundary: Beat(0), due: timeline.now, timeline) == .never)
        withExtendedLifetime((loop, whole)) {}
    }
}
