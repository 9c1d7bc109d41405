import BarlineFiles
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What a clip's `file` may lead to.
@Suite("Files of clips", .fewAtATime)
struct ClipFileTests {
    static func session(_ file: String, _ more: String = "") -> String {
        """
        {"barline": 1, "tracks": [{"id": "t"}, {"id": "u", "clips": [
          {"id": "good", "file": "good.wav", "beats": 4}, {"id": "a", "file": "\(file)"\(more)}]}]}
        """
    }

    static func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("good.wav", Sound.tone(4800, cycles: 10))
        return folder
    }

    @Test(
        "What is no audio file is refused with the file, the key and the reason", .timeLimit(.minutes(10)),
        arguments: ["folder", "pipe", "/dev/zero", "/dev/null", "none.wav", "empty.wav", "text.wav", "../../../.."])
    func notAudio(file: String) async throws {
        let folder = try ClipFileTests.folder()
        try folder.folder.folder("folder")
        #expect(mkfifo(folder.folder.path("pipe"), 0o600) == 0)
        try folder.folder.write("empty.wav", [UInt8]())
        try folder.folder.write("text.wav", "This is no audio at all, whatever its name says.\n")
        let json = ClipFileTests.session(file)
        let error = await #expect(throws: SessionError.self) { try await folder.player(json) }
        let message = try #require(error.map { "\($0)" })
        #expect(message.hasPrefix("\(folder.path): tracks[1].clips[1].file: "), "\(message)")
        let player = try await folder.player(json, policy: .lenient)
        #expect(player.warnings == [message])
        #expect(player.clips["good"]?.handle != nil)
        #expect(player.clips["a"]?.handle == nil)
        #expect(throws: try #require(error)) { try player.perform(.launch(clip: "a")) }
        try player.perform(.launch(clip: "good"))
    }

    @Test("A relative path starts at the session's folder, whatever folder the program runs in")
    func relativePath() async throws {
        let folder = try ClipFileTests.folder()
        try folder.folder.folder("loops")
        try folder.folder.write("loops/ü 1.wav", Sound.tone(9600, cycles: 10))
        let player = try await folder.player(ClipFileTests.session("loops/../loops/ü 1.wav", ", \"beats\": 1"))
        #expect(player.clips["a"]?.audio?.samples.frameCount == 9600)
    }

    @Test("An absolute path is taken as it is")
    func absolutePath() async throws {
        let folder = try ClipFileTests.folder()
        let player = try await folder.player(
            ClipFileTests.session(folder.folder.path("good.wav"), ", \"beats\": 1"))
        #expect(player.clips["a"]?.audio?.samples.frameCount == 4800)
    }

    @Test("Clips of one file share its samples")
    func sharing() async throws {
        let folder = try ClipFileTests.folder()
        let player = try await folder.player(ClipFileTests.session("good.wav", ", \"beats\": 8"))
        let first = try #require(player.clips["good"]?.audio)
        let second = try #require(player.clips["a"]?.audio)
        #expect(first.samples === second.samples)
    }

    @Test("A region beyond the file is refused")
    func region() async throws {
        let folder = try ClipFileTests.folder()
        let start = ClipFileTests.session("good.wav", ", \"beats\": 1, \"start\": 4800")
        let late = await #expect(throws: SessionError.self) { try await folder.player(start) }
        #expect(late.map { "\($0)".contains("tracks[1].clips[1].start: expected a frame below") } == true)
        let end = ClipFileTests.session("good.wav", ", \"beats\": 1, \"end\": 4801")
        let long = await #expect(throws: SessionError.self) { try await folder.player(end) }
        #expect(long.map { "\($0)".contains("tracks[1].clips[1].end: expected a frame of at most") } == true)
        _ = try await folder.player(ClipFileTests.session("good.wav", ", \"beats\": 1, \"end\": 4800"))
    }

    @Test("A length in beats that nobody could play is refused", arguments: ["1e-9", "1e9"])
    func beats(beats: String) async throws {
        let folder = try ClipFileTests.folder()
        let json = ClipFileTests.session("good.wav", ", \"beats\": \(beats)")
        let error = await #expect(throws: SessionError.self) { try await folder.player(json) }
        #expect(error.map { "\($0)".hasPrefix("\(folder.path): tracks[1].clips[1]") } == true)
    }
}
