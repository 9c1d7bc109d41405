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

    private static func level(_ id: Int, _ value: Float, seconds: Double) -> PlaylistItem {
        let samples = [Float](repeating: value, count: Int(48_000 * seconds))
        return PlaylistItem(id: PlaylistItemID(id), source: SampleItem(left: samples))
    }

    /// How far `sound` is from a level of 0.5 that fades out over `fade` frames, as a quarter of a cosine.
    private static func distance(_ sound: ArraySlice<Float>, fade: Int) -> Double {
        zip(sound, 0...).map { sample, frame in
            let expected = frame < fade ? 0.5 * cos(.pi / 2 * (Double(frame) + 0.5) / Double(fade)) : 0
            return abs(Double(sample) - expected)
        }.max() ?? .infinity
    }

    @Test(
        "What is skipped fades out over the whole crossfade, or to where the next item would have come in, however far ahead was read",
        arguments: [0.5, 2, 6, 12.0], [40.0, 5.0])
    func wholeFade(crossfade: Double, length: Double) {
        let items = [Self.level(1, 0.5, seconds: length), Self.level(2, 0, seconds: 20)]
        let stage = PlaylistStage(items, frames: 800_000, seconds: 30, blocks: [1_777])
        stage.player.crossfade = crossfade
        stage.player.play()
        stage.render(to: 48_000)
        stage.player.next()
        stage.render(to: 800_000)
        let fade = Int(48_000 * min(crossfade, length - min(crossfade, length / 2) - 1))
        #expect(Self.distance(stage.left[48_000..<48_000 + fade + 20_000], fade: fade) < 1e-4)
    }

    @Test("The same with threads that read, which had not read so far ahead")
    func wholeFadeLive() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 30))
        let player = try PlaylistPlayer(on: engine, ahead: 1, feeding: .threads(2))
        player.crossfade = 12
        try player.insert([Self.level(1, 0.5, seconds: 40), Self.level(2, 0, seconds: 40)], at: 0)
        player.play()
        let recorder = Recorder(engine, frames: 1_000_000)
        func play(until isDone: () -> Bool) {
            let end = Date(timeIntervalSinceNow: 20)
            while !isDone(), Date() < end, recorder.frames < 300_000 {
                recorder.render(64, .fixed(64))
                Thread.sleep(forTimeInterval: 0.001)
            }
            #expect(isDone())
        }
        play { recorder.left()[0..<recorder.frames].last == 0.5 && player.isSettled }
        player.next()
        play { player.isSettled && recorder.left()[0..<recorder.frames].last.map { $0 < 0.5 } == true }
        // Not so fast that what comes in can't be read.
        for _ in 0..<250 {
            recorder.render(2_400, .fixed(480))
            Thread.sleep(forTimeInterval: 0.002)
        }
        let sound = Array(recorder.left())
        let begun = recorder.events.last { event in
            if case .playlist(.itemStarted(let item)) = event.kind { item.rawValue == 2 } else { false }
        }
        let begin = Int(try #require(begun).frame.rawValue)
        #expect(Self.distance(sound[begin..<begin + 590_000], fade: 576_000) < 1e-4)
    }
}
