import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Performances of which every track, stem, output and input is recorded to a file of its own.
@Suite("Recordings of every track", .fewAtATime)
struct StripTakeTests {
    private static let outputs = [
        "main": ["track-t", "track-u", "track-v", "stem-s", "metronome"], "phones": ["track-w"],
    ]

    @Test("There is a file of each, as long as the main one, whose tracks add up to their output")
    func sums() async throws {
        let played = try await StripTakeStage()
        let outcome = try await played.perform()
        let names = played.session.recordings.map(\.name)
        let take = try #require(names.first { $0.hasSuffix(".wav") }).dropLast(4)
        let strips = [
            "bus-main", "bus-phones", "input-mic", "metronome", "stem-s", "track-t", "track-u", "track-v", "track-w",
        ]
        #expect(Set(names) == Set(["\(take).jsonl", "\(take).wav"] + strips.map { "\(take)/\($0).wav" }))
        #expect(outcome.result["recordings"] == .array(names.map { .string($0) }))
        #expect(outcome.result["folder"] == .string(played.session.library.recordings.path))
        let main = try played.file("\(take).wav")
        #expect(main.frameCount >= 100_000)
        #expect(main.channels[0] == Array(played.stage.left[20_000..<20_000 + main.frameCount]))
        #expect(try played.file("bus-main.wav").channels == main.channels)
        for (output, tracks) in Self.outputs {
            let bus = try played.file("bus-\(output).wav")
            let files = try tracks.map { try played.file("/\($0).wav") }
            for file in files {
                #expect(file.frameCount == main.frameCount)
                #expect(file.channels[0].contains { abs($0) > 0.01 })
            }
            for channel in 0..<2 {
                let fault = (0..<main.frameCount).first { frame in
                    let sum = files.reduce(0) { $0 + $1.channels[channel][frame] }
                    return abs(sum - bus.channels[channel][frame]) > 1e-6
                }
                #expect(fault == nil, "\(output)")
            }
        }
    }

    @Test("What an input gives is where it was played: so much earlier than it was captured, up to the last frame")
    func inputs() async throws {
        let played = try await StripTakeStage()
        _ = try await played.perform()
        let input = try played.file("input-mic.wav")
        let first = 20_000 + 700
        #expect(input.frameCount == (try played.file("bus-main.wav").frameCount))
        #expect(input.channels[0] == Array(played.stage.inputs[0][first..<first + input.frameCount]))
        #expect(input.channels[1] == Array(played.stage.inputs[1][first..<first + input.frameCount]))
    }

