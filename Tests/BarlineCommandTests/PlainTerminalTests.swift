import BarlineTestSupport
import Foundation
import Testing

/// Terminals that can do less, and people who want less.
@Suite("Terminals without colours, and without a screen")
struct PlainTerminalTests {
    @Test("NO_COLOR: nothing has a colour, and states are shown all the same")
    func noColour() throws {
        let set = try SmallSet(settings: #""launchQuantization": "1/16", "#)
        let screen = try Screen(playing: set, environment: ["NO_COLOR": "1"])
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("Noise") })
        screen.press("qw")
        #expect(eventually { screen.picture.contains("q ▶ Noise") && screen.picture.contains("w ▶ Tone") })
        #expect(eventually { screen.picture.contains(/q ▶ Noise *[▁▂▃▄▅▆▇█]/) }, "\(screen.picture)")
        screen.press("\u{11}")
        #expect(screen.end() == 0)
        #expect(!screen.raw.contains(/\u{1B}\[[0-9;]*m/))
    }

    @Test("An empty NO_COLOR asks for nothing")
    func emptyNoColour() throws {
        let screen = try Screen(playing: try SmallSet(), environment: ["NO_COLOR": ""])
        defer { screen.close() }
        #expect(eventually { screen.raw.contains(/\u{1B}\[1m/) })
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("TERM=dumb: plain lines, without a sequence; actions are typed")
    func dumb() throws {
        let set = try SmallSet(settings: #""launchQuantization": "1/16", "firstLaunch": "immediate", "#)
        let screen = try Screen(playing: set, environment: ["TERM": "dumb"])
        defer { screen.close() }
        #expect(eventually { screen.lines.contains { $0.hasPrefix("Small set on null") } }, "\(screen.raw)")
        screen.press(#"{"do": "launch", "clip": "a"}"# + "\n")
        #expect(eventually { screen.raw.contains("▶ Drum kit: Noise at beat 0") }, "\(screen.raw)")
        #expect(screen.isPlain)
        screen.signal(SIGINT)
        #expect(screen.end() == 130)
        #expect(!screen.raw.contains("\u{1B}"))
    }

    @Test("A name can't command the terminal", arguments: ["xterm-256color", "dumb"])
    func commands(term: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", WaveFile([Double](repeating: 0.1, count: 24_000)).bytes)
        let session = try folder.write(
            "set.barline",
            #"""
            {"barline": 1, "name": "A\u001b]0;title\u0007 set", "launchQuantization": "none",
             "scenes": [{"name": "S\u001b[2J"}], "tracks": [{"id": "t", "name": "T\u001b[2J", "clips": [
              {"id": "a", "name": "C\u009b2J\u001b[31mlip", "file": "a.wav", "beats": 1}]}]}
            """#)
        let screen = try Screen(
            ["run", session, "--backend", "null", "--scene", "1", "--duration", "2"], environment: ["TERM": term])
        defer { screen.close() }
        #expect(screen.end() == 0)
        for sequence in ["\u{1B}]0;", "\u{1B}[2J", "\u{9B}", "\u{1B}[31m"] {
            #expect(!screen.raw.contains(sequence), "\(screen.raw.debugDescription.prefix(2_000))")
        }
        #expect(screen.raw.contains("lip"))
    }

    @Test("A bar is gone before anything is printed", arguments: ["xterm-256color", "dumb"])
    func progress(term: String) throws {
        let folder = try TemporaryFolder()
        let files = try (1...3).map { index in
            try folder.write("\(index).wav", WaveFile((0..<240_000).map { 0.2 * sin(Double($0) * 0.05) }).bytes)
        }
        let set = try SmallSet()
        for arguments in [["analyze"] + files, set.render("out.wav", seconds: 300)] {
            // What was heard of these files before would be taken from the cache, at once and without a bar.
            let environment = ["TERM": term, "XDG_CACHE_HOME": folder.path("cache")]
            let screen = try Screen(arguments, columns: 50, environment: environment)
            defer { screen.close() }
            #expect(screen.end() == 0)
            let results = arguments[0] == "render" ? ["out.wav"] : files
            #expect(eventually { results.allSatisfy { screen.raw.contains($0) } })
            #expect(screen.raw.contains("█") || screen.raw.contains("░") || term == "dumb", "there was one")
            #expect(screen.lines.allSatisfy { !$0.contains("█") && !$0.contains("░") }, "\(screen.lines)")
            #expect(
                screen.lines.filter { !$0.isEmpty }.allSatisfy {
                    !$0.contains(" %") || $0.contains("sure") || $0.contains("length")
                })
            if term == "dumb" { #expect(!screen.raw.contains("\u{1B}")) }
            // A bar that is broken over two lines could not be taken away.
            let bars = screen.raw.split(separator: "\r").filter { $0.contains("░") || $0.contains("█") }
            #expect(bars.allSatisfy { $0.filter { $0 == "░" || $0 == "█" }.count < 40 })
        }
    }
}
