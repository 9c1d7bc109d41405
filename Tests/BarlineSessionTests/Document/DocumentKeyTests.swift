import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What is declared of a key of the session's file is what the file may have: every test here walks all of them.
@Suite("Keys of a session", .fewAtATime)
struct DocumentKeyTests {
    /// A session in which a part has the keys given; `nil` for a part that the document does not read itself.
    private func session(_ part: DocumentPart, _ keys: [String: JSONValue]) -> (json: JSONValue, path: String)? {
        func named(_ more: [String: JSONValue]) -> JSONValue { .object(more.merging(keys) { $1 }) }
        let named: [String: JSONValue] =
            switch part {
            case .session: keys
            case .track: ["tracks": [named(["id": "x"])]]
            case .clip: ["tracks": [["id": "t", "clips": [named(["id": "x", "file": "x.wav"])]]]]
            case .scene: ["scenes": [.object(keys)]]
            case .stem: ["stems": [named(["id": "x", "file": "x.wav", "bpm": 97])]]
            case .marker: ["markers": [named(["name": "x", "position": 1])]]
            case .playlistItem: ["playlist": [named(["id": "x", "file": "x.wav"])]]
            case .pad: ["pads": [named(["id": "x", "file": "x.wav"])]]
            case .input: ["inputs": [named(["name": "x"])]]
            case .effect: ["tracks": [["id": "t", "effects": [named(["id": "x", "type": "filter"])]]]]
            case .send: ["tracks": [["id": "t", "sends": [named(["output": "x"])]]]]
            case .layer:
                [
                    "tracks": [
                        ["id": "t", "clips": [["id": "x", "file": "x.wav", "layers": [named(["file": "y.wav"])]]]]
                    ]
                ]
            case .midi: [:]
            default: [part.rawValue: .object(keys)]
            }
        let path =
            switch part {
            case .session: ""
            case .track: "tracks[0]."
            case .clip: "tracks[0].clips[0]."
            case .scene: "scenes[0]."
            case .stem: "stems[0]."
            case .marker: "markers[0]."
            case .playlistItem: "playlist[0]."
            case .pad: "pads[0]."
            case .input: "inputs[0]."
            case .effect: "tracks[0].effects[0]."
            case .send: "tracks[0].sends[0]."
            case .layer: "tracks[0].clips[0].layers[0]."
            case .midi: ""
            default: "\(part.rawValue)."
            }
        return part == .midi ? nil : (.object(named.merging(["barline": 1]) { $1 }), path)
    }

    /// The object that a part is in a session.
    private func object(_ part: DocumentPart, in session: JSONValue) -> [String: JSONValue] {
        func first(_ key: String, _ values: [String: JSONValue]) -> [String: JSONValue] {
            switch values[key] {
            case .object(let values)?: values
            case .array(let list)?: if case .object(let values)? = list.first { values } else { [:] }
            default: [:]
            }
        }
        guard case .object(let values) = session else { return [:] }
        return switch part {
        case .session, .midi: values
        case .clip: first("clips", first("tracks", values))
        case .effect: first("effects", first("tracks", values))
        case .send: first("sends", first("tracks", values))
        case .layer: first("layers", first("clips", first("tracks", values)))
        case .playlistItem: first("playlist", values)
        case .track, .scene, .stem, .marker, .pad, .input: first("\(part.rawValue)s", values)
        default: first(part.rawValue, values)
        }
    }

    @Test("A value within the range is read, and written as it was", arguments: UInt64(0)..<20)
    func kept(seed: UInt64) throws {
        var actions = RandomActions(seed: seed)
        for part in DocumentPart.allCases {
            for key in part.keys where key.value.kind != .list && key.value.part == nil {
                let value = actions.value(key.value)
                guard let (json, _) = session(part, [key.key: value, "mystery": [1, "kept"]]) else { continue }
                let written = try SessionDocument(json, file: "set").json
                let object = object(part, in: written)
                let isLeftOut = object[key.key] == nil && key.standard == value
                #expect(isLeftOut || object[key.key] == value, "\(part).\(key.key): \(value)")
                #expect(object["mystery"] == [1, "kept"], "\(part).\(key.key)")
                #expect(try SessionDocument(written, file: "set").json == written)
            }
        }
    }

    @Test("What is missing has the default that is declared")
    func standards() throws {
        for part in DocumentPart.allCases {
            guard let (json, _) = session(part, [:]) else { continue }
            let object = object(part, in: try SessionDocument(json, file: "set").json)
            for key in part.keys where key.value.part == nil && key.key != "bpm" && !key.isRequired {
                guard let standard = key.standard else { continue }
                #expect(object[key.key] == standard || object[key.key] == nil, "\(part).\(key.key)")
            }
        }
    }

    @Test("What is out of range is refused, and the key is named")
    func outside() throws {
        var refused = 0
        for part in DocumentPart.allCases {
            for key in part.keys {
                for value in RandomActions.outside(key.value) {
                    guard let (json, path) = session(part, [key.key: value]) else { continue }
                    let error = #expect(throws: SessionError.self, "\(path)\(key.key) \(value)") {
                        try SessionDocument(json, file: "set")
                    }
                    #expect("\(try #require(error))".hasPrefix("set: \(path)\(key.key): expected "), "\(value)")
                    refused += 1
                }
            }
        }
        #expect(refused > 150)
    }

    @Test("Keys of `midi` that nobody knows are kept, also when others are edited")
    func midi() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "editMIDI", "set": {"grid": "launchpad", "future": {"kept": 1}}}"#)
        try await stage.act(#"{"do": "editMIDI", "set": {"launchesScenes": false}}"#)
        let midi = MIDIDocument(stage.document)
        #expect(midi.grid == .launchpad && !midi.launchesScenes && midi.rest == ["future": ["kept": 1]])
        #expect(MIDIDocument(SessionDocument()).json == MIDIDocument().json)
    }

    @Test("A row that no set has is refused wherever it comes in, and edits of scenes go on")
    func rows() async throws {
        let stage = try await EditStage()
        for (action, key) in [
            (#"{"do": "moveClip", "clip": "a", "slot": 1000000000000000}"#, "slot"),
            (#"{"do": "duplicateClip", "clip": "a", "slot": 10000}"#, "slot"),
            (#"{"do": "addClip", "track": "t", "file": "a.wav", "slot": 1e12}"#, "slot"),
            (#"{"do": "addClip", "track": "t", "file": "a.wav", "set": {"slot": 1e12}}"#, "set.slot"),
            (#"{"do": "editClip", "clip": "a", "set": {"slot": 1e12}}"#, "set.slot"),
            (#"{"do": "importFiles", "files": ["a.wav"], "slot": 1e12}"#, "slot"),
            (#"{"do": "launchScene", "scene": 1e12}"#, "scene"), (#"{"do": "addScene", "index": 1e12}"#, "index"),
        ] {
            let error = await #expect(throws: SessionError.self, "\(action)") { try await stage.act(action) }
            #expect(
                "\(try #require(error))".contains(": \(key): expected a whole number of at most 9999"), "\(action)"
            )
        }
        // The last row that there is, and no scene can be put above it.
        try await stage.act(#"{"do": "moveClip", "clip": "a", "slot": 9999}"#)
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "addScene", "index": 0}"#) }
        try await stage.act(#"{"do": "removeScene", "scene": 0}"#)
        #expect(stage.document.tracks[0].clips.first { $0.id == "a" }?.slot == 9998)
    }
}
