import BarlineTime
import Testing

@testable import BarlineEngine

/// How a change of the timeline is propagated to those that lie on it.
@Suite("Changes of the timeline")
struct RetimingTests {
    private func beat(at frame: Int64, tempo: Double, rate: Double = 48_000) -> Double {
        Double(frame) * tempo / (60 * rate)
    }

    @Test("A change of tempo goes on from the beat that it comes on, and moves no beat before it")
    func tempo() {
        var timeline = Timeline(EngineConfiguration(tempo: Tempo(clamping: 120)))
        _ = timeline.start(lead: 0, at: FrameTime(0))
        timeline.advance(by: 60_000)
        let retiming = timeline.changeTempo(to: Tempo(clamping: 90), rampBeats: 0)
        #expect(retiming.from.beat.rawValue == beat(at: 60_000, tempo: 120))
        #expect(retiming.to.beat == retiming.from.beat)
        #expect(retiming.shift == 0)
        #expect(timeline.tempo.frame(of: Beat(1)) == FrameTime(24_000))
        // Half a quarter note later, at 90 BPM.
        #expect(timeline.tempo.frame(of: Beat(3)) == FrameTime(60_000 + 16_000))
    }

    @Test("A stop begins a timeline at beat 0, and keeps the one that is over")
    func stop() {
        var timeline = Timeline(EngineConfiguration(tempo: Tempo(clamping: 120)))
        _ = timeline.start(lead: 4, at: FrameTime(0))
        timeline.advance(by: 100_000)
        let retiming = timeline.stop()
        #expect(retiming.from.beat.rawValue == beat(at: 100_000, tempo: 120) - 4)
        #expect(retiming.to.beat == Beat(0))
        let isRolling = timeline.isRolling
        #expect(!isRolling)
        #expect(timeline.former.frame(of: Beat(0)) == FrameTime(96_000))
        #expect(timeline.formerRollFrame == FrameTime(0))
    }

    @Test("Where the device's clock has jumped, every beat falls as many frames earlier", arguments: [5_000, -5_000])
    func clock(jump: Int64) throws {
        var timeline = Timeline(EngineConfiguration(tempo: Tempo(clamping: 100)))
        _ = timeline.start(lead: 0, at: FrameTime(0))
        let first = timeline.follow(deviceFrame: 700)
        #expect(first == nil)
        timeline.advance(by: 64_000)
        let followed = timeline.follow(deviceFrame: 64_700 + jump)
        let retiming = try #require(followed)
        #expect(retiming.shift == -jump)
        for number in 0...16 {
            let before = timeline.former.frame(of: Beat(Double(number)))
            let after = timeline.tempo.frame(of: Beat(Double(number)))
            #expect(after == before + -jump)
        }
        #expect(abs(retiming.to.beat.rawValue - retiming.from.beat.rawValue - beat(at: jump, tempo: 100)) < 1e-9)
        let second = timeline.follow(deviceFrame: 64_700 + jump)
        #expect(second == nil)
    }

    @Test("At another sample rate the beat is the same and a fade lasts as long")
    func sampleRate() throws {
        var timeline = Timeline(EngineConfiguration(tempo: Tempo(clamping: 130)))
        _ = timeline.start(lead: 0, at: FrameTime(0))
        timeline.advance(by: 31_415)
        let retiming = timeline.changeSampleRate(to: try #require(SampleRate(96_000)))
        #expect(retiming.to.beat == retiming.from.beat)
        #expect(retiming.from.fadeFrames == 240)
        #expect(retiming.to.fadeFrames == 480)
    }

    @Test("A tempo that is queued takes over on its boundary's frame, wherever that has moved")
    func queuedTempo() throws {
        var timeline = Timeline(EngineConfiguration(tempo: Tempo(clamping: 120)))
        _ = timeline.start(lead: 0, at: FrameTime(0))
        timeline.queueTempo(Tempo(clamping: 60), boundary: .beat(Beat(4)), frame: timeline.tempo.frame(of: Beat(4)))
        #expect(timeline.nextDue() == FrameTime(96_000))
        timeline.advance(by: 24_000)
        _ = timeline.changeTempo(to: Tempo(clamping: 240), rampBeats: 0)
        #expect(timeline.nextDue() == FrameTime(24_000 + 36_000))
        let early = timeline.takeQueuedTempo()
        #expect(early == nil)
        timeline.advance(by: 36_000)
        let taken = timeline.takeQueuedTempo()
        let retiming = try #require(taken)
        #expect(retiming.to.beat == Beat(4))
        #expect(timeline.tempo.tempo(at: timeline.now) == Tempo(clamping: 60))
        let again = timeline.takeQueuedTempo()
        #expect(again == nil)
    }
}
