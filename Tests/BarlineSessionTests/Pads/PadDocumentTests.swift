import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Pads in the session's file.
@Suite("Pads in a session's file", .fewAtATime)
struct PadDocumentTests {
    private func document(_ json: String) throws -> SessionDocument {
        try SessionDocument(try JSONValue(parsing: Data(json.utf8)), file: "set.barline")
    }

    private func pads(_ list: String) throws -> SessionDocument { try document(#"{"barline": 1, "pads": \#(list)}"#) }

    @Test("Everything that is said of a pad is read, kept, and written so that it is read as itself")
    func roundTrip() throws {
        let read = try document(
            """
            {"barline": 1, "padSet": {"gain": -3, "mute": true, "mystery": 1, "effects": [{"id": "f", "type": "filter"}]},
             "pads": [{"id": "snare", "file": "s.wav", "note": 38, "gain": null, "pan": 0.25, "pitch": -12, "choke": 3,
                       "sensitivity": 0.75, "quantization": "1/16", "color": "#d97706", "slot": 5, "hue": [1, 2]},
                      {"id": "tom", "file": "t.wav"}]}
            """)
        let pad = read.pads[0]
        #expect(pad.name == "snare" && pad.note == 38 && pad.gain == -.infinity && pad.pan == 0.25 && pad.pitch == -12)
        #expect(pad.choke == 3 && pad.sensitivity == 0.75 && pad.quantization?.description == "1/16" && pad.slot == 5)
        #expect(pad.rest == ["hue": [1, 2]] && read.pads[1].slot == 1 && read.pads[1].note == nil)
        #expect(read.padSet.gain == -3 && read.padSet.mute && read.padSet.effects.map(\.id) == ["f"])
        let again = try SessionDocument(read.json, file: "set.barline")
        #expect(again.pads == read.pads && again.json == read.json)
        #expect(read.padSet.json["mystery"] == 1 && read.padSet.json["pan"] == nil)
    }

    @Test("A session without pads is written as it was before there were any")
    func none() throws {
        guard case .object(let values) = SessionDocument().json else { return }
        #expect(values["pads"] == nil && values["padSet"] == nil)
    }

    @Test("What can't be is refused, and the key is named")
    func refusals() throws {
        let wrong = [
            (#"[{"id": "a", "file": "a"}, {"id": "a", "file": "a"}]"#, "pads[1].id"),
            (#"[{"id": "a", "file": "a", "slot": 3}, {"id": "b", "file": "a", "slot": 3}]"#, "pads[1].slot"),
            (#"[{"id": "a", "file": "a", "slot": 64}]"#, "pads[0].slot"), (#"[{"id": "a"}]"#, "pads[0].file"),
            (#"[{"id": "a", "file": "a", "note": 128}]"#, "pads[0].note"),
            (#"[{"id": "a", "file": "a", "choke": -1}]"#, "pads[0].choke"),
            (#"[{"id": "a", "file": "a", "pitch": 25}]"#, "pads[0].pitch"),
            (#"[{"id": "a", "file": "a", "sensitivity": 2}]"#, "pads[0].sensitivity"),
        ]
        for (list, key) in wrong {
            let error = #expect(throws: SessionError.self, "\(list)") { try pads(list) }
            #expect("\(try #require(error))".contains("set.barline: \(key): "), "\(list): \(String(describing: error))")
        }
    }

    @Test("Its files move with the session, and its output is one of the session's")
    func filesAndOutputs() throws {
        var set = try pads(#"[{"id": "a", "file": "a.wav"}]"#)
        set.padSet.output = "drums"
        #expect(set.withFiles { "audio/\($0)" }.pads[0].file == "audio/a.wav")
        #expect(set.files == ["a.wav"] && set.outputs == ["main", "drums"])
    }
}
