import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

@Suite("Other programs")
struct ChildProcessTests {
    private static func shell(_ line: String, output: Int32? = nil) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", line], output: output)
    }

    @Test("The status is the program's own; a signal's is 128 and its number")
    func status() throws {
        #expect(try Self.shell("exit 7").wait() == 7)
        // This program ignores it, as every server does; another one ends by it.
        Foundation.signal(SIGPIPE, SIG_IGN)
        #expect(try Self.shell("kill -PIPE $$").wait() == 128 + SIGPIPE)
        let sleeper = try Self.shell("exec sleep 100")
        #expect(sleeper.wait(atMost: 0.05) == nil)
        #expect(sleeper.isRunning)
        sleeper.signal(SIGTERM)
        #expect(sleeper.wait(atMost: 60) == 128 + SIGTERM)
        #expect(!sleeper.isRunning)
    }

    @Test("What can't be started is reported with the system's reason")
    func missing() {
        #expect {
            try ChildProcess("/nowhere/program", [])
        } throws: { error in
            (error as? ChildProcess.Failure)?.code == ENOENT
        }
    }

    @Test("It has no files but the three that it is given, however many are open here")
    func files() throws {
        let folder = try TemporaryFolder()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(7), &limit)
        #expect(limit.rlim_cur >= 1_024)
        // Without the flag that closes them when another program begins.
        let count = min(3_000, Int(limit.rlim_cur) / 2)
        let open = (0..<count).map { _ in Foundation.open("/dev/null", O_RDONLY) }
        defer { for file in open { close(file) } }
        #expect(open.allSatisfy { $0 > 2 })
        for _ in 0..<10 {
            let output = Foundation.open(folder.path("files"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            #expect(try Self.shell("ls /proc/$$/fd", output: output).wait() == 0)
            close(output)
            let files = Set(try folder.text("files").split(separator: "\n"))
            #expect(files.isSuperset(of: ["0", "1", "2"]))
            // Beside them the shell's own, of which it has ten at the most.
            #expect(files.count <= 13)
        }
    }
}
