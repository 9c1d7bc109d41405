import BarlineEngine
import BarlineTestSupport
import Testing

@testable import BarlineSession

/// What recordings keep of the list: what is heard of it.
@Suite("Items as they are heard", .fewAtATime)
struct AudibleItemTests {
    @Test("One that was changed while another one played is what it is by now, also while a jump to it waits")
    func changedUnheard() async throws {
        let stage = try await EditStage(
            #"{"barline": 1, "playlist": [{"id": "1", "file": "a.wav"}, {"id": "2", "file": "b.wav"}]}"#)
        let player = stage.session.player
        func play(blocks: Int) {
            for _ in 0..<blocks {
                player.playlist.player.feed()
                stage.stage.play(512)
            }
        }
        func act(_ words: String) async throws { try await stage.act(#"{"do": "playlist", \#(words)}"#) }
        try await act(#""action": "play""#)
        play(blocks: 4)
        for semitones in [-2, 0, -2] {
            try await act(#""action": "transpose", "index": 1, "semitones": \#(semitones)"#)
            play(blocks: 1)
        }
        try await act(#""action": "play", "index": 1, "at": 0.2"#)
        play(blocks: 2)
        #expect(player.playlist.player.currentIndex == 1, "it is what is read")
        let documents = player.document.items
        #expect(documents.map(\.transpose) == [0, -2])
        #expect(player.playlist.audible(documents).map { $0 } == documents.map { $0 })
    }
}
