import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Stems whose tempo is known, rendered with the metronome beside them.
@Suite("Stems on the grid", .fewAtATime)
struct StemGridTests {
    /// A file with an impulse on every beat, the first one at `first`. What is on the file's own first frame comes in
    /// over half a millisecond: there is none.
    private func beats(_ bpm: Double, first: Int = 0, seconds: Double = 16) -> (bytes: [UInt8], frames: [Int]) {
        let count = Int(seconds * 48_000)
        let frames = (0...1_000).map { first + Int((Double($0) * 60 / bpm * 48_000).rounded()) }.filter { $0 < count }
        var samples = [Double](repeating: 0, count: count)
        for frame in frames where frame > 0 { samples[frame] = 0.5 }
        return (WaveFile(samples, sampleRate: 48_000).bytes, frames.filter { $0 > 0 })
    }

    private func folder(_ bpm: Double, first: Int = 0) throws -> (SessionFolder, [Int]) {
        let folder = try SessionFolder()
        let song = beats(bpm, first: first)
        try folder.folder.write("song.wav", song.bytes)
        try folder.folder.write("loop.wav", Sound.tone(96_000, cycles: 300))
        return (folder, song.frames)
    }

    private func session(_ keys: String, metronome: String = #"{"enabled": true}"#) -> String {
        """
        {"barline": 1, "tempo": 120, "metronome": \(metronome),
         "stems": [{"id": "song", "file": "song.wav"}],
         "tracks": [{"id": "t", "clips": [{"id": "loop", "file": "loop.wav", "beats": 4}]}],
         "markers": [{"name": "chorus", "position": 5.25}]\(keys.isEmpty ? "" : ", ")\(keys)}
        """
    }

    private struct Happenings {
        let events: [[String: Any]]
        /// The frames of a stem's impulses.
        let impulses: [Int]
        let mix: WaveContents

        func frames(_ kind: String) -> [Int] { of(kind).compactMap { $0.integer("frame") } }

        func of(_ kind: String) -> [[String: Any]] { events.filter { $0["event"] as? String == kind } }

        /// The frames of bar lines.
        var lines: [Int] { of("beat").filter { $0.integer("beat") == 1 }.compactMap { $0.integer("frame") } }
    }

    private func render(
        _ folder: SessionFolder, _ session: String, _ script: String, frames: Int, blockFrames: Int = 1_024
    ) async throws -> Happenings {
        let mix = try await folder.render(
            session, script: script, frames: frames, blockFrames: blockFrames, events: "events.jsonl", stems: "apart")
        let stem = try WaveContents(path: folder.folder.path("apart/stem-song.wav")).channels[0]
        return Happenings(
            events: try JSONLines.objects(try folder.folder.text("events.jsonl")),
            impulses: stem.indices.filter { stem[$0] > 0.4 }, mix: mix)
    }

