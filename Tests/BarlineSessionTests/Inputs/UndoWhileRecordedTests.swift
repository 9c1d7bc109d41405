import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineSession

/// Undo and redo of the session while a loop is recorded over: the pass under way is the latest step.
@Suite("Undo while a loop is recorded over", .fewAtATime)
struct UndoWhileRecordedTests {
    private static let bar = LoopedSession.bar

    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// A loop of bar 1 that is recorded over from bar 3 on.
    private struct Recorded {
        let looped: LoopedSession
        let input: [Float]

        init() async throws {
            looped = try await LoopedSession(bars: 24)
            input = try WaveContents(path: looped.folder.folder.path("mic.wav")).channels[0]
            try await looped.act(#"{"do": "transport", "action": "play"}"#)
            looped.play(to: bar - 5_000)
            try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
            looped.play(to: 3 * bar - 5_000)
            try await overdub()
        }

        func overdub() async throws {
            try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}"#)
        }

        /// Asks for something while the device goes on; the last frame that was recorded.
        @discardableResult
        func act(_ word: String) async throws -> Int? {
            let isDone = Flag()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                let session = looped.session
                group.addTask {
                    defer { isDone.isSet.store(true, ordering: .relaxed) }
                    let value: JSONValue = ["do": .string(word)]
                    _ = try await session.perform(try ControlAction(value, source: "test"))
                }
                var end: Int?
                while !isDone.isSet.load(ordering: .relaxed) {
                    looped.stage.play(512)
                    for event in looped.stage.events {
                        if case .launcher(.recordEnded) = event.kind { end = Int(event.frame.rawValue) }
                    }
                    try await Task.sleep(for: .milliseconds(2))
                }
                try await group.waitForAll()
                return end
            }
        }

        /// What a frame of the loop was when nothing had been recorded over it.
        func loop(_ place: Int) -> Float { input[bar + place] }

        /// Whether the whole of the next turn but its seams is what `expected` says of each place.
        func hearsNext(_ expected: (Int) -> Float?) -> Bool {
            let turn = (looped.hears.count / bar + 1) * bar
            looped.play(to: turn + bar)
            return (1_000..<bar - 1_000).allSatisfy { place in
                expected(place).map { looped.hears[turn + place] == $0 } ?? true
            }
        }

        var clip: ClipDocument? { looped.clip }
    }

    private static func isNear(_ place: Int, _ end: Int) -> Bool { abs(place - end) < 1_000 }

    @Test("An earlier take does not go while another one is recorded")
    func earlierTake() async throws {
        let looped = try await LoopedSession(bars: 24)
        func clips() -> [String] { looped.session.player.document.tracks[0].clips.map(\.id).sorted() }
        try await looped.act(#"{"do": "transport", "action": "play"}"#)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "one"}"#)
        looped.play(to: 3 * UndoWhileRecordedTests.bar)
        looped.session.player.takes.finish()
        looped.play(to: 3 * UndoWhileRecordedTests.bar + 512)
        let before = clips()
        #expect(before.contains("one"))
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 5, "bars": 2, "id": "two"}"#)
        looped.play(to: 5 * UndoWhileRecordedTests.bar)
        let error = await #expect(throws: SessionError.self) { try await looped.act(#"{"do": "undo"}"#) }
        #expect(error.map { "\($0)".contains("end that first") } == true)
        #expect(clips() == before)
        looped.play(to: 8 * UndoWhileRecordedTests.bar)
        looped.session.player.takes.finish()
        looped.play(to: 8 * UndoWhileRecordedTests.bar + 512)
        #expect(clips() == (before + ["two"]).sorted())
        try await looped.act(#"{"do": "undo"}"#)
        #expect(clips() == before)
    }

    @Test("The pass under way ends as a layer that is undone, the loop plays on as before, and redo brings it back")
    func pass() async throws {
        let recorded = try await Recorded()
        recorded.looped.play(to: 3 * Self.bar + 20_480)
        let before = try #require(recorded.clip)
        let end = try #require(try await recorded.act("undo")) - 3 * Self.bar
        #expect(end >= 20_480 && end < Self.bar)
        #expect(recorded.clip == before && recorded.looped.session.player.overdubs.isEmpty)
        #expect(recorded.hearsNext { recorded.loop($0) })
        #expect(
            recorded.looped.session.status.undo == "Record clip"
                && recorded.looped.session.status.redo == "Record layer")
        try await recorded.act("redo")
        #expect(recorded.clip?.layers.count == 1)
        #expect(
            recorded.hearsNext { place in
                if Self.isNear(place, end) { return nil }
                return recorded.loop(place) + (place < end ? recorded.input[3 * Self.bar + place] : 0)
            })
        try await recorded.act("undo")
        try await recorded.act("undo")
        #expect(recorded.clip == nil)
    }

    @Test("Of several passes the one under way is undone, and those before are steps of their own")
    func passes() async throws {
        let recorded = try await Recorded()
        recorded.looped.play(to: 4 * Self.bar + 10_240)
        #expect(recorded.clip?.layers.count == 1)
        try await recorded.act("undo")
        #expect(recorded.clip?.layers.count == 1)
        #expect(recorded.hearsNext { recorded.loop($0) + recorded.input[3 * Self.bar + $0] })
        try await recorded.act("undo")
        #expect(recorded.clip?.layers.isEmpty == true)
        #expect(recorded.hearsNext { recorded.loop($0) })
    }

    @Test("What waits to be recorded over a loop is called off, and nothing else is undone")
    func waiting() async throws {
        let recorded = try await Recorded()
        recorded.looped.play(to: 3 * Self.bar - 3_000)
        let before = try #require(recorded.clip)
        #expect(recorded.looped.session.player.overdubs["new"]?.since == nil)
        try await recorded.act("undo")
        #expect(recorded.clip == before && recorded.looped.session.player.overdubs.isEmpty)
        recorded.looped.play(to: 4 * Self.bar)
        #expect(recorded.hearsNext { recorded.loop($0) } && recorded.clip == before)
    }

    @Test("A step that would make the loop another one is refused while it is recorded over, which goes on")
    func refused() async throws {
        let recorded = try await Recorded()
        recorded.looped.play(to: 3 * Self.bar + 20_480)
        try await recorded.act("undo")
        let again = (recorded.looped.hears.count / Self.bar + 1) * Self.bar
        try await recorded.overdub()
        recorded.looped.play(to: again + 4_096)
        await #expect(throws: SessionError.self) { try await recorded.act("redo") }
        #expect(recorded.looped.session.status.redo == "Record layer", "it is still there")
        recorded.looped.play(to: again + Self.bar + 4_096)
        #expect(recorded.clip?.layers.count == 1)
        try await recorded.overdub()
        recorded.looped.play(to: again + 3 * Self.bar)
        #expect(recorded.looped.session.player.overdubs.isEmpty)
    }
}
