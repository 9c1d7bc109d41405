import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// The metronome of a session that plays.
@Suite("Playing with the metronome", .fewAtATime)
struct MetronomePlayTests {
    /// Frames on which a click begins: the first sound after 10 ms of silence.
    private func onsets(_ samples: [Float]) -> [Int] {
        var onsets: [Int] = []
        var silent = 480
        for (frame, sample) in samples.enumerated() {
            // The first sample of a click is its sine's zero.
            if sample != 0, silent >= 480 { onsets.append(frame - 1) }
            silent = sample == 0 ? silent + 1 : 0
        }
        return onsets
    }

    @Test("A script turns it on and off, without moving the grid")
    func onAndOff() async throws {
        let folder = try SessionFolder()
        let contents = try await folder.render(
            #"{"barline": 1, "tempo": 100}"#,
            script: """
                {"frame": 1000, "do": "transport", "action": "play"}
                {"at": 1.0, "do": "metronome", "on": true}
                {"at": 2.5, "do": "metronome", "on": false}
                {"at": 3.5, "do": "metronome", "on": true, "pattern": ".x", "gain": -6}
                """, frames: 48_000 * 6)
        let beats = [2, 3, 4, 7, 9].map { 1000 + $0 * 28_800 }
        #expect(onsets(contents.channels[0]) == beats)
        let loud = contents.channels[0][beats[1]..<beats[1] + 4800].reduce(0) { max($0, abs($1)) }
        let soft = contents.channels[0][beats[3]..<beats[3] + 4800].reduce(0) { max($0, abs($1)) }
        #expect(abs(soft / loud - Float(pow(10, -6 / 20.0))) < 1e-3)
    }

    @Test("It goes to its own output, and is written apart where it clicks")
    func outputs() async throws {
        let folder = try SessionFolder()
        let session = #"{"barline": 1, "metronome": {"enabled": true, "output": "phones"}}"#
        let play = #"{"at": 0, "do": "transport", "action": "play"}"#
        let main = try await folder.render(session, script: play, frames: 96_000, stems: "stems")
        #expect(main.channels[0].allSatisfy { $0 == 0 })
        let metronome = try WaveContents(path: folder.folder.path("stems/metronome.wav"))
        let phones = try WaveContents(path: folder.folder.path("stems/bus-phones.wav"))
        #expect(onsets(metronome.channels[0]) == [0, 24_000, 48_000, 72_000].map { $0 })
        #expect(metronome.channels == phones.channels)
        _ = try await folder.render(#"{"barline": 1}"#, script: play, frames: 96_000, stems: "others")
        #expect(!FileManager.default.fileExists(atPath: folder.folder.path("others/metronome.wav")))
    }

    @Test("The click of a file is that file")
    func file() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("tock.wav", Sound.noise(2_000, seed: 3))
        let tock = try WaveContents(path: folder.folder.path("tock.wav"))
        let contents = try await folder.render(
            #"{"barline": 1, "metronome": {"enabled": true, "file": "tock.wav", "accentLevel": 1}}"#,
            script: #"{"frame": 500, "do": "transport", "action": "play"}"#, frames: 10_000)
        #expect((0..<1_700).allSatisfy { abs(contents.channels[0][500 + $0] - tock.channels[0][$0]) < 1e-6 })
    }

    @Test("Taps set the tempo")
    func taps() async throws {
        let folder = try SessionFolder()
        let taps = [0, 20_000, 40_000, 60_000].map { "{\"frame\": \($0), \"do\": \"tap\"}" }.joined(separator: "\n")
        _ = try await folder.render(#"{"barline": 1}"#, script: taps, frames: 70_000, events: "events.jsonl")
        let events = try folder.folder.text("events.jsonl")
        #expect(events.contains(#""bpm":144,"#))
    }

    @Test("What is recorded of it renders the same samples")
    func recording() async throws {
        let folder = try SessionFolder()
        let stage = Stage(try await folder.player(#"{"barline": 1, "tempo": 91}"#))
        stage.player.startRecording()
        try stage.player.perform(.transport(isRolling: true))
        let actions: [String] = [
            #"{"do": "metronome", "on": true, "subdivision": 2, "swing": 66}"#, #"{"do": "tap"}"#, #"{"do": "tap"}"#,
            #"{"do": "metronome", "pattern": "X..x"}"#, #"{"do": "tap"}"#, #"{"do": "metronome", "gain": -9}"#,
            #"{"do": "metronome", "on": false}"#,
        ]
        for action in actions {
            for _ in 0..<30 { stage.play(777) }
            try stage.player.perform(try ScriptAction(json: action, source: "test"))
        }
        for _ in 0..<30 { stage.play(1024) }
        let script = stage.player.recordedScript
        #expect(script.entries.count == actions.count + 1)
        let lines = script.schedule(at: .standard).map { PerformanceScript.line($0.entry.action, at: $0.frame) }
        let rendered = try await folder.render(
            #"{"barline": 1, "tempo": 91}"#, script: lines.joined(separator: "\n"), frames: stage.left.count)
        #expect(rendered.channels[0] == stage.left && stage.left.contains { $0 != 0 })
    }

    @Test("An action without anything to change is refused")
    func emptyAction() throws {
        let error = try #require(throws: SessionError.self) {
            _ = try ScriptAction(json: #"{"do": "metronome"}"#, source: "s")
        }
        #expect("\(error)".hasPrefix("s: on: "))
    }
}
