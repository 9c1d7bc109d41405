import BarlineTestSupport
import Foundation
import Testing

/// A real program that the kernel stops for seconds, as a laptop that is closed does.
@Suite("Programs that are suspended")
struct SuspendTests {
    @Test("What was missed is passed over: the timeline jumps, and nothing comes in a burst")
    func suspend() throws {
        let folder = try TemporaryFolder()
        let program = try Program(
            Barline.path, ["run", "--backend", "null", "--no-page", "--json"],
            environment: Barline.environment.merging([
                "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
            ]) { $1 })
        defer { program.end() }
        func lines(_ event: String) throws -> [[String: Any]] {
            // The last line may not be whole yet.
            let text = program.output
            return try JSONLines.events(String(text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]), of: event)
        }
        #expect(try eventually { try lines("beat").count > 2 })
        program.signal(SIGSTOP)
        Thread.sleep(forTimeInterval: 3)
        program.signal(SIGCONT)
        #expect(try eventually { try !lines("clockJumped").isEmpty })
        let jump = try #require(
            try lines("clockJumped").max { ($0.integer("frames") ?? 0) < ($1.integer("frames") ?? 0) })
        #expect(try #require(jump.integer("frames")) > 48_000 * 2)
        let after = try #require(jump.integer("frame"))
        #expect(try eventually { try lines("beat").count { ($0.integer("frame") ?? 0) > after } > 2 })
        // Three seconds are six beats at 124 BPM: they are not played one after the other.
        let frames = try lines("beat").compactMap { $0.integer("frame") }.filter { $0 > after }
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 > 20_000 })
        program.signal(SIGTERM)
        #expect(try program.wait(timeout: 60).status == 128 + SIGTERM)
    }
}
