import BarlineSession
import BarlineTestSupport
import Synchronization
import Testing

/// Watchers, who are called with every request.
@Suite("Watching what is asked for", .fewAtATime)
struct WatcherTests {
    @Test("The thousandth action is reported from no deeper in the stack than the first")
    func depth() async throws {
        let stage = try await EditStage()
        let places = Mutex<[UInt]>([])
        stage.session.watch { _ in
            // An address in the frame of the watcher.
            let place = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { UInt(bitPattern: $0.baseAddress) }
            places.withLock { $0.append(place) }
        }
        for _ in 0..<1_000 {
            stage.session.answer(["do": "stopAll"]) { _ in }
        }
        let seen = places.withLock { $0 }
        let (first, last) = (try #require(seen.first), try #require(seen.last))
        #expect(seen.count == 1_000)
        #expect(max(first, last) - min(first, last) < 4_096)
    }
}
