import BarlineEngine
import BarlineTime
import Synchronization
import Testing

@Suite("A playlist's seams")
struct PlaylistSeamTests {
    @Test(
        "Each item begins on the frame after the last one's last, and every sample is the item's own",
        arguments: [[1], [64], [512], [1, 63, 257, 4_096]])
    func gapless(blocks: [Int]) {
        let lengths = [10_001, 1, 777, 48_000, 2, 3_333]
        let items = lengths.enumerated().map { PlaylistItem.noise($0 + 1, frames: $1) }
        let total = lengths.reduce(0, +)
        let stage = PlaylistStage(items, frames: 100 + total + 1_000, blocks: blocks)
        stage.render(to: 100)
        stage.player.play()
        stage.render(to: 100 + total + 1_000)
        let expected =
            [Float](repeating: 0, count: 100) + items.flatMap(\.samples) + [Float](repeating: 0, count: 1_000)
        #expect(stage.left == expected)
        var frame = 100
        var events: [String] = []
        for (index, length) in lengths.enumerated() {
            events.append("\(frame) start \(index + 1)")
            frame += length
            events.append("\(frame) end \(index + 1)")
        }
        #expect(stage.itemEvents == events + ["\(frame) over"])
    }

    @Test("A file cut in two at an odd frame plays as one, at any rate", arguments: [44_100.0, 22_050, 96_000, 47_999])
    func resampled(hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let whole = SampleItem(noise: 5, frames: 30_000, sampleRate: rate)
        let cut = 12_347
        let first = SampleItem(left: Array(whole.left[..<cut]), right: Array(whole.right[..<cut]), sampleRate: rate)
        let second = SampleItem(left: Array(whole.left[cut...]), right: Array(whole.right[cut...]), sampleRate: rate)
        let length = Int((30_000 * 48_000 / hertz).rounded())
        func play(_ sources: [SampleItem]) -> PlaylistStage {
            let items = sources.enumerated().map { PlaylistItem(id: PlaylistItemID($0), source: $1) }
            let stage = PlaylistStage(items, frames: length + 100)
            stage.player.play()
            stage.render(to: length + 100)
            return stage
        }
        let halves = play([first, second])
        #expect(halves.left == play([whole]).left)
        let seam = Int((Double(cut) * 48_000 / hertz).rounded())
        #expect(
            halves.itemEvents
                == ["0 start 0", "\(seam) end 0", "\(seam) start 1", "\(length) end 1", "\(length) over"])
    }

    @Test("Items of other rates begin on the nearest frame, and none is lost")
    func otherRates() throws {
        let rates = [44_100.0, 48_000, 96_000, 44_100]
        let items = try rates.enumerated().map { index, hertz in
            PlaylistItem.noise(index, frames: 10_007, sampleRate: try #require(SampleRate(hertz)))
        }
        let stage = PlaylistStage(items, frames: 60_000)
        stage.player.play()
        stage.render(to: 60_000)
        var frame = 0
        var events: [String] = []
        for (index, hertz) in rates.enumerated() {
            events.append("\(frame) start \(index)")
            frame += Int((10_007 * 48_000 / hertz).rounded())
            events.append("\(frame) end \(index)")
        }
        #expect(stage.itemEvents == events + ["\(frame) over"])
    }

    @Test("What can't be played is left out with an event, and the rest joins")
    func skipped() {
        let items = [
            PlaylistItem.noise(1, frames: 5_000),
            PlaylistItem(id: PlaylistItemID(2), source: SampleItem(left: [])),
            PlaylistItem(id: PlaylistItemID(3), source: SampleItem(left: [0.5, 0.5], failsAt: 0)),
            PlaylistItem(
                id: PlaylistItemID(4),
                source: SampleItem(left: [Float](repeating: 0.25, count: 3_000), failsAt: 1_500)),
            PlaylistItem.noise(5, frames: 5_000),
            PlaylistItem(id: PlaylistItemID(6), source: SampleItem(noise: 6, frames: 900), start: 900),
        ]
        let stage = PlaylistStage(items, frames: 20_000)
        stage.player.play()
        stage.render(to: 20_000)
        let sound = items[0].samples + [Float](repeating: 0.25, count: 1_500) + items[4].samples
        #expect(Array(stage.left[..<sound.count]) == sound)
        #expect(
            stage.itemEvents == [
                "0 start 1", "5000 skip 2", "5000 skip 3", "5000 end 1", "5000 start 4", "6500 end 4", "6500 start 5",
                "11500 skip 6", "11500 end 5", "11500 over",
            ])
        // Of each that was not played to its end it is said why.
        #expect(Set(stage.player.failures.keys) == Set([2, 3, 4, 6].map { PlaylistItemID($0) }))
    }

    @Test("What could not be played is not said to be so any more once it plays")
    func foundAgain() throws {
        let lost = LostItem()
        let items = [PlaylistItem(id: PlaylistItemID(1), source: lost), PlaylistItem.noise(2, frames: 5_000)]
        let stage = PlaylistStage(items, frames: 40_000)
        stage.player.play()
        stage.render(to: 10_000)
        #expect(stage.player.failures.keys.map(\.rawValue) == [1])
        lost.isThere.store(true, ordering: .sequentiallyConsistent)
        let revision = stage.player.revision
        try stage.player.play(index: 0)
        stage.render(to: 30_000)
        #expect(stage.itemEvents.contains { $0.hasSuffix("start 1") })
        #expect(stage.player.failures.isEmpty)
        #expect(stage.player.revision > revision)
    }

    @Test("A part of a file is played from its first frame to before its last")
    func parts() {
        let source = SampleItem(noise: 9, frames: 20_000)
        let items = [
            PlaylistItem(id: PlaylistItemID(1), source: source, start: 4_001, end: 9_000),
            PlaylistItem(id: PlaylistItemID(2), source: source, start: 9_000, end: 9_001),
            PlaylistItem(id: PlaylistItemID(3), source: source, start: 9_001),
        ]
        let stage = PlaylistStage(items, frames: 16_000)
        stage.player.play()
        stage.render(to: 16_000)
        #expect(Array(stage.left[..<15_999]) == Array(source.left[4_001...]))
        #expect(stage.left[15_999] == 0)
    }

    @Test("The time is reported every tenth of a second of the item, on its frame")
    func time() {
        let stage = PlaylistStage([.noise(1, frames: 12_345), .noise(2, frames: 20_000)], frames: 30_000)
        stage.render(to: 10)
        stage.player.play()
        stage.render(to: 30_000)
        let times = stage.recorder.events.compactMap { event -> [Double]? in
            guard case .playlist(.itemTime(let item, let position)) = event.kind else { return nil }
            return [Double(event.frame.rawValue), Double(item.rawValue), (position * 10).rounded()]
        }
        let first: [[Double]] = [[4_810, 1, 1], [9_610, 1, 2]]
        let second: [[Double]] = [[17_155, 2, 1], [21_955, 2, 2], [26_755, 2, 3]]
        #expect(times == first + second)
    }
}

/// An item that is not there at first.
private final class LostItem: PlaylistSource {
    let isThere = Atomic<Bool>(false)
    private let item = SampleItem(noise: 1, frames: 6_000)

    struct IsLost: Error {}

    var sampleRate: SampleRate { item.sampleRate }
    var frameCount: Int64? { item.frameCount }

    func open() throws -> sending any PlaylistReader {
        if !isThere.load(ordering: .sequentiallyConsistent) { throw IsLost() }
        return try item.open()
    }
}
