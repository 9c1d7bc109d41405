import BarlineTestSupport
import Foundation
import Testing

/// The grid on a terminal.
@Suite("The live grid")
struct GridTests {
    private static let quick = #""launchQuantization": "1/16", "#

    @Test("It shows the set, its tracks, scenes and clips with their keys")
    func picture() throws {
        let set = try SmallSet()
        let screen = try Screen(playing: set)
        defer { screen.close() }
        let words = [
            "Small set", "null", "48000 Hz", "120.0 BPM", "4/4", "Drum kit", "Bass line", "First", "Second",
            "q   Noise",
            "w   Tone", "s   Other", "stopped",
        ]
        #expect(eventually { words.allSatisfy(screen.picture.contains) }, "\(screen.picture)")
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("A key launches its clip, a row's key with shift its scene, the space bar stops all")
    func keys() throws {
        let set = try SmallSet(settings: GridTests.quick)
        let screen = try Screen(playing: set)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("Noise") })
        screen.press("q")
        #expect(eventually { screen.picture.contains("q ▶ Noise") }, "\(screen.picture)")
        screen.press("w")
        #expect(eventually { screen.picture.contains("w ▶ Tone") }, "\(screen.picture)")
        screen.press("A")
        #expect(eventually { screen.picture.contains("s ▶ Other") && !screen.picture.contains("▶ Noise") })
        screen.press(" ")
        #expect(eventually { !screen.picture.contains("▶") })
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("A key locks what plays to the timeline, and lets it go again")
    func phaseLock() throws {
        let screen = try Screen(playing: try SmallSet(settings: GridTests.quick))
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("Noise") })
        screen.press("q")
        #expect(eventually { screen.picture.contains("q ▶ Noise") }, "\(screen.picture)")
        screen.press("o")
        #expect(eventually { screen.picture.contains("q ▶ ≡ Noise") }, "\(screen.picture)")
        screen.press("o")
        #expect(eventually { screen.picture.contains("q ▶ Noise") }, "\(screen.picture)")
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("Keys transpose the chosen clip and say how it follows the tempo, and are undone")
    func pitch() throws {
        let screen = try Screen(playing: try SmallSet(settings: GridTests.quick))
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("Noise") })
        screen.press("}")
        #expect(eventually { screen.picture.contains("the arrows choose the clip") }, "\(screen.picture)")
        screen.press("\u{1B}[B")
        screen.press("}")
        #expect(eventually { screen.picture.contains("Noise: +1 semitones") }, "\(screen.picture)")
        screen.press("(")
        #expect(eventually { screen.picture.contains("Noise: +0.90 semitones") }, "\(screen.picture)")
        // Those that come together count each.
        screen.press("}}}(")
        #expect(eventually { screen.picture.contains("Noise: +3.80 semitones") }, "\(screen.picture)")
        screen.press("\\")
        #expect(eventually { screen.picture.contains("Noise: at its pitch, for drums") }, "\(screen.picture)")
        screen.press("\u{1A}")
        #expect(eventually { screen.picture.contains("undone: Edit clip") }, "\(screen.picture)")
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("Keys move the tempo and stop the transport")
    func tempo() throws {
        let screen = try Screen(playing: try SmallSet(settings: GridTests.quick))
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("120.0 BPM") })
        screen.press("+")
        #expect(eventually { screen.picture.contains("121.0 BPM") })
        screen.press("[")
        #expect(eventually { screen.picture.contains("120.9 BPM") })
        screen.press("q")
        #expect(eventually { screen.picture.contains("▶") })
        screen.press(".")
        #expect(eventually { screen.picture.contains("stopped") && !screen.picture.contains("▶") })
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("Keys turn the metronome on and off and tap the tempo")
    func metronome() throws {
        let screen = try Screen(playing: try SmallSet(settings: GridTests.quick))
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("click off") })
        screen.press("l")
        #expect(eventually { screen.picture.contains("click") && !screen.picture.contains("click off") })
        screen.press("l")
        #expect(eventually { screen.picture.contains("click off") })
        screen.press("p")
        Thread.sleep(forTimeInterval: 1)
        screen.press("p")
        #expect(eventually { !screen.picture.contains("120.0 BPM") })
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("Ctrl-Q ends, and the terminal is as it was")
    func quit() throws {
        let screen = try Screen(playing: try SmallSet())
        defer { screen.close() }
        #expect(screen.isPlain)
        #expect(eventually { !screen.isPlain && screen.picture.contains("Noise") })
        #expect(screen.raw.contains("\u{1B}[?1049h"))
        screen.press("\u{11}")
        #expect(screen.end() == 0)
        #expect(screen.isPlain)
        #expect(eventually { screen.raw.hasSuffix("\u{1B}[?25h\u{1B}[?1049l") })
    }

    @Test(
        "An interrupt ends with 130, a termination with 143, and the terminal is as it was",
        arguments: [SIGINT, SIGTERM])
    func interrupt(signal: Int32) throws {
        let screen = try Screen(playing: try SmallSet())
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("Noise") })
        screen.signal(signal)
        #expect(screen.end() == 128 + signal)
        #expect(screen.isPlain)
    }

    @Test("A clip that is broken is marked, and the user sees why")
    func brokenClip() throws {
        let set = try SmallSet(settings: GridTests.quick)
        try set.folder.write("b.wav", "no audio")
        let screen = try Screen(playing: set)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("w ✕ Tone") && screen.picture.contains("tracks[1].clips[0]") })
        screen.press("wq")
        #expect(eventually { screen.picture.contains("q ▶ Noise") })
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }
}
