import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// A session that is played while it is recorded into.
struct LoopedSession {
    /// Frames of a bar at 240 BPM and 48 kHz.
    static let bar = 48_000

    let folder: SessionFolder
    let session: LiveSession
    let stage: Stage

    init(bars: Int = 10, _ text: String = RecordRenderTests.document) async throws {
        folder = try LoopedSession.folder(bars: bars)
        try folder.folder.write("loop.wav", Sound.noise(Self.bar, seed: 4, level: 0.3))
        let document = try folder.document(text)
        let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
        player.hasInputs.store(true, ordering: .relaxed)
        stage = Stage(player)
        stage.inputs = try WaveContents(path: folder.folder.path("mic.wav")).channels
        session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
    }

    /// One that plays a document in a folder that another one has played in.
    init(_ document: SessionDocument, in folder: SessionFolder) async throws {
        self.folder = folder
        let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
        stage = Stage(player)
        session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
    }

    /// A folder with what the input gives: bars of noise.
    static func folder(bars: Int = 10) throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("mic.wav", Sound.noise(bars * bar, seed: 3, level: 0.2))
        return folder
    }

    @discardableResult
    func act(_ json: String) async throws -> LiveSession.Outcome {
        let value = try JSONValue(parsing: Data(json.utf8))
        return try await session.perform(try ControlAction(value, source: "test"))
    }

    func play(to frame: Int) {
        while stage.left.count < frame { stage.play(min(512, frame - stage.left.count)) }
    }

    var clip: ClipDocument? { session.player.document.tracks[0].clips.first }
    var hears: [Float] { stage.left }

    /// Has a loop that was recorded in bar 1 and recorded over in bar 3, and plays in bar 5.
    func record() async throws {
        try await act(#"{"do": "transport", "action": "play"}"#)
        play(to: Self.bar - 5_000)
        try await act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        play(to: 3 * Self.bar - 5_000)
        try await act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        #expect(session.player.overdubs == ["new": OverdubStatus(input: "mic")])
        play(to: 3 * Self.bar + 5_000)
        #expect(session.player.overdubs["new"]?.since == FrameTime(Int64(3 * Self.bar)))
        play(to: 6 * Self.bar)
        #expect(session.player.overdubs.isEmpty)
    }
}
