import BarlineEngine
import BarlineTime
import Foundation
import Testing

@Suite("Skips and seeks in a playlist")
struct PlaylistSkipTests {
    /// A tone of 100 Hz at 0.9, from `phase` quarters of a period on.
    private static func tone(_ id: Int, quarters: Double) -> PlaylistItem {
        let samples: [Float] = (0..<96_000).map { frame in
            let turns: Double = 100 * Double(frame) / 48_000 + quarters / 4
            return Float(0.9 * sin(2 * Double.pi * turns))
        }
        return PlaylistItem(id: PlaylistItemID(id), source: SampleItem(left: samples))
    }

    enum Skip: CaseIterable {
        case next, previous, index, seek, restart, remove, replace
    }

    @Test("What begins within a sound comes in over 5 ms where it cuts another sound off", arguments: Skip.allCases)
    func steps(skip: Skip) throws {
        let stage = PlaylistStage((1...3).map { Self.tone($0, quarters: 1) }, frames: 40_000, blocks: [1, 64, 512])
        try stage.player.play(index: 1)
        // 120 quarters of a period: the tone is at its peak, and falls to 0 at the frame of the skip.
        stage.render(to: 14_520)
        switch skip {
        case .next: stage.player.next()
        case .previous: try stage.player.play(index: 0)
        case .index: try stage.player.play(index: 1)
        case .seek: stage.player.seek(to: 0)
        case .restart: stage.player.previous()
        case .remove: try stage.player.remove(at: 1)
        case .replace: try stage.player.replace(at: 1, with: Self.tone(9, quarters: 1))
        }
        stage.render(to: 40_000)
        let left = stage.left
        // The slope of the tone, and of two ramps over 240 frames.
        let slope: Double = 2 * Double.pi * 100 / 48_000
        let limit = Float(0.9 * slope + 2 * 0.9 / 240)
        let largest = (14_000..<40_000).map { abs(left[$0] - left[$0 - 1]) }.max() ?? 0
        #expect(largest <= limit)
        // The item is in its place after the fade.
        let expected: [Float] = (240..<20_000).map { Float(0.9 * cos(slope * Double($0))) }
        #expect(zip(left[14_760...], expected).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test("What begins in silence is whole from its first frame on, whatever it cuts off")
    func whole() throws {
        let silence = PlaylistItem(
            id: PlaylistItemID(1), source: SampleItem(left: [Float](repeating: 0, count: 48_000)))
        let tone = Self.tone(2, quarters: 0)
        let stage = PlaylistStage([silence, tone], frames: 20_000)
        stage.player.play()
        stage.render(to: 10_000)
        stage.player.next()
        stage.render(to: 20_000)
        #expect(Array(stage.left[10_000...]) == Array(tone.samples[..<10_000]))
    }

    @Test("A seek is told, to the item's beginning too", arguments: [0, 0.000_01, 0.25])
    func told(seconds: Double) throws {
        let stage = PlaylistStage([Self.tone(1, quarters: 1)], frames: 20_000)
        stage.player.play()
        stage.render(to: 10_000)
        stage.player.seek(to: seconds)
        stage.render(to: 20_000)
        let seeks = stage.recorder.events.compactMap { event -> Double? in
            guard case .playlist(.itemSeeked(PlaylistItemID(1), let position)) = event.kind else { return nil }
            #expect(event.frame == FrameTime(10_000))
            return position
        }
        #expect(seeks.count == 1 && abs((seeks.first ?? 1) - seconds) < 1 / 48_000)
        #expect(stage.itemEvents == ["0 start 1"])
    }
}
