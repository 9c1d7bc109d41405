import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// Pauses, and starts that are asked for ahead, beside other versions of an item.
@Suite("Pauses and timed starts beside versions of a playlist's items")
struct PlaylistPauseTests {
    private static let frames = 192_000
    private static let fade = 240
    private let items = [PlaylistItem.noise(1, frames: frames), PlaylistItem.noise(2, frames: frames)]

    /// Another version of an item, which has the same frames at the same places as no other has.
    private func version(of item: Int) -> PlaylistItem {
        PlaylistItem(
            id: PlaylistItemID(item), source: SampleItem(noise: UInt64(8 + item), frames: PlaylistPauseTests.frames))
    }

    private func stage(until frame: Int = 24_000) -> PlaylistStage {
        let stage = PlaylistStage(items, frames: 200_000, blocks: [64])
        stage.player.play()
        stage.render(to: frame)
        return stage
    }

    /// The frame of an item's samples that is heard on a frame; `nil` where it is none of them.
    private func place(of item: PlaylistItem, at frame: Int, in stage: PlaylistStage) -> Int? {
        let heard = stage.left[frame..<frame + 32]
        let samples = item.samples
        return samples.indices.dropLast(32).first { place in
            samples[place] == heard.first && samples[place..<place + 32].elementsEqual(heard)
        }
    }

    @Test(
        "Paused before another version takes over, it goes on from where it was paused, in that version",
        arguments: [24_000, 26_000, 35_000, 35_990], [false, true])
    func pause(paused: Int, isPlayedBefore: Bool) {
        let stage = stage()
        #expect(stage.player.exchange(with: version(of: 1), at: FrameTime(36_000), slower: 1))
        stage.render(to: paused)
        stage.player.pause()
        let played = isPlayedBefore ? min(paused + 4_000, 35_996) : 48_000
        stage.render(to: played)
        #expect(stage.player.phase == .paused)
        #expect(abs(stage.player.position - Double(paused) / 48_000) < 1e-9)
        stage.player.play()
        stage.render(to: 100_000)
        let heard = stage.player.position
        #expect(abs(heard - Double(paused + 100_000 - played) / 48_000) < 1e-3)
        #expect(place(of: version(of: 1), at: 90_000, in: stage) == paused + 90_000 - played)
        #expect(stage.left[..<played].dropFirst(paused + PlaylistPauseTests.fade).allSatisfy { $0 == 0 })
    }

    @Test("Paused before two versions take over one after the other, it goes on in the later one")
    func pauseBeforeTwo() {
        let stage = stage()
        stage.player.exchange(with: version(of: 1), at: FrameTime(36_000), slower: 1)
        stage.render(to: 26_000)
        let later = PlaylistItem(
            id: PlaylistItemID(1), source: SampleItem(noise: 99, frames: PlaylistPauseTests.frames))
        stage.player.exchange(with: later, at: FrameTime(38_000), slower: 1)
        stage.render(to: 28_000)
        stage.player.pause()
        stage.render(to: 48_000)
        stage.player.play()
        stage.render(to: 100_000)
        #expect(place(of: later, at: 90_000, in: stage) == 28_000 + 90_000 - 48_000)
    }

    @Test(
        "A start that is asked for ahead comes in the new version of its item, and not before its time",
        arguments: [24_000, 24_001, 30_000])
    func timedStart(asked: Int) throws {
        let stage = stage()
        try stage.player.play(index: 1, at: FrameTime(48_000))
        stage.render(to: asked)
        #expect(stage.player.exchange(with: version(of: 2), slower: 1))
        stage.render(to: 150_000)
        #expect(stage.left[..<48_000] == items[0].samples[..<48_000])
        #expect(stage.itemEvents.prefix(3) == ["0 start 1", "48000 end 1", "48000 start 2"])
        #expect(stage.left[48_240..<150_000].elementsEqual(version(of: 2).samples[240..<102_000]))
    }

    @Test("Another version of what plays until then is heard until then")
    func timedStartAfterVersion() throws {
        let stage = stage()
        stage.player.exchange(with: version(of: 1), slower: 1)
        stage.render(to: 30_000)
        try stage.player.play(index: 1, at: FrameTime(48_000))
        stage.render(to: 36_000)
        for _ in 0..<6 {
            stage.player.exchange(with: version(of: 2), slower: 1)
            stage.render(to: stage.recorder.frames + 512)
        }
        stage.render(to: 150_000)
        #expect(stage.left[24_240..<48_000] == version(of: 1).samples[24_240..<48_000])
        #expect(stage.left[48_240..<150_000].elementsEqual(version(of: 2).samples[240..<102_000]))
    }

    @Test("Of two starts that are asked for ahead the later one comes in the new version, the earlier one as it was")
    func twoTimedStarts() throws {
        let stage = stage()
        try stage.player.play(index: 1, at: FrameTime(48_000))
        stage.render(to: 25_000)
        try stage.player.play(index: 0, at: FrameTime(72_000))
        stage.render(to: 26_000)
        for _ in 0..<4 {
            stage.player.exchange(with: version(of: 1), slower: 1)
            stage.render(to: stage.recorder.frames + 512)
        }
        stage.render(to: 150_000)
        #expect(stage.left[..<48_000] == items[0].samples[..<48_000])
        #expect(stage.left[48_240..<72_000].elementsEqual(items[1].samples[240..<24_000]))
        #expect(stage.left[72_240..<150_000].elementsEqual(version(of: 1).samples[240..<78_000]))
    }

    @Test("What was started on a frame, and stopped since, stays silent in another version")
    func stoppedAfterTimedStart() throws {
        let stage = stage()
        try stage.player.play(index: 1, at: FrameTime(48_000))
        stage.render(to: 60_000)
        stage.player.stop()
        stage.render(to: 60_064)
        #expect(stage.player.exchange(with: version(of: 2), slower: 1))
        stage.render(to: 100_000)
        #expect(stage.player.phase != .playing)
        #expect(stage.left[60_400..<100_000].allSatisfy { $0 == 0 })
        stage.player.play()
        stage.render(to: 150_000)
        #expect(stage.left[110_000..<140_000].elementsEqual(version(of: 2).samples[10_000..<40_000]))
    }
}
