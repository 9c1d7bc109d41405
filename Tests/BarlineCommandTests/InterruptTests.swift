import BarlineTestSupport
import Foundation
import Testing

/// Ctrl-C while a command works.
@Suite("Interrupted commands")
struct InterruptTests {
    @Test("A render that is interrupted ends with 130 and leaves nothing behind", arguments: [SIGINT, SIGTERM])
    func render(signal: Int32) throws {
        let set = try SmallSet()
        let before = try set.folder.names()
        let program = try Barline.start(
            set.render(
                "out.wav", seconds: 100_000,
                ["--events", set.folder.path("events.jsonl"), "--stems-out", set.folder.path("stems")]))
        defer { withExtendedLifetime(set) { program.end() } }
        // Half a file has another name.
        #expect(try eventually { try set.folder.names().contains { $0.hasPrefix("out.wav.part") } })
        program.signal(signal)
        #expect(try program.wait().status == 128 + signal)
        #expect(try set.folder.names().filter { $0 != "stems" } == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: set.folder.path("stems")).isEmpty)
    }

    /// Twice as `timeout` does: it tells the program, and then the group that the program is in.
    @Test("A live run that is interrupted finishes its files", arguments: [1, 2])
    func run(times: Int) throws {
        let set = try SmallSet()
        let program = try Barline.start(
            [
                "run", set.session, "--backend", "null", "--script", set.script, "--events",
                set.folder.path("events.jsonl"), "--record", set.folder.path("recorded.jsonl"),
            ])
        defer { withExtendedLifetime(set) { program.end() } }
        #expect(eventually { program.output.contains("transport rolls") })
        for _ in 0..<times {
            program.signal(SIGINT)
            usleep(500)
        }
        #expect(try program.wait().status == 130)
        #expect(try set.folder.text("recorded.jsonl").contains(#""clip":"a""#))
        #expect(try set.folder.text("events.jsonl").contains("transportStarted"))
        #expect(!(try set.folder.names().contains { $0.contains(".part") }))
    }
}
