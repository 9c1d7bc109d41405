import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

@Suite("A playlist's crossfades and gains")
struct PlaylistCrossfadeTests {
    private func level(_ id: Int, _ value: Float, frames: Int) -> PlaylistItem {
        PlaylistItem(
            id: PlaylistItemID(id), source: SampleItem(left: [Float](repeating: value, count: frames)))
    }

    @Test("Two items overlap by the crossfade, with gains of equal power")
    func equalPower() {
        let overlap = 4_800
        let stage = PlaylistStage([.noise(1, frames: 30_000), .noise(2, frames: 40_000)], frames: 70_000)
        stage.player.crossfade = 0.1
        let items = stage.player.items
        stage.player.play()
        stage.render(to: 70_000)
        let seam = 30_000 - overlap
        for frame in 0..<65_200 {
            var expected = 0.0
            let angle = Double.pi / 2 * (Double(frame - seam) + 0.5) / Double(overlap)
            if frame < 30_000 { expected += Double(items[0].samples[frame]) * (frame < seam ? 1 : cos(angle)) }
            if frame >= seam {
                expected += Double(items[1].samples[frame - seam]) * (frame < 30_000 ? sin(angle) : 1)
            }
            let isRight = abs(Double(stage.left[frame]) - expected) < 1e-6
            #expect(isRight, "frame \(frame)")
            if !isRight { return }
        }
        #expect(
            stage.itemEvents == ["0 start 1", "\(seam) start 2", "30000 end 1", "65200 end 2", "65200 over"])
    }

    @Test("An item shorter than two crossfades fades over half of itself")
    func short() {
        let stage = PlaylistStage(
            [level(1, 0.5, frames: 20_000), level(2, 0.5, frames: 1_000), level(3, 0.5, frames: 20_000)], frames: 50_000
        )
        stage.player.crossfade = 0.1
        stage.player.play()
        stage.render(to: 50_000)
        #expect(
            stage.itemEvents == [
                "0 start 1", "19500 start 2", "20000 end 1", "20000 start 3", "20500 end 2", "40000 end 3",
                "40000 over",
            ])
        #expect(stage.left[..<40_000].allSatisfy { $0 >= 0.49 && $0 <= 0.71 })
    }

    @Test("Set or sought to near an item's end, a crossfade is as long as if the item had played from its beginning")
    func enteredLate() {
        for seeks in [false, true] {
            let stage = PlaylistStage([.noise(1, frames: 60_000), .noise(2, frames: 60_000)], frames: 70_000)
            if seeks { stage.player.crossfade = 0.25 }
            stage.player.play()
            stage.render(to: seeks ? 10_000 : 40_000)
            if seeks {
                stage.player.seek(to: 40_000.0 / 48_000)
            } else {
                stage.player.crossfade = 0.25
            }
            stage.render(to: 70_000)
            let skipped = seeks ? 30_000 : 0
            #expect(
                stage.itemEvents.prefix(3)
                    == ["0 start 1", "\(48_000 - skipped) start 2", "\(60_000 - skipped) end 1"])
        }
    }

    @Test("A crossfade that is set within its own length of an item's end is the next item's, for every block size")
    func tooLate() {
        var heard: [[Float]] = []
        for blockFrames in [13, 64, 2_048] {
            let items: [PlaylistItem] = (1...3).map { .noise($0, frames: 60_000) }
            let stage = PlaylistStage(items, frames: 130_000, blocks: [blockFrames])
            stage.player.play()
            stage.render(to: 50_000)
            stage.player.crossfade = 0.25
            stage.render(to: 130_000)
            #expect(
                stage.itemEvents.prefix(5)
                    == ["0 start 1", "60000 end 1", "60000 start 2", "108000 start 3", "120000 end 2"])
            let whole = items[0].samples + items[1].samples
            #expect(zip(stage.left[..<108_000], whole).allSatisfy { abs($0 - $1) < 1e-6 })
            heard.append(stage.left)
        }
        #expect(heard[1] == heard[0])
        #expect(heard[2] == heard[0])
    }

    @Test(
        "Set while one item fades into the next, a crossfade leaves that one as it is and is the next one's",
        arguments: [0, 0.05, 0.4])
    func setWithinAFade(seconds: Double) {
        let items = (1...3).map { PlaylistItem.noise($0, frames: 40_000) }
        func played(changesAt frame: Int?) -> [Float] {
            let stage = PlaylistStage(items, frames: 120_000)
            stage.player.crossfade = 0.2
            stage.player.play()
            if let frame {
                stage.render(to: frame)
                stage.player.crossfade = seconds
            }
            stage.render(to: 110_000)
            return stage.left
        }
        // The first fade is from frame 30,400 to 40,000.
        let (unchanged, changed) = (played(changesAt: nil), played(changesAt: 34_000))
        let untouched = zip(unchanged[..<40_000], changed).map { abs($0 - $1) }.max() ?? 1
        #expect(untouched < 1e-6)
        // The second item began on frame 30,400, and the third so long before it ends.
        let third = 70_400 - Int(seconds * 48_000)
        let expected = items[2].samples
        let alone = max(third + Int(seconds * 48_000), 70_400) + 100
        #expect((0..<1_000).allSatisfy { abs(changed[alone + $0] - expected[alone - third + $0]) < 1e-6 })
    }

    @Test("Items of different rates crossfade too")
    func otherRates() throws {
        let rate = try #require(SampleRate(44_100))
        let second = PlaylistItem(
            id: PlaylistItemID(2),
            source: SampleItem(left: [Float](repeating: 0.5, count: 44_100), sampleRate: rate))
        let stage = PlaylistStage([level(1, 0.5, frames: 48_000), second], frames: 96_000)
        stage.player.crossfade = 0.25
        stage.player.play()
        stage.render(to: 96_000)
        #expect(stage.itemEvents.prefix(3) == ["0 start 1", "36000 start 2", "48000 end 1"])
        #expect(stage.left[100..<83_900].allSatisfy { $0 >= 0.49 && $0 <= 0.71 })
    }

    @Test("A manual next crossfades from where it is, and next during a fade goes on to the item after")
    func manualNext() {
        let items = (1...3).map { level($0, 0.5, frames: 200_000) }
        let stage = PlaylistStage(items, frames: 100_000, seconds: 4)
        stage.player.crossfade = 1
        stage.player.play()
        stage.render(to: 20_000)
        stage.player.next()
        stage.render(to: 40_000)
        stage.player.next()
        stage.render(to: 100_000)
        #expect(
            stage.itemEvents == [
                "0 start 1", "20000 end 1", "20000 start 2", "40000 end 2", "40000 start 3",
            ])
        let steps = zip(stage.left, stage.left.dropFirst()).map { abs($1 - $0) }
        #expect(steps.dropFirst(1).max() ?? 1 < 0.001, "no step where a fade is interrupted")
        #expect(
            abs(stage.left[30_000] - 0.5 * (sin(.pi / 2 * 10_000 / 48_000) + cos(.pi / 2 * 10_000 / 48_000))) < 1e-4)
    }

    @Test("A pause or a stop during a skip's crossfade silences both items within 5 ms", arguments: [true, false])
    func silenced(pauses: Bool) {
        let stage = PlaylistStage(
            [level(1, 0.5, frames: 200_000), level(2, 0.25, frames: 200_000)], frames: 120_000, seconds: 4)
        stage.player.crossfade = 1
        stage.player.play()
        stage.render(to: 20_000)
        stage.player.next()
        stage.render(to: 32_000)
        if pauses { stage.player.pause() } else { stage.player.stop() }
        stage.render(to: 80_000)
        stage.player.play()
        stage.render(to: 120_000)
        let angle = Float.pi / 2 * 12_000 / 48_000
        #expect(abs(stage.left[31_999] - 0.5 * cos(angle) - 0.25 * sin(angle)) < 1e-3)
        #expect(stage.left[32_240..<80_000].allSatisfy { $0 == 0 })
        let steps = zip(stage.left[20_000..<80_000], stage.left[20_001..<80_000]).map { abs($1 - $0) }
        #expect(steps.max() ?? 1 < 0.6 / 240 + 1e-3)
        // It goes on with what was come to, alone.
        #expect(stage.left[80_240..<120_000].allSatisfy { abs($0 - 0.25) < 1e-6 })
    }

    @Test(
        "After a seek in an item of another rate its position is where its sound is, and each time is told once",
        arguments: [0.0, 0.5])
    func seekAtAnotherRate(crossfade: Double) throws {
        let rate = try #require(SampleRate(44_100))
        let item = PlaylistItem(
            id: PlaylistItemID(1), source: SampleItem(noise: 3, frames: 441_000, sampleRate: rate))
        let stage = PlaylistStage([item], frames: 150_000)
        stage.player.crossfade = crossfade
        stage.player.play()
        stage.render(to: 20_000)
        stage.player.seek(to: 5.01)
        stage.render(to: 150_000)
        let seeks = stage.recorder.events.compactMap { event -> (frame: Int64, position: Double)? in
            guard case .playlist(.itemSeeked(_, let position)) = event.kind else { return nil }
            return (event.frame.rawValue, position)
        }
        let seek = try #require(seeks.last)
        #expect(abs(seek.position - 5.01) < 1e-4)
        let times = stage.recorder.events.compactMap { event -> (frame: Int64, position: Double)? in
            guard case .playlist(.itemTime(_, let position)) = event.kind, event.frame.rawValue > seek.frame
            else { return nil }
            return (event.frame.rawValue, position)
        }
        #expect(times.count == 27)
        for (index, time) in times.enumerated() {
            // The next whole tenth after 5.01 s is 5.1.
            let expected = 5.1 + 0.1 * Double(index)
            #expect(abs(time.position - expected) < 1e-4)
            #expect(abs(Double(time.frame - seek.frame) - (expected - 5.01) * 48_000) <= 1.5)
        }
    }

    @Test("Another gain is heard at once, at any rate, over 5 ms", arguments: [48_000.0, 44_100])
    func gain(hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let long = PlaylistItem(
            id: PlaylistItemID(1), source: SampleItem(noise: 3, frames: 90_000, sampleRate: rate))
        let next = PlaylistItem(
            id: PlaylistItemID(2), source: SampleItem(noise: 4, frames: 90_000, sampleRate: rate))
        let plain = PlaylistStage([long, next], frames: 150_000)
        plain.player.play()
        plain.render(to: 150_000)
        let stage = PlaylistStage([long, next], frames: 150_000)
        stage.player.play()
        stage.render(to: 30_001)
        for var item in [long, next] {
            item.gain = Decibels(-6.020_599_913_279_624)
            stage.player.exchange(with: item, slower: 1)
        }
        stage.render(to: 150_000)
        for frame in 0..<150_000 {
            let share = min(1, max(0, Float(frame - 30_001) / 240))
            let expected = plain.left[frame] * (1 - 0.5 * share)
            let isRight = abs(stage.left[frame] - expected) < 2e-6
            #expect(isRight, "frame \(frame)")
            if !isRight { return }
        }
        #expect(stage.itemEvents == plain.itemEvents)
    }

    @Test("What is appended on the last frames is played without a gap", arguments: [0, 1, 30, 5_000])
    func lateAppend(framesLeft: Int) throws {
        let first = PlaylistItem.noise(1, frames: 20_000)
        let second = PlaylistItem.noise(2, frames: 20_000)
        let stage = PlaylistStage([first], frames: 45_000)
        stage.player.play()
        stage.render(to: 20_000 - framesLeft)
        try stage.player.insert([second], at: 1)
        stage.render(to: 45_000)
        #expect(Array(stage.left[..<40_000]) == first.samples + second.samples)
    }

    @Test("A pause holds the position exactly, fades, and goes on with the next frame")
    func pause() {
        let item = PlaylistItem.noise(1, frames: 60_000)
        let stage = PlaylistStage([item], frames: 60_000)
        stage.player.play()
        stage.render(to: 10_001)
        stage.player.pause()
        stage.render(to: 20_002)
        stage.player.play()
        stage.render(to: 60_000)
        #expect(Array(stage.left[..<10_001]) == Array(item.samples[..<10_001]))
        #expect(stage.left[10_001 + 240..<20_002].allSatisfy { $0 == 0 })
        #expect(Array(stage.left[20_002 + 240..<60_000]) == Array(item.samples[10_001 + 240..<49_999]))
        for frame in 0..<240 {
            let down = item.samples[10_001 + frame] * (1 - Float(frame) / 240)
            #expect(abs(stage.left[10_001 + frame] - down) < 1e-6)
        }
    }

    /// What is heard where the list is changed while the end of the item that plays is being written ahead, and what
    /// plays is left a moment later.
    private func changedNearItsEnd(at frame: Int, blockFrames: Int) throws -> (samples: [Float], events: [String]) {
        let items = [120_000, 130_001, 90_000].enumerated().map { index, frames in
            PlaylistItem(
                id: PlaylistItemID(index + 1),
                source: SampleItem(left: SampleStem(noise: UInt64(index + 1), frames: frames).left))
        }
        let added = PlaylistItem(
            id: PlaylistItemID(9), source: SampleItem(left: SampleStem(noise: 9, frames: 60_000).left))
        let stage = PlaylistStage(items, frames: 90_000, seconds: 8, blocks: [blockFrames])
        stage.player.crossfade = 1
        stage.player.play()
        stage.render(to: frame)
        try stage.player.insert([added], at: 1)
        stage.render(to: frame + 3_000)
        stage.player.next()
        stage.render(to: 90_000)
        return (stage.left, stage.itemEvents)
    }

    @Test("A crossfade is the same for every block size, however far ahead the next item was written")
    func blockSizes() throws {
        for frame in stride(from: 18_000, to: 30_000, by: 500) {
            let expected = try changedNearItsEnd(at: frame, blockFrames: 64)
            let heard = try changedNearItsEnd(at: frame, blockFrames: 2_048)
            #expect(heard.events == expected.events, "changed at frame \(frame)")
            #expect(heard.samples == expected.samples, "changed at frame \(frame)")
        }
    }

    @Test("Other settings take effect on the same frame for every block size, also where every deck still fades out")
    func settingsWithoutDecks() throws {
        let rate = try #require(SampleRate(44_100))
        let items = (1...6).map { number in
            PlaylistItem(
                id: PlaylistItemID(number),
                source: SampleItem(
                    left: SampleStem(noise: UInt64(number), frames: 90_000).left, sampleRate: rate))
        }
        var heard: [[Float]] = []
        for blockFrames in [1, 64, 2_048] {
            let stage = PlaylistStage(items, frames: 70_000, seconds: 4, blocks: [blockFrames])
            stage.player.crossfade = 1
            stage.player.play()
            for skip in 1...4 {
                stage.render(to: 3_000 * skip)
                stage.player.next()
                // As an offline render does: while something waits for a deck, each frame is a block.
                while !stage.player.isSettled { stage.render(to: stage.recorder.frames + 1) }
            }
            stage.player.crossfade = 0
            while !stage.player.isSettled { stage.render(to: stage.recorder.frames + 1) }
            stage.render(to: 70_000)
            heard.append(stage.left)
        }
        #expect(heard[1] == heard[0])
        #expect(heard[2] == heard[0])
    }
}