    @Test("Tracks that came, or went and came back, before it began are rendered as they were recorded")
    func editedBefore() async throws {
        let played = try await StripTakeStage(block: 333)
        try await played.act(#"{"do": "launch", "clip": "a"}"#)
        played.play(20_000)
        guard case .string(let track)? = try await played.act(#"{"do": "addTrack", "name": "New"}"#).result["track"]
        else { throw CancellationError() }
        let clip = #"{"do": "addClip", "track": "\#(track)", "file": "b.wav", "set": {"beats": 4}}"#
        guard case .string(let added)? = try await played.act(clip).result["clip"] else { throw CancellationError() }
        try await played.act(#"{"do": "removeTrack", "track": "u"}"#)
        played.play(5_000)
        try await played.act(#"{"do": "undo"}"#)
        played.play(5_000)
        try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
        for clip in ["b", added] { try await played.act(#"{"do": "launch", "clip": "\#(clip)"}"#) }
        played.play(70_000)
        _ = try await played.stop()
        let given = Array(played.stage.inputs[0][30_000...])
        try played.folder.folder.write(
            "mic.wav", WaveFile(given.flatMap { [Double($0), Double($0 / 2)] }, channels: 2).bytes)
        let apart = try await played.render(mic: played.folder.folder.path("mic.wav"), blockFrames: 512).folder
        for name in ["track-t", "track-u", "track-new", "bus-main", "stem-s"] {
            let live = try played.file("/\(name).wav")
            #expect(live.channels[0].contains { abs($0) > 0.01 } || name == "stem-s", "\(name)")
            #expect(try (WaveContents(path: "\(apart)/\(name).wav").channels == live.channels) as Bool, "\(name)")
        }
    }

    @Test("A render of its script writes the same files, bit for bit", arguments: [64, 1_000])
    func rendered(blockFrames: Int) async throws {
        let played = try await StripTakeStage(block: 333)
        _ = try await played.perform()
        let given = Array(played.stage.inputs[0][20_000...])
        try played.folder.folder.write(
            "mic.wav", WaveFile(given.flatMap { [Double($0), Double($0 / 2)] }, channels: 2).bytes)
        let apart = try await played.render(
            mic: played.folder.folder.path("mic.wav"), blockFrames: blockFrames
        ).folder
        let recorded = played.session.recordings.filter { $0.name.contains("/") }
        #expect(recorded.count == 9)
        for file in recorded {
            let name = try #require(file.name.split(separator: "/").last)
            let live = try WaveContents(path: file.path)
            let again = try WaveContents(path: "\(apart)/\(name)")
            #expect(again.channels == live.channels, "\(name)")
        }
    }

    @Test(
        "The recording of an input is given as late again as it came, and as loud: what was recorded and heard of it is the same",
        arguments: [(0, 700), (-6, 700), (-6, 0)])
    func renderedFromInput(gain: Double, latency: Int) async throws {
        let played = try await StripTakeStage(block: 333, gain: gain, latency: latency)
        try await played.act(#"{"do": "launch", "clip": "a"}"#)
        played.play(20_000)
        try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
        played.play(15_000)
        for _ in 0..<2 {
            try await played.act(#"{"do": "recordClip", "track": "v", "slot": 0}"#)
            played.play(45_000)
            if gain != 0 { try await played.act(#"{"do": "editInput", "input": "mic", "set": {"gain": 3}}"#) }
        }
        _ = try await played.stop()
        let input = try #require(played.session.recordings.first { $0.name.hasSuffix("input-mic.wav") }).path
        let (apart, report) = try await played.render(mic: input, blockFrames: 512)
        #expect(report.warnings.isEmpty)
        for name in ["track-v", "bus-main", "track-t"] {
            let live = try played.file("\(name).wav")
            let again = try WaveContents(path: "\(apart)/\(name).wav")
            // What was delivered before the first frame of the file is heard live only.
            let first = name == "track-t" ? 0 : latency
            for channel in 0..<2 {
                #expect(again.channels[channel][first...] == live.channels[channel][first...], "\(name)")
            }
        }
    }

    @Test("A take that had begun before the recording has no sound from there in a render, which says so")
    func begunBefore() async throws {
        let played = try await StripTakeStage(block: 333)
        try await played.act(#"{"do": "launch", "clip": "a"}"#)
        played.play(10_000)
        try await played.act(#"{"do": "recordClip", "track": "v", "slot": 0, "id": "early"}"#)
        played.play(30_000)
        try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
        played.play(15_000)
        try await played.act(#"{"do": "recordClip", "track": "v", "slot": 0}"#)
        played.play(45_000)
        _ = try await played.stop()
        let input = try #require(played.session.recordings.first { $0.name.hasSuffix("input-mic.wav") }).path
        let warnings = try await played.render(mic: input, blockFrames: 512).report.warnings
        // It began on the second eighth, of 10,827 frames, and was delivered 700 later; the recording is from 40,000 on.
        #expect(warnings.count == 1 && warnings[0].contains("\"early\": of its "), "\(warnings)")
        #expect(
            warnings.first?.contains("the first 0.61 s are silence: the input was not there yet") == true, "\(warnings)"
        )
    }

    @Test("Names that are too long for files are cut, and stay apart")
    func longNames() async throws {
        let long = String(repeating: "ä", count: 140)
        let folder = try SessionFolder()
        let player = try await folder.player(
            #"{"barline": 1, "tracks": [{"id": "\#(long)1"}, {"id": "\#(long)2"}, {"id": "short"}]}"#)
        let names = player.bound.withLock { $0.strips.map(\.name) }
        #expect(Set(names).count == names.count && names.contains("track-short"))
        #expect(names.allSatisfy { $0.utf8.count + ".wav".utf8.count < 255 })
    }

    @Test("What nobody took in time is silence of its length in each file, with a marker where it is")
    func gaps() async throws {
        let played = try await StripTakeStage()
        try await played.act(#"{"do": "launch", "clip": "a"}"#)
        try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
        played.play(9_000)
        // Nobody takes the sound for longer than it is kept.
        let from = played.stage.left.count
        for _ in 0..<1_000 { played.stage.play(200) }
        played.session.takeAudio(
            left: Array(played.stage.left[from...]), right: Array(played.stage.right[from...]),
            frame: FrameTime(Int64(from)))
        played.play(20_000)
        _ = try await played.stop()
        for name in ["track-t.wav", "bus-main.wav", "input-mic.wav"] {
            let file = try played.file(name)
            let marker = try #require(file.markers.first, "\(name)")
            #expect(file.markers.count == 1 && marker.label == "gap of \(marker.length) frames", "\(name)")
            #expect(marker.length > 50_000, "\(name)")
            let gap = marker.frame..<marker.frame + marker.length
            #expect(file.channels[0][gap].allSatisfy { $0 == 0 }, "\(name)")
        }
        let main = try played.file("bus-main.wav")
        let marker = try #require(main.markers.first)
        let after = marker.frame + marker.length
        #expect(main.channels[0][..<marker.frame].elementsEqual(played.stage.left[..<marker.frame]))
        #expect(main.channels[0][after...].elementsEqual(played.stage.left[after..<main.frameCount]))
    }

    @Test("A program that is killed leaves what every track had, and the next one offers it")
    func killed() async throws {
        let played = try await StripTakeStage()
        try await played.act(#"{"do": "launch", "clip": "a"}"#)
        try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
        played.play(150_000)
        let recordings = played.session.library.recordings
        let copy = played.folder.folder.path("crashed")
        #expect(
            try eventually {
                let folders = try FileManager.default.contentsOfDirectory(atPath: recordings.path)
                let folder = try #require(folders.first { !$0.contains(".wav") && !$0.hasSuffix(".unfinished") })
                let path = "\(recordings.path)/\(folder)/track-t.wav"
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                return (size ?? 0) >= 8 * 150_000
            })
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: recordings.path, toPath: copy + "/recordings")
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: copy, isDirectory: true), state: URL(fileURLWithPath: copy + "/state"))
        // Of some files more has come to the disk than of others.
        let cut = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: library.recordings.path).first {
                $0.hasSuffix("/bus-main.wav")
            })
        let bytes = try Data(contentsOf: library.recordings.appendingPathComponent(cut))
        try bytes.dropLast(8 * 3_001).write(to: library.recordings.appendingPathComponent(cut))
        let take = try #require(TakeRecovery.takes(in: library).first)
        let track = try #require(take.files.first { $0.name == "\(take.name)/track-t.wav" })
        let bus = try #require(take.files.first { $0.name == "\(take.name)/bus-main.wav" })
        #expect(try WaveContents(path: track.path).frameCount >= 150_000)
        let heard = try WaveContents(path: bus.path).channels[0]
        let written = (bytes.count - 94) / 8 - 3_001
        #expect(heard[..<written].elementsEqual(played.stage.left[..<written]))
        #expect(heard[written...].allSatisfy { $0 == 0 })
        let parts = take.files.filter { $0.name.hasSuffix(".wav") }
        let lengths = try parts.map { try WaveContents(path: $0.path).frameCount }
        #expect(lengths.count > 5 && Set(lengths).count == 1 && written < lengths[0])
        try take.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.recordings.path).isEmpty)
        _ = try await played.stop()
    }

    @Test("A recording that begins while audio is handed over has its tracks")
    func beginsWhileAudioIsTaken() async throws {
        let played = try await StripTakeStage()
        let session = played.session
        let isOver = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            while isOver.wait(timeout: .now()) == .timedOut {
                session.takeAudio(left: [], right: [], frame: session.player.engine.state.frame)
            }
        }
        for _ in 0..<10 {
            try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
            #expect(session.recording?.isOfTracks == true)
            #expect(session.state.withLock { $0.strips != nil })
            _ = try session.stopRecording("test")
        }
        isOver.signal()
        while group.wait(timeout: .now()) == .timedOut { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("A full disk ends it with what every file had, which is kept and reported", .enabled(if: SmallDisk.canBeMade))
    func fullDisk() async throws {
        let played = try await StripTakeStage(block: 1_024)
        let disk = try SmallDisk(at: played.folder.folder.folder("library"), bytes: 20 << 20)
        try await played.act(#"{"do": "launch", "clip": "a"}"#)
        try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
        #expect(
            eventually(within: 20) {
                played.play(4_800)
                return played.session.recording == nil
            })
        #expect(eventually { !played.session.recordings.isEmpty })
        let told = played.session.takeNotices().map(\.text)
        #expect(told.last?.contains("the recording has ended after") == true)
        let files = played.session.recordings.filter { $0.name.contains("/") }
        let strips = ["bus-main", "bus-phones", "input-mic", "stem-s", "track-t", "track-u", "track-v", "track-w"]
        #expect(files.compactMap { $0.name.split(separator: "/").last }.sorted() == strips.map { "\($0).wav" })
        let track = try played.file("track-t.wav")
        #expect(track.frameCount > 48_000)
        let heard = try played.file("bus-main.wav").channels[0]
        #expect(heard.elementsEqual(played.stage.left[..<heard.count]))
        withExtendedLifetime(disk) {}
    }

    @Test("Another rate of the output divides it, and the files of each part have the frames of theirs")
    func rate() async throws {
        let played = try await StripTakeStage()
        try await played.act(#"{"do": "launch", "clip": "a"}"#)
        try await played.act(#"{"do": "record", "on": true, "tracks": true}"#)
        played.play(30_000)
        let rate = try #require(SampleRate(44_100))
        played.session.player.engine.setSampleRate(rate)
        played.play(30_000)
        _ = try await played.stop()
        #expect(eventually { played.session.recordings.filter { $0.name.hasSuffix("track-t.wav") }.count == 2 })
        let files = try played.session.recordings.filter { $0.name.hasSuffix("bus-main.wav") }.map {
            try WaveContents(path: $0.path)
        }
        #expect(files.map(\.sampleRate) == [48_000, 44_100])
        let first = try #require(files.first).frameCount
        #expect(first == 30_000)
        #expect(files[1].channels[0].elementsEqual(played.stage.left[first..<first + files[1].frameCount]))
    }
}
