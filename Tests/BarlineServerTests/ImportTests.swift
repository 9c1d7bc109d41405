import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// Files that are brought in: none loses its name.
@Suite("Import over HTTP", .serialized)
struct ImportTests {
    private func sound(_ seed: Int, frames: Int = 9_600) -> [UInt8] {
        WaveFile((0..<frames).map { sin(Double($0) / Double(20 + seed)) / 4 }).bytes
    }

    private func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            let letter = Character(UnicodeScalar(byte))
            return letter.isASCII && (letter.isLetter || letter.isNumber)
                ? String(letter) : "%" + String(256 + Int(byte), radix: 16).dropFirst().uppercased()
        }.joined()
    }

    private func stored(_ served: ServedSession) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: served.folder.path("audio"))
    }

    @Test(
        "A name arrives as it was, whatever is in it",
        arguments: [
            "Kick Loop & Bass 126 BPM", "a+b", "100% wet", "50%25", "#1 take?", "semi;colon=equals", "太鼓ループ",
            "caf\u{e9}",
            "cafe\u{301}", "\u{1F941}\u{1F468}\u{200D}\u{1F3A4}", "~tilde", "quote's \"both\"", "a:b", "[x] {y} (z)",
            "الإيقاع", "trailing ", "two..dots.", "%2e%2e%2fx",
        ])
    func names(name: String) async throws {
        try await serving { served async throws in
            let answer = try served.request(
                "PUT", "/api/files?name=\(escaped(name + ".wav"))&track=u", body: sound(1))
            #expect(answer.status == 201)
            let file = try #require(answer["file"]?.text)
            #expect(Array(file.utf8) == Array("audio/\(name).wav".utf8))
            #expect(try stored(served).map { Array($0.utf8) } == [Array("\(name).wav".utf8)])
            let clip = try #require(served.session.player.document.tracks[1].clips.last)
            #expect(Array(clip.name.utf8) == Array(name.utf8) && clip.file == file)
            #expect(served.session.player.clips[clip.id]?.handle != nil)
        }
    }

    @Test("A percent sign that begins no escape is one, and so is a plus sign a plus sign")
    func bareSigns() async throws {
        try await serving { served async throws in
            let answer = try served.request("PUT", "/api/files?name=100%+wet.wav", body: sound(1))
            #expect(answer["file"] == "audio/100%+wet.wav")
        }
    }
}
