import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Where what is recorded lies, by what is known of how late it comes.
@Suite("Alignment of takes", .fewAtATime)
struct AlignmentTests {
    private static let bar = 48_000

    private static func measured(_ correction: Int, rate: Double = 48_000, input: String = "card") -> MeasuredLatency {
        MeasuredLatency(
            output: "card", input: input, sampleRate: rate, blockFrames: 256, roundTrip: Double(600 + correction),
            declared: 600,
            date: "2026-01-01T00:00:00Z")
    }

    @Test("Measurements are kept for each pair of devices and rate, the latest one of each; what can't be read is none")
    func store() throws {
        let folder = try TemporaryFolder()
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: folder.path("data")), state: URL(fileURLWithPath: folder.path("state")))
        let store = LatencyStore(library)
        #expect(store.measured.isEmpty && store.modified == nil)
        try store.forget()
        #expect(store.modified == nil)
        let all = [Self.measured(5), Self.measured(6, rate: 96_000), Self.measured(7, input: "other")]
        for latency in all { try store.keep(latency) }
        #expect(store.measured == all)
        try store.keep(Self.measured(-9))
        #expect(store.measured == [all[1], all[2], Self.measured(-9)])
        #expect(Self.measured(48).isFarOff == false && Self.measured(49).isFarOff && Self.measured(-49).isFarOff)
        try folder.write("state/latency.json", #"{"barline": 1, "latencies": [{"output": "card"}, 3]}"#)
        #expect(store.measured.isEmpty)
        try folder.write("state/latency.json", "{")
        #expect(store.measured.isEmpty)
        try store.keep(all[0])
        #expect(store.measured == [all[0]])
        try store.forget()
        #expect(store.measured.isEmpty && store.modified != nil)
    }

    @Test("A clip says what was taken off it, and a later measurement moves it by the difference, once")
    func later() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("mic.wav", Sound.noise(10 * Self.bar, seed: 3, level: 0.2))
        let document = try folder.document(RecordRenderTests.document)
        let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
        player.hasInputs.store(true, ordering: .relaxed)
        let input = try WaveContents(path: folder.folder.path("mic.wav")).channels
        let stage = Stage(player)
        stage.inputs = input
        let library = EditStage.library(folder)
        let session = LiveSession(player, library: library)
        stage.takeEvents = session.takeEvents
        func act(_ json: String) async throws -> LiveSession.Outcome {
            try await session.perform(try ControlAction(try JSONValue(parsing: Data(json.utf8)), source: "test"))
        }
        let place = try #require(player.inputs["mic"])
        try player.engine.inputs.setLatency(612, of: place)
        let known = ClipLatency(frames: 612, correction: 12, output: "card", input: "card", sampleRate: 48_000)
        player.inputLatencies.withLock { $0 = [place: known] }
        _ = try await act(#"{"do": "transport", "action": "play"}"#)
        _ = try await act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        while stage.left.count < 4 * Self.bar { stage.play(512) }
        player.takes.finish()
        let recorded = try #require(player.document.tracks[0].clips.first)
        #expect(recorded.latency == known)
        let again = try SessionDocument(player.document.json, file: "again")
        #expect(again.tracks[0].clips.first == recorded, "a session keeps it")
        func sound() throws -> ArraySlice<Float> {
            let clip = try #require(player.document.tracks[0].clips.first)
            let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: folder.path)).path
            return try WaveContents(path: path).channels[0][clip.start..<(clip.end ?? 0)]
        }
        #expect(try sound().elementsEqual(input[0][612..<612 + Self.bar]))
        // Of other devices, and at another rate, nothing is known of it.
        try LatencyStore(library).keep(Self.measured(900, input: "other"))
        try LatencyStore(library).keep(Self.measured(800, rate: 96_000))
        #expect(try await act(#"{"do": "alignTakes"}"#).result["moved"] == 0)
        for correction in [250, -31, 12] {
            try LatencyStore(library).keep(Self.measured(correction))
            #expect(try await act(#"{"do": "alignTakes", "clip": "new"}"#).result["moved"] == 1)
            #expect(try await act(#"{"do": "alignTakes"}"#).result["moved"] == 0)
            #expect(try sound().elementsEqual(input[0][600 + correction..<600 + correction + Self.bar]))
            #expect(player.document.tracks[0].clips.first?.latency?.frames == 600 + correction)
        }
        #expect(player.document.tracks[0].clips.first == recorded)
        // Half a second more is in the file, and not a frame beyond.
        try LatencyStore(library).keep(Self.measured(12 + 24_001))
        await #expect(throws: SessionError.self) { try await act(#"{"do": "alignTakes"}"#) }
        try LatencyStore(library).keep(Self.measured(12 + 24_000))
        #expect(try await act(#"{"do": "alignTakes"}"#).result["moved"] == 1)
        _ = try await act(#"{"do": "undo"}"#)
        #expect(player.document.tracks[0].clips.first == recorded)
        await #expect(throws: SessionError.self) { try await act(#"{"do": "alignTakes", "clip": "none"}"#) }
    }

    @Test(
        "Heard past the program, through it or not at all, what is played to what is heard lies on its frame",
        arguments: MonitorMode.allCases)
    func monitoring(mode: MonitorMode) async throws {
        let take = try await take(#""monitor": "\#(mode.rawValue)""#, capture: 300, playback: 500)
        #expect(take.first == 800)
    }

    @Test(
        "What is in time with the program is moved by the way in alone, and what says its latency by that",
        arguments: [
            (#""alignment": "heard""#, 800), (#""alignment": "captured""#, 300), (#""latency": 0"#, 0),
            (#""latency": 1234, "alignment": "captured""#, 1_234), (#""latency": -77"#, -77),
        ])
    func alignment(keys: String, expected: Int) async throws {
        #expect(try await take(keys, capture: 300, playback: 500).first == expected)
    }

    /// Where in what an input gave the second bar of a render lies, from that bar's frame.
    private func take(_ keys: String, capture: Int, playback: Int) async throws -> (first: Int, player: SessionPlayer) {
        let folder = try SessionFolder()
        try folder.folder.write("mic.wav", Sound.noise(6 * Self.bar, seed: 5, level: 0.2))
        let player = try await folder.player(
            """
            {"barline": 1, "tempo": 240, "inputs": [{"name": "mic", \(keys)}], "tracks": [{"id": "t", "input": "mic"}]}
            """)
        let script = """
            {"do": "transport", "action": "play", "frame": 0}
            {"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new", "frame": 10000}
            """
        let output = OfflineRender.Output(
            path: folder.folder.path("mix.wav"), eventsPath: nil, takesFolder: folder.folder.path("takes"))
        var render = try OfflineRender(
            player, script: try folder.script(script), frames: Int64(4 * Self.bar), blockFrames: 1_024, output: output)
        try render.inputs.feed("mic", from: folder.folder.path("mic.wav"), sampleRate: .standard)
        render.inputs.latency = capture + playback
        render.inputs.playbackLatency = playback
        _ = try render.run()
        let take = try WaveContents(path: folder.folder.path("takes/new.wav")).channels[0]
        let input = try WaveContents(path: folder.folder.path("mic.wav")).channels[0]
        let first = try #require(
            (Self.bar - 2_000..<Self.bar + 2_000).first { input[$0..<$0 + Self.bar].elementsEqual(take) })
        return (first - Self.bar, player)
    }
}
