import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

/// A value that is dragged: versions of the item that plays that are asked for one upon the other.
@Suite("Versions of a playlist's item that follow one another quickly")
struct PlaylistDragTests {
    private static let frames = 96_000
    private static let peak = 0.5
    /// The ramp over half a frame for each of the versions, whose places are rounded to frames.
    private static let tolerance = Float(0.5 * peak / Double(frames) * 18)

    /// An item that is `length` times as long as a ramp from 0 up to the peak, and so says where it is heard.
    private static func ramp(slower length: Double) -> PlaylistItem {
        let count = Int((Double(frames) * length).rounded())
        let samples = (0..<count).map { Float(peak * Double($0) / (Double(frames) * length)) }
        return PlaylistItem(id: PlaylistItemID(1), source: SampleItem(left: samples))
    }

    /// How many times longer the version is that a hand has dragged it to.
    private static func length(_ move: Int) -> Double { 1 / (1 - 0.01 * Double(move % 8)) }

    /// The ramp that is heard if versions of these lengths take over on these frames, each where the one before it is.
    private static func expected(_ versions: [(frame: Int, length: Double)]) -> [Float] {
        var (samples, place, length) = ([Float](), 0.0, 1.0)
        var rest = versions[...]
        while place < 1 {
            while let next = rest.first, next.frame == samples.count {
                length = next.length
                rest.removeFirst()
            }
            samples.append(Float(peak * place))
            place += 1 / (Double(frames) * length)
        }
        return samples
    }

    private static func error(_ heard: [Float], _ expected: [Float]) -> Float {
        zip(heard, expected).map { abs($0 - $1) }.max() ?? .infinity
    }

    @Test("Each version goes on where the one is that plays when it takes over, though that was on its way too")
    func moments() {
        let stage = PlaylistStage([Self.ramp(slower: 1), .noise(2, frames: 96_000)], frames: 110_000)
        stage.player.play()
        var versions: [(frame: Int, length: Double)] = []
        for move in 1...18 {
            let asked = 12_000 + 4_000 * move
            stage.render(to: asked)
            let (before, now) = (Self.length(move - 1), Self.length(move))
            stage.player.exchange(
                with: Self.ramp(slower: now), at: FrameTime(Int64(asked) + 10_000), slower: now / before)
            versions.append((asked + 10_000, now))
        }
        stage.render(to: 110_000)
        let expected = Self.expected(versions)
        let end = stage.itemEvents.first { $0.contains("start 2") }.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        #expect(expected.count < 105_000 && abs(end - expected.count) <= 1)
        #expect(Self.error(Array(stage.left[..<(end - 1)]), expected) < Self.tolerance)
        #expect(stage.itemEvents.count { $0.contains("start") } == 2)
    }

    @Test("A speed that is dragged across the end of its item is heard up to there, and the next item follows once")
    func live() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = PlaylistPlayer(prepared: engine, ahead: 2, feeding: .threads(2))
        defer { player.close() }
        let next = PlaylistItem.noise(2, frames: 200_000)
        try player.insert([Self.ramp(slower: 1), next], at: 0)
        let recorder = Recorder(engine, frames: 400_000)
        func frame(of kind: EngineEvent.Kind) -> Int? {
            recorder.events.first { $0.kind == kind }.map { Int($0.frame.rawValue) }
        }
        func render(until isDone: () -> Bool) {
            while recorder.frames < 399_000, !isDone() {
                recorder.render(64, .fixed(64))
                // The threads that read are to keep up.
                Thread.sleep(forTimeInterval: 0.0005)
            }
        }
        player.play()
        render { frame(of: .playlist(.itemStarted(item: PlaylistItemID(1)))) != nil }
        let start = try #require(frame(of: .playlist(.itemStarted(item: PlaylistItemID(1)))))
        let heard = Mutex<[(frame: Int, length: Double)]>([])
        for move in 1...76 {
            render { recorder.frames >= start + 9_600 + 1_440 * move }
            let (before, now) = (Self.length(move - 1), Self.length(move))
            player.exchange(with: Self.ramp(slower: now), slower: now / before) { _, at in
                if let at { heard.withLock { $0.append((Int(at.rawValue) - start, now)) } }
            }
        }
        let second = try #require(frame(of: .playlist(.itemStarted(item: PlaylistItemID(2)))))
        render { recorder.frames >= second + 60_000 }
        let versions = heard.withLock { $0.sorted { $0.frame < $1.frame }.filter { $0.frame < second - start } }
        // A quarter of a second each.
        #expect(versions.count >= 5)
        let expected = Self.expected(versions)
        #expect(abs(expected.count - (second - start)) <= 1)
        let samples = recorder.left()
        #expect(Self.error(Array(samples[start..<(second - 1)]), expected) < Self.tolerance)
        #expect(samples[(second + 1)..<(second + 60_000)].elementsEqual(next.samples[1..<60_000]))
        let starts = recorder.events.compactMap { event -> Int? in
            guard case .playlist(.itemStarted(let item)) = event.kind else { return nil }
            return item.rawValue
        }
        #expect(starts == [1, 2])
    }

    @Test("Another version that follows a seek goes on from where that is heard, and not from where it began")
    func afterSeek() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = PlaylistPlayer(prepared: engine, ahead: 2, feeding: .threads(2))
        defer { player.close() }
        try player.insert([Self.ramp(slower: 1)], at: 0)
        let recorder = Recorder(engine, frames: 200_000)
        func render(until isDone: () -> Bool) {
            while recorder.frames < 199_000, !isDone() {
                recorder.render(64, .fixed(64))
                Thread.sleep(forTimeInterval: 0.0005)
            }
        }
        player.play()
        render { recorder.events.contains { $0.kind == .playlist(.itemStarted(item: PlaylistItemID(1))) } }
        render { recorder.frames >= 20_000 }
        player.seek(to: 1)
        // It is sent, and no block has come since.
        for _ in 0..<5_000 where !player.isSettled { Thread.sleep(forTimeInterval: 0.001) }
        let (seek, length) = (recorder.frames, 1.25)
        let heard = Mutex<Int?>(nil)
        player.exchange(with: Self.ramp(slower: length), slower: length) { _, at in
            heard.withLock { $0 = at.map { Int($0.rawValue) } }
        }
        render { recorder.frames >= seek + 40_000 }
        let change = try #require(heard.withLock { $0 })
        #expect((seek..<seek + 20_000).contains(change))
        let samples = recorder.left()
        let slope = Self.peak / Double(Self.frames)
        for frame in stride(from: seek + 300, to: seek + 40_000, by: 50) where abs(frame - change) > 300 {
            let before = Double(min(frame, change) - seek)
            let after = Double(max(frame, change) - change) / length
            let expected = Float(slope * (48_000 + before + after))
            #expect(abs(samples[frame] - expected) < 2 * Float(slope), "frame \(frame - seek)")
        }
    }
}
