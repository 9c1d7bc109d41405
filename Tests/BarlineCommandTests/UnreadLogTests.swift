import BarlineTestSupport
import Foundation
import Testing

/// A real program whose standard error nobody reads.
@Suite("A log that nobody reads")
struct UnreadLogTests {
    /// A program that plays, with a full pipe as its standard error, and the pipe's other end.
    private func start(
        _ set: SmallSet, session: String? = nil, _ options: [String] = []
    ) throws -> (program: Program, pipe: Int32) {
        let path = set.folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let pipe = open(path, O_RDWR | O_NONBLOCK)
        let filling = [UInt8](repeating: 10, count: 4096)
        while write(pipe, filling, filling.count) > 0 {}
        while write(pipe, filling, 1) > 0 {}
        let arguments = [
            "run", session ?? set.session, "--script", set.script, "--backend", "null", "--no-page", "--json",
            "--log-level",
            "info",
        ]
        let program = try Program(
            "/bin/sh", ["-c", #"exec "$@" 2> "$0""#, path, Barline.path] + arguments + options,
            environment: Barline.environment.merging([
                "XDG_DATA_HOME": set.folder.path("data"), "XDG_STATE_HOME": set.folder.path("state"),
            ]) { $1 })
        return (program, pipe)
    }

    @Test("It holds up neither the beginning, nor what plays, nor the end", arguments: ["text", "json"])
    func unread(format: String) throws {
        let set = try SmallSet()
        let (program, pipe) = try start(set, ["--log-format", format])
        defer {
            withExtendedLifetime(set) { program.end() }
            close(pipe)
        }
        #expect(eventually(within: 30) { program.output.contains(#""event":"beat""#) })
        program.signal(SIGTERM)
        #expect(try program.wait(timeout: 30).status == 128 + SIGTERM)
    }

    @Test("Nor the end of one that can't begin")
    func noSession() throws {
        let set = try SmallSet()
        let (program, pipe) = try start(set, session: set.folder.path("there is none.barline"))
        defer {
            withExtendedLifetime(set) { program.end() }
            close(pipe)
        }
        #expect(try program.wait(timeout: 30).status == 1)
    }

    // Other systems have no device that is always full.
    #if os(Linux)
        @Test("Nor does what is to be said at the end")
        func problem() throws {
            let set = try SmallSet()
            let (program, pipe) = try start(set, ["--events", "/dev/full"])
            defer {
                withExtendedLifetime(set) { program.end() }
                close(pipe)
            }
            #expect(eventually(within: 30) { program.output.contains(#""event":"output""#) })
            program.signal(SIGTERM)
            #expect(try program.wait(timeout: 30).status == 128 + SIGTERM)
        }
    #endif
}
