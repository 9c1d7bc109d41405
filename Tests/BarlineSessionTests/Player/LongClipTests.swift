import BarlineEngine
import BarlineFiles
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Clips that are too long to be in memory.
@Suite("Long clips of a session", .fewAtATime, .serialized)
struct LongClipTests {
    /// Frames of a bar at 240 BPM and 48 kHz.
    private static let bar = 48_000
    /// 45 s, which is more than what is in memory in any case.
    private static let bars = 45

    private static let document = """
        {"barline": 1, "tempo": 93,
         "tracks": [
          {"id": "t", "clips": [{"id": "long", "file": "long.wav", "bpm": 80, "slot": 0}]},
          {"id": "u", "clips": [
           {"id": "once", "file": "long.wav", "playback": "original", "loop": false, "slot": 0},
           {"id": "kept", "file": "long.wav", "bpm": 80, "playback": "stretch", "slot": 1}]}]}
        """
    private static let script = """
        {"do": "launch", "clip": "long", "frame": 0}
        {"do": "launch", "clip": "once", "frame": 100000}
        {"do": "tempo", "bpm": 200, "ramp": 16, "frame": 300000}
        {"do": "launch", "clip": "kept", "frame": 900000}
        {"do": "tempo", "bpm": 61, "frame": 1000001}
        """

    private func render(_ folder: SessionFolder, streamedOver seconds: Double, block: Int) async throws -> [UInt8] {
        let player = try await SessionPlayer(
            folder.document(LongClipTests.document), path: folder.path,
            loader: AudioClipLoader(streamedOver: seconds))
        #expect((player.clips["long"]?.audio?.samples.partial != nil) == (seconds < 40))
        // What keeps its pitch is in memory.
        #expect(player.clips["kept"]?.audio?.samples.partial == nil)
        let output = OfflineRender.Output(path: folder.folder.path("\(seconds).wav"))
        let render = try OfflineRender(
            player, script: try folder.script(LongClipTests.script), frames: 1_300_000, blockFrames: block,
            output: output)
        _ = try render.run()
        return try folder.folder.bytes("\(seconds).wav")
    }

    @Test("A render reads them from their files, and has the same bytes")
    func renders() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("long.wav", Sound.noise(2_200_000, seed: 4))
        let fromFiles = try await render(folder, streamedOver: 30, block: 4_096)
        #expect(try await render(folder, streamedOver: 300, block: 1_000) == fromFiles)
    }

    @Test("What can't be read of a file any more is silent, and said with the clip that it is missing from")
    func shortened() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("long.wav", Sound.noise(2_200_000, seed: 4))
        let player = try await SessionPlayer(
            folder.document(LongClipTests.document), path: folder.path, loader: AudioClipLoader(streamedOver: 30))
        #expect(player.clipProblems.isEmpty)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.folder.path("long.wav")))
        try file.truncate(atOffset: 2_000_000)
        try file.close()
        player.engine.launcher.waitsForClips = true
        let stage = Stage(player)
        let once = try #require(player.clips["once"]?.handle)
        try player.engine.launcher.launch(once, at: FrameTime.zero)
        while stage.left.count < 1_500_000 { stage.play(4_096) }
        #expect(stage.left[100_000..<200_000].contains { abs($0) > 0.1 })
        #expect(stage.left[1_400_000..<1_500_000].allSatisfy { $0 == 0 })
        // Two clips play from that file.
        #expect(player.clipProblems.count == 2)
        for (track, problem) in player.clipProblems.enumerated() {
            #expect(problem.hasPrefix("\(folder.path): tracks[\(track)].clips[0].file: "))
            #expect(problem.contains("long.wav: is truncated"))
        }
    }

    @Test("A long take plays from memory until its file is whole, then from there, as it did, and its memory is freed")
    func take() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("mic.wav", Sound.noise((Self.bars + 2) * Self.bar, seed: 3, level: 0.2))
        let player = try await SessionPlayer(
            folder.document(RecordRenderTests.document), path: folder.path,
            loader: AudioClipLoader(streamedOver: 30)
        ) { $0.reserveForEditing() }
        player.hasInputs.store(true, ordering: .relaxed)
        player.engine.launcher.waitsForClips = true
        let stage = Stage(player)
        stage.inputs = try WaveContents(path: folder.folder.path("mic.wav")).channels
        let session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
        func act(_ json: String) async throws {
            let value = try JSONValue(parsing: Data(json.utf8))
            _ = try await session.perform(try ControlAction(value, source: "test"))
        }
        func play(to frame: Int) {
            while stage.left.count < frame { stage.play(min(2_048, frame - stage.left.count)) }
        }
        try await act(#"{"do": "transport", "action": "play"}"#)
        try await act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": \#(Self.bars), "id": "new"}"#)
        play(to: (Self.bars + 2) * Self.bar)
        let clip = try #require(player.clips["new"]?.handle)
        // What is over is in its file soon.
        for _ in 0..<500 where !player.engine.launcher.isStreamed(clip) {
            player.takes.finish()
            stage.play(1_024)
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(player.engine.launcher.isStreamed(clip))
        #expect(player.engine.launcher.take(of: clip) == nil)
        #expect(player.clips["new"]?.audio?.samples.partial != nil)
        let pass = Self.bars * Self.bar
        #expect(stage.left.count < 2 * pass - Self.bar)
        play(to: 2 * pass + 10 * Self.bar)
        let input = stage.inputs[0]
        // It was recorded from frame 0, and plays on from the frame on which it has ended; its last 5 ms lead to its
        // first frame.
        let first = (1_000..<pass - 1_000).first { abs(stage.left[pass + $0] - input[$0]) > 1e-6 }
        #expect(first == nil)
        let second = (1_000..<10 * Self.bar - 1_000).first { stage.left[2 * pass + $0] != input[$0] }
        #expect(second == nil)
        await #expect(throws: SessionError.self) {
            try await act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}"#)
        }
        // What was recorded, moved and taken back is found again.
        try await act(#"{"do": "undo"}"#)
        #expect(player.clips["new"] == nil)
        try await act(#"{"do": "redo"}"#)
        #expect(player.clips["new"]?.handle.map(player.engine.launcher.isStreamed) == true)
    }
}
