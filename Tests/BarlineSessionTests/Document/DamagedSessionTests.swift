import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Session files with a byte that is another one, or cut off, at every place.
@Suite("Damaged session files", .fewAtATime)
struct DamagedSessionTests {
    /// Keys of everything that a session may have.
    private static let text = Array(
        """
        {"barline": 1, "name": "Größe 🎹", "tempo": 126.5, "timeSignature": "7/8", "launchQuantization": "1/4t",
         "snapTolerance": 0.1, "master": {"gain": -3, "limiter": false, "ceiling": -2},
         "tracks": [{"id": "t", "name": "One", "pan": -0.5, "mute": true, "output": "cue", "color": "#ff8800", "clips": [
          {"id": "a", "file": "a.wav", "slot": 3, "beats": 7.5, "start": 12, "end": 4000, "loop": false, "gain": 3,
           "quantization": "none", "playback": "stretch", "fadeIn": 0.1, "fadeOut": 0.2, "hue": 7},
          {"id": "b", "file": "b.wav", "slot": 0, "beats": 2}]}],
         "scenes": [{"name": "Intro", "tempo": 90}], "stems": [{"id": "v", "file": "b.wav", "gain": -6}],
         "stemSet": {"bpm": 97, "firstBeat": 9600}, "markers": [{"name": "Verse", "position": 0.5}],
         "playlist": [{"id": "p", "file": "a.wav", "title": "P"}], "metronome": {"gain": -12},
         "pads": [{"id": "kick", "file": "b.wav", "note": 36, "choke": 1}],
         "midi": {"mappings": [{"message": "cc", "number": 7, "action": {"do": "gain", "track": "t"}, "key": "db"}]},
         "unknown": {"kept": [1, 2.5e-3, null, "x\\u00e9"]}}
        """.utf8)

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("set.barline")
    }

    /// Reads a file with these bytes.
    ///
    /// - Returns: the session; `nil` where it was refused in words that name the file.
    private func read(_ bytes: [UInt8]) throws -> SessionDocument? {
        try folder.write("set.barline", bytes)
        do throws(SessionError) {
            return try SessionDocument(path: path)
        } catch {
            let words = "\(error)"
            #expect(words.hasPrefix("\(path): ") && words.count > path.count + 10)
            #expect(!error.words.isEmpty)
            return nil
        }
    }

    @Test("Cut off anywhere, it is refused")
    func cut() throws {
        #expect(try read(DamagedSessionTests.text) != nil)
        for length in DamagedSessionTests.text.indices {
            #expect(try read(Array(DamagedSessionTests.text[..<length])) == nil, "\(length) bytes")
        }
    }

    @Test("With any bit of any byte another one, it is read as what can be written and read again, or refused")
    func flipped() throws {
        var readable = 0
        for place in DamagedSessionTests.text.indices {
            for bit in 0..<8 {
                var bytes = DamagedSessionTests.text
                bytes[place] ^= 1 << bit
                guard let document = try read(bytes) else { continue }
                readable += 1
                // Foundation's reader is stricter or less strict in nothing that could be read here.
                #expect((try? JSONSerialization.jsonObject(with: Data(bytes))) != nil, "bit \(bit) of byte \(place)")
                let again = try read(Array(JSONText.document(document.json).utf8))
                #expect(again == document, "bit \(bit) of byte \(place)")
            }
        }
        // Most bits of names, and nearly none of punctuation, make another session.
        #expect(readable > DamagedSessionTests.text.count)
        #expect(readable < 7 * DamagedSessionTests.text.count)
    }

    @Test("Opened while another session plays, it takes its place or leaves it as it was, and the file is left alone")
    func opened() async throws {
        let stage = try await EditStage()
        let library = stage.session.library.folder.appendingPathComponent("sessions", isDirectory: true)
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
        for name in ["a.wav", "b.wav"] {
            try FileManager.default.copyItem(
                atPath: stage.folder.folder.path(name), toPath: library.appendingPathComponent(name).path)
        }
        let file = library.appendingPathComponent("Damaged.barline")
        var random = TestRandom(seed: 17)
        for place in DamagedSessionTests.text.indices {
            let before = (stage.session.player.path, stage.document)
            let whole = DamagedSessionTests.text
            var bytes = whole
            if random.int(0...3) == 0 { bytes = Array(whole[..<place]) } else { bytes[place] ^= 1 << random.int(0...7) }
            try Data(bytes).write(to: file)
            do {
                try await stage.act(#"{"do": "open", "name": "Damaged", "discard": true}"#)
                #expect(stage.document == (try SessionDocument(path: file.path)))
            } catch let error as SessionError {
                #expect(!error.words.isEmpty)
                #expect(stage.session.player.path == before.0 && stage.document == before.1)
            }
            #expect(try Array(Data(contentsOf: file)) == bytes)
            if place % 16 == 0 { stage.stage.play(256) }
        }
    }
}
