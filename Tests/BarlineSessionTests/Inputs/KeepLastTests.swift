import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Bars that were played already, and those of which there is nothing.
@Suite("The last bars", .fewAtATime)
struct KeepLastTests {
    @Test("Bars from before an input was there are silence, and it is told how much of the clip that is")
    func early() async throws {
        let played = try await LoopedSession()
        let input = try WaveContents(path: played.folder.folder.path("mic.wav")).channels[0]
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        played.play(to: LoopedSession.bar + 10_000)
        try await played.act(#"{"do": "keepLast", "track": "t", "slot": 0, "bars": 4, "id": "last"}"#)
        played.play(to: 2 * LoopedSession.bar)
        #expect(
            played.session.takeNotices().map(\.words) == [
                "“last”: of its 4.0 s the first 3.0 s are silence: the input was not there yet."
            ])
        played.session.player.takes.finish()
        let clip = try #require(played.clip)
        let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: played.folder.path)).path
        let sound = try WaveContents(path: path).channels[0][clip.start..<(clip.end ?? 0)]
        #expect(sound.count == 4 * LoopedSession.bar && sound.prefix(3 * LoopedSession.bar).allSatisfy { $0 == 0 })
        #expect(sound.suffix(LoopedSession.bar).elementsEqual(input[..<LoopedSession.bar]))
        try await played.act(#"{"do": "keepLast", "track": "t", "slot": 1, "bars": 1}"#)
        played.play(to: 3 * LoopedSession.bar)
        #expect(played.session.takeNotices().isEmpty, "all of it was there")
    }
}
