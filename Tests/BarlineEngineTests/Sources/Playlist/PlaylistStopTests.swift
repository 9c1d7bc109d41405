import BarlineEngine
import BarlineTime
import Testing

@Suite("Stops of a playlist that are asked for ahead")
struct PlaylistStopTests {
    private let items = [1, 2, 3].map { PlaylistItem.noise($0, frames: 96_000) }

    /// An item that plays, and is to be stopped on frame 36,000.
    private func stage() -> PlaylistStage {
        let stage = PlaylistStage(items, frames: 160_000)
        stage.player.play()
        stage.render(to: 24_000)
        stage.player.stop(at: FrameTime(36_000))
        return stage
    }

    /// Whether an item is heard from its beginning when the list is played again on frame 60,000.
    private func begins(_ item: PlaylistItem, in stage: PlaylistStage) -> Bool {
        stage.render(to: 60_000)
        guard stage.player.phase == .stopped, stage.player.position == 0 else { return false }
        stage.player.play()
        stage.render(to: 100_000)
        return stage.left[60_000..<100_000].elementsEqual(item.samples[..<40_000])
    }

    @Test("Until then the item plays on as if nothing had been asked for; then it is at its beginning")
    func stop() {
        let stage = stage()
        stage.render(to: 60_000)
        #expect(stage.left[..<36_000] == items[0].samples[..<36_000])
        #expect(stage.left[36_240..<60_000].allSatisfy { $0 == 0 })
        #expect(stage.itemEvents == ["0 start 1", "36000 end 1"])
        #expect(begins(items[0], in: stage))
    }

    @Test("The next item that is asked for meanwhile plays until then, and is the one that is played again")
    func next() {
        let stage = stage()
        stage.render(to: 28_000)
        stage.player.next()
        stage.render(to: 60_000)
        #expect(stage.left[28_240..<36_000].elementsEqual(items[1].samples[240..<8_000]))
        #expect(stage.left[36_240..<60_000].allSatisfy { $0 == 0 })
        #expect(begins(items[1], in: stage))
    }

    @Test("Stopped at once meanwhile it stays so")
    func stopAtOnce() {
        let stage = stage()
        stage.render(to: 28_000)
        stage.player.stop()
        stage.render(to: 60_000)
        #expect(stage.left[28_240..<60_000].allSatisfy { $0 == 0 })
        #expect(begins(items[0], in: stage))
    }

    @Test("A list that is played again after one comes to its end, and begins anew")
    func end() {
        let stage = PlaylistStage([.noise(1, frames: 24_000), .noise(2, frames: 24_000)], frames: 160_000)
        stage.player.play()
        stage.player.stop(at: FrameTime(12_000))
        stage.render(to: 20_000)
        stage.player.play()
        stage.render(to: 100_000)
        #expect(stage.itemEvents.suffix(2) == ["68000 end 2", "68000 over"])
        #expect(stage.player.phase == .stopped && stage.player.currentIndex == 0)
    }
}
