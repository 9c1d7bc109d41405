import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// Takes of performances within which, or before which, the output's clock has jumped.
@Suite("Takes and a clock that jumps", .fewAtATime)
struct ClockJumpTakeTests {
    /// A performance with a jump before the recording and one within it, some frames after its beginning.
    private func record(_ first: Int64, _ second: Int64, _ actions: [String]) async throws -> TakeStage {
        let stage = try await TakeStage()
        stage.stage.slips = 0
        try await stage.act(#"{"do": "metronome", "on": true}"#)
        for action in actions { try await stage.act(action) }
        stage.play(60_160)
        stage.stage.slips = first
        stage.play(90_112)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(30_208)
        stage.stage.slips = first + second
        try await stage.act(#"{"do": "launch", "clip": "b"}"#)
        stage.play(120_064)
        try await stage.act(#"{"do": "record", "on": false}"#)
        return stage
    }

    @Test(
        "Their scripts sound as they did, with every beat where it was",
        arguments: [(19_072, 0), (0, 700), (5_000, -3_000), (-2_000, 40_000)] as [(Int64, Int64)])
    func jumps(first: Int64, second: Int64) async throws {
        let stage = try await record(
            first, second,
            [
                #"{"do": "launch", "clip": "a"}"#, #"{"do": "launch", "clip": "c"}"#,
                #"{"do": "tempo", "bpm": 150, "ramp": 16}"#,
            ])
        let (_, _, script) = try await stage.take()
        let jumps = script.entries.compactMap { entry -> [Int]? in
            guard case .clockJump(let frames) = entry.action else { return nil }
            return [Int(entry.time.frame(at: .standard)?.rawValue ?? 0), frames]
        }
        let expected = [[-90_112, Int(first)], [30_208, Int(second)]].filter { $0[1] != 0 }
        #expect(jumps == expected)
        try await stage.expectSame("\(first), \(second)")
    }

    @Test("Stems and the list go on as they did")
    func streams() async throws {
        let stage = try await record(
            5_000, 2_000,
            [#"{"do": "stems", "action": "play"}"#, #"{"do": "playlist", "action": "play"}"#])
        try await stage.expectSame()
    }

    @Test("Nobody can ask for a jump")
    func refused() async throws {
        let stage = try await TakeStage()
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "clockJump", "frames": 9}"#) }
    }
}
