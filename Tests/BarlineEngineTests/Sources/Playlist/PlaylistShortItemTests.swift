import BarlineEngine
import BarlineTime
import Testing

/// Items shorter than a block, and items of which there is nothing.
@Suite("Short and empty items of a playlist")
struct PlaylistShortItemTests {
    private static func empty(_ id: Int) -> PlaylistItem {
        PlaylistItem(id: PlaylistItemID(id), source: SampleItem(left: []))
    }

    private static func broken(_ id: Int) -> PlaylistItem {
        PlaylistItem(
            id: PlaylistItemID(id),
            source: SampleItem(left: [Float](repeating: 0.5, count: 2_000), failsAt: 0))
    }

    enum Silence: CaseIterable { case empty, broken }

    @Test(
        "A list that repeats and of which nothing can be played comes to its end, and plays what comes to it",
        arguments: [PlaylistModes.Repeat.one, .all], Silence.allCases)
    func nothing(repeats: PlaylistModes.Repeat, silence: Silence) throws {
        let items = (1...3).map { silence == .empty ? Self.empty($0) : Self.broken($0) }
        let stage = PlaylistStage(items, frames: 40_000)
        stage.player.modes.repeat = repeats
        stage.player.play()
        stage.render(to: 10_000)
        #expect(stage.engine.state.playlist.phase == .stopped)
        let events = stage.itemEvents
        #expect(events.count { $0.hasSuffix(" over") } == 1 && events.allSatisfy { !$0.contains("start") })
        stage.render(to: 15_000)
        #expect(stage.itemEvents == events)
        try stage.player.insert([.noise(9, frames: 3_000)], at: 0)
        try stage.player.play(index: 0)
        stage.render(to: 40_000)
        let starts = stage.itemEvents.filter { $0.contains("start 9") }
        // It is long over, but for the others that are passed over on the way.
        #expect(starts.count == 9)
    }

    @Test("A repeating list passes over what can't be played, however many there are")
    func some() throws {
        let items = (1...20).map { Self.broken($0) } + [.noise(99, frames: 1_000)]
        let stage = PlaylistStage(items, frames: 10_000)
        stage.player.modes.repeat = .all
        stage.player.play()
        stage.render(to: 10_000)
        #expect(stage.itemEvents.count { $0.contains("start 99") } == 10)
    }

    @Test(
        "An item that is shorter than a block and comes behind the last one plays once",
        arguments: [1, 64, 100, 479], [64, 256, 333, 1_024, 4_096])
    func short(length: Int, block: Int) throws {
        let stage = PlaylistStage([.noise(1, frames: 20_000)], frames: 40_000, blocks: [block])
        stage.player.play()
        stage.render(to: 19_000)
        try stage.player.insert([.noise(2, frames: length)], at: 1)
        stage.render(to: 40_000)
        #expect(
            stage.itemEvents == [
                "0 start 1", "20000 end 1", "20000 start 2", "\(20_000 + length) end 2", "\(20_000 + length) over",
            ])
        #expect(stage.left[(20_000 + length)...].allSatisfy { $0 == 0 })
    }
}
