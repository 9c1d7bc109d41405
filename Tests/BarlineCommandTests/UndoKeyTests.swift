import BarlineTestSupport
import Foundation
import Testing

/// Ctrl-Z on a terminal undoes, as on the page; job control by signals finds the terminal as it was.
@Suite("Undo and job control on a terminal")
struct UndoKeyTests {
    @Test("Ctrl-Z undoes and Ctrl-Y redoes, step by step")
    func grid() throws {
        let screen = try Screen(playing: try SmallSet())
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("120.0 BPM") })
        screen.press("+")
        #expect(eventually { screen.picture.contains("121.0 BPM") })
        screen.press("l")
        #expect(eventually { screen.picture.contains("click") && !screen.picture.contains("click off") })
        screen.press("\u{1A}")
        #expect(eventually { screen.picture.contains("click off") && screen.picture.contains("undone: ") })
        #expect(screen.picture.contains("121.0 BPM"))
        screen.press("\u{1A}")
        #expect(eventually { screen.picture.contains("120.0 BPM") }, "\(screen.picture)")
        screen.press("\u{1A}")
        #expect(eventually { screen.picture.contains("there is nothing to undo") }, "\(screen.picture)")
        screen.press("\u{19}")
        #expect(eventually { screen.picture.contains("121.0 BPM") }, "\(screen.picture)")
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("Keys that come together count each", arguments: [["run"], ["metronome"]])
    func together(command: [String]) throws {
        let set = try SmallSet()
        let screen = try command == ["run"] ? Screen(playing: set) : Screen(command + ["--backend", "null"])
        defer { screen.close() }
        #expect(eventually { screen.raw.contains("120.0 BPM") }, "\(screen.raw)")
        screen.press("++++[")
        #expect(eventually { screen.raw.contains("123.9 BPM") }, "\(screen.raw)")
        screen.press("\u{11}")
        #expect(screen.end() == 0)
    }

    @Test("What was taken out of a playlist comes back")
    func playlist() throws {
        let folder = try TemporaryFolder()
        let files = try ["first", "second"].map { name in
            try folder.write("\(name).wav", WaveFile([Double](repeating: 0.1, count: 60 * 48_000)).bytes)
        }
        let screen = try Screen(["play", "--backend", "null"] + files)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("1. first") && screen.picture.contains("2. second") })
        screen.press("\u{1B}[B")
        screen.press("d")
        #expect(eventually { !screen.picture.contains("second") }, "\(screen.picture)")
        screen.press("\u{1A}")
        #expect(eventually { screen.picture.contains("2. second") }, "\(screen.picture)")
        screen.press("q")
        #expect(screen.end() == 0)
    }

    @Test(
        "Started in the background it plays and leaves the terminal to the shell; in front it has keys and screen",
        arguments: ["play FILE", "metronome"])
    func background(command: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("first.wav", WaveFile([Double](repeating: 0.1, count: 600 * 8_000)).bytes)
        let screen = try Screen(
            ["--ctty", "bash", "--norc", "--noprofile", "--noediting", "-i"],
            environment: ["PS1": "shell> ", "HISTFILE": ""], of: "/usr/bin/setsid")
        defer { screen.close() }
        #expect(eventually { screen.raw.contains("shell> ") })
        let words = command.replacingOccurrences(of: "FILE", with: "'\(file)'")
        screen.press("'\(Barline.path)' \(words) --backend null &\n")
        Thread.sleep(forTimeInterval: 2)
        screen.press("jobs; echo $((6 * 7000))\n")
        #expect(eventually { screen.raw.contains("\n42000") && screen.raw.contains("Running") }, "\(screen.raw)")
        // Neither the screen of pages nor a hidden cursor is the shell's.
        #expect(!screen.raw.contains("\u{1B}[?1049h") && !screen.raw.contains("\u{1B}[?25l"), "\(screen.raw)")
        screen.press("fg\n")
        #expect(eventually { screen.raw.contains("\u{1B}[?25l") && !screen.isPlain })
        screen.press("\u{11}")
        #expect(eventually { screen.isPlain && screen.raw.contains("\u{1B}[?25h") }, "\(screen.raw)")
        screen.press("exit\n")
        #expect(screen.end() == 0)
    }

    @Test("Stopped by a signal it gives the terminal back, and continued it draws the screen anew")
    func suspended() throws {
        let screen = try Screen(playing: try SmallSet())
        defer { screen.close() }
        #expect(eventually { !screen.isPlain && screen.picture.contains("Noise") })
        screen.signal(SIGTSTP)
        #expect(eventually { screen.isPlain && screen.raw.hasSuffix("\u{1B}[?1049l") })
        screen.signal(SIGCONT)
        #expect(
            eventually {
                let parts = screen.raw.components(separatedBy: "\u{1B}[?1049l")
                return !screen.isPlain && parts.count == 2 && parts[1].contains("\u{1B}[?1049h")
                    && parts[1].contains("Noise")
            })
        screen.press("+")
        #expect(eventually { screen.picture.contains("121.0 BPM") })
        screen.press("\u{11}")
        #expect(screen.end() == 0)
        #expect(screen.isPlain)
    }
}
