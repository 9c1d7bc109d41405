import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Actions for a beat or a bar, whose frames are known when they come.
@Suite("Actions at beats and bars", .fewAtATime)
struct BeatTimeTests {
    /// A constant that lasts four beats: what is muted is silent.
    private static let session = """
        {"barline": 1, "tempo": 120, "firstLaunch": "immediate",
         "scenes": [{"name": "fast", "tempo": 240}],
         "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 4}]}, {"id": "u", "clips": []}]}
        """

    private func render(_ script: String, frames: Int, blockFrames: Int = 1024) async throws -> [Float] {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", WaveFile([Double](repeating: 0.5, count: 96_000)).bytes)
        return try await folder.render(
            BeatTimeTests.session, script: script, frames: frames, blockFrames: blockFrames
        ).channels[0]
    }

    /// The frames on which silence begins and ends; ramps take 5 ms.
    private func changes(_ samples: [Float]) -> [Int] {
        samples.indices.dropFirst().filter { (abs(samples[$0]) > 0.499) != (abs(samples[$0 - 1]) > 0.499) }
    }

    @Test(
        "A script with a time that none can be read with is not written",
        arguments: [ScriptTime.nextBar, .seconds(.nan), .seconds(-1), .seconds(.infinity)])
    func unwritable(time: ScriptTime) throws {
        let folder = try TemporaryFolder()
        let entries = [ScriptEntry(time: .seconds(1), action: .stopAll), ScriptEntry(time: time, action: .stopAll)]
        var script = PerformanceScript()
        script.entries = entries
        let error = #expect(throws: SessionError.self) {
            try script.write(to: folder.path("s.jsonl"), at: .standard)
        }
        #expect(error.map { "\($0)".contains("entries[1].time") } == true)
        #expect(try folder.names().isEmpty)
    }

    @Test("They come on the frames of their beats, whatever changes the tempo before", arguments: [64, 1024, 48_000])
    func frames(blockFrames: Int) async throws {
        let samples = try await render(
            """
            {"at": 0, "do": "transport", "action": "play"}
            {"beat": 0, "do": "launch", "clip": "a"}
            {"at": 3, "do": "tempo", "bpm": 90}
            {"bar": 3, "do": "mute", "track": "t", "on": true}
            {"beat": 9.5, "do": "mute", "track": "t", "on": false}
            {"bar": 4, "do": "tempo", "bpm": 180}
            {"beat": 13, "do": "mute", "track": "t", "on": true}
            """, frames: 400_000, blockFrames: blockFrames)
        // Beat 6 is at 144,000. A beat takes 32,000 frames then, and 16,000 from beat 12 at 336,000 on.
        let expected = [144_000 + 2 * 32_000, 144_000 + 112_000, 336_000 + 16_000]
        let heard = changes(samples).filter { $0 > 300 }
        #expect(heard.count == 3)
        // A mute fades out from its frame on; what is heard again is at its level 5 ms after it.
        for (frame, place) in zip(heard, [expected[0], expected[1] + 240, expected[2]]) {
            #expect(abs(frame - place) <= 1)
        }
    }

    @Test("The tempo of a scene moves what waits", arguments: [64, 1024, 48_000])
    func scene(blockFrames: Int) async throws {
        let samples = try await render(
            """
            {"at": 0, "do": "launch", "clip": "a"}
            {"at": 1, "do": "launchScene", "scene": 0}
            {"bar": 3, "do": "mute", "track": "t", "on": true}
            """, frames: 200_000, blockFrames: blockFrames)
        // Bar 2 begins at 96,000, and with it 240 BPM: 12,000 frames a beat.
        let heard = changes(samples).filter { $0 > 300 }
        #expect(heard.count == 1 && abs((heard.first ?? 0) - (96_000 + 48_000)) <= 1)
    }

    @Test("What moves the beats of others comes on its frame behind others that wait", arguments: [64, 1024, 48_000])
    func behind(blockFrames: Int) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", WaveFile([Double](repeating: 0.5, count: 96_000)).bytes)
        _ = try await folder.render(
            BeatTimeTests.session,
            script: """
                {"at": 0, "do": "transport", "action": "play"}
                {"frame": 71000, "do": "stop", "track": "u"}
                {"beat": 2.97, "do": "gain", "track": "t", "db": -3}
                {"beat": 2.98, "do": "timeSignature", "value": "7/8"}
                {"bar": 3, "do": "tempo", "bpm": 90}
                """, frames: 300_000, blockFrames: blockFrames, events: "events.jsonl")
        let events = try folder.folder.text("events.jsonl").split(separator: "\n")
        #expect(!events.contains { $0.contains("commandLate") })
        let metre = try #require(events.first { $0.contains("timeSignatureChanged") })
        #expect(try JSONLines.objects(String(metre)).first?.integer("frame") == 71_520)
    }

    @Test("The list goes on at its bar line", arguments: [64, 1024])
    func playlist(blockFrames: Int) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", WaveFile([Double](repeating: 0.25, count: 480_000)).bytes)
        try folder.folder.write("b.wav", WaveFile([Double](repeating: -0.25, count: 480_000)).bytes)
        let contents = try await folder.render(
            #"{"barline": 1, "tempo": 120, "playlist": [{"id": "1", "file": "a.wav"}, {"id": "2", "file": "b.wav"}]}"#,
            script: """
                {"at": 0, "do": "transport", "action": "play"}
                {"at": 0, "do": "playlist", "action": "play"}
                {"at": 1, "do": "tempo", "bpm": 60}
                {"bar": 2, "do": "playlist", "action": "next"}
                """, frames: 200_000, blockFrames: blockFrames)
        // Beat 2 is at 48,000, and beat 4 is two seconds later.
        let samples = contents.channels[0]
        let first = try #require(samples.firstIndex { $0 < 0 })
        #expect((144_000...144_240).contains(first))
        #expect(abs(samples[143_990] - 0.25) < 1e-6 && abs(samples[144_300] + 0.25) < 1e-6)
    }

    @Test("The list begins with the transport, and not before", arguments: [1, 1024])
    func standingList(blockFrames: Int) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", WaveFile([Double](repeating: 0.25, count: 480_000)).bytes)
        let contents = try await folder.render(
            #"{"barline": 1, "tempo": 120, "playlist": [{"id": "1", "file": "a.wav"}]}"#,
            script: """
                {"beat": 0, "do": "playlist", "action": "play"}
                {"frame": 5000, "do": "transport", "action": "play"}
                """, frames: 12_000, blockFrames: blockFrames)
        let samples = contents.channels[0]
        #expect(samples[..<5_000].allSatisfy { $0 == 0 })
        #expect(abs(samples[5_300] - 0.25) < 1e-6)
    }

    @Test("While the transport stands they wait, and it is said where they never come")
    func standing() async throws {
        let folder = try SessionFolder()
        let player = try await folder.player(#"{"barline": 1}"#)
        let render = try OfflineRender(
            player, script: try PerformanceScript(text: #"{"beat": 4, "do": "stopAll"}"#, path: "tour.jsonl"),
            frames: 48_000, blockFrames: 512, output: OfflineRender.Output(path: folder.folder.path("mix.wav")))
        let warnings = try render.run().warnings
        #expect(warnings == ["tour.jsonl: 1 action waits for a beat or a bar, and the transport stands"])
    }

    @Test("What is for the beat of a stop and comes after it waits, and that is said", arguments: [1, 64, 4096])
    func stop(blockFrames: Int) async throws {
        let folder = try SessionFolder()
        let player = try await folder.player(#"{"barline": 1, "tempo": 120}"#)
        let script = try PerformanceScript(
            text: """
                {"at": 0, "do": "transport", "action": "play"}
                {"beat": 1, "do": "transport", "action": "stop"}
                {"beat": 1, "do": "transport", "action": "play"}
                {"beat": 2, "do": "stopAll"}
                """, path: "tour.jsonl")
        let render = try OfflineRender(
            player, script: script, frames: 48_000, blockFrames: blockFrames,
            output: OfflineRender.Output(path: folder.folder.path("mix.wav"), eventsPath: folder.folder.path("e.jsonl"))
        )
        let warnings = try render.run().warnings
        #expect(warnings == ["tour.jsonl: 2 actions wait for a beat or a bar, and the transport stands"])
        let events = try folder.folder.text("e.jsonl")
        #expect(try JSONLines.events(events, of: "transportStopped").map { $0.integer("frame") } == [24_000])
        #expect(try JSONLines.events(events, of: "transportStarted").count == 1)
    }

    @Test("Ten thousand of them on a few beats are all done")
    func many() async throws {
        let lines = (0..<10_000).map { index in
            #"{"beat": \#(1 + Double(index) / 5_000), "do": "gain", "track": "t", "db": \#(index == 9_999 ? -20 : -1)}"#
        }
        let start = [#"{"at": 0, "do": "transport", "action": "play"}"#, #"{"beat": 0, "do": "launch", "clip": "a"}"#]
        let samples = try await render((start + lines).joined(separator: "\n"), frames: 96_000)
        #expect(abs(samples[80_000] - 0.05) < 1e-4)
    }

    @Test("However many wait, the transport can be started", arguments: ["beat", "frame"])
    func full(time: String) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", WaveFile([Double](repeating: 0.5, count: 96_000)).bytes)
        let player = try await SessionPlayer(
            try folder.document(BeatTimeTests.session), path: folder.path
        ) { $0.reserveForEditing() }
        let moment: any Moment = time == "beat" ? Beat(1_000) : FrameTime(1_000_000_000)
        #expect(throws: SessionError.self) {
            for _ in 0..<100_000 { try player.perform(.tap, at: moment) }
        }
        try player.perform(.transport(isRolling: true))
        Stage(player).play(64)
        #expect(player.engine.state.transport.isRolling)
    }

    @Test(
        "A time of what is done at once is refused",
        arguments: [#""at": 1"#, #""at": "nextBar""#, #""bar": 3"#, #""beat": 1"#])
    func atOnce(time: String) throws {
        for action in [#""do": "undo""#, #""do": "save""#, #""do": "transposeClip", "clip": "a", "semitones": 1"#] {
            let value = try JSONValue(parsing: Data("{\(action), \(time)}".utf8))
            #expect(throws: SessionError.self) { try ControlAction(value, source: "test") }
        }
        let marker = #"{"do": "setWarpMarker", "clip": "a", "frame": 100, "beat": 1}"#
        _ = try ControlAction(try JSONValue(parsing: Data(marker.utf8)), source: "test")
    }

    @Test("An argument that is called like a time is none, and a script is written as it was read")
    func reading() throws {
        let text = """
            {"frame":0,"do":"locate","bar":5}
            {"bar":17,"do":"stopAll"}
            {"beat":2.5,"do":"tap"}
            """
        let script = try PerformanceScript(text: text, path: "s")
        let times = script.entries.map(\.time)
        #expect(times == [.frame(.zero), .bar(Bar(17)), .beat(Beat(2.5))])
        #expect(script.schedule(at: .standard).map(\.entry.action) == [.locate(.bar(5))])
        let folder = try SessionFolder()
        try script.write(to: folder.folder.path("again.jsonl"), at: .standard)
        let again = try PerformanceScript(path: folder.folder.path("again.jsonl"))
        #expect(again.entries.map(\.time) == times && again.entries.map(\.action) == script.entries.map(\.action))
    }

    @Test("Clients name beats, bars and the next bar line, and recordings have their frames")
    func live() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", WaveFile([Double](repeating: 0.5, count: 96_000)).bytes)
        let player = try await SessionPlayer(
            try folder.document(BeatTimeTests.session), path: folder.path
        ) { $0.reserveForEditing() }
        let session = LiveSession(player, library: EditStage.library(folder))
        let stage = Stage(player)
        player.startRecording()
        func ask(_ line: String) throws {
            let value = try JSONValue(parsing: Data(line.utf8))
            guard case .perform(let action, let time) = try ControlAction(value, source: "test") else { return }
            _ = try session.perform(action, at: time)
        }
        try ask(#"{"do": "launch", "clip": "a"}"#)
        stage.play(10_000)
        try ask(#"{"do": "mute", "track": "t", "on": true, "at": "nextBar"}"#)
        try ask(#"{"do": "mute", "track": "t", "on": false, "beat": 6}"#)
        try ask(#"{"do": "tempo", "bpm": 240, "bar": 3}"#)
        try ask(#"{"do": "mute", "track": "t", "on": true, "beat": 10}"#)
        #expect(!player.document.tracks[0].mute && player.document.tempo == 120, "it is for later")
        for _ in 0..<9 { stage.play(10_000) }
        #expect(player.document.tracks[0].mute && player.document.tempo == 120)
        for _ in 0..<5 { stage.play(10_000) }
        #expect(!player.document.tracks[0].mute)
        for _ in 0..<11 { stage.play(10_000) }
        // At 120 BPM up to bar 3 at 192,000 frames, 12,000 frames a beat then.
        let heard = changes(stage.left).filter { $0 > 300 }
        let expected = [96_000, 144_000 + 240, 192_000 + 24_000]
        #expect(heard.count == 3 && zip(heard, expected).allSatisfy { abs($0 - $1) <= 1 })
        let recorded = player.recordedScript.entries
        #expect(recorded.map { $0.time.frame(at: .standard)?.rawValue } == [0, 96_000, 144_000, 192_000, 216_000])
        #expect(player.document.tracks[0].mute && player.document.tempo == 240)
    }
}
