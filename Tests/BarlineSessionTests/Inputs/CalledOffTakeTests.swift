import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Takes that are stopped while they wait for their boundary.
@Suite("Takes that are called off", .fewAtATime, .serialized)
struct CalledOffTakeTests {
    private static let document = """
        {"barline": 1, "tempo": 240, "inputs": [{"name": "mic", "channels": [1], "monitor": "never"},
          {"name": "line", "channels": [2], "monitor": "never"}],
         "tracks": [{"id": "t", "input": "mic", "clips": [{"id": "a", "file": "loop.wav", "slot": 5, "beats": 4}]}]}
        """

    private func open(_ looped: LoopedSession) -> [String] { looped.session.player.openTakes.map(\.id) }

    @Test(
        "A stop takes it away: what is recorded there next is what is asked for then",
        arguments: [
            #"{"do": "stop", "track": "t"}"#, #"{"do": "stopNow", "track": "t"}"#, #"{"do": "stopAll"}"#,
            #"{"do": "transport", "action": "stop"}"#, #"{"do": "launch", "clip": "a"}"#,
        ], [true, false])
    func stopped(stop: String, isLater: Bool) async throws {
        let looped = try await LoopedSession(Self.document)
        try await looped.act(#"{"do": "transport", "action": "play"}"#)
        looped.play(to: 5_000)
        try await looped.act(
            #"{"do": "recordClip", "track": "t", "slot": 0, "input": "line", "bars": 1, "id": "old"}"#)
        looped.play(to: 7_000)
        #expect(open(looped) == ["old"])
        try await looped.act(stop)
        if isLater {
            looped.play(to: 20_000)
            #expect(open(looped).isEmpty)
        }
        let begin = looped.hears.count
        try await looped.act(#"{"do": "transport", "action": "play"}"#)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "new", "bars": 2}"#)
        looped.play(to: begin + 4 * LoopedSession.bar)
        let clip = try #require(looped.session.player.document.tracks[0].clips.first { $0.slot == 0 })
        #expect(clip.id == "new" && clip.beats == 8)
        #expect(open(looped).isEmpty)
        looped.session.player.takes.finish()
        let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: looped.folder.path)).path
        let (taken, given) = (try WaveContents(path: path).channels[0], looped.stage.inputs[0])
        let end = try #require(clip.end)
        let first = try #require(given.indices.first { given[$0...].starts(with: taken[clip.start..<clip.start + 64]) })
        #expect(taken[clip.start..<end].elementsEqual(given[first..<first + end - clip.start]))
    }

    @Test("A take that waits for a beat that is planned is not called off by the time that passes")
    func planned() async throws {
        let looped = try await LoopedSession(Self.document)
        try await looped.act(#"{"do": "transport", "action": "play"}"#)
        looped.play(to: 5_000)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "new", "bars": 1, "beat": 16}"#)
        looped.play(to: 3 * LoopedSession.bar)
        #expect(open(looped) == ["new"])
        looped.play(to: 6 * LoopedSession.bar)
        #expect(looped.session.player.document.clipIdentifiers == ["a", "new"])
    }

    @Test("An overdub that is stopped before its boundary is called off without a word, one that can't be is told of")
    func overdub() async throws {
        let looped = try await LoopedSession(Self.document)
        try await looped.act(#"{"do": "launch", "clip": "a"}"#)
        looped.play(to: LoopedSession.bar + 5_000)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 5, "mode": "overdub"}"#)
        looped.play(to: LoopedSession.bar + 7_000)
        try await looped.act(#"{"do": "stop", "track": "t"}"#)
        looped.play(to: 3 * LoopedSession.bar)
        #expect(looped.session.takeNotices().isEmpty && looped.session.player.overdubs.isEmpty)
    }

    @Test(
        "A take in which something was set ahead that could not be done by then can be rendered",
        arguments: [
            (
                #"{"do": "recordClip", "track": "v", "slot": 3}"#,
                #"{"do": "footSwitch", "track": "v", "at": "nextBar"}"#, #"{"do": "stop", "track": "v"}"#
            ),
            (
                #"{"do": "recordClip", "track": "v", "slot": 3, "bars": 1, "id": "new"}"#,
                #"{"do": "recordClip", "track": "v", "slot": 3, "mode": "overdub", "at": 1}"#,
                #"{"do": "removeClip", "clip": "new"}"#
            ),
            (
                #"{"do": "recordClip", "track": "v", "slot": 3, "bars": 1, "id": "new"}"#,
                #"{"do": "recordClip", "track": "v", "slot": 3, "mode": "overdub", "at": 1}"#,
                #"{"do": "editClip", "clip": "new", "set": {"playback": "stretch"}}"#
            ),
        ])
    func setAhead(begin: String, ahead: String, then: String) async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "addInput", "name": "mix", "set": {"from": {"output": "main"}}}"#)
        try await stage.act(#"{"do": "editTrack", "track": "v", "set": {"input": "mix"}}"#)
        try await stage.act(#"{"do": "launch", "clip": "b"}"#)
        try await stage.act(#"{"do": "record", "on": true}"#)
        try await stage.act(begin)
        stage.play(begin.contains("bars") ? 150_000 : 40_000)
        try await stage.act(ahead)
        stage.play(10_000)
        try await stage.act(then)
        stage.play(200_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (heard, rendered, _) = try await stage.take()
        #expect(rendered.channels[0].count == heard.channels[0].count)
    }
}
