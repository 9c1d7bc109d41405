import BarlineTestSupport
import Foundation
import Testing

/// `barline doctor`, and what a program that crashes leaves.
@Suite("Diagnosis from the command line")
struct DoctorTests {
    @Test("What there is, how it is, and what to do about it, in JSON and in words")
    func doctor() throws {
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state")]
        let outcome = try Barline.run(["doctor", "--json"], environment: environment)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let findings = try JSONLines.objects(outcome.output)
        for finding in findings {
            #expect(Set(finding.keys) == ["name", "value", "verdict", "advice"])
            #expect((finding.text("verdict") == "good") == (finding.text("advice") == ""))
        }
        let names = Set(findings.compactMap { $0.text("name") })
        #expect(
            names.isSuperset(of: [
                "program", "system", "libraries", "realtime", "locked memory", "governor", "free space",
            ]))
        let words = try Barline.run(["doctor"], environment: environment)
        #expect(words.status == 0 && words.output.contains("program: barline "))
        #expect(!FileManager.default.fileExists(atPath: folder.path("data")), "it only looks")
    }

    /// The home that the system knows who runs the tests by.
    private static var homeOfRecord: String {
        getpwuid(getuid()).flatMap { $0.pointee.pw_dir.map { String(cString: $0) } } ?? ""
    }

    @Test(
        "Without HOME the user's files are in the home that the system knows, and not where everybody's are",
        .enabled(if: access(homeOfRecord, W_OK) == 0))
    func noHome() throws {
        let outcome = try Program.run(
            "env", ["-u", "HOME", "-u", "XDG_DATA_HOME", "-u", "XDG_STATE_HOME", Barline.path, "doctor"])
        #expect(outcome.output.contains(" for \(Self.homeOfRecord)/.local/share/barline"), "\(outcome.output)")
    }

    @Test("On a screen no line is wider than it", arguments: [80, 40])
    func screen(columns: Int) throws {
        let screen = try Screen(["doctor"], columns: columns)
        #expect(eventually { screen.raw.contains("free space") })
        defer { screen.close() }
        #expect(screen.end() == 0)
        let lines = screen.raw.split(whereSeparator: \.isNewline)
        #expect(lines.contains { $0.contains("libraries: libsndfile") })
        #expect(lines.filter { $0.count > columns } == [])
    }

    @Test("A start that is refused is no crash", arguments: ["--tls-certificate", "--events", "--record"])
    func refusedStart(option: String) throws {
        let set = try SmallSet()
        let nowhere = set.folder.path("nowhere/file")
        let outcome = try Barline.run(
            ["run", set.session, "--backend", "null", "--port", "0", "--json", option, nowhere]
                + (option == "--tls-certificate" ? ["--tls-key", nowhere] : []),
            environment: ["XDG_STATE_HOME": set.folder.path("state")])
        #expect(outcome.status == 1 && outcome.errors.contains("nowhere/file"))
        let left = FileManager.default.enumerator(atPath: set.folder.path("state"))?.compactMap { $0 as? String } ?? []
        #expect(left.filter { $0.hasSuffix(".log") } == [])
    }

    @Test(
        "A program that is ended by a fault, or killed, leaves what it did last",
        arguments: [SIGSEGV, SIGABRT, SIGKILL])
    func crash(signal: Int32) throws {
        let set = try SmallSet()
        let environment = Barline.environment.merging([
            "XDG_STATE_HOME": set.folder.path("state"), "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        let arguments = ["run", set.session, "--backend", "null", "--no-page", "--json"]
        let program = try Program(Barline.path, arguments, environment: environment)
        program.send(#"{"do": "gain", "track": "drums", "db": -7.25}"# + "\n")
        #expect(eventually { program.output.contains(#""ok":true"#) })
        program.signal(signal)
        #expect(try program.wait().status == 128 + signal)
        let next = try Program(
            Barline.path, arguments + ["--log-level", "info", "--log-format", "json"], environment: environment)
        #expect(eventually { next.errors.contains("an earlier run did not come to its end") })
        next.signal(SIGINT)
        let errors = try next.wait().errors
        let log = try #require(errors.firstMatch(of: /what it did last is in (\S+)/)).1
        let text = try String(contentsOfFile: String(log), encoding: .utf8)
        #expect(text.contains(#"action {"db":-7.25,"do":"gain","track":"drums"}"#))
        #expect(text.contains("log info barline.output: playing"))
        #expect(signal == SIGKILL ? text.contains("it was killed") : text.contains("was ended by signal \(signal), "))
        let lines = errors.split(separator: "\n").filter { $0.hasPrefix("{") }
        let logged = try JSONLines.objects(lines.joined(separator: "\n"))
        #expect(logged.contains { $0.text("logger") == "barline.output" && $0.text("message") == "playing" })
        #expect(try FileManager.default.contentsOfDirectory(atPath: set.folder.path("state/barline/log")).count == 1)
    }
}
