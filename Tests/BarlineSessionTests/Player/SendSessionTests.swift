import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Sends of a session: in its file, in renders, in edits and as a verb.
@Suite("Sends of a session", .fewAtATime)
struct SendSessionTests {
    private func document(_ json: String) throws -> SessionDocument { try SessionFolder().document(json) }

    private static func value(_ json: String) throws -> JSONValue { try JSONValue(parsing: Data(json.utf8)) }

    // MARK: The file

    @Test("Sends are read with their defaults, written as they are, and keys that nobody knows are kept")
    func file() throws {
        let read = try document(
            """
            {"barline": 1,
             "tracks": [{"id": "t", "sends": [{"output": "phones"}, {"output": "hall", "level": null, "preFader": true, "hue": 7}]}],
             "stems": [{"id": "s", "file": "s.wav", "sends": [{"output": "phones", "level": -6.5}]}],
             "padSet": {"sends": [{"output": "hall", "level": 3}]}}
            """)
        let sends = read.tracks[0].sends
        #expect(sends.map(\.output) == ["phones", "hall"] && sends.map(\.level) == [0, -.infinity])
        #expect(sends.map(\.preFader) == [false, true] && sends[1].rest == ["hue": 7])
        #expect(read.stems[0].sends[0].level == -6.5 && read.padSet.sends[0].level == 3)
        #expect(read.outputs == ["main", "phones", "hall"])
        let again = try document(read.json.line)
        #expect(again == read)
    }

