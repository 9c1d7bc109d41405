import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Items and stems of a session at a speed and pitch of their own.
@Suite("Speed and pitch of items and stems", .fewAtATime)
struct SongSpeedTests {
    private func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(96_000, seed: 1))
        try folder.folder.write("b.wav", Sound.noise(30_001, seed: 2))
        try folder.folder.write("tone.wav", Sound.tone(144_000, cycles: 1_500))
        return folder
    }

    private func samples(_ folder: SessionFolder, _ name: String) throws -> [Float] {
        try WaveContents(path: folder.folder.path(name)).channels[0]
    }

    private func itemEvents(_ folder: SessionFolder) throws -> [String] {
        try folder.folder.text("events.jsonl").split(separator: "\n")
            .filter { $0.contains("itemStarted") || $0.contains("itemEnded") }.map(String.init)
    }

    private func session(_ items: String) -> String { #"{"barline": 1, "playlist": [\#(items)]}"# }

    private static let play = #"{"frame": 0, "do": "playlist", "action": "play"}"#

    @Test("Items follow each other on their frames; one that is played as it was recorded is the file's, bit for bit")
    func joins() async throws {
        let folder = try folder()
        let session = session(
            #"{"id": "p1", "file": "a.wav", "speed": 0.7}, {"id": "p2", "file": "b.wav"},"#
                + #"{"id": "p3", "file": "a.wav", "start": 1000, "end": 21000, "speed": 1.25, "transpose": -2}"#)
        var mixes: [WaveContents] = []
        for blockFrames in [64, 1_000, 8_192] {
            mixes.append(
                try await folder.render(
                    session, script: Self.play, frames: 200_000, blockFrames: blockFrames, events: "events.jsonl"))
        }
        #expect(mixes[0].channels == mixes[1].channels && mixes[0].channels == mixes[2].channels)
        #expect(
            try itemEvents(folder) == [
                #"{"event":"itemStarted","frame":0,"item":"p1"}"#,
                #"{"event":"itemEnded","frame":137143,"item":"p1"}"#,
                #"{"event":"itemStarted","frame":137143,"item":"p2"}"#,
                #"{"event":"itemEnded","frame":167144,"item":"p2"}"#,
                #"{"event":"itemStarted","frame":167144,"item":"p3"}"#,
                #"{"event":"itemEnded","frame":183144,"item":"p3"}"#,
            ])
        #expect(try Array(mixes[0].channels[0][137_143..<167_144]) == samples(folder, "b.wav"))
        #expect(mixes[0].channels[0][183_144...].allSatisfy { $0 == 0 })
    }

    @Test("Crossfades overlap stretched items on their frames")
    func crossfade() async throws {
        let folder = try folder()
        let script = #"{"frame": 0, "do": "playlist", "action": "crossfade", "seconds": 0.5}"# + "\n" + Self.play
        _ = try await folder.render(
            session(#"{"id": "p1", "file": "a.wav", "speed": 0.8}, {"id": "p2", "file": "a.wav", "transpose": 3}"#),
            script: script, frames: 230_000, events: "events.jsonl")
        #expect(
            try itemEvents(folder) == [
                #"{"event":"itemStarted","frame":0,"item":"p1"}"#,
                #"{"event":"itemStarted","frame":96000,"item":"p2"}"#,
                #"{"event":"itemEnded","frame":120000,"item":"p1"}"#,
                #"{"event":"itemEnded","frame":192000,"item":"p2"}"#,
            ])
    }

    @Test("A speed that is changed while the item plays goes on at its place", arguments: [64, 8_192])
    func change(blockFrames: Int) async throws {
        let folder = try folder()
        let script = """
            \(Self.play)
            {"frame": 24000, "do": "playlist", "action": "speed", "index": 0, "value": 0.5}
            {"frame": 72000, "do": "playlist", "action": "speed", "value": 1}
            """
        let mix = try await folder.render(
            session(#"{"id": "p1", "file": "a.wav"}"#), script: script, frames: 130_000, blockFrames: blockFrames,
            events: "events.jsonl")
        #expect(
            try itemEvents(folder) == [
                #"{"event":"itemStarted","frame":0,"item":"p1"}"#,
                #"{"event":"itemEnded","frame":120000,"item":"p1"}"#,
            ])
        let file = try samples(folder, "a.wav")
        #expect(Array(mix.channels[0][..<24_000]) == Array(file[..<24_000]))
        #expect(mix.channels[0][72_240..<120_000].elementsEqual(file[48_240...]))
        #expect(!mix.channels[0][30_000..<31_000].elementsEqual(file[30_000..<31_000]))
    }

    @Test(
        "Speed and pitch of an item are the session's: read, written, heard and taken back, and it stays the same item")
    func edits() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav"}"#)
        let player = stage.session.player.playlist.player
        let item = try #require(player.order.first)
        let duration = try #require(player.items[0].duration)
        try await stage.act(#"{"do": "playlist", "action": "speed", "index": 0, "value": 0.8}"#)
        try await stage.act(#"{"do": "playlist", "action": "transpose", "semitones": -1.5}"#)
        #expect(stage.document.playlist[0].speed == 0.8 && stage.document.playlist[0].transpose == -1.5)
        #expect(player.order == [item] && abs((player.items[0].duration ?? 0) - duration / 0.8) < 1e-4)
        let again = try SessionDocument(stage.document.json, file: "again")
        #expect(again.playlist == stage.document.playlist)
        try await stage.act(#"{"do": "undo"}"#)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document.playlist[0].speed == 1 && stage.document.playlist[0].transpose == 0)
        #expect(player.order == [item] && player.items[0].duration == duration)
        await #expect(throws: (any Error).self) {
            try await stage.act(#"{"do": "playlist", "action": "speed", "index": 7, "value": 0.8}"#)
        }
    }

    /// How often a sound goes from below 0 to above.
    private func crossings(_ samples: ArraySlice<Float>) -> Int {
        samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }.count
    }

    @Test("A stem is transposed and lasts as long; the others are theirs, bit for bit")
    func stem() async throws {
        let folder = try folder()
        func mix(_ transpose: String) async throws -> WaveContents {
            try await folder.render(
                #"{"barline": 1, "stems": [{"id": "a", "file": "tone.wav"\#(transpose), "output": "one"},"#
                    + #"{"id": "b", "file": "a.wav", "output": "two"}]}"#,
                script: #"{"frame": 0, "do": "stems", "action": "play"}"#, frames: 150_000, events: "events.jsonl",
                stems: "parts")
        }
        _ = try await mix("")
        let plain = try ["stem-a", "stem-b"].map { try samples(folder, "parts/\($0).wav") }
        let ended = try JSONLines.events(try folder.folder.text("events.jsonl"), of: "stemsEnded")
        _ = try await mix(#", "transpose": -12"#)
        let transposed = try ["stem-a", "stem-b"].map { try samples(folder, "parts/\($0).wav") }
        #expect(transposed[1] == plain[1])
        #expect(abs(crossings(plain[0][24_000..<120_000]) - 1_000) <= 1)
        #expect(abs(crossings(transposed[0][24_000..<120_000]) - 500) <= 1)
        let again = try JSONLines.events(try folder.folder.text("events.jsonl"), of: "stemsEnded")
        #expect(again.map { $0.integer("frame") } == ended.map { $0.integer("frame") } && again.count == 1)
    }

    @Test("A stem that is transposed while it plays goes on in step")
    func livestem() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        func play(until isDone: () -> Bool) async throws {
            for _ in 0..<2_000 {
                stage.stage.play(64)
                if isDone() { return }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        try await play { stage.session.player.engine.state.multitrack.position > 0.02 }
        try await stage.act(#"{"do": "editStem", "stem": "s", "set": {"transpose": 4}}"#)
        var joined: [String] = []
        try await play {
            joined += stage.stage.events.map { "\($0.kind)" }.filter { $0.contains("joined") }
            return !joined.isEmpty
        }
        #expect(joined.count == 1 && stage.document.stems[0].transpose == 4)
        #expect(stage.session.player.engine.state.multitrack.phase == .playing)
    }

    @Test(
        "What is wrong is refused by key",
        arguments: [
            (#""speed": 0.2"#, "speed"), (#""speed": 5"#, "speed"), (#""transpose": 25"#, "transpose"),
            (#""playback": "original""#, "playback"), (#""onsets": [3, 2]"#, "onsets"),
        ])
    func refusals(key: String, name: String) throws {
        let folder = try folder()
        #expect {
            try folder.document(session(#"{"id": "p1", "file": "a.wav", \#(key)}"#))
        } throws: {
            "\($0)".contains("playlist[0].\(name)")
        }
    }
}
