import BarlineTestSupport
import Foundation
import Testing

/// `make install`: the program, its manual, completions.
@Suite("Installation")
struct InstallTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func make(_ target: String, _ folder: TemporaryFolder) throws {
        let outcome = try Program.run(
            "make",
            [
                target, "BUILD=\(URL(fileURLWithPath: Barline.path).deletingLastPathComponent().path)",
                "DESTDIR=\(folder.path("root"))", "PREFIX=/usr",
            ], environment: Barline.environment, in: InstallTests.package)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func installed(_ folder: TemporaryFolder) -> Set<String> {
        let names = FileManager.default.enumerator(atPath: folder.path("root"))?.compactMap { $0 as? String } ?? []
        return Set(
            names.filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: folder.path("root/\(name)"), isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }

    /// The commands, with the options and arguments that are shown, as the parser itself has them.
    private func commands() throws -> [String: (names: [String], values: [String])] {
        let dump = try Barline.run(["--experimental-dump-help"])
        let object = try JSONSerialization.jsonObject(with: Data(dump.output.utf8)) as? [String: Any]
        let root = try #require(object?["command"] as? [String: Any])
        var found: [String: (names: [String], values: [String])] = [:]
        let all = [root] + (root["subcommands"] as? [[String: Any]] ?? [])
        for command in all {
            let name = try #require(command["commandName"] as? String)
            if name == "help" { continue }
            var (names, values): ([String], [String]) = ([], [])
            for argument in command["arguments"] as? [[String: Any]] ?? []
            where argument["shouldDisplay"] as? Bool == true {
                for option in argument["names"] as? [[String: String]] ?? [] {
                    names.append((option["kind"] == "long" ? "--" : "-") + (option["name"] ?? "?"))
                }
                if let value = argument["valueName"] as? String { values.append(value) }
            }
            found[name] = (names, values)
        }
        return found
    }

    @Test("Everything is where the system looks for it, runs, and goes again")
    func install() throws {
        let folder = try TemporaryFolder()
        try make("install", folder)
        let pages = try commands().keys.map { $0 == "barline" ? "barline.1" : "barline-\($0).1" }
        let others = [
            "bin/barline", "share/bash-completion/completions/barline", "share/zsh/site-functions/_barline",
            "share/fish/vendor_completions.d/barline.fish",
        ]
        #expect(installed(folder) == Set(others.map { "usr/\($0)" } + pages.map { "usr/share/man/man1/\($0)" }))
        let version = try Program.run(folder.path("root/usr/bin/barline"), ["--version"])
        #expect(try version.output == Barline.run(["--version"]).output && version.status == 0)
        try folder.write("root/usr/bin/other", "somebody else's")
        try make("uninstall", folder)
        #expect(installed(folder) == ["usr/bin/other"])
    }

    @Test("Every command has a page that tells every option, in the formatter's good language")
    func pages() throws {
        let folder = try TemporaryFolder()
        try make("install", folder)
        for (command, expected) in try commands() {
            let page = folder.path("root/usr/share/man/man1/barline\(command == "barline" ? "" : "-\(command)").1")
            let lint = try Program.run("mandoc", ["-T", "lint", "-W", "warning", page])
            #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
            let text = try Program.run("mandoc", ["-T", "utf8", page]).output.replacing(/.\u{8}/, with: "")
            let name = command == "barline" ? "barline" : "barline-\(command)"
            #expect(text.contains("\n     \(name) – "), "\(text.prefix(400))")
            for option in expected.names {
                // As the list has it: at the beginning of a line, or after another name of the same.
                let pattern = try Regex("\n     (-., )?\(option)( |\n)|\n     \(option), ")
                #expect(text.contains(pattern), "\(command): \(option)")
            }
            for value in expected.values {
                #expect(text.contains(value), "\(command): \(value)")
            }
        }
    }

    @Test("A shell completes commands, options, values and files")
    func completion() throws {
        let folder = try TemporaryFolder()
        try make("install", folder)
        try folder.write("song.wav", "")
        func completed(_ words: String...) throws -> [String] {
            let script = #"""
                source "$1"; shift
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                _barline "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\n' "${COMPREPLY[@]}"
                """#
            let file = folder.path("root/usr/share/bash-completion/completions/barline")
            let outcome = try Program.run(
                "bash", ["-c", script, "bash", file, "barline"] + words,
                environment: ["PATH": folder.path("root/usr/bin") + ":/usr/bin:/bin"], in: folder.path)
            return outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(try completed("pl") == ["play"])
        #expect(try completed("play", "--cro") == ["--crossfade"])
        #expect(try completed("play", "--repeat", "") == ["off", "one", "all"])
        #expect(try completed("play", "so") == ["song.wav"])
    }
}
