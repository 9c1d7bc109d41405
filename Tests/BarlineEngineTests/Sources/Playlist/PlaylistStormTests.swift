import BarlineTime
import Testing

@testable import BarlineEngine

@Suite("A playlist that is edited while it plays")
struct PlaylistStormTests {
    @Test(
        "After 2000 random edits each, what sounds is what the model says, to the frame, and nothing sounds twice",
        arguments: [1, 2, 3, 4, 5, 6])
    func storm(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        var number = 0
        func item(_ random: inout TestRandom) -> PlaylistItem {
            number += 1
            return .noise(number, frames: random.chance(0.1) ? random.int(1...300) : random.int(1_000...20_000))
        }
        let first = (0..<5).map { _ in item(&random) }
        var model = ReferencePlaylist(first)
        let total = 2_000 * 1_600
        let stage = PlaylistStage(
            first, frames: total, seconds: 0.5, blocks: [1, 63, 64, 512, 1_024, 4_096], seed: seed)
        var frame = 0
        for _ in 0..<2_000 {
            // Some edits race an item's end: they come on its last frames, or on the frame after.
            let left = model.framesLeft ?? 0
            frame += random.chance(0.3) && left > 3 && left < 3_000 ? left - random.int(0...3) : random.int(0...2_500)
            if frame >= total - 10 { break }
            model.render(to: frame)
            stage.render(to: frame)
            let step = model.randomStep(&random, item: item)
            model.perform(step)
            try stage.perform(step)
            let isSound = stage.player.control.withLock { $0.checkInvariants() }
            if !isSound { Issue.record("seed \(seed): after \(step) the player disagrees with itself") }
        }
        model.render(to: min(total, frame + 5_000))
        stage.render(to: min(total, frame + 5_000))
        let wrong = model.sound.indices.first {
            !model.isFading[$0] && model.sound[$0] != stage.recorder.left()[$0]
        }
        #expect(wrong == nil, "seed \(seed)")
        let events = stage.itemEvents.filter { !$0.hasSuffix("over") }
        let difference = zip(events, model.events).first { $0 != $1 }
        #expect(difference == nil, "seed \(seed)")
        #expect(abs(events.count - model.events.count) <= 1)
    }
}

extension PlaylistStage {
    func perform(_ step: ReferencePlaylist.Step) throws {
        switch step {
        case .insert(let item, let index): try player.insert([item], at: index)
        case .remove(let index): try player.remove(at: index)
        case .move(let from, let target): try player.move(from: from, to: target)
        case .replace(let index, let item): try player.replace(at: index, with: item)
        case .next: player.next()
        case .previous: player.previous()
        case .play: player.play()
        case .pause: player.pause()
        case .stop: player.stop()
        case .playIndex(let index): try player.play(index: index)
        case .seek(let frame): player.seek(to: Double(frame) / 48_000)
        case .repetition(let value): player.modes.repeat = value
        }
    }
}
