import BarlineTime
import Testing

/// Numbers that are no time, or beyond every time that there is: they have an answer, the nearest that there is.
@Suite("Times beyond the timeline")
struct FarTimeTests {
    private static let frames: [FrameTime] = [
        FrameTime(.min), FrameTime(.min + 1), FrameTime(-1), .zero, FrameTime(1 << 53), FrameTime(.max - 1),
        FrameTime(.max),
    ]
    private static let beats: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1e300, -1e19, 0, .leastNonzeroMagnitude, 1e19, 1e300,
        .greatestFiniteMagnitude, .infinity,
    ]

    private static func maps() -> TempoMap {
        var map = TempoMap(tempo: Tempo(clamping: 120), sampleRate: .standard)
        map.change(at: FrameTime(48_000), to: Tempo(clamping: 60), overBeats: 8)
        map.change(at: FrameTime(960_000), to: Tempo(clamping: 200))
        return map
    }

    @Test("Points and spans end where their range ends")
    func ends() {
        #expect(FrameTime(.max) + 1 == FrameTime(.max))
        #expect(FrameTime(.min) + -1 == FrameTime(.min))
        #expect(FrameTime(.min) - 1 == FrameTime(.min))
        #expect(FrameTime(5) - Int64.min == FrameTime(.max))
        #expect(FrameTime(.max) - FrameTime(-1) == .max)
        #expect(FrameTime(.min) - FrameTime(1) == .min)
        #expect(FrameTime(7) - FrameTime(.max) == 7 - .max)
    }

    @Test("Points of the host's clock end where their range ends, and stay where a span is none")
    func hostTimes() {
        let (first, last) = (HostTime(rawValue: .min), HostTime(rawValue: .max))
        let now = HostTime(rawValue: 5_000_000_000)
        for seconds in [Double.infinity, 1e10, .greatestFiniteMagnitude] {
            #expect(now + seconds == last && last + seconds == last)
            #expect(now + -seconds == first && first + -seconds == first)
        }
        #expect(now + .nan == now && now + 1.5 == HostTime(rawValue: 6_500_000_000))
        #expect(last - first == 0x1p63 * 1e-9 && first - last == -0x1p63 * 1e-9)
    }

    @Test("Every frame has a beat and a tempo, and later frames later ones")
    func everyFrame() {
        let map = FarTimeTests.maps()
        var found: [Double] = []
        for frame in FarTimeTests.frames {
            let (beat, tempo) = (map.beat(at: frame).rawValue, map.tempo(at: frame).beatsPerMinute)
            found.append(beat)
            #expect(Tempo.range ~= tempo)
        }
        #expect(found.allSatisfy { $0.isFinite })
        #expect(found == found.sorted())
    }

    @Test("Every beat has a frame, later ones later frames, and what is no beat one that never comes")
    func everyBeat() {
        let map = FarTimeTests.maps()
        var found: [FrameTime] = []
        for beat in FarTimeTests.beats { found.append(map.frame(of: Beat(beat))) }
        let never = map.frame(of: Beat(.nan))
        #expect(found == found.sorted())
        #expect(found.last.map { $0 > FrameTime(1 << 61) } == true)
        #expect(found.first.map { $0 < FrameTime(-(1 << 61)) } == true)
        #expect(never > FrameTime(1 << 61))
    }

    @Test("Every beat has a bar, and every bar a line")
    func bars() {
        var metre = MetreMap(.common)
        metre.change(atOrAfter: Beat(8), to: "7/8")
        var found: [Int64] = []
        for beat in FarTimeTests.beats { found.append(metre.position(at: Beat(beat)).bar) }
        #expect(found == found.sorted())
        var lines: [Double] = []
        for bar in [Int64.min, -1, 0, 3, .max] { lines.append(metre.beat(ofBar: bar).rawValue) }
        #expect(lines == lines.sorted())
        #expect(lines.allSatisfy { $0.isFinite })
        for beat in FarTimeTests.beats + [.nan] {
            var changed = MetreMap(.common)
            changed.change(atOrAfter: Beat(beat), to: "3/4")
            let isWhole = changed.checkInvariants()
            let bar = changed.position(at: Beat(0)).bar
            #expect(isWhole)
            #expect(bar == 0 || beat < 0)
        }
    }

    @Test("A ramp over more beats than ever come begins, and goes on", arguments: [1e12, 1e300, .infinity])
    func endlessRamp(beats: Double) {
        var map = TempoMap(tempo: Tempo(clamping: 120), sampleRate: .standard)
        map.change(at: .zero, to: Tempo(clamping: 240), overBeats: beats)
        // An hour of 120 BPM has 7,200 beats, of a rise that is far from its end hardly one more.
        let hour = FrameTime(3_600 * 48_000)
        let (beat, tempo) = (map.beat(at: hour), map.tempo(at: hour).beatsPerMinute)
        let back = map.frame(of: beat) - hour
        #expect(abs(beat.rawValue - 7_200) < 0.1)
        #expect(abs(tempo - 120) < 0.01)
        #expect(abs(back) <= 1)
    }
}
