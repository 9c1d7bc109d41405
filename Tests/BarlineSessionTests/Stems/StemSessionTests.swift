import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// The stems of a session, rendered.
@Suite("Stems of a session", .fewAtATime)
struct StemSessionTests {
    static let session = """
        {"barline": 1, "tempo": 100, "master": {"gain": 0},
         "stems": [
          {"id": "drums", "name": "Drums", "file": "a.wav"},
          {"id": "bass", "file": "b.wav", "gain": -6, "pan": 0.25},
          {"id": "cue", "file": "a.wav", "offset": 5000, "output": "phones"}],
         "markers": [{"name": "chorus", "position": 1.5}]}
        """

    private func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(144_000, seed: 1))
        try folder.folder.write("b.wav", Sound.tone(144_000, cycles: 99))
        return folder
    }

    @Test("Stems start on their frame, seek to seconds and markers, and pause, as the script says")
    func script() async throws {
        let folder = try folder()
        let script = """
            {"frame": 1001, "do": "stems", "action": "play"}
            {"at": 1, "do": "stems", "action": "pause"}
            {"at": 1.25, "do": "stems", "action": "play"}
            {"at": 1.5, "do": "stems", "action": "seek", "position": 0.75}
            {"at": 2, "do": "stems", "action": "seek", "marker": "chorus"}
            {"at": 2.5, "do": "stems", "action": "stop"}
            {"at": 3, "do": "stems", "action": "play"}
            """
        let mix = try await folder.render(
            StemSessionTests.session, script: script, frames: 192_000, events: "events.jsonl")
        let events = try folder.folder.text("events.jsonl")
        let started = try JSONLines.events(events, of: "stemsStarted")
        #expect(started.map { $0.integer("frame") } == [1_001, 60_000, 144_000])
        #expect(try JSONLines.events(events, of: "stemsPaused").map { $0.integer("frame") } == [48_000, 120_000])
        #expect(try JSONLines.events(events, of: "stemsSeeked").compactMap { $0.number("position") } == [0.75, 1.5])
        let drums = try WaveContents(path: folder.folder.path("a.wav")).channels[0]
        let bass = try WaveContents(path: folder.folder.path("b.wav"))
        let gain = Float(pow(10, -6.0 / 20))
        // Frames of the timeline, and the place of the stems that is heard there: fades apart, and half a millisecond
        // at starts.
        let runs = [
            (1_025..<48_000, 24), (60_240..<72_000, 46_999), (72_240..<96_000, 36_000), (96_240..<120_000, 72_000),
            (144_024..<192_000, 24),
        ]
        for (frames, position) in runs {
            let start = frames.lowerBound == 60_240 || frames.lowerBound % 1_000 == 240 ? 240 : 0
            for frame in frames {
                let place = position + frame - frames.lowerBound + start
                let left = drums[place] + bass.channels[0][place] * gain * 0.75
                let right = drums[place] + bass.channels[1][place] * gain
                let isRight = abs(mix.channels[0][frame] - left) < 1e-6 && abs(mix.channels[1][frame] - right) < 1e-6
                #expect(isRight, "frame \(frame)")
                if !isRight { return }
            }
        }
        #expect((48_240..<60_000).allSatisfy { mix.channels[0][$0] == 0 })
        #expect((120_240..<144_000).allSatisfy { mix.channels[0][$0] == 0 })
    }

    @Test("The samples don't depend on the block size", arguments: [1, 333, 4_096, 65_536])
    func blockSizes(frames: Int) async throws {
        let folder = try folder()
        let script = """
            {"at": 0, "do": "stems", "action": "loop", "start": 0.2, "end": 0.26}
            {"at": 0.01, "do": "stems", "action": "play"}
            {"at": 0.8, "do": "stems", "action": "seek", "position": 0.1}
            {"at": 0.9, "do": "stems", "action": "loop", "on": false}
            {"at": 0.905, "do": "stems", "action": "seek", "position": 2}
            {"at": 0.91, "do": "stems", "action": "seek", "position": 1}
            {"at": 1.1, "do": "stems", "action": "gain", "db": -9}
            {"at": 1.2, "do": "mute", "stem": "bass", "on": true}
            """
        let reference = try await folder.render(
            StemSessionTests.session, script: script, frames: 72_000, blockFrames: 1_024)
        let other = try await folder.render(
            StemSessionTests.session, script: script, frames: 72_000, blockFrames: frames, name: "other.wav")
        #expect(reference.channels == other.channels)
        #expect(reference.channels[0].contains { $0 != 0 })
    }

    @Test("Seeks in quick succession, and a loop that is set shortly before its end, don't depend on it either")
    func crowdedActions() async throws {
        let folder = try folder()
        var lines = [#"{"at": 0, "do": "stems", "action": "play"}"#]
        for index in 0..<6 {
            let frame = 20_000 + 48 * index
            lines.append(#"{"frame": \#(frame), "do": "stems", "action": "seek", "position": \#(Double(index) / 4)}"#)
        }
        lines.append(#"{"frame": 33599, "do": "stems", "action": "seek", "position": 0.19}"#)
        lines.append(#"{"frame": 33600, "do": "stems", "action": "loop", "start": 0.15, "end": 0.2}"#)
        var renders: [WaveContents] = []
        for frames in [64, 1_024, 4_096] {
            renders.append(
                try await folder.render(
                    StemSessionTests.session, script: lines.joined(separator: "\n"), frames: 72_000,
                    blockFrames: frames, events: "\(frames).jsonl", name: "\(frames).wav"))
            #expect(try JSONLines.events(try folder.folder.text("\(frames).jsonl"), of: "stemsUnderrun").isEmpty)
        }
        #expect(renders[0].channels == renders[1].channels)
        #expect(renders[0].channels == renders[2].channels)
    }

    @Test("Stems that are told to follow the tempo do, as long as the tempo says")
    func repitch() async throws {
        let folder = try folder()
        let session = """
            {"barline": 1, "tempo": 150, "stems": [{"id": "b", "file": "b.wav", "playback": "repitch", "bpm": 100}]}
            """
        let script = """
            {"at": 0, "do": "stems", "action": "play"}
            {"at": 1, "do": "tempo", "bpm": 50}
            """
        let mix = try await folder.render(session, script: script, frames: 90_000)
        // A tone of 99 cycles in 144 000 frames, at one and a half times, then half its speed.
        for frame in 200..<89_000 where abs(frame - 48_000) > 300 {
            let place = frame < 48_000 ? 1.5 * Double(frame) : 72_000 + 0.5 * Double(frame - 48_000)
            let expected = 0.25 * sin(2 * .pi * 99 * place / 144_000)
            let error = abs(Double(mix.channels[0][frame]) - expected)
            #expect(error < 1e-4, "frame \(frame)")
            if error >= 1e-4 { return }
        }
    }

    @Test("Every stem has a file of its own, and the files of a bus add up to it")
    func separate() async throws {
        let folder = try folder()
        let script = #"{"at": 0, "do": "stems", "action": "play"}"#
        let mix = try await folder.render(StemSessionTests.session, script: script, frames: 100_000, stems: "apart")
        func contents(_ name: String) throws -> WaveContents {
            try WaveContents(path: folder.folder.path("apart/\(name).wav"))
        }
        let drums = try contents("stem-drums")
        let bass = try contents("stem-bass")
        let cue = try contents("stem-cue")
        #expect(try contents("bus-phones").channels == cue.channels)
        for frame in 0..<100_000 {
            let sum = drums.channels[0][frame] + bass.channels[0][frame]
            #expect(mix.channels[0][frame] == sum)
            if mix.channels[0][frame] != sum { return }
        }
    }

    @Test("Of stems at other rates too, the mix is the sum of what each one plays alone")
    func mixedRates() async throws {
        let folder = try folder()
        try folder.folder.write("c.wav", Sound.tone(100_000, cycles: 777, sampleRate: 44_100))
        try folder.folder.write("d.wav", Sound.noise(60_000, seed: 9, sampleRate: 22_050))
        let script = #"{"at": 0.1, "do": "stems", "action": "play"}"#
        func render(_ names: [String], _ target: String) async throws -> WaveContents {
            let stems = names.map { #"{"id": "\#($0)", "file": "\#($0).wav"}"# }.joined(separator: ", ")
            return try await folder.render(
                #"{"barline": 1, "stems": [\#(stems)]}"#, script: script, frames: 110_000, name: target)
        }
        let mix = try await render(["a", "c", "d"], "mix.wav")
        var parts: [WaveContents] = []
        for name in ["a", "c", "d"] { parts.append(try await render([name], "alone-\(name).wav")) }
        for channel in 0..<2 {
            for frame in 0..<110_000 {
                let alone = parts.map { $0.channels[channel][frame] }
                // The order of adding is the renderer's own: each of the two sums may round the other way.
                let rounding = 2 * alone.reduce(Float(0)) { $0 + abs($1) }.ulp
                let isRight = abs(mix.channels[channel][frame] - alone.reduce(0, +)) <= rounding
                #expect(isRight, "frame \(frame)")
                if !isRight { return }
            }
        }
    }

    @Test("What is recorded of the stems renders the same samples")
    func recording() async throws {
        let folder = try folder()
        let player = try await folder.player(StemSessionTests.session)
        player.startRecording()
        let stage = Stage(player)
        func play(_ blocks: Int) {
            for _ in 0..<blocks {
                player.multitrack?.feed()
                stage.play(256)
            }
        }
        play(10)
        try player.perform(.stems(.play))
        play(100)
        try player.perform(.stems(.seek(2)))
        play(31)
        try player.perform(.solo(.stem("bass"), true))
        play(40)
        try player.perform(.stems(.pause))
        play(40)
        try player.perform(.stems(.play))
        play(60)
        let lines = player.recordedScript.entries.map { entry in
            PerformanceScript.line(entry.action, at: entry.time.frame(at: .standard) ?? .zero)
        }
        #expect(lines.count == 5)
        let again = try await folder.render(
            StemSessionTests.session, script: lines.joined(separator: "\n"), frames: stage.left.count)
        #expect(again.channels[0] == stage.left)
        #expect(again.channels[1] == stage.right)
    }

    @Test(
        "Wrong stems are refused by key",
        arguments: [
            (#"{"id": "a"}"#, "stems[0].file"), (#"{"file": "a.wav"}"#, "stems[0].id"),
            (#"{"id": "a", "file": "a.wav", "pan": 2}"#, "stems[0].pan"),
            (#"{"id": "a", "file": "a.wav", "offset": 0.5}"#, "stems[0].offset"),
            (#"{"id": "a", "file": "a.wav", "playback": "stretch"}"#, "stems[0].bpm"),
            (#"{"id": "a", "file": "a.wav", "playback": "repitch"}"#, "stems[0].bpm"),
            (#"{"id": "a", "file": "none.wav"}"#, "stems[0].file"), (#"{"id": "a", "file": "."}"#, "stems[0].file"),
            (#"{"id": "a", "file": "a.wav"}, {"id": "a", "file": "a.wav"}"#, "stems[1].id"),
            (
                #"{"id": "a", "file": "a.wav"}, {"id": "b", "file": "a.wav", "playback": "repitch", "bpm": 9}"#,
                "stems[1].playback"
            ),
        ])
    func refusals(stems: String, key: String) async throws {
        let folder = try folder()
        do {
            _ = try await folder.player(#"{"barline": 1, "stems": [\#(stems)]}"#)
            Issue.record("\(stems) was taken")
        } catch let error as SessionError {
            #expect("\(error)".contains("set.barline: \(key)"), "\(error)")
        }
    }

    @Test("Live, a stem that can't be played is silent and the others play")
    func missingStem() async throws {
        let folder = try folder()
        let session = """
            {"barline": 1, "stems": [{"id": "a", "file": "none.wav"}, {"id": "b", "file": "b.wav"}]}
            """
        let player = try await folder.player(session, policy: .lenient)
        #expect(player.warnings.count == 1)
        let stage = Stage(player)
        try player.perform(.stems(.play))
        for _ in 0..<10 {
            player.multitrack?.feed()
            stage.play(480)
        }
        #expect(stage.left.contains { $0 != 0 })
    }

    @Test(
        "Actions that can't be done are refused in words",
        arguments: [
            #"{"do": "stems"}"#, #"{"do": "stems", "action": "seek"}"#, #"{"do": "stems", "action": "rewind"}"#,
            #"{"do": "stems", "action": "loop", "start": 1, "end": 1.01}"#, #"{"do": "stems", "action": "gain"}"#,
            #"{"do": "stems", "action": "seek", "marker": "bridge"}"#, #"{"do": "mute", "stem": "none", "on": true}"#,
        ])
    func wrongActions(line: String) async throws {
        let player = try await folder().player(StemSessionTests.session)
        #expect(throws: SessionError.self) { try player.perform(try ScriptAction(json: line, source: "test")) }
    }
}