    @Test("A session without sends has none, and nothing of them is written")
    func none() throws {
        let read = try document(#"{"barline": 1, "tracks": [{"id": "t"}], "stems": [{"id": "s", "file": "s.wav"}]}"#)
        #expect(read.tracks[0].sends.isEmpty && read.stems[0].sends.isEmpty && read.outputs == ["main"])
        #expect(!read.json.line.contains("sends"))
    }

    @Test("Sends without an output, with a level that is none, or two to one output are refused, with the key")
    func refusals() throws {
        for (sends, key) in [
            (#"[{"level": 0}]"#, "tracks[0].sends[0].output"),
            (#"[{"output": "a", "level": "loud"}]"#, "tracks[0].sends[0].level"),
            (#"[{"output": "a", "preFader": 1}]"#, "tracks[0].sends[0].preFader"),
            (#"[{"output": "a"}, {"output": "a"}]"#, "tracks[0].sends[1].output"),
            (#"{"output": "a"}"#, "tracks[0].sends"),
        ] {
            let error = #expect(throws: SessionError.self) {
                try document(#"{"barline": 1, "tracks": [{"id": "t", "sends": \#(sends)}]}"#)
            }
            let text = error.map { "\($0)" } ?? "nothing was thrown"
            #expect(text.contains("\(key):"), "\(sends): \(text)")
        }
    }

    // MARK: Renders

    @Test(
        "A render has what is sent in the file of its output, after the fader or before it, from the frame of the verb on"
    )
    func render() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(96_000, seed: 1))
        let json = """
            {"barline": 1, "firstLaunch": "immediate",
             "tracks": [{"id": "t", "gain": -6, "pan": 0.5, "clips": [{"id": "a", "file": "a.wav", "playback": "original"}],
               "sends": [{"output": "phones", "level": -6}, {"output": "monitor", "level": -12, "preFader": true}]}]}
            """
        let script = """
            {"at": 0, "do": "launch", "clip": "a"}
            {"at": 0.5, "do": "send", "track": "t", "output": "phones", "db": 0}
            {"at": 0.5, "do": "gain", "track": "t", "db": null}
            {"at": 0.75, "do": "send", "track": "t", "output": "monitor", "db": null}
            {"at": 1, "do": "send", "track": "t", "output": "phones", "db": -12, "preFader": true}
            """
        _ = try await folder.render(json, script: script, frames: 72_000, stems: "stems")
        func contents(_ name: String) throws -> [[Float]] {
            try WaveContents(path: folder.folder.path("stems/\(name).wav")).channels
        }
        let (main, phones, monitor) = (
            try contents("bus-main"), try contents("bus-phones"), try contents("bus-monitor")
        )
        let half = pow(10, -6 / 20.0)
        for frame in stride(from: 4_800, to: 23_900, by: 7) {
            for side in 0..<2 {
                #expect(abs(Double(phones[side][frame]) - half * Double(main[side][frame])) < 1e-6)
            }
            // Before fader and pan: the track's gain of -6 dB, and half of it on the left, are not in it.
            #expect(abs(Double(monitor[1][frame]) - half * half / half * Double(main[1][frame])) < 1e-6)
            #expect(abs(Double(monitor[0][frame]) - half * 2 * Double(main[0][frame])) < 1e-6)
        }
        #expect(main[0][24_000] != 0 && main[1][24_000...].dropFirst(240).allSatisfy { $0 == 0 })
        #expect(phones[0][24_240..<48_000].allSatisfy { $0 == 0 }, "it follows the fader")
        #expect(monitor[0][24_240..<36_000].contains { abs($0) > 0.01 }, "it does not")
        #expect(monitor[0][36_240...].allSatisfy { $0 == 0 })
        #expect(phones[0][48_240...].contains { abs($0) > 0.01 })
    }

    // MARK: Live

    private func level(_ stage: EditStage, _ channel: Channel, _ bus: Int) -> Engine.Send {
        stage.session.player.engine.mixer[channel].send(to: BusIndex(bus))
    }

    @Test("The verb sets, the session keeps, undo and redo bring back, and a send that is silent is taken out")
    func verb() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "editTrack", "track": "u", "set": {"output": "phones"}}"#)
        let bus = try #require(stage.session.player.outputs.firstIndex(of: "phones"))
        let send = level(stage, .track(0), bus)
        try await stage.act(#"{"do": "send", "track": "t", "output": "phones", "db": -6, "preFader": true}"#)
        #expect(stage.document.tracks[0].sends.map(\.level) == [-6] && stage.document.tracks[0].sends[0].preFader)
        #expect(send.level == -6 && send.isPreFader)
        #expect(stage.session.status.undo == "Move send of One to phones")
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document.tracks[0].sends.isEmpty && send.level == .silence && !send.isPreFader)
        try await stage.act(#"{"do": "redo"}"#)
        #expect(stage.document.tracks[0].sends.count == 1 && send.level == -6 && send.isPreFader)
        // Without a word on it, the point stays.
        try await stage.act(#"{"do": "send", "track": "t", "output": "phones", "db": -3}"#)
        #expect(send.level == -3 && send.isPreFader && stage.document.tracks[0].sends[0].preFader)
        try await stage.act(#"{"do": "send", "track": "t", "output": "phones", "db": null, "preFader": false}"#)
        #expect(stage.document.tracks[0].sends.isEmpty && send.level == .silence)
        try await stage.act(#"{"do": "send", "stem": "s", "output": "phones", "db": -9}"#)
        #expect(stage.document.stems[0].sends.map(\.level) == [-9])
        try await stage.act(#"{"do": "send", "strip": "pads", "output": "phones", "db": -9}"#)
        #expect(stage.document.padSet.sends.map(\.level) == [-9] && level(stage, .pads, bus).level == -9)
    }

    @Test("An edit sets sends too, and a track that takes the place of another one has none of its own")
    func edits() async throws {
        let stage = try await EditStage()
        try await stage.act(
            #"{"do": "editTrack", "track": "t", "set": {"sends": [{"output": "phones", "level": -6}]}}"#)
        let bus = try #require(stage.session.player.outputs.firstIndex(of: "phones"))
        #expect(level(stage, .track(0), bus).level == -6)
        try await stage.act(#"{"do": "removeTrack", "track": "t"}"#)
        // Its place is taken when all others have been.
        let places = stage.session.player.engine.configuration.trackCount
        for _ in 0..<places {
            try await stage.act(#"{"do": "addTrack", "name": "New"}"#)
            let track = try #require(stage.document.tracks.last)
            try await stage.act(#"{"do": "removeTrack", "track": "\#(track.id)"}"#)
        }
        for track in 0..<places { #expect(level(stage, .track(TrackIndex(track)), bus).level == .silence) }
    }

    @Test("An output that is not there is refused, by its name")
    func unknown() async throws {
        let stage = try await EditStage()
        let error = await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "send", "track": "t", "output": "nowhere", "db": 0}"#)
        }
        #expect(error.map { "\($0)" }?.contains("nowhere") == true)
        #expect(stage.document.tracks[0].sends.isEmpty)
    }
}
