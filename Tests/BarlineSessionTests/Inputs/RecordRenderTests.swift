import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Slots that are recorded into by scripts, against the files that inputs were given.
@Suite("Renders of what is recorded", .fewAtATime)
struct RecordRenderTests {
    /// Frames of a bar at 240 BPM and 48 kHz.
    private static let bar = 48_000
    static let document = """
        {"barline": 1, "tempo": 240, "inputs": [{"name": "mic", "monitor": "never"}],
         "tracks": [{"id": "t", "name": "Voice", "input": "mic"}, {"id": "u"}]}
        """
    private static let script = """
        {"do": "transport", "action": "play", "frame": 0}
        {"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new", "frame": 10000}
        {"do": "keepLast", "track": "u", "slot": 3, "bars": 2, "id": "kept", "input": "mic", "frame": 200000}
        {"do": "launch", "clip": "kept", "frame": 230000}
        {"do": "stop", "track": "t", "frame": 230000}
        """

    private func render(
        _ folder: SessionFolder, block: Int = 1_024, latency: Int = 0, script: String = script,
        name: String = "mix.wav", input: String = "mic", document: String = document
    ) async throws -> (mix: WaveContents, player: SessionPlayer) {
        let player = try await folder.player(document)
        let output = OfflineRender.Output(
            path: folder.folder.path(name), eventsPath: folder.folder.path("events"),
            takesFolder: folder.folder.path("takes"))
        var render = try OfflineRender(
            player, script: try folder.script(script), frames: Int64(8 * Self.bar), blockFrames: block, output: output)
        try render.inputs.feed(input, from: folder.folder.path("mic.wav"), sampleRate: .standard)
        render.inputs.latency = latency
        try await render.loadEdits()
        _ = try render.run()
        return (try WaveContents(path: folder.folder.path(name)), player)
    }

