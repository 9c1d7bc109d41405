import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Keys of tracks and clips are set in place, and what comes of it is what writing, setting and reading all of it
/// gives.
@Suite("Setting keys of a track or a clip", .fewAtATime)
struct SettingTests {
    private static let track = """
        {"id": "t", "name": "Drums", "gain": -3, "pan": 0.5, "mute": true, "input": "mic", "color": "#d97706", "mystery": [1],
         "effects": [{"id": "e", "type": "equaliser"}], "clips": [{"id": "a", "file": "a.wav", "slot": 3}, {"id": "b", "file": "b.wav"}]}
        """
    private static let clip = """
        {"id": "a", "name": "A", "file": "a.wav", "slot": 4, "bpm": 120, "start": 100, "end": 500, "gain": -3, "loop": false,
         "quantization": "1 bar", "fadeIn": 3, "transpose": 2, "onsets": [100, 200], "mystery": {"kept": true},
         "layers": [{"id": "l", "file": "l.wav"}]}
        """

    private static let changes = [
        "{}", #"{"name": "Bass"}"#, #"{"name": null}"#, #"{"name": 3}"#, #"{"gain": -6.5, "pan": -1}"#,
        #"{"gain": null}"#,
        #"{"gain": "loud"}"#, #"{"gain": 1000}"#, #"{"pan": null, "mute": null, "solo": true}"#, #"{"output": "cue"}"#,
        #"{"sends": [{"output": "cue"}]}"#, #"{"sends": null}"#, #"{"sends": [{}]}"#,
        #"{"input": null, "color": null}"#, #"{"input": ""}"#, #"{"effects": []}"#, #"{"effects": null}"#,
        #"{"effects": 1}"#,
        #"{"effects": [{"id": "x", "type": "none"}]}"#, #"{"mystery": 2, "other": null}"#, #"{"start": 499}"#,
        #"{"start": 500}"#, #"{"start": 600}"#, #"{"end": 100}"#, #"{"end": 101}"#, #"{"end": null, "start": 9000}"#,
        #"{"start": 600, "end": 700}"#, #"{"start": -1}"#, #"{"start": 1.5}"#, #"{"start": null}"#,
        #"{"file": "b.wav"}"#,
        #"{"file": null}"#, #"{"file": ""}"#, #"{"bpm": null, "beats": 4}"#, #"{"quantization": null}"#,
        #"{"quantization": "never"}"#, #"{"transpose": null, "onsets": null}"#, #"{"onsets": [3, 1]}"#,
        #"{"layers": null}"#, #"{"layers": [{"id": "m"}]}"#, #"{"loop": null, "playback": "stretch"}"#,
        #"{"slot": null}"#, #"{"slot": 1e30}"#,
    ]

    private func object(_ text: String) throws -> [String: JSONValue] {
        guard case .object(let values) = try JSONValue(parsing: Data(text.utf8)) else { return [:] }
        return values
    }

    /// What reading gives of what a thing is written as, with some keys set.
    private func reread<Document: KeyedDocument>(
        _ document: Document, _ changes: [String: JSONValue], standard: Document
    ) throws(SessionError) -> Document {
        var read = standard
        try read.read(ObjectReader(.object(document.values.merging(changes) { $1 }), file: "set", path: "set"))
        return read
    }

    private func check<Document: KeyedDocument & Equatable>(
        _ document: Document, _ changes: [String: JSONValue], standard: Document
    ) {
        let whole = Result { () throws(SessionError) in try reread(document, changes, standard: standard) }
        let part = Result { () throws(SessionError) in
            try document.setting(changes, standard: standard, file: "set", path: "set")
        }
        switch (whole, part) {
        case (.success(let whole), .success(let part)): #expect(whole == part)
        case (.failure(let whole), .failure(let part)): #expect("\(whole)" == "\(part)")
        default: Issue.record("\(whole) and \(part)")
        }
    }

    @Test("It is what writing and reading all of it gives, and so are the errors", arguments: changes)
    func same(text: String) throws {
        let changes = try object(text)
        let source = try ObjectReader(.object(object(SettingTests.track)), file: "set", path: "")
        check(try TrackDocument(source), changes, standard: .standard)
        let clip = try ClipDocument(ObjectReader(.object(object(SettingTests.clip)), file: "set", path: ""))
        var standard = ClipDocument.standard
        standard.slot = clip.slot
        check(clip, changes, standard: standard)
        check(ClipDocument(id: "n", name: "", file: "n.wav", slot: 0), changes, standard: .standard)
    }
}
