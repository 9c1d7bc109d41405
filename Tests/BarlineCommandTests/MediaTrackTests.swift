import Testing

@testable import BarlineCommand

@Suite("Tracks for the desktop")
struct MediaTrackTests {
    @Test("A list is made once for each of its revisions, however often it is looked at")
    func revisions() {
        var list = MediaTrackList()
        var made: [Int] = []
        for revision in [4, 4, 4, 5, 5, 4] {
            _ = list.tracks(ofRevision: revision) {
                made.append(revision)
                return []
            }
        }
        #expect(made == [4, 5, 4])
    }
}
