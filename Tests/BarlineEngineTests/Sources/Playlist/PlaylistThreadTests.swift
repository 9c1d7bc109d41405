import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

@Suite("A playlist's threads")
struct PlaylistThreadTests {
    @Test("Edited by several threads at random while it plays, its events stay in order and its threads apart")
    func storm() throws {
        let seconds = ProcessInfo.processInfo.environment["BARLINE_STORM_SECONDS"].flatMap(Double.init) ?? 2
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = try PlaylistPlayer(on: engine, ahead: 2, feeding: .threads(2))
        let number = Atomic<Int>(0)
        let isOver = Atomic<Bool>(false)
        let sources = (0..<8).map { SampleItem(noise: UInt64($0), frames: 2_000 + 4_000 * $0) }
        @Sendable func item() -> PlaylistItem {
            let id = number.wrappingAdd(1, ordering: .relaxed).newValue
            return PlaylistItem(id: PlaylistItemID(id), source: sources[id % sources.count])
        }
        try player.insert((0..<6).map { _ in item() }, at: 0)
        player.modes.repeat = .all
        player.play()
        let events = Mutex<[EngineEvent]>([])
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            while !isOver.load(ordering: .relaxed) {
                let recorder = Recorder(engine, frames: 2_048)
                recorder.render(2_048, .fixed(256))
                events.withLock { $0 += recorder.events }
                // Many times as fast as real time, but not so fast that nothing else gets to work.
                Thread.sleep(forTimeInterval: 0.002)
            }
        }
        for thread in 0..<3 {
            DispatchQueue.global().async(group: group) {
                var random = TestRandom(seed: UInt64(thread))
                while !isOver.load(ordering: .relaxed) {
                    let count = player.items.count
                    switch random.int(0...9) {
                    case 0...2: try? player.insert([item()], at: random.int(0...count))
                    case 3 where count > 4, 4 where count > 12: _ = try? player.remove(at: random.int(0...count - 1))
                    case 5 where count > 1:
                        try? player.move(from: random.int(0...count - 1), to: random.int(0...count - 1))
                    case 6: player.next()
                    case 7: player.seek(to: random.double(0...0.5))
                    case 8: random.chance(0.3) ? player.pause() : player.play()
                    default: player.play()
                    }
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }
        Thread.sleep(forTimeInterval: seconds)
        isOver.store(true, ordering: .relaxed)
        group.wait()
        player.close()
        var current: PlaylistItemID?
        var starts = 0
        for event in events.withLock({ $0 }) {
            switch event.kind {
            case .playlist(.itemStarted(let item)):
                #expect(current == nil, "an item begins when the one before has ended")
                current = item
                starts += 1
            case .playlist(.itemEnded(let item)):
                #expect(current == item)
                current = nil
            default: break
            }
        }
        #expect(starts > 5)
    }
}
