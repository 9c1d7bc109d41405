import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
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

    @Test(
        "A skip that would end the list goes on in it where that was made longer, or to repeat, up to its time",
        arguments: [20_000, 40_000, 47_999], [false, true])
    func prolonged(asked: Int, repeats: Bool) throws {
        let stage = PlaylistStage(Array(items[..<2]), frames: 160_000)
        try stage.player.play(index: 1)
        let told = Told()
        stage.player.next(at: FrameTime(48_000)) { _ in told.count.add(1, ordering: .relaxed) }
        stage.render(to: asked)
        if repeats { stage.player.modes.repeat = .all } else { try stage.player.insert([items[2]], at: 2) }
        stage.render(to: 96_000)
        let following = items[repeats ? 0 : 2]
        #expect(stage.itemEvents == ["0 start 2", "48000 end 2", "48000 start \(following.id.rawValue)"])
        #expect(stage.left[..<48_000] == items[1].samples[..<48_000])
        #expect(stage.left[48_240..<96_000].elementsEqual(following.samples[240..<48_000]))
        #expect(told.count.load(ordering: .relaxed) == 1 && stage.player.isSettled)
    }

    @Test("A skip that ends the list ends it on its time, and what was asked for one frame after is on its own")
    func ending() throws {
        let stage = PlaylistStage(Array(items[..<2]), frames: 160_000)
        try stage.player.play(index: 1)
        stage.player.next(at: FrameTime(48_000))
        stage.player.play(at: FrameTime(48_001))
        stage.render(to: 96_000)
        #expect(stage.itemEvents == ["0 start 2", "48000 end 2", "48001 start 1"])
        #expect(stage.left[48_241..<96_000].elementsEqual(items[0].samples[240..<47_999]))
    }

    @Test("Played and paused meanwhile, the list stops on its time all the same")
    func paused() throws {
        let stage = stage()
        stage.render(to: 26_000)
        stage.player.pause()
        stage.render(to: 28_000)
        stage.player.play(at: FrameTime(30_000))
        stage.render(to: 60_000)
        #expect(stage.left[26_240..<30_000].allSatisfy { $0 == 0 })
        #expect(stage.left[30_240..<36_000].elementsEqual(items[0].samples[26_240..<32_000]))
        #expect(stage.left[36_240..<60_000].allSatisfy { $0 == 0 })
        #expect(begins(items[0], in: stage))
    }

    @Test("It stops on its frame however long the blocks of the output are", arguments: [64, 1_024, 8_192])
    func blocks(frames: Int) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = try PlaylistPlayer(on: engine, ahead: 2, feeding: .threads(2))
        defer { player.close() }
        try player.insert(items, at: 0)
        let recorder = Recorder(engine, frames: 120_000)
        func render(to frame: Int) {
            while recorder.frames < frame {
                // As a device asks for them, but not so rarely.
                Thread.sleep(forTimeInterval: max(0.001, 0.4 * Double(frames) / 48_000))
                recorder.render(frames, .fixed(frames))
            }
        }
        player.play()
        while player.phase != .playing, recorder.frames < 48_000 { render(to: recorder.frames + frames) }
        let stop = recorder.frames + 40_000
        player.stop(at: FrameTime(Int64(stop)))
        render(to: stop + 480)
        let left = Array(recorder.left())
        #expect(left[stop - 1] != 0 && left[stop] != 0 && left[(stop + 240)..<(stop + 480)].allSatisfy { $0 == 0 })
        let ends = recorder.events.filter { $0.kind == .playlist(.itemEnded(item: items[0].id)) }.map(\.frame)
        #expect(ends == [FrameTime(Int64(stop))])
    }

    @Test("A start that is still being read for comes after what is done at once shortly before its time")
    func late() throws {
        let gated = GatedItem(frames: 96_000)
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = try PlaylistPlayer(on: engine, ahead: 2, feeding: .threads(2))
        defer { player.close() }
        try player.insert(items[..<2] + [PlaylistItem(id: PlaylistItemID(3), source: gated)], at: 0)
        let recorder = Recorder(engine, frames: 480_000)
        func render(to frame: Int) { while recorder.frames < frame { recorder.render(64, .fixed(64)) } }
        func render(until isThere: () -> Bool) {
            while !isThere(), recorder.frames < 400_000 {
                Thread.sleep(forTimeInterval: 0.002)
                recorder.render(64, .fixed(64))
            }
        }
        try player.play(index: 2, at: FrameTime(48_000))
        render(to: 47_552)
        Thread.sleep(forTimeInterval: 0.05)
        player.next()
        render(to: 48_640)
        gated.release()
        render { player.phase == .playing && player.currentIndex == 2 && player.position > 0 }
        #expect(player.phase == .playing && player.currentIndex == 2)
    }
}
