import BarlineTime
import Testing

@Suite("Clocks")
struct ClockTests {
    @Test("The song position is relocated and looped while the monotonic beat runs on")
    func songPosition() {
        var song = SongPosition()
        #expect(song.position(at: Beat(5)) == Beat(5))
        song.relocate(at: Beat(8), to: Beat(100))
        #expect(song.position(at: Beat(10)) == Beat(102))
        song.loop(at: Beat(10), start: Beat(100), length: 4)
        #expect(song.position(at: Beat(11.5)) == Beat(103.5))
        #expect(song.position(at: Beat(12)) == Beat(100))
        #expect(song.position(at: Beat(12 + 4 * 1_000 + 1)) == Beat(101))
        song.loop(at: Beat(13), start: Beat(0), length: 0)
        #expect(song.position(at: Beat(20)) == Beat(108))
    }

    @Test("A song begins where it is entered, and its loop is turned off and on where it is")
    func songEntry() {
        var song = SongPosition()
        song.enter(at: Beat(16))
        #expect(song.position(at: Beat(-4)) == Beat(12) && song.position(at: Beat(3)) == Beat(19))
        song.setLooping(true, at: Beat(0))
        #expect(!song.isLooping)
        song.loop(at: Beat(0), start: Beat(16), length: 4)
        #expect(song.position(at: Beat(9)) == Beat(17))
        song.setLooping(false, at: Beat(9))
        #expect(song.position(at: Beat(13)) == Beat(21) && song.loopLength == 4)
        song.setLooping(true, at: Beat(10))
        #expect(song.position(at: Beat(12)) == Beat(16))
        song.relocate(at: Beat(12), to: Beat(100))
        song.restart()
        #expect(song.position(at: Beat(0)) == Beat(16) && song.position(at: Beat(4)) == Beat(16))
    }

    @Test("Callback times that jitter by a block are filtered to a fraction of it, and a slow clock is followed")
    func hostTime() {
        var random = TestRandom(seed: 7)
        var map = HostTimeMap(sampleRate: .standard, bandwidth: 0.1)
        // A device 100 ppm slow, whose callbacks come up to 5 ms late.
        let trueRate = 48_000 * (1 - 100e-6)
        var worst = 0.0
        for block in 0..<20_000 {
            let frame = Int64(block) * 256
            let due = Double(frame) / trueRate
            let jitter = Double.random(in: 0...0.005, using: &random)
            map.update(time: HostTime(rawValue: Int64((due + jitter) * 1e9)), frame: FrameTime(frame))
            if block > 10_000 {
                // The mean lateness, 2.5 ms, can't be distinguished from latency.
                worst = max(worst, abs(Double(map.time(of: FrameTime(frame)).rawValue) * 1e-9 - due - 0.0025))
            }
        }
        #expect(worst < 0.001)
    }

    @Test("Tempo is clamped, and refused where that is asked for")
    func tempo() {
        #expect(Tempo(clamping: 5).beatsPerMinute == 20)
        #expect(Tempo(clamping: 5_000).beatsPerMinute == 999)
        #expect(Tempo(clamping: .nan).beatsPerMinute == 120)
        let (slow, usual) = (19.99, 136.7)
        #expect(Tempo(slow) == nil)
        #expect(Tempo(usual)?.beatsPerMinute == 136.7)
        #expect((136.7 as Tempo).beatsPerMinute == 136.7 && (5_000 as Tempo).beatsPerMinute == 999)
        #expect(SampleRate(7_999) == nil)
        #expect(SampleRate(192_000) != nil)
    }
}
