import BarlineTestSupport
import Foundation
import Testing

/// Live views on terminals of several sizes, as a terminal emulator shows them.
@Suite("Live views at every size", .serialized)
struct ScreenSizeTests {
    private static let keys = ["letters launch", "space stop all", "Ctrl-Q ends", "Ctrl-Z undoes", "? all keys"]

    @Test("At 80 × 24 all keys are shown, on the screen's own lines, under the title")
    func standard() throws {
        let set = try WideSet(tracks: 4, scenes: 4)
        let screen = try TmuxScreen(set.run, columns: 80, rows: 24)
        defer { screen.close() }
        #expect(eventually { ScreenSizeTests.keys.allSatisfy(screen.picture.contains) }, "\(screen.picture)")
        #expect(screen.rows[0].hasPrefix(" Wide set"))
        #expect(screen.rows(with: "Clip").count == 4)
        #expect(screen.rows(with: "Clip").allSatisfy { !$0.contains("…") }, "\(screen.picture)")
    }

    @Test("What counts down is never cut, however long names are", arguments: [(80, 24), (59, 20), (44, 12)])
    func countdown(columns: Int, rows: Int) throws {
        let set = try WideSet(tracks: 4, scenes: 2, quantization: "8 bars") { "A clip with a long name \($0)\($1)" }
        let screen = try TmuxScreen(set.run, columns: columns, rows: rows)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("A cl") }, "\(screen.picture)")
        // The first launch begins at once; the second waits for eight bars.
        try screen.press("q")
        #expect(eventually { screen.picture.contains("q ▶ A") }, "\(screen.picture)")
        try screen.press("w")
        func count() -> Double? {
            guard let row = screen.rows.first(where: { $0.contains("q ▶") }),
                let match = row.firstMatch(of: /w [▷ ] [^0-9]*([0-9]+\.[0-9])( |$)/)
            else { return nil }
            return Double(match.1)
        }
        var first: Double?
        #expect(
            eventually {
                first = count()
                return first != nil
            }, "\(screen.picture)")
        let begin = try #require(first)
        #expect(begin > 1 && begin <= 32)
        #expect(eventually { count().map { $0 < begin } ?? false }, "\(screen.picture)")
    }

    @Test("A grid larger than the screen follows the choice and what is launched", arguments: [(80, 24), (59, 20)])
    func scrolling(columns: Int, rows: Int) throws {
        let set = try WideSet(tracks: 12, scenes: 30) { "\($0 + 1)-\($1 + 1)" }
        let screen = try TmuxScreen(set.run, columns: columns, rows: rows)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("q   1-1") }, "\(screen.picture)")
        #expect(screen.rows[0].hasPrefix(" Wide set") && screen.picture.contains("? all keys"))
        #expect(!screen.picture.contains("-30") && !screen.picture.contains("Track 12"))
        for _ in 0..<30 { try screen.press("Down") }
        for _ in 0..<12 { try screen.press("Right") }
        #expect(eventually { screen.rows.contains { $0.contains("Track 12") } }, "\(screen.picture)")
        #expect(screen.rows[0].hasPrefix(" Wide set") && screen.picture.contains("? all keys"))
        // A clip that no letter reaches.
        try screen.press("Enter")
        #expect(
            eventually { screen.picture.contains("›▶ 12-30") }, "\(screen.picture)")
        try screen.press("q")
        #expect(eventually { screen.picture.contains("q ▶ 1-1") }, "\(screen.picture)")
    }

    @Test("Below 60 columns tempo, place and every cell's key are there")
    func compact() throws {
        let set = try WideSet(tracks: 4, scenes: 4)
        let screen = try TmuxScreen(set.run, columns: 59, rows: 20)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("? all keys") }, "\(screen.picture)")
        #expect(screen.rows[0].hasPrefix(" Wide set"))
        #expect(screen.rows[1].contains("60.0 BPM") && screen.rows[1].contains("4/4"))
        for (index, keys) in ["qwer", "asdf", "zxcv", "1234"].enumerated() {
            let row = try #require(screen.rows.first { $0.hasPrefix(" \(index + 1) ") }, "\(screen.picture)")
            #expect(keys.allSatisfy { row.contains(" \($0)  ") }, "\(row)")
        }
    }

    @Test("200 columns are used")
    func wide() throws {
        let set = try WideSet(tracks: 4, scenes: 4) { _, _ in "A clip with a name of thirty-5" }
        let screen = try TmuxScreen(set.run, columns: 200, rows: 60)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("q   A clip with a name of thirty-5") }, "\(screen.picture)")
        #expect(screen.rows(with: "Scene").allSatisfy { !$0.contains("…") })
    }

    @Test("A page tells all keys, and goes again")
    func help() throws {
        let set = try WideSet(tracks: 4, scenes: 4)
        let screen = try TmuxScreen(set.run, columns: 30, rows: 24)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("Clip") }, "\(screen.picture)")
        try screen.press("?")
        let words = ["Keys", "phase lock", "tempo by 1", "redoes"]
        #expect(eventually { words.allSatisfy(screen.picture.contains) }, "\(screen.picture)")
        try screen.press("?")
        #expect(eventually { screen.picture.contains("Clip") }, "\(screen.picture)")
    }

    @Test("Names of wide and of combined characters leave every column where it is")
    func wideNames() throws {
        let names = ["日本語のループ", "e\u{301}tude a\u{30A}r", "ｱｲｳ half", "한국어 리듬"]
        let set = try WideSet(tracks: 3, scenes: 4) { _, scene in names[scene] }
        let screen = try TmuxScreen(set.run, columns: 80, rows: 24)
        defer { screen.close() }
        #expect(eventually { screen.picture.contains("日本語") }, "\(screen.picture)")
        for (row, keys) in ["qwe", "asd", "zxc", "123"].enumerated() {
            let line = try #require(screen.rows.first { $0.hasPrefix(" Scene \(row + 1)") })
            let places = keys.map { key in line.range(of: "\(key)   ").map { columns(line[..<$0.lowerBound]) } }
            #expect(places == [9, 32, 55].map(Optional.some), "\(line)")
        }
    }

    // These names have syllables and signs of two columns, and marks of none.
    private func columns(_ text: Substring) -> Int {
        text.unicodeScalars.reduce(0) { count, scalar in
            switch scalar.value {
            case 0x300...0x36F: count
            case 0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: count + 2
            default: count + 1
            }
        }
    }

    @Test("Stems and playlists fit, too", arguments: [(80, 24), (59, 20), (40, 12)])
    func others(columns: Int, rows: Int) throws {
        let folder = try TemporaryFolder()
        let names = (1...40).map { "A file with a long name, number \($0).wav" }
        for name in names { try folder.write(name, WaveFile([Double](repeating: 0, count: 9_600_000 / 40)).bytes) }
        for command in ["stems", "play"] {
            let screen = try TmuxScreen(
                [command, "--backend", "null"] + names.map(folder.path), columns: columns, rows: rows)
            defer { screen.close() }
            #expect(eventually { screen.picture.contains("space") }, "\(screen.picture)")
            #expect(eventually { screen.rows(with: "0:0").count > 1 || command == "stems" }, "\(screen.picture)")
            #expect(screen.rows[0].hasPrefix(command == "play" ? " Playlist" : " Stems"), "\(screen.picture)")
            #expect(screen.picture.contains("? all keys"), "\(screen.picture)")
            // Numbers of one and of two digits end in one column; more is below, and above when there.
            if command == "play" {
                #expect(screen.rows.contains { $0.dropFirst(2).hasPrefix("  2. A") }, "\(screen.picture)")
            }
            #expect(screen.rows.contains { $0.hasPrefix("↓") }, "\(screen.picture)")
            #expect(!screen.rows.contains { $0.hasPrefix("↑") }, "\(screen.picture)")
            for _ in 0..<45 { try screen.press("Down") }
            #expect(eventually { screen.rows.contains { $0.hasPrefix(command == "play" ? "›  40." : " › A") } })
            #expect(screen.rows.contains { $0.hasPrefix("↑") }, "\(screen.picture)")
            #expect(!screen.rows.contains { $0.hasPrefix("↓") }, "\(screen.picture)")
            #expect(screen.rows[0].hasPrefix(command == "play" ? " Playlist" : " Stems"), "\(screen.picture)")
            try screen.press("q")
            #expect(eventually { screen.picture.contains("status 0") }, "\(screen.picture)")
        }
    }
}
