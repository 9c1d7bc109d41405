import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Tempos and sessions that change while something is recorded: the script sounds like it.
@Suite("Recordings in which the session changes", .fewAtATime)
struct TakeChangeTests {
    @Test("A session that is opened in a take begins there as it was heard, whatever a scene had set before")
    func opened() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "saveAs", "name": "Mine"}"#)
        try await stage.act(#"{"do": "launchScene", "scene": 1}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "open", "name": "Mine"}"#)
        stage.play(5_000)
        try await stage.act(#"{"do": "launchScene", "scene": 0}"#)
        stage.play(60_000)
        #expect(stage.session.player.engine.transport.tempo.beatsPerMinute == 133)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("Tempos that were tapped in a take are those that undo takes back, and redo brings again")
    func tapped() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        for frames in [18_000, 18_000, 15_000] {
            try await stage.act(#"{"do": "tap"}"#)
            stage.play(frames)
        }
        // Two intervals of 18,000 frames of 48,000 a second.
        #expect(stage.session.player.document.tempo == 160)
        for word in ["undo", "redo", "undo"] {
            try await stage.act(#"{"do": "\#(word)"}"#)
            stage.play(20_000)
            #expect(stage.session.player.engine.transport.tempo.beatsPerMinute == (word == "redo" ? 160 : 133))
        }
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("What is set for later is shown, kept and taken back from when it is heard, in the take as well")
    func planned() async throws {
        let stage = try await TakeStage()
        let mutes = { stage.session.player.document.tracks.map(\.mute) }
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        try await stage.act(#"{"do": "launch", "clip": "c"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        try await stage.act(#"{"do": "mute", "track": "u", "on": true, "beat": 1}"#)
        try await stage.act(#"{"do": "tempo", "bpm": 171, "beat": 2}"#)
        try await stage.act(#"{"do": "gain", "track": "t", "db": -12, "at": 0.1}"#)
        #expect(mutes() == [false, false, false] && stage.session.player.document.tempo == 133)
        // The first launch is half a beat before beat 0; a beat has 60 × 48,000 / 133 frames.
        stage.play(23_000)
        #expect(mutes() == [false, true, false] && stage.session.player.document.tempo == 133)
        #expect(stage.session.player.document.tracks[0].gain == -12)
        stage.play(22_000)
        #expect(stage.session.player.document.tempo == 171)
        #expect(stage.session.isDirty)
        try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"pan": -0.5}}"#)
        stage.play(9_000)
        for word in ["undo", "undo", "undo", "redo", "redo", "undo"] {
            try await stage.act(#"{"do": "\#(word)"}"#)
            stage.play(15_000)
        }
        // Pan, tempo and mute are taken back, mute and tempo come again, and the tempo goes.
        #expect(mutes() == [false, true, false] && stage.session.player.document.tempo == 133)
        #expect(stage.session.player.engine.transport.tempo.beatsPerMinute == 133)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("What is set for later on a track that is removed does not reach the tracks that come after it")
    func removed() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        try await stage.act(#"{"do": "mute", "track": "u", "on": true, "at": 1}"#)
        try await stage.act(#"{"do": "removeTrack", "track": "u"}"#)
        for _ in 0..<3 {
            try await stage.act(#"{"do": "addTrack", "name": "More"}"#)
            let track = try #require(stage.session.player.document.tracks.last)
            try await stage.act(#"{"do": "removeTrack", "track": "\#(track.id)"}"#)
        }
        try await stage.act(#"{"do": "addTrack", "name": "Last"}"#)
        stage.play(50_000)
        let player = stage.session.player
        let isMuted = player.document.tracks.compactMap { track in
            player.bound.withLock { $0.tracks[track.id] }.map { player.engine.mixer[.track($0)].isMuted }
        }
        #expect(isMuted == [false, false, false])
        #expect(player.document.tracks.allSatisfy { !$0.mute })
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("The list is edited at once whatever the time, and keeps it")
    func list() async throws {
        let stage = try await TakeStage()
        let items = { stage.session.player.document.items.map(\.id) }
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        try await stage.act(#"{"do": "playlist", "action": "play"}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        let file = stage.folder.folder.path("a.wav")
        try await stage.act(
            #"{"do": "playlist", "action": "insert", "index": 1, "file": "\#(file)", "id": "p9", "at": "nextBar"}"#)
        #expect(items() == ["p1", "p9", "p2"] && stage.session.isDirty)
        stage.play(40_000)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(items() == ["p1", "p2"] && !stage.session.isDirty)
        stage.play(40_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
        let crossfade = { stage.session.player.document.playlistSettings.crossfade }
        try await stage.act(#"{"do": "playlist", "action": "crossfade", "seconds": 0.2, "at": 0.5}"#)
        #expect(crossfade() == 0.2)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(crossfade() == 0)
    }

    @Test("What waits for a clip that goes meanwhile does not reach the next one, and the take can be rendered")
    func gone() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        try await stage.act(#"{"do": "launch", "clip": "e", "at": 0.3}"#)
        try await stage.act(#"{"do": "removeClip", "clip": "e"}"#)
        let file = stage.folder.folder.path("a.wav")
        try await stage.act(#"{"do": "addClip", "track": "u", "slot": 2, "file": "\#(file)", "id": "new"}"#)
        try await stage.act(#"{"do": "mute", "track": "v", "on": true, "at": 0.4}"#)
        try await stage.act(#"{"do": "removeTrack", "track": "v"}"#)
        stage.play(60_000)
        #expect(stage.session.player.engine.state.tracks.filter { $0.playing != nil }.count == 1)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("The playlist's fader that is moved later is kept from then on, and comes back when it is undone")
    func fader() async throws {
        let stage = try await TakeStage()
        let gain = { stage.session.player.document.playlistSettings.gain }
        try await stage.act(#"{"do": "playlist", "action": "play"}"#)
        stage.play(20_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        try await stage.act(#"{"do": "playlist", "action": "gain", "db": -9, "at": 0.2}"#)
        #expect(gain() == 0 && !stage.session.isDirty)
        stage.play(15_000)
        #expect(gain() == -9 && stage.session.isDirty)
        try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"pan": -0.5}}"#)
        stage.play(9_000)
        for word in ["undo", "undo", "redo"] {
            try await stage.act(#"{"do": "\#(word)"}"#)
            stage.play(9_000)
        }
        #expect(gain() == -9)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("Whatever is set for later, edited and taken back, a script sounds like its take", arguments: UInt64(1)...5)
    func storm(seed: UInt64) async throws {
        var random = TestRandom(seed: seed)
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "metronome", "on": true}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        try await stage.act(#"{"do": "playlist", "action": "play"}"#)
        stage.play(random.int(3_000...40_000))
        try await stage.act(#"{"do": "record", "on": true}"#)
        for _ in 0..<60 {
            stage.play(random.int(200...6_000))
            let track = ["t", "u", "v"][random.int(0...2)]
            let time = [
                #""at": "nextBar""#, #""at": 0.07"#, #""beat": \#(random.int(1...16))"#,
                #""frame": \#(stage.stage.left.count + random.int(-200...3_000))"#,
            ][random.int(0...3)]
            let isOn = random.int(0...1) == 0
            let words =
                switch random.int(0...10) {
                case 0: #"{"do": "mute", "track": "\#(track)", "on": \#(isOn), \#(time)}"#
                case 1: #"{"do": "gain", "track": "\#(track)", "db": \#(-random.int(0...20)), \#(time)}"#
                case 2: #"{"do": "pan", "track": "\#(track)", "value": -0.25, \#(time)}"#
                case 3: #"{"do": "solo", "track": "\#(track)", "on": \#(isOn), \#(time)}"#
                case 4: #"{"do": "tempo", "bpm": \#(random.int(90...170)), \#(time)}"#
                case 5: #"{"do": "metronome", "gain": \#(-random.int(0...12)), \#(time)}"#
                case 6: #"{"do": "editTrack", "track": "\#(track)", "set": {"pan": \#(isOn ? 0.5 : 0)}}"#
                case 7: #"{"do": "undo"}"#
                case 8: #"{"do": "redo"}"#
                case 9: #"{"do": "playlist", "action": "gain", "db": \#(-random.int(0...12)), \#(time)}"#
                default: #"{"do": "launch", "clip": "\#(["a", "b", "c", "d", "e"][random.int(0...4)])"}"#
                }
            // There may be nothing to take back.
            do { try await stage.act(words) } catch { #expect("\(error)".contains("nothing to"), "\(words): \(error)") }
        }
        stage.play(20_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("A tap in the block in which a tempo is set is what is played, kept and rendered")
    func tappedAfterTempo() async throws {
        let stage = try await TakeStage()
        try await stage.expectSame {
            try await stage.act(#"{"do": "launch", "clip": "a"}"#)
            stage.play(5_000)
            try await stage.act(#"{"do": "tap"}"#)
            stage.play(28_672)
            try await stage.act(#"{"do": "tempo", "bpm": 112}"#)
            try await stage.act(#"{"do": "tap"}"#)
            stage.play(4_096)
            expectTempo(48_000 * 60 / 28_672, stage)
            try await stage.act(#"{"do": "addScene", "name": "More"}"#)
            stage.play(40_000)
        }
    }

    @Test("A tempo for a beat that has passed is played, kept and rendered, also where an edit comes in its block")
    func lateTempo() async throws {
        let stage = try await TakeStage()
        try await stage.expectSame {
            try await stage.act(#"{"do": "launch", "clip": "a"}"#)
            stage.play(60_000)
            try await stage.act(#"{"do": "tempo", "bpm": 151, "beat": 1}"#)
            try await stage.act(#"{"do": "editClip", "clip": "b", "set": {"gain": -2}}"#)
            stage.play(40_000)
            expectTempo(151, stage)
            try await stage.act(#"{"do": "editClip", "clip": "b", "set": {"gain": -3}}"#)
            stage.play(40_000)
        }
    }

    @Test(
        "What is for a bar that has passed, and what is at once behind it, are done in their order",
        arguments: [
            [#"{"do": "stop", "track": "t", "bar": 1}"#, #"{"do": "launch", "clip": "b"}"#],
            [#"{"do": "gain", "track": "t", "db": -30, "bar": 1}"#, #"{"do": "gain", "track": "t", "db": -2}"#],
            [#"{"do": "tempo", "bpm": 90, "bar": 1}"#, #"{"do": "tempo", "bpm": 151}"#],
            [#"{"do": "launch", "clip": "b", "beat": 0}"#, #"{"do": "stopNow", "track": "t"}"#],
        ])
    func passed(actions: [String]) async throws {
        let stage = try await TakeStage()
        try await stage.expectSame {
            try await stage.act(#"{"do": "launch", "clip": "a"}"#)
            try await stage.act(#"{"do": "launch", "clip": "e"}"#)
            stage.play(60_000)
            for action in actions { try await stage.act(action) }
            stage.play(80_000)
        }
    }

    /// Expects that a tempo is what plays, and what the session has.
    private func expectTempo(_ bpm: Double, _ stage: TakeStage) {
        #expect(stage.session.player.engine.transport.tempo.beatsPerMinute == bpm)
        #expect(stage.session.player.document.tempo == bpm)
    }

    @Test(
        "What waits for a bar while the transport stands comes behind what has it begin, in the script as in the take",
        arguments: [#"{"do": "launch", "clip": "c"}"#, #"{"do": "transport", "action": "play"}"#])
    func beginning(start: String) async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "quantization", "value": "1 bar"}"#)
        try await stage.act(#"{"do": "launch", "clip": "b", "at": "nextBar"}"#)
        stage.play(10_000)
        try await stage.act(start)
        stage.play(100_000)
        let journal = try await journal(of: stage, lines: 3)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let files = stage.session.recordings.map(\.path)
        let (script, sound) = (try PerformanceScript(path: files[0]), try WaveContents(path: files[1]))
        #expect(try await stage.render(script).channels == sound.channels)
        #expect(journal.entries.map(\.action) == script.entries.map(\.action))
    }

    /// The journal of what is recorded when it has so many lines, which are written beside the performance.
    private func journal(of stage: TakeStage, lines: Int) async throws -> PerformanceScript {
        let folder = stage.session.library.recordings
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(TakeJournal.suffix) })
        var journal = PerformanceScript()
        for _ in 0..<3_000 where journal.entries.count < lines {
            try await Task.sleep(for: .milliseconds(10))
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            journal = try PerformanceScript(journal: text, path: name)
        }
        return journal
    }

    @Test("What took effect just before an edit is not taken back by it, though nothing has told of it by then")
    func untold() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "addEffect", "track": "t", "type": "filter", "set": {"cutoff": 60}}"#)
        try await stage.act(#"{"do": "launch", "clip": "b"}"#)
        try await stage.expectSame {
            stage.play(20_000)
            try await stage.act(
                #"{"do": "effect", "track": "t", "effect": "filter", "parameter": "cutoff", "value": 4000, "ramp": 4, "at": 0.1}"#
            )
            let take = stage.stage.takeEvents
            stage.stage.takeEvents = { [] }
            stage.play(6_000)
            try await stage.act(#"{"do": "editMetronome", "set": {"beatFrequency": 700}}"#)
            stage.stage.takeEvents = take
            stage.play(60_000)
        }
        let effect = stage.session.player.document.tracks[0].effects[0]
        #expect(try #require(effect.parameters["cutoff"]) == 4_000)
    }
}
