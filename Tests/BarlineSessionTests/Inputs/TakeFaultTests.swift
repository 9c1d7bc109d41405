import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Disks, inputs and devices that fail while a slot is recorded into: nothing that was recorded before is lost, and the
/// loop is in time.
@Suite("Faults while a slot is recorded into", .fewAtATime)
struct TakeFaultTests {
    private static let bar = 48_000

    /// A session whose slot is recorded into from the first frame on.
    private struct Recording {
        let folder: SessionFolder
        let session: LiveSession
        let stage: Stage
        let input: [[Float]]
        private(set) var events: [EngineEvent] = []

        init(_ folder: SessionFolder) async throws {
            self.folder = folder
            try folder.folder.write("mic.wav", Sound.noise(10 * bar, seed: 9, level: 0.2))
            input = try WaveContents(path: folder.folder.path("mic.wav")).channels
            let document = try folder.document(RecordRenderTests.document)
            let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
            player.hasInputs.store(true, ordering: .relaxed)
            stage = Stage(player)
            stage.inputs = input
            session = LiveSession(player, library: EditStage.library(folder))
            stage.takeEvents = session.takeEvents
            try await act(#"{"do": "transport", "action": "play"}"#)
            try await act(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "new"}"#)
        }

        func act(_ json: String) async throws {
            _ = try await session.perform(
                try ControlAction(try JSONValue(parsing: Data(json.utf8)), source: "test"))
        }

        mutating func play(to frame: Int) {
            while stage.left.count < frame {
                stage.play(min(512, frame - stage.left.count))
                events += stage.events
            }
        }

        /// Ends the take, plays it on to the fifth bar, and has what there is written.
        mutating func end() async throws {
            try await act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
            play(to: 5 * bar)
            session.player.takes.finish()
        }

        /// The frames of the take that was reported to have ended; `nil` while it goes on.
        var endedFrames: Int64? {
            for event in events { if case .launcher(.recordEnded(_, _, let frames)) = event.kind { return frames } }
            return nil
        }

        /// What the clip plays of its file.
        func sound() throws -> (samples: [Float], sampleRate: Int) {
            let clip = try #require(session.player.document.tracks[0].clips.first)
            let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: folder.path)).path
            let file = try WaveContents(path: path)
            return (Array(file.channels[0][clip.start..<(clip.end ?? 0)]), file.sampleRate)
        }
    }

    @Test(
        "On a full disk a take goes on in memory and loops in time; it is told, and with room again all of it is in the file",
        .enabled(if: SmallDisk.canBeMade))
    func fullDisk() async throws {
        let folder = try SessionFolder()
        let disk = try SmallDisk(at: folder.folder.folder("audio"), bytes: 4 << 20)
        var recording = try await Recording(folder)
        recording.play(to: Self.bar / 2)
        recording.session.player.takes.finish()
        try disk.fill()
        recording.play(to: Self.bar * 3 / 2)
        recording.session.player.takes.finish()
        try await recording.end()
        let told = recording.session.takeNotices().map(\.text)
        #expect(told.count == 1, "\(told)")
        #expect(told.first?.hasPrefix("a take is in memory only: ") ?? false)
        #expect(told.first?.contains("No space left on device") ?? false)
        #expect(recording.endedFrames == Int64(2 * Self.bar))
        let input = recording.input[0]
        #expect(
            (24..<2 * Self.bar - 240).allSatisfy { recording.stage.left[2 * Self.bar + $0] == input[$0] },
            "the loop begins with its first frame where the take ends")
        disk.empty()
        recording.session.player.takes.finish()
        #expect(try recording.sound().samples.elementsEqual(input[..<(2 * Self.bar)]))
        #expect(recording.session.takeNotices().isEmpty)
    }

    /// A take that has ended, of which its full disk has nothing.
    private static func unwritten() async throws -> (Recording, SmallDisk) {
        let folder = try SessionFolder()
        let disk = try SmallDisk(at: folder.folder.folder("audio"), bytes: 4 << 20)
        var recording = try await Recording(folder)
        try disk.fill()
        recording.play(to: Self.bar * 3 / 2)
        try await recording.end()
        return (recording, disk)
    }

    @Test(
        "A take that could not be written is written where the session is saved instead",
        .enabled(if: SmallDisk.canBeMade))
    func savedElsewhere() async throws {
        let (recording, disk) = try await Self.unwritten()
        defer { withExtendedLifetime(disk) {} }
        #expect(recording.session.takeNotices().count == 1)
        try await recording.act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        #expect(recording.session.takeNotices().isEmpty)
        let player = recording.session.player
        let saved = try SessionDocument(path: player.path)
        let clip = try #require(saved.tracks[0].clips.first)
        #expect(clip == player.document.tracks[0].clips.first)
        let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: player.path)).path
        let samples = try WaveContents(path: path).channels[0][clip.start..<(clip.end ?? 0)]
        #expect(samples.elementsEqual(recording.input[0][..<(2 * Self.bar)]))
    }

    @Test(
        "Where a program ends on a full disk, a take is written where recordings are, whole, and that is said",
        .enabled(if: SmallDisk.canBeMade))
    func endsOnFullDisk() async throws {
        let (recording, disk) = try await Self.unwritten()
        defer { withExtendedLifetime(disk) {} }
        let told = recording.session.finish().map { "\($0)" }
        let text = try #require(told.first { $0.contains("the whole take is in ") })
        let path = try #require(text.components(separatedBy: "the whole take is in ").last)
        #expect(path.hasPrefix(recording.session.library.recordings.path))
        let samples = try WaveContents(path: path).channels[0]
        let start = try #require(recording.session.player.document.tracks[0].clips.first?.start)
        #expect(samples[start..<(start + 2 * Self.bar)].elementsEqual(recording.input[0][..<(2 * Self.bar)]))
    }

    @Test("An input that gives nothing any more is silence from that frame on, and the take ends on its bar")
    func inputVanishes() async throws {
        var recording = try await Recording(SessionFolder())
        recording.play(to: 30_000)
        recording.stage.inputs = []
        recording.play(to: 40_000)
        try await recording.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        recording.play(to: 3 * Self.bar)
        recording.session.player.takes.finish()
        let sound = try recording.sound().samples
        #expect(sound.count == Self.bar && recording.endedFrames == Int64(Self.bar))
        #expect(sound[..<30_000].elementsEqual(recording.input[0][..<30_000]))
        #expect(sound[30_000...].allSatisfy { $0 == 0 })
    }

    @Test(
        "An input that is called otherwise while it is recorded goes on giving, also where the whole list is set",
        arguments: [
            #"{"do": "editInput", "input": "mic", "set": {"name": "voice"}}"#,
            #"{"do": "editSession", "set": {"inputs": [{"name": "voice", "monitor": "never"}, {"name": "other"}]}}"#,
        ])
    func rename(edit: String) async throws {
        var recording = try await Recording(SessionFolder())
        recording.play(to: 20_000)
        try await recording.act(edit)
        recording.play(to: 40_000)
        try await recording.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        recording.play(to: 3 * Self.bar)
        recording.session.player.takes.finish()
        #expect(try recording.sound().samples.elementsEqual(recording.input[0][..<Self.bar]))
    }

    @Test(
        "A device that goes on at another rate ends a take with all that there was, at the rate at which it was recorded"
    )
    func rateChanges() async throws {
        var recording = try await Recording(SessionFolder())
        recording.play(to: 30_208)
        recording.session.player.engine.setSampleRate(try #require(SampleRate(44_100)))
        recording.play(to: 40_000)
        recording.session.player.takes.finish()
        let (sound, rate) = try recording.sound()
        #expect(rate == 48_000)
        let ended = try #require(recording.endedFrames)
        #expect(sound.count == Int(ended) && ended > 30_208 - 512 && ended <= 30_208)
        #expect(sound.elementsEqual(recording.input[0][..<sound.count]))
        #expect(recording.session.player.document.tracks[0].clips.map(\.id) == ["new"])
        // Another take can be begun at once.
        try await recording.act(
            #"{"do": "recordClip", "track": "u", "slot": 0, "input": "mic", "bars": 1, "id": "next"}"#)
        recording.play(to: 200_000)
        #expect(recording.session.player.document.tracks[1].clips.map(\.id) == ["next"])
    }

    @Test("A device that goes on at another rate ends what is recorded over a loop, and the layer is kept")
    func rateChangesOverLoop() async throws {
        var recording = try await Recording(SessionFolder())
        recording.play(to: 20_000)
        try await recording.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        recording.play(to: Self.bar + 20_000)
        try await recording.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}"#)
        recording.play(to: 2 * Self.bar + Self.bar / 2)
        recording.session.player.engine.setSampleRate(try #require(SampleRate(44_100)))
        recording.play(to: 4 * Self.bar)
        recording.session.player.takes.finish()
        let clip = try #require(recording.session.player.document.tracks[0].clips.first)
        #expect(clip.layers.count == 1)
        // What was played in the first half of the pass is in it, over the loop, and the second half is the loop.
        let (sound, rate) = try recording.sound()
        #expect(rate == 48_000 && sound.count == Self.bar)
        let loop = recording.input[0][..<Self.bar]
        let played = recording.input[0][2 * Self.bar..<3 * Self.bar]
        let mixed = (0..<20_000).allSatisfy { abs(sound[$0] - loop[$0] - played[2 * Self.bar + $0]) < 1e-6 }
        let rest = (30_000..<Self.bar - 480).allSatisfy { abs(sound[$0] - loop[$0]) < 1e-6 }
        #expect(mixed && rest)
    }
}
