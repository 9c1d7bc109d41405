import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// What one foot switch does to the loops of a track.
@Suite("One foot switch", .fewAtATime)
struct FootSwitchTests {
    private static let bar = LoopedSession.bar
    private static let tap = #"{"do": "footSwitch", "track": "t"}"#
    private static let down = #"{"do": "footSwitch", "track": "t", "press": "down"}"#
    private static let up = #"{"do": "footSwitch", "track": "t", "press": "up"}"#
    /// Where neither a seam nor a crossfade is.
    private static let inner = 1_000..<bar - 1_000

    private static func input(_ looped: LoopedSession) throws -> [Float] {
        try WaveContents(path: looped.folder.folder.path("mic.wav")).channels[0]
    }

    @Test("It records, plays, records over and plays, each from the boundary on")
    func cycle() async throws {
        let looped = try await LoopedSession()
        let (bar, input) = (Self.bar, try Self.input(looped))
        try await looped.act(#"{"do": "transport", "action": "play"}"#)
        for press in 1...4 {
            looped.play(to: press * bar - 5_000)
            try await looped.act(Self.tap)
        }
        looped.play(to: 6 * bar)
        #expect(Self.inner.allSatisfy { looped.hears[2 * bar + $0] == input[bar + $0] })
        for cycle in 4...5 {
            #expect(Self.inner.allSatisfy { looped.hears[cycle * bar + $0] == input[3 * bar + $0] + input[bar + $0] })
        }
        #expect(looped.clip?.slot == 0 && looped.clip?.layers.count == 1)
        #expect(looped.session.player.overdubs.isEmpty && looped.session.player.openTakes.isEmpty)
    }

    @Test("Another row is recorded into while the first one plays, and the switch goes on with what is recorded")
    func rows() async throws {
        let looped = try await LoopedSession()
        let bar = Self.bar
        try await looped.record()
        try await looped.act(#"{"do": "footSwitch", "track": "t", "slot": 4}"#)
        #expect(looped.session.player.openTakes.map(\.slot) == [4])
        looped.play(to: 7 * bar + 20_000)
        try await looped.act(Self.tap)
        looped.play(to: 9 * bar)
        #expect(looped.session.player.document.tracks[0].clips.map(\.slot) == [0, 4])
        #expect(looped.session.player.openTakes.isEmpty)
    }

    @Test(
        "Two presses within 0.4 s stop the track, and what the first one began leaves nothing",
        arguments: [true, false])
    func double(isQuantized: Bool) async throws {
        let looped = try await LoopedSession()
        let bar = Self.bar
        try await looped.record()
        if !isQuantized { try await looped.act(#"{"do": "quantization", "value": "none"}"#) }
        looped.play(to: 6 * bar + 1_000)
        try await looped.act(Self.tap)
        looped.play(to: 6 * bar + 1_000 + 14_400)
        #expect(looped.session.player.overdubs.count == 1)
        try await looped.act(Self.tap)
        looped.play(to: 8 * bar)
        let silent = (isQuantized ? 7 * bar : 6 * bar + 16_000) + 500..<8 * bar
        #expect(silent.allSatisfy { looped.hears[$0] == 0 })
        #expect(looped.clip?.layers.count == 1 && looped.clip?.undoneLayers.isEmpty == true)
        #expect(looped.session.player.overdubs.isEmpty)
        // The next press plays what was pressed last.
        try await looped.act(Self.tap)
        looped.play(to: 9 * bar + 20_000)
        #expect(looped.hears[9 * bar + 1_000..<9 * bar + 20_000].contains { $0 != 0 })
    }

    @Test("Two presses whose frames are of the block that is rendered next are two presses as well")
    func ahead() async throws {
        let looped = try await LoopedSession()
        let bar = Self.bar
        try await looped.record()
        for frame in [6 * bar + 1_000, 6 * bar + 9_000] {
            looped.play(to: frame)
            let asked = ControlAction.relative(
                .footSwitch(FootSwitch.Pedal(track: "t"), .tap), at: .frame(FrameTime(Int64(frame + 900))))
            for action in try looped.session.resolved(asked, source: "test") {
                _ = try await looped.session.perform(action)
            }
        }
        looped.play(to: 8 * bar)
        #expect((7 * bar + 500..<8 * bar).allSatisfy { looped.hears[$0] == 0 }, "it is stopped")
        try await looped.act(Self.tap)
        looped.play(to: 11 * bar)
        #expect(looped.session.player.overdubs.isEmpty && looped.clip?.layers.count == 1, "nothing was begun")
    }

    @Test("A slot whose recording was called off before it began is left for the loop that plays")
    func calledOff() async throws {
        let looped = try await LoopedSession()
        let bar = Self.bar
        try await looped.record()
        looped.play(to: 6 * bar + 5_000)
        try await looped.act(#"{"do": "footSwitch", "track": "t", "slot": 4}"#)
        looped.play(to: 6 * bar + 10_000)
        try await looped.act(#"{"do": "launch", "clip": "new"}"#)
        looped.play(to: 8 * bar + 20_000)
        #expect(looped.session.player.openTakes.isEmpty)
        try await looped.act(Self.tap)
        #expect(looped.session.player.overdubs.count == 1)
        looped.play(to: 9 * bar + 20_000)
        #expect(looped.session.player.openTakes.isEmpty)
        #expect(looped.session.player.overdubs["new"]?.since == FrameTime(Int64(9 * bar)))
        // It is free for who asks for it.
        try await looped.act(#"{"do": "footSwitch", "track": "t", "slot": 4}"#)
        looped.play(to: 10 * bar + 20_000)
        #expect(looped.session.player.openTakes.map(\.since) == [FrameTime(Int64(10 * bar))])
    }

    @Test("What was taken back before it was over is not offered after a crash")
    func cancelled() async throws {
        let looped = try await LoopedSession()
        let bar = Self.bar
        func journals() -> Set<String> {
            looped.session.player.takes.finish()
            let folder = looped.session.library.recordings.path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return Set(names.filter { $0.hasSuffix(TakeJournal.suffix) })
        }
        try await looped.record()
        try await looped.act(#"{"do": "quantization", "value": "none"}"#)
        looped.play(to: 6 * bar + 1_000)
        let before = journals()
        try await looped.act(Self.tap)
        looped.play(to: 6 * bar + 1_000 + 14_400)
        try await looped.act(Self.tap)
        looped.play(to: 6 * bar + 20_000)
        #expect(journals() == before)
        looped.play(to: 8 * bar)
        #expect(journals() == before)
    }

    @Test("Presses that are further apart than 0.4 s are two")
    func single() async throws {
        let looped = try await LoopedSession()
        try await looped.record()
        try await looped.act(Self.tap)
        looped.play(to: 6 * Self.bar + 19_300)
        try await looped.act(Self.tap)
        looped.play(to: 8 * Self.bar)
        #expect(looped.hears[7 * Self.bar + 1_000..<8 * Self.bar].contains { $0 != 0 })
    }

    @Test("Held for a second it undoes the latest layer, then the recording, which a step of undo brings back")
    func hold() async throws {
        let looped = try await LoopedSession()
        let (bar, input) = (Self.bar, try Self.input(looped))
        try await looped.record()
        looped.play(to: 6 * bar + 1_000)
        try await looped.act(Self.down)
        looped.play(to: 6 * bar + 1_000 + 46_000)
        #expect(looped.clip?.layers.count == 1)
        // Meanwhile the press has begun a layer of its own.
        looped.play(to: 6 * bar + 1_000 + 50_000)
        try await looped.act(Self.up)
        looped.play(to: 9 * bar)
        #expect(looped.clip?.layers.isEmpty == true && looped.clip?.undoneLayers.count == 1)
        #expect(Self.inner.allSatisfy { looped.hears[8 * bar + $0] == input[bar + $0] })
        // A cycle of the loop takes a second too: the press has made a whole layer by then, and begun another one.
        try await looped.act(Self.down)
        looped.play(to: 9 * bar + 50_000)
        try await looped.act(Self.up)
        try await looped.act(#"{"do": "undo"}"#)
        #expect(looped.clip?.id == "new")
        try await looped.act(#"{"do": "redo"}"#)
        #expect(looped.clip == nil)
    }

    @Test(
        "What waits for its boundary when the latest layer is undone is called off, and a step of undo does not begin it",
        arguments: [true, false])
    func undoneWhileWaiting(isHeld: Bool) async throws {
        let looped = try await LoopedSession()
        let bar = Self.bar
        try await looped.record()
        try await looped.act(#"{"do": "quantization", "value": "4 bars"}"#)
        looped.play(to: 8 * bar + 20_000)
        try await looped.act(isHeld ? Self.down : Self.tap)
        looped.play(to: 9 * bar + 10_000)
        #expect(looped.session.player.overdubs["new"] != nil && looped.session.player.overdubs["new"]?.since == nil)
        looped.play(to: 9 * bar + 30_000)
        try await looped.act(isHeld ? Self.up : #"{"do": "undoLayer", "clip": "new"}"#)
        looped.play(to: 10 * bar)
        #expect(looped.clip?.layers.isEmpty == true && looped.clip?.undoneLayers.count == 1)
        #expect(looped.session.player.overdubs.isEmpty)
        try await looped.act(#"{"do": "undo"}"#)
        looped.play(to: 14 * bar)
        #expect(looped.clip?.layers.count == 1 && looped.clip?.undoneLayers.isEmpty == true)
        #expect(looped.session.player.overdubs.isEmpty)
        // The switch records over the loop again.
        try await looped.act(Self.tap)
        looped.play(to: 16 * bar + 1_000)
        #expect(looped.session.player.overdubs["new"]?.since == FrameTime(Int64(16 * bar)))
    }

    @Test("A contact that bounces, going down or up, is one press")
    func bounces() async throws {
        let looped = try await LoopedSession()
        let (bar, input) = (Self.bar, try Self.input(looped))
        try await looped.act(#"{"do": "transport", "action": "play"}"#)
        // Messages 10 ms apart, at each end of a press of a third of a second.
        func press(at frame: Int) async throws {
            for (place, words) in [
                (0, Self.down), (1, Self.up), (2, Self.down), (32, Self.up), (33, Self.down), (34, Self.up),
            ] {
                looped.play(to: frame + 480 * place)
                try await looped.act(words)
            }
        }
        try await press(at: bar - 20_000)
        looped.play(to: bar + 1_000)
        #expect(looped.session.player.openTakes.map(\.since) == [FrameTime(Int64(bar))], "it records")
        try await press(at: 2 * bar - 20_000)
        looped.play(to: 4 * bar)
        #expect(looped.clip != nil && looped.session.player.overdubs.isEmpty)
        #expect(Self.inner.allSatisfy { looped.hears[3 * bar + $0] == input[bar + $0] }, "it plays")
        try await press(at: 5 * bar - 20_000)
        looped.play(to: 5 * bar + 1_000)
        #expect(looped.session.player.overdubs.count == 1, "it is recorded over")
        try await press(at: 6 * bar - 20_000)
        looped.play(to: 7 * bar)
        #expect(looped.clip?.layers.count == 1)
        // A bounce at the beginning of a long press does not keep it from being held.
        looped.play(to: 7 * bar + 10_000)
        try await looped.act(Self.down)
        looped.play(to: 7 * bar + 10_960)
        try await looped.act(Self.up)
        looped.play(to: 7 * bar + 11_200)
        try await looped.act(Self.down)
        looped.play(to: 8 * bar + 20_000)
        try await looped.act(Self.up)
        looped.play(to: 9 * bar)
        #expect(looped.clip?.layers.isEmpty == true && looped.clip?.undoneLayers.count == 1)
    }

    @Test(
        "It is held when it goes up a second after it went down, to the frame, however late that is looked at",
        arguments: [(47_999, 1), (48_000, 0)])
    func threshold(frames: Int, layers: Int) async throws {
        let looped = try await LoopedSession()
        try await looped.record()
        let down = 6 * Self.bar + 1_000
        looped.play(to: down)
        let pedal = FootSwitch.Pedal(track: "t")
        for (press, frame) in [(FootSwitch.Press.down, down), (.up, down + frames)] {
            looped.play(to: min(frame, down + 47_900))
            let asked = ControlAction.relative(.footSwitch(pedal, press), at: .frame(FrameTime(Int64(frame))))
            for action in try looped.session.resolved(asked, source: "test") {
                _ = try await looped.session.perform(action)
            }
        }
        looped.play(to: down + 50_000)
        #expect(looped.clip?.layers.count == layers)
    }

    @Test("Held while it ends a layer it undoes that one")
    func holdAtEnd() async throws {
        let looped = try await LoopedSession()
        let (bar, input) = (Self.bar, try Self.input(looped))
        try await looped.record()
        looped.play(to: 7 * bar - 5_000)
        try await looped.act(Self.tap)
        looped.play(to: 8 * bar - 5_000)
        try await looped.act(Self.down)
        looped.play(to: 9 * bar + 10_000)
        try await looped.act(Self.up)
        looped.play(to: 10 * bar)
        #expect(looped.clip?.layers.count == 1)
        #expect(
            (20_000..<40_000).allSatisfy { looped.hears[9 * bar + $0] == input[3 * bar + $0] + input[bar + $0] })
    }

    @Test("A track that is not there is refused")
    func unknown() async throws {
        let looped = try await LoopedSession()
        await #expect(throws: SessionError.self) { try await looped.act(#"{"do": "footSwitch", "track": "none"}"#) }
    }
}
