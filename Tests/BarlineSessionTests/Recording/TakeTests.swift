import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// A recording begins in the state in which it was begun: its script sounds like it.
@Suite("Recordings of what already plays", .fewAtATime)
struct TakeTests {
    @Test("Clips that play, a tempo ramp, the mixer and the metronome are in the take from its first frame")
    func clips() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "metronome", "on": true}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "launch", "clip": "c"}"#)
        try await stage.act(#"{"do": "gain", "track": "t", "db": -9}"#)
        try await stage.act(#"{"do": "gain", "clip": "a", "db": -2}"#)
        try await stage.act(#"{"do": "tempo", "bpm": 160, "ramp": 8}"#)
        try await stage.act(#"{"do": "timeSignature", "value": "7/8"}"#)
        stage.play(41_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(60_000)
        try await stage.act(#"{"do": "launch", "clip": "b"}"#)
        stage.play(48_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (heard, _, script) = try await stage.take()
        #expect(heard.channels[0].count == 108_000)
        #expect(heard.channels[0] == Array(stage.stage.left[71_000..<179_000]))
        #expect(script.beginning?.frame == FrameTime(-71_000) && script.beginning?.frames == 108_000)
        try await stage.expectSame()
    }

    @Test("What was played long before passes unheard, and leaves what it leaves")
    func longBefore() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "metronome", "on": true, "subdivision": 3}"#)
        try await stage.act(#"{"do": "launchScene", "scene": 0}"#)
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        stage.play(150_000, block: 1_024)
        try await stage.act(#"{"do": "tempo", "bpm": 90, "ramp": 4}"#)
        try await stage.act(#"{"do": "launch", "clip": "b"}"#)
        stage.play(190_000, block: 1_024)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(60_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("Where stems are paused nothing sounds: a take begins there, and plays them on from there")
    func pausedStems() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        stage.play(20_011)
        try await stage.act(#"{"do": "stems", "action": "pause"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(1_024)
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        stage.play(20_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
        let beginning = try #require(try await stage.take().script.beginning)
        #expect(beginning.frame > FrameTime(-10_000))
    }

    @Test("Of a fader that was moved thousands of times, the takes have what is heard")
    func manyMoves() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(10_000)
        for index in 0..<3_000 {
            let frame = FrameTime(Int64(stage.stage.left.count))
            _ = try stage.session.perform(.gain(.track("t"), db: -Double(index % 17)))
            _ = try stage.session.perform(.pan(.track("u"), Double(index % 5) / 5), at: .frame(frame))
            stage.play(8)
            if index == 1_000 { try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"pan": -0.5}}"#) }
        }
        stage.play(2_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (_, _, script) = try await stage.take()
        #expect(script.entries.count < 4_500)
        try await stage.expectSame()
    }

    @Test("Stems and a list that play are in the take where they were")
    func streams() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        stage.play(20_000)
        try await stage.act(#"{"do": "stems", "action": "seek", "position": 2.5}"#)
        try await stage.act(#"{"do": "playlist", "action": "play"}"#)
        try await stage.act(#"{"do": "stems", "action": "gain", "db": -4}"#)
        stage.play(40_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "playlist", "action": "next"}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("A start position that was undone is that of the clip that plays, in the take too")
    func startPosition() async throws {
        let stage = try await TakeStage()
        func position() throws -> StartPosition? {
            let handle = try #require(stage.session.player.clips["a"]?.handle)
            return stage.session.player.engine.launcher.settings(of: handle)?.startPosition
        }
        try await stage.act(#"{"do": "transport", "action": "play"}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "startPosition", "clip": "a", "value": "synced"}"#)
        for (word, expected) in [("undo", StartPosition.fromStart), ("redo", .synced), ("undo", .fromStart)] {
            stage.play(10_000)
            try await stage.act(#"{"do": "\#(word)"}"#)
            #expect(try position() == expected)
        }
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("An item that goes on in another version does so in the take on the very frame, as its undo does")
    func versions() async throws {
        let stage = try await TakeStage()
        let list = stage.session.player.playlist.player
        list.startFeeding(threads: 1)
        // Until all is written ahead, and what was asked for is on its way.
        func settle() async throws {
            while list.framesToEnd == nil || !list.isSettled { try await Task.sleep(for: .milliseconds(1)) }
        }
        try await stage.act(#"{"do": "playlist", "action": "play"}"#)
        try await settle()
        stage.play(1_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        let undo = #"{"do": "undo"}"#
        // An edit that comes before an item goes on does not bring that forward.
        let edit = #"{"do": "editTrack", "track": "v", "set": {"gain": -3}}"#
        for words in [
            [#"{"do": "playlist", "action": "transpose", "semitones": 3}"#, edit], [undo, undo],
            [#"{"do": "playlist", "action": "speed", "value": 0.8}"#], [undo],
        ] {
            stage.play(1_000)
            for word in words { try await stage.act(word) }
            try await settle()
            stage.play(12_000)
        }
        stage.play(3_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        #expect(stage.session.player.engine.playlist.state.underrunCount == 0)
        let (_, _, script) = try await stage.take()
        let words = script.entries.filter {
            if case .playlist(.change(_, .transpose)) = $0.action { true } else { false }
        }
        let frames = words.map { ($0.time.frame(at: .standard) ?? .zero).rawValue }
        #expect(frames == [13_000, 26_000])
        try await stage.expectSame()
    }

    @Test("A take that begins within a cycle of clips whose pitch is kept has what their cycles have come to")
    func stretched() async throws {
        let stage = try await TakeStage()
        for (clip, mode) in [("a", "complex"), ("c", "tonal")] {
            try await stage.act(
                #"{"do": "editClip", "clip": "\#(clip)", "set": {"playback": "stretch", "transpose": 3, "beats": 12, "stretchMode": "\#(mode)", "onsets": []}}"#
            )
            try await stage.act(#"{"do": "launch", "clip": "\#(clip)"}"#)
        }
        stage.play(450_000, block: 1_024)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(30_000, block: 1_024)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("What is edited before and while it is recorded is in the take", arguments: UInt64(1)...5)
    func edits(seed: UInt64) async throws {
        let stage = try await TakeStage()
        var random = TestRandom(seed: seed)
        var added = 0
        func step() async throws {
            let clip = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]
            switch Int.random(in: 0..<14, using: &random) {
            case 0...4: try await stage.act(#"{"do": "launch", "clip": "\#(clip)"}"#)
            case 5: try await stage.act(#"{"do": "launchScene", "scene": 1}"#)
            case 6:
                try await stage.act(
                    #"{"do": "editClip", "clip": "\#(clip)", "set": {"beats": \#(Int.random(in: 1...5, using: &random))}}"#
                )
            case 7:
                try await stage.act(
                    #"{"do": "editTrack", "track": "t", "set": {"gain": \#(-Int.random(in: 0...9, using: &random))}}"#)
            case 8:
                try await stage.act(#"{"do": "tempo", "bpm": \#(Int.random(in: 80...170, using: &random)), "ramp": 2}"#)
            case 9:
                added += 1
                try await stage.act(
                    #"{"do": "addClip", "track": "v", "slot": \#(added + 1), "file": "b.wav", "set": {"beats": 3}}"#)
            case 10: try await stage.act(#"{"do": "addTrack", "name": "More"}"#)
            case 11: _ = try? await stage.act(#"{"do": "undo"}"#)
            case 12: try await stage.act(#"{"do": "moveTrack", "track": "u", "index": 0}"#)
            default: try await stage.act(#"{"do": "pan", "track": "u", "value": -0.5}"#)
            }
        }
        try await stage.act(#"{"do": "launch", "clip": "c"}"#)
        for _ in 0..<20 {
            try await step()
            stage.play(Int.random(in: 500...6_000, using: &random))
        }
        try await stage.act(#"{"do": "record", "on": true}"#)
        for _ in 0..<15 {
            try await step()
            stage.play(Int.random(in: 500...6_000, using: &random))
        }
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame("seed \(seed)")
    }

    @Test("What came late from a controller is as late in the script")
    func late() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "c"}"#)
        stage.play(24_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(4_096, block: 1_024)
        for (behind, action) in [(700, ScriptAction.gain(.track("u"), db: -12)), (300, .launch(clip: "d"))] {
            let frame = FrameTime(Int64(stage.stage.left.count - behind))
            _ = try stage.session.perform(action, at: .frame(frame))
            stage.play(8_192, block: 1_024)
        }
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (_, _, script) = try await stage.take()
        #expect(script.entries.map(\.late).suffix(2) == [700, 300])
        try await stage.expectSame()
    }

    @Test("When everything was stopped nothing before that is played again")
    func rest() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launchScene", "scene": 1}"#)
        try await stage.act(#"{"do": "gain", "track": "u", "db": -8}"#)
        stage.play(60_000)
        try await stage.act(#"{"do": "stems", "action": "gain", "db": -5}"#)
        try await stage.act(#"{"do": "transport", "action": "stop"}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(1_000)
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(50_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (_, _, script) = try await stage.take()
        #expect(try #require(script.beginning).frame.rawValue > -30_000)
        #expect(!script.entries.contains { $0.action == .launchScene(1) })
        // The scene brought a tempo that the session does not have.
        #expect(script.entries.contains { $0.action == .tempo(bpm: 171, ramp: 0) })
        try await stage.expectSame()
    }

    @Test("A take is rendered from anywhere, as long as its files are where they were")
    func elsewhere() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(40_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(20_000)
        try await stage.act(#"{"do": "saveAs", "name": "Other"}"#)
        stage.play(20_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let path = try #require(stage.session.recordings.first?.path)
        let script = try PerformanceScript(path: path).located(beside: path)
        let clip = try #require(script.beginning?.session.tracks[0].clips[0])
        #expect(clip.file == stage.folder.folder.path("a.wav"))
        try await stage.expectSame()
    }

    @Test("At another rate, a take's frames are counted at that one")
    func otherRate() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "c"}"#)
        stage.play(48_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(12_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (_, _, script) = try await stage.take()
        let half = try #require(SampleRate(24_000))
        #expect(script.beginning?.leadFrames(at: half) == 24_000)
        #expect(script.schedule(at: half).first?.frame == FrameTime(-24_000))
    }

    @Test(
        "What is wrong with a beginning is told with its line and key",
        arguments: [
            (#"{"do": "begin", "folder": "/", "sampleRate": 48000}"#, "line 1.session"),
            (#"{"do": "begin", "session": {"barline": 1}, "sampleRate": 48000}"#, "line 1.folder"),
            (#"{"do": "begin", "session": {"barline": 1}, "folder": "/", "sampleRate": 1}"#, "line 1.sampleRate"),
            (
                #"{"do": "begin", "session": {"barline": 1}, "folder": "/", "sampleRate": 48000, "frame": 1}"#,
                "line 1.frame"
            ),
            ("{\"frame\": 0, \"do\": \"stopAll\"}\n{\"do\": \"begin\"}", "line 2.do"),
            (#"{"frame": -1, "do": "stopAll"}"#, "line 1.frame"),
            (#"{"frame": 0, "do": "session"}"#, "line 1.session"),
        ])
    func wrong(text: String, key: String) throws {
        let error = #expect(throws: SessionError.self) { _ = try PerformanceScript(text: text, path: "s") }
        #expect("\(try #require(error))".contains(key), "\(String(describing: error))")
    }

    @Test("Edits of a recording can't be performed, only rendered")
    func performed() async throws {
        let stage = try await TakeStage()
        #expect(throws: SessionError.self) { try stage.session.player.perform(.session(SessionDocument())) }
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "session", "session": {"barline": 1}}"#)
        }
    }

    @Test("Where the output changes its rate, one recording ends and another goes on, each with its script's frames")
    func rateChange() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(20_000)
        stage.session.player.engine.setSampleRate(try #require(SampleRate(44_100)))
        stage.play(30_000)
        #expect(stage.session.recording?.since == FrameTime(50_000))
        let result = try await stage.act(#"{"do": "record", "on": false}"#).result
        let files = stage.session.recordings.map(\.path)
        #expect(files.count == 4)
        // What is said to who ends it is the whole of it.
        #expect(result["recordings"] == .array(stage.session.recordings.map { .string($0.name) }))
        let seconds: Double = 20_000 / 48_000 + 30_000 / 44_100
        #expect(result["seconds"] == .number(seconds))
        let takes = try [0, 2].map { (try PerformanceScript(path: files[$0]), try WaveContents(path: files[$0 + 1])) }
        #expect(takes.map(\.1.sampleRate) == [48_000, 44_100])
        #expect(takes.map { $0.0.beginning?.sampleRate.hertz } == [48_000, 44_100])
        #expect(takes.map(\.1.frameCount) == [20_000, 30_000])
        #expect(takes.map { $0.0.beginning?.frames } == [20_000, 30_000])
        #expect(takes[0].1.channels[0] == Array(stage.stage.left[30_000..<50_000]))
        #expect(takes[1].1.channels[0] == Array(stage.stage.left[50_000...]))
        #expect(try await stage.render(takes[0].0).channels == takes[0].1.channels)
    }

    @Test("A tempo of which the first taps came before the recording is the same in its script")
    func tapsBefore() async throws {
        let stage = try await TakeStage()
        stage.play(48_000)
        try await stage.act(#"{"do": "tap"}"#)
        stage.play(20_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(1_000)
        try await stage.act(#"{"do": "tap"}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(90_000)
        let tempo = stage.session.player.engine.state.transport.tempo.beatsPerMinute
        #expect(tempo > 136 && tempo < 138, "60 s by 21,000 frames: \(tempo)")
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("Sound that nobody took in time is silence in the file, whose frames stay those of the script")
    func hole() async throws {
        let stage = try await TakeStage()
        stage.session.takeAudio(left: [1], right: [1], frame: .zero)
        try await stage.act(#"{"do": "record", "on": true}"#)
        let piece = [Float](repeating: 0.5, count: 100)
        stage.session.takeAudio(left: piece, right: piece, frame: FrameTime(1))
        stage.session.takeAudio(left: piece, right: piece, frame: FrameTime(10_101))
        try await stage.act(#"{"do": "record", "on": false}"#)
        let sound = try WaveContents(path: stage.session.recordings[1].path).channels[0]
        #expect(sound == piece + [Float](repeating: 0, count: 10_000) + piece)
        #expect(try PerformanceScript(path: stage.session.recordings[0].path).beginning?.frames == 10_200)
    }
}