    private func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("mic.wav", Sound.noise(8 * Self.bar, seed: 3, level: 0.2))
        return folder
    }

    @Test(
        "Takes are what the inputs' files have on their bars, play on from their ends, and are written",
        arguments: [0, 777])
    func takes(latency: Int) async throws {
        let folder = try folder()
        let (mix, player) = try await render(folder, latency: latency)
        let input = try WaveContents(path: folder.folder.path("mic.wav")).channels
        let take = try WaveContents(path: folder.folder.path("takes/new.wav"))
        let kept = try WaveContents(path: folder.folder.path("takes/kept.wav"))
        let first = Self.bar + latency
        #expect(take.channels[0].elementsEqual(input[0][first..<first + Self.bar]))
        #expect(take.channels[1].elementsEqual(input[0][first..<first + Self.bar]))
        let second = 2 * Self.bar + latency
        #expect(kept.channels[0].elementsEqual(input[0][second..<second + 2 * Self.bar]))
        // All but the first half millisecond and the last 5 ms, which lead to each other.
        let played = mix.channels[0]
        #expect((24..<Self.bar - 240).allSatisfy { played[2 * Self.bar + $0] == take.channels[0][$0] })
        #expect((0..<Self.bar - 240).allSatisfy { played[3 * Self.bar + $0] == take.channels[0][$0] })
        #expect((240..<2 * Self.bar - 240).allSatisfy { played[5 * Self.bar + $0] == kept.channels[0][$0] })
        #expect(played[..<(2 * Self.bar)].allSatisfy { $0 == 0 })
        let events = try String(contentsOfFile: folder.folder.path("events"), encoding: .utf8)
        #expect(events.contains(#""clip":"new","event":"recordStarted","frame":48000,"input":"mic","track":"t""#))
        #expect(events.contains(#""clip":"new","event":"recordEnded","frame":96000,"frames":48000,"track":"t""#))
        let clip = try #require(player.document.tracks[0].clips.first)
        #expect(clip.id == "new" && clip.slot == 0 && clip.beats == 4 && clip.loop)
        #expect(clip.end.map { $0 - clip.start } == Self.bar)
    }

    @Test("A script may call a take what one was called that was called off", arguments: [64, 8_192])
    func calledOff(block: Int) async throws {
        let folder = try folder()
        for (off, again) in [
            (#"{"do": "stop", "track": "t", "frame": 20000}"#, #"{"do": "recordClip", "track": "t", "slot": 1"#),
            (#"{"do": "stopNow", "track": "t", "frame": 20000}"#, #"{"do": "keepLast", "track": "t", "slot": 1"#),
        ] {
            let script = """
                {"frame": 0, "do": "transport", "action": "play"}
                {"do": "recordClip", "track": "t", "slot": 0, "id": "new", "frame": 10000}
                \(off)
                \(again), "bars": 1, "id": "new", "frame": 100000}
                """
            let (_, player) = try await render(folder, block: block, script: script)
            #expect(player.document.tracks[0].clips.map(\.id) == ["new"])
            #expect(player.document.tracks[0].clips.first?.slot == 1)
        }
    }

    @Test("The samples do not depend on the block size", arguments: [1, 64, 4_096])
    func blocks(frames: Int) async throws {
        let folder = try folder()
        let (usual, _) = try await render(folder, latency: 300)
        let (other, _) = try await render(folder, block: frames, latency: 300, name: "other.wav")
        #expect(usual.channels == other.channels)
    }

    @Test("A take goes on from memory through edits of a recording, which call its file what it was called live")
    func edited() async throws {
        let folder = try folder()
        // A bar is no whole number of frames here: what is in a file is read with another filter than a take.
        let document = Self.document.replacingOccurrences(of: "240", with: #"140, "timeSignature": "3/4""#)
        func script(_ edits: [String]) -> String {
            let facts = #""frame": 0, "frames": 384000, "sampleRate": 48000, "folder": "\#(folder.folder.path)""#
            let begin = #"{"do": "begin", \#(facts), "session": \#(document)}"#
            return
                ([
                    begin.replacingOccurrences(of: "\n", with: " "),
                    #"{"do": "transport", "action": "play", "frame": 0}"#,
                    #"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new", "frame": 10000}"#,
                    #"{"do": "stop", "track": "t", "frame": 150000}"#,
                ] + edits + [#"{"do": "launch", "clip": "new", "frame": 250000}"#]).joined(separator: "\n")
        }
        let (expected, player) = try await render(folder, script: script([]), document: document)
        var changed = player.document
        // Another sound under the name of a take tells whether it is read.
        let file = "take-mic 2026-11-26 05.32.58.wav"
        try folder.folder.write(file, Sound.noise(3 * Self.bar, seed: 9, level: 0.2))
        changed.tracks[0].clips[0].file = file
        let edits = ["One", "Two"].enumerated().map { index, name in
            changed.tracks[1].name = name
            let line = #""frame": \#(220_000 + index), "session": \#(changed.json.line)"#
            return #"{"do": "session", \#(line), "kept": ["new"]}"#
        }
        let (mix, _) = try await render(folder, script: script(edits), name: "edited.wav", document: document)
        #expect(expected.channels[0][260_000...].contains { abs($0) > 0.05 })
        #expect((mix.channels == expected.channels) as Bool)
        // A clip that another file was given to plays that, also where that was the first edit.
        changed.tracks[0].clips[0].file = "mic.wav"
        let exchange = #"{"do": "session", "frame": 220002, "session": \#(changed.json.line)}"#
        for before in [[], edits] {
            let (other, _) = try await render(
                folder, script: script(before + [exchange]), name: "other.wav", document: document)
            #expect((other.channels != expected.channels) as Bool)
        }
    }

    @Test("What a recording needs and is not there is refused in words")
    func refusals() async throws {
        let folder = try folder()
        func refusal(_ line: String, input: String = "mic") async -> String {
            do {
                _ = try await render(folder, script: line, input: input)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(
            await refusal(#"{"do": "recordClip", "track": "x", "slot": 0, "frame": 0}"#).contains(
                #"line 1.track: there is no "x""#))
        #expect(
            await refusal(#"{"do": "recordClip", "track": "t", "slot": 0, "input": "x", "frame": 0}"#).contains(
                #"line 1.input: there is no "x""#))
        #expect(
            await refusal(#"{"do": "recordClip", "track": "t", "slot": 0, "frame": 0}"#, input: "x").contains(
                #"inputs: there is no "x""#))
        #expect(
            await refusal(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 0, "frame": 0}"#).contains(
                "expected a whole number from 1 to 4096"))
        #expect(
            await refusal(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "frame": 0}"#).contains(
                #"line 1.slot: expected the slot of a loop"#))
        #expect(
            await refusal(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "sing", "frame": 0}"#).contains(
                #"expected "overdub" or "replace""#))
        #expect(await refusal(#"{"do": "launch", "clip": "new", "frame": 0}"#).contains(#"there is no "new""#))
    }

    @Test("Inputs are part of the session, each with a name of its own")
    func document() throws {
        let folder = try SessionFolder()
        let document = try folder.document(
            #"{"barline": 1, "inputs": [{"name": "mic", "channels": [3], "monitor": "always", "gain": -6, "hue": 1}]}"#)
        #expect(document.inputs[0].channels == [3] && document.inputs[0].monitor == .always)
        #expect(document.inputs[0].rest == ["hue": 1])
        func refusal(_ json: String) -> String {
            do {
                _ = try folder.document(json)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(
            refusal(#"{"barline": 1, "inputs": [{"name": "a"}, {"name": "a"}]}"#).contains(
                #"inputs[1].name: the id "a" is used twice"#))
        #expect(
            refusal(#"{"barline": 1, "inputs": [{"name": "a", "channels": [0]}]}"#).contains(
                "expected a list of one or two channels"))
    }
}