    @Test("A bar is counted in, then the click is on the beats of the stems", arguments: [120, 97, 133.7])
    func countIn(bpm: Double) async throws {
        let (folder, beats) = try folder(bpm)
        let session = session(#""stemSet": {"bpm": \#(bpm)}"#, metronome: #"{"enabled": true, "countIn": 1}"#)
        let what = try await render(
            folder, session, #"{"frame": 5000, "do": "stems", "action": "play"}"#, frames: 700_000)
        let start = 5_000 + Int((4 * 60 / bpm * 48_000).rounded())
        #expect(what.frames("transportStarted") == [5_000])
        #expect(what.frames("stemsStarted") == [start])
        let tempos: [Double] = bpm == 120 ? [] : [bpm]
        #expect(what.of("tempoChanged").compactMap { $0.number("bpm") } == tempos)
        // Beat k of the click by the closed form, from the count-in on.
        let clicks = (0...100).map { beat -> Int in
            let frames: Double = Double(beat) * 60 / bpm * 48_000
            return 5_000 + Int(frames.rounded())
        }
        let played = what.frames("beat")
        #expect(played == Array(clicks.prefix(played.count)))
        #expect(what.of("beat").prefix(6).map { $0.integer("bar") } == [0, 0, 0, 0, 1, 1])
        #expect(what.impulses == beats.map { $0 + start }.filter { $0 < 700_000 })
        for (impulse, click) in zip(what.impulses, played.dropFirst(5)) { #expect(abs(impulse - click) <= 1) }
        let click = try WaveContents(path: folder.folder.path("apart/metronome.wav")).channels[0]
        for (index, frame) in played.enumerated() where frame + 400 < 700_000 {
            let (level, frequency) = index % 4 == 0 ? (0.9, 1_200.0) : (0.6, 800.0)
            for offset in 1..<400 {
                let time = Double(offset) / 48_000
                let expected = level * sin(2 * .pi * frequency * time) * exp(-30 * time)
                #expect(abs(Double(click[frame + offset]) - expected) < 1e-4, "click \(index), \(offset)")
                if abs(Double(click[frame + offset]) - expected) >= 1e-4 { return }
            }
        }
    }

    @Test("Without a tempo stems have seconds only")
    func noTempo() async throws {
        let (folder, _) = try folder(120)
        let what = try await render(
            folder, session(""), #"{"frame": 777, "do": "stems", "action": "play"}"#, frames: 48_000)
        #expect(what.frames("stemsStarted") == [777])
        #expect(what.frames("transportStarted").isEmpty)
        #expect(what.frames("beat").isEmpty)
    }

    @Test("A stem's own tempo is known too, and stems that follow the tempo lie on the grid at any")
    func ownTempo() async throws {
        let (folder, beats) = try folder(100)
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 96000, "do": "tempo", "bpm": 60}
            """
        let stem = #""stems": [{"id": "song", "file": "song.wav", "bpm": 100, "playback": "repitch"}]"#
        let session = #"{"barline": 1, "tempo": 150, "metronome": {"enabled": true}, \#(stem)}"#
        let what = try await render(folder, session, script, frames: 480_000)
        #expect(what.frames("stemsStarted") == [0])
        // 5 beats at 150 BPM are 96000 frames, then a beat a second.
        let fast = (0...5).map { 19_200 * $0 }
        let expected = fast + (1...7).map { 96_000 + 48_000 * $0 }
        #expect(what.frames("beat") == expected.filter { $0 < 480_000 })
        let stems = try WaveContents(path: folder.folder.path("apart/stem-song.wav")).channels[0]
        for frame in expected.dropFirst().dropLast() where frame != 96_000 {
            let peak = (frame - 40...frame + 40).max { abs(stems[$0]) < abs(stems[$1]) } ?? 0
            #expect(abs(peak - frame) <= 1)
        }
        #expect(beats.count > 20)
    }

    @Test("With the transport rolling stems start on the next bar line; just past one at once, in phase")
    func rolling() async throws {
        let (folder, beats) = try folder(120)
        for (frame, start) in [(158_400, 192_000), (192_000, 192_000), (193_000, 192_000), (194_000, 288_000)] {
            let script = """
                {"frame": 0, "do": "transport", "action": "play"}
                {"frame": \(frame), "do": "stems", "action": "play"}
                """
            let what = try await render(folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 500_000)
            let entry = max(frame, start)
            #expect(what.frames("stemsStarted") == [entry])
            #expect(what.of("stemsStarted").compactMap { $0.number("position") } == [Double(entry - start) / 48_000])
            let heard = beats.map { $0 + start }.filter { $0 < 500_000 && ($0 == frame || $0 >= frame + 240) }
            #expect(what.impulses == heard)
        }
    }

    @Test("A song that begins before its first bar line comes in where it belongs")
    func pickup() async throws {
        // The first bar line is a beat and a half after the file's first frame.
        let (folder, beats) = try folder(120, first: 36_000)
        let script = #"{"frame": 1000, "do": "stems", "action": "play"}"#
        let keys = #""stemSet": {"bpm": 120, "firstBeat": 36000}"#
        let bare = try await render(folder, session(keys), script, frames: 300_000)
        #expect(bare.frames("stemsStarted") == [1_000])
        #expect(bare.impulses == beats.map { $0 + 1_000 }.filter { $0 < 300_000 })
        #expect(bare.lines == [37_000, 133_000, 229_000])
        let counted = try await render(
            folder, session(keys, metronome: #"{"countIn": 1}"#), script, frames: 300_000)
        // A bar, and the two and a half beats until it comes in, are counted.
        #expect(counted.frames("stemsStarted") == [157_000])
        #expect(counted.lines == [1_000, 97_000, 193_000, 289_000])
        let click = try WaveContents(path: folder.folder.path("apart/metronome.wav")).channels[0]
        let heard = counted.frames("beat").filter { $0 + 20 < 300_000 && abs(click[$0 + 10]) > 0.01 }
        #expect(heard == (0..<7).map { 1_000 + 24_000 * $0 })
    }

    @Test("A pause ends the transport that the stems have rolled; they go on with their next frame, in their place")
    func pause() async throws {
        let (folder, beats) = try folder(120)
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 60000, "do": "stems", "action": "pause"}
            {"frame": 100000, "do": "stems", "action": "play"}
            {"frame": 200000, "do": "transport", "action": "stop"}
            """
        let what = try await render(folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 300_000)
        #expect(what.frames("transportStopped") == [60_000, 200_000])
        #expect(what.frames("stemsPaused") == [60_000, 200_000])
        #expect(what.frames("stemsStarted") == [0, 100_000])
        #expect(what.of("stemsStarted").last?.number("position") == 1.25)
        let resumed = beats.map { $0 + 40_000 }.filter { $0 > 100_000 && $0 < 200_000 }
        #expect(what.impulses.filter { $0 > 100_000 } == resumed)
        #expect(what.frames("beat").filter { $0 > 100_000 } == [112_000, 136_000, 160_000, 184_000])
        #expect(what.lines == [0, 136_000])
    }

    @Test("The transport goes on under clips, and the stems wait for their place beside them")
    func clips() async throws {
        let (folder, _) = try folder(120)
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 1000, "do": "launch", "clip": "loop"}
            {"frame": 100000, "do": "stems", "action": "seek", "position": 8.5}
            {"frame": 260000, "do": "stems", "action": "pause"}
            {"frame": 290000, "do": "stems", "action": "play"}
            """
        let what = try await render(folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 400_000)
        #expect(what.frames("clipStarted").first == 1_000)
        // 8.5 s are one beat into a bar: at 120000 the transport is there.
        #expect(what.frames("stemsSeeked") == [120_000])
        #expect(what.frames("transportStopped").isEmpty)
        // Paused 68000 frames into a bar: that place was passed at 260000, and comes again.
        #expect(what.frames("stemsStarted") == [0, 356_000])
    }

    @Test("A seek just past its place in the bar is done at once, and says where they are then")
    func seekJustPast() async throws {
        let (folder, beats) = try folder(120)
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 1000, "do": "launch", "clip": "loop"}
            {"frame": 121200, "do": "stems", "action": "seek", "position": 8.5}
            """
        let what = try await render(folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 300_000)
        #expect(what.frames("stemsSeeked") == [121_200])
        #expect(what.of("stemsSeeked").compactMap { $0.number("position") } == [8.525])
        let moved = beats.map { $0 - 408_000 + 120_000 }.filter { $0 > 121_440 && $0 < 300_000 }
        #expect(what.impulses.filter { $0 > 121_440 } == moved)
    }

    @Test("Alone, they seek at once, and bars and beats go with them")
    func seekAlone() async throws {
        let (folder, beats) = try folder(120)
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 50000, "do": "stems", "action": "seek", "position": 7.25}
            """
        let what = try await render(folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 200_000)
        #expect(what.frames("stemsSeeked") == [50_000])
        let moved = beats.map { $0 - 348_000 + 50_000 }.filter { $0 > 50_240 && $0 < 200_000 }
        #expect(what.impulses.filter { $0 > 50_240 } == moved)
        #expect(what.frames("beat").filter { $0 > 50_000 } == moved)
        // 7.25 s are 2.5 beats into the fourth bar.
        #expect(what.lines.filter { $0 > 50_000 } == [86_000, 182_000])
    }

    @Test("A seek that snaps goes to a bar line on one, and a loop that snaps is whole bars")
    func snap() async throws {
        let (folder, _) = try folder(120)
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 50000, "do": "stems", "action": "seek", "position": 7.25, "snap": true}
            {"frame": 100000, "do": "stems", "action": "loop", "start": 8.9, "end": 10.8, "snap": true}
            {"frame": 400000, "do": "stems", "action": "loop", "on": false}
            {"frame": 410000, "do": "stems", "action": "seek", "marker": "chorus", "snap": true}
            """
        let what = try await render(folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 600_000)
        #expect(what.frames("stemsSeeked") == [96_000, 480_000])
        #expect(what.of("stemsSeeked").compactMap { $0.number("position") } == [8, 6])
        // From 8 s at 96000 on; the loop is 8 s to 10 s, so it comes round with the bars.
        #expect(what.frames("stemsLooped") == [192_000, 288_000, 384_000])
        #expect(what.frames("transportStarted") == [0])
        #expect(what.lines == (0...6).map { 96_000 * $0 })
    }

    @Test(
        "A loop goes on where the tempo or the metre changes on the very frame of its turn",
        arguments: [
            (#""do": "timeSignature", "value": "3/4""#, 96_000), (#""do": "tempo", "bpm": 60"#, 192_000),
            (#""do": "tempo", "bpm": 60, "ramp": 4"#, 0),
        ])
    func loopWithChange(change: String, length: Int) async throws {
        let (folder, _) = try folder(120)
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 1000, "do": "stems", "action": "loop", "start": 2, "end": 4}
            {"frame": 192000, \(change)}
            """
        let stem = #""stems": [{"id": "song", "file": "song.wav", "bpm": 120, "playback": "repitch"}]"#
        let what = try await render(
            folder, #"{"barline": 1, "tempo": 120, \#(stem)}"#, script, frames: 600_000)
        let turns = what.frames("stemsLooped")
        #expect(turns.first == 192_000)
        if length > 0 { #expect(turns == (0...4).map { 192_000 + length * $0 }.filter { $0 < 600_000 }) }
        #expect(turns.count > 2)
        #expect(what.frames("stemsEnded").isEmpty)
    }

    @Test("The marker they start from is on a bar line, unless it is known where the bars are")
    func markers() async throws {
        let (folder, _) = try folder(120)
        let script = """
            {"frame": 0, "do": "transport", "action": "play"}
            {"frame": 10000, "do": "stems", "action": "seek", "marker": "chorus"}
            {"frame": 20000, "do": "stems", "action": "play"}
            """
        let free = try await render(folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 200_000)
        #expect(free.frames("stemsStarted") == [96_000])
        let known = session(#""stemSet": {"bpm": 120, "firstBeat": 0}"#)
        // 5.25 s are 2.5 beats into the third bar.
        #expect(try await render(folder, known, script, frames: 200_000).frames("stemsStarted") == [60_000])
    }

    @Test("The samples don't depend on the block size", arguments: [1, 333, 4_096])
    func blockSizes(frames: Int) async throws {
        let (folder, _) = try folder(97)
        let script = """
            {"frame": 700, "do": "stems", "action": "play"}
            {"at": 0.02, "do": "launch", "clip": "loop"}
            {"at": 1.1, "do": "stems", "action": "seek", "position": 2.2}
            {"at": 1.9, "do": "stopNow", "track": "t"}
            {"at": 2, "do": "stems", "action": "seek", "position": 9.1}
            {"at": 2.01, "do": "stems", "action": "loop", "start": 9.15, "end": 9.3}
            {"at": 2.4, "do": "stems", "action": "seek", "marker": "chorus", "snap": true}
            {"at": 2.5, "do": "timeSignature", "value": "3/4"}
            {"at": 2.6, "do": "stems", "action": "loop", "on": false}
            {"at": 3.95, "do": "stems", "action": "pause"}
            {"at": 4, "do": "stems", "action": "play"}
            """
        let session = session(#""stemSet": {"bpm": 97}"#, metronome: #"{"enabled": true, "subdivision": 3}"#)
        let reference = try await render(folder, session, script, frames: 200_000)
        let other = try await render(folder, session, script, frames: 200_000, blockFrames: frames)
        #expect(reference.mix.channels == other.mix.channels)
        #expect(reference.frames("beat") == other.frames("beat"))
        #expect(reference.frames("stemsSeeked").count >= 2)
    }

    @Test("What is played live on the grid is rendered again from its script")
    func recorded() async throws {
        let (folder, _) = try folder(97)
        let session = session(#""stemSet": {"bpm": 97}"#)
        let player = try await folder.player(session)
        player.startRecording()
        let stage = Stage(player)
        func play(_ blocks: Int) {
            for _ in 0..<blocks {
                player.multitrack?.feed()
                stage.play(512)
            }
        }
        try player.perform(.stems(.seekMarker("chorus")))
        play(3)
        try player.perform(.stems(.play))
        play(60)
        try player.perform(.stems(.seek(7.9, snap: true)))
        play(260)
        try player.perform(.stems(.pause))
        play(20)
        let lines = player.recordedScript.entries.map { entry in
            PerformanceScript.line(entry.action, at: entry.time.frame(at: .standard) ?? .zero)
        }
        let again = try await folder.render(session, script: lines.joined(separator: "\n"), frames: stage.left.count)
        #expect(again.channels[0] == stage.left)
        #expect(stage.left.contains { $0 != 0 })
    }

    @Test("A seek that waits for a bar behind the stems' end is done there")
    func seekBehindTheEnd() async throws {
        let folder = try SessionFolder()
        // Two bars and a half at 120 BPM.
        try folder.folder.write("song.wav", beats(120, seconds: 5).bytes)
        try folder.folder.write("loop.wav", Sound.tone(96_000, cycles: 300))
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 220000, "do": "stems", "action": "seek", "position": 2, "snap": true}
            """
        let happened = try await render(
            folder, session(#""stemSet": {"bpm": 120}"#), script, frames: 480_000)
        #expect(happened.frames("stemsSeeked") == [288_000])
        // Position 2 is two seconds from the end at 5: it sounds on, and ends three seconds later.
        #expect(happened.frames("stemsEnded") == [432_000])
        #expect(
            happened.impulses.filter { $0 > 240_000 } == (0..<6).map { 288_000 + 24_000 * $0 }.dropFirst().map { $0 })
    }
}
