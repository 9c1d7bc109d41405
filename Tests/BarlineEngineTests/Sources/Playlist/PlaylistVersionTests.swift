import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

/// What is asked for while another version of the item that plays is about to take over.
@Suite("Versions of a playlist's items")
struct PlaylistVersionTests {
    private static let frames = 96_000
    private static let fade = 240
    private let items = [PlaylistItem.noise(1, frames: frames), PlaylistItem.noise(2, frames: frames)]
    private let version = PlaylistItem(
        id: PlaylistItemID(1), source: SampleItem(noise: 9, frames: PlaylistVersionTests.frames))
    private let later = PlaylistItem(
        id: PlaylistItemID(1), source: SampleItem(noise: 10, frames: PlaylistVersionTests.frames))
    /// Before the engine was told of the version, and after.
    private static let moments = [24_000, 30_000]

    /// An item that plays, and another version of it that is to take over on frame 36,000.
    private func stage(until frame: Int) -> PlaylistStage {
        let stage = PlaylistStage(items, frames: 120_000)
        stage.player.play()
        stage.render(to: 24_000)
        #expect(stage.player.exchange(with: version, at: FrameTime(36_000), slower: 1))
        stage.render(to: frame)
        return stage
    }

    private func starts(_ stage: PlaylistStage) -> [String] { stage.itemEvents.filter { $0.contains("start") } }

    /// Whether `item` is heard from `frame` on, from its frame `first`, up to frame 100,000 or its end.
    private func isHeard(_ item: PlaylistItem, from frame: Int, at first: Int = 0, in stage: PlaylistStage) -> Bool {
        let from = frame + PlaylistVersionTests.fade
        let count = min(100_000 - from, PlaylistVersionTests.frames - first - PlaylistVersionTests.fade)
        let begin = first + PlaylistVersionTests.fade
        return stage.left[from..<from + count].elementsEqual(item.samples[begin..<begin + count])
    }

    @Test("Another version goes on where the one before it was, and one after that too")
    func exchanged() {
        let stage = stage(until: 30_000)
        stage.player.exchange(with: later, at: FrameTime(48_000), slower: 1)
        stage.render(to: 100_000)
        #expect(stage.left[..<36_000] == items[0].samples[..<36_000])
        #expect(stage.left[36_240..<48_000] == version.samples[36_240..<48_000])
        #expect(stage.left[48_240..<96_000] == later.samples[48_240..<96_000])
    }

    @Test("The time of an item is told where another version takes over on that very frame, too")
    func times() {
        let stage = PlaylistStage(items, frames: 60_000)
        stage.player.play()
        for frame in stride(from: 9_600, to: 48_000, by: 4_800) {
            stage.render(to: frame)
            stage.player.exchange(with: frame % 9_600 == 0 ? version : later, slower: 1)
        }
        stage.render(to: 57_000)
        let times = stage.recorder.events.compactMap { event -> Int64? in
            guard case .playlist(.itemTime) = event.kind else { return nil }
            return event.frame.rawValue
        }
        let expected = (1...11).map { (number: Int) -> Int64 in Int64(4_800 * number) }
        #expect(times == expected)
    }

    @Test(
        "An item that begins to play and becomes another version on one frame plays in that from there",
        arguments: [512, 30_000])
    func playAndVersion(frame: Int) {
        let stage = PlaylistStage(items, frames: 60_000)
        stage.render(to: frame)
        stage.player.play(at: FrameTime(Int64(frame)))
        stage.player.exchange(with: version, at: FrameTime(Int64(frame)), slower: 1)
        stage.render(to: 60_000)
        let heard = stage.left[(frame + PlaylistVersionTests.fade)..<60_000]
        #expect(heard.elementsEqual(version.samples[PlaylistVersionTests.fade..<(60_000 - frame)]))
    }

    @Test("An item that is to start later starts then, though the length of crossfades is changed until then")
    func crossfadeBeforeStart() throws {
        func played(late: Bool) throws -> PlaylistStage {
            let stage = PlaylistStage(items, frames: 120_000)
            if !late { stage.player.crossfade = 0.25 }
            stage.player.play()
            stage.render(to: 20_000)
            try stage.player.play(index: 1, at: FrameTime(60_000))
            stage.render(to: 30_000)
            if late { stage.player.crossfade = 0.25 }
            stage.render(to: 120_000)
            return stage
        }
        let (expected, stage) = (try played(late: false), try played(late: true))
        // What plays until then goes on across a fade into the same.
        #expect(zip(stage.left, expected.left).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(stage.itemEvents == expected.itemEvents && stage.itemEvents.contains("60000 start 2"))
    }

    @Test(
        "While an item fades in from the end of another, both go on: the version and the length of crossfades come after",
        arguments: [73_000, 80_000, 95_999], [nil, 0, 0.25])
    func overlapped(asked: Int, crossfade: Double?) {
        let second = PlaylistItem(id: PlaylistItemID(2), source: SampleItem(noise: 9, frames: 96_000))
        func played(edit: (PlaylistPlayer) -> Void) -> PlaylistStage {
            let stage = PlaylistStage(items, frames: 170_000)
            stage.player.crossfade = 0.5
            stage.player.play()
            stage.render(to: asked)
            edit(stage.player)
            stage.render(to: 170_000)
            return stage
        }
        let plain = played { _ in }
        let stage = played { player in
            if let crossfade { player.crossfade = crossfade } else { player.exchange(with: second, slower: 1) }
        }
        #expect(stage.left[...96_000] == plain.left[...96_000])
        let heard = crossfade == nil ? second : items[1]
        let from = 96_001 + PlaylistVersionTests.fade
        #expect(stage.left[from..<168_000].elementsEqual(heard.samples[(from - 72_000)...]))
        #expect(stage.itemEvents == plain.itemEvents)
        #expect(plain.itemEvents == ["0 start 1", "72000 start 2", "96000 end 1", "168000 end 2", "168000 over"])
    }

    @Test("A version that would come after the item's end is for the next time it plays", arguments: [false, true])
    func tooLate(repeats: Bool) {
        let stage = PlaylistStage(items, frames: 120_000)
        if repeats { stage.player.modes.repeat = .one }
        stage.player.play()
        stage.render(to: 80_000)
        let frame = Mutex<FrameTime?>(nil)
        stage.player.exchange(with: version, at: FrameTime(96_500), slower: 1) { _, at in frame.withLock { $0 = at } }
        stage.render(to: 88_000)
        stage.player.exchange(with: later, at: FrameTime(96_000), slower: 1)
        stage.render(to: 120_000)
        #expect(stage.left[..<96_000] == items[0].samples[...])
        #expect(stage.left[96_000...].elementsEqual((repeats ? later : items[1]).samples[..<24_000]))
        #expect(stage.itemEvents == ["0 start 1", "96000 end 1", "96000 start \(repeats ? 1 : 2)"])
        #expect(frame.withLock { $0 } == FrameTime(96_000))
    }

    @Test("One after a version that still takes over leaves it alone", arguments: moments)
    func tooLateAfter(asked: Int) {
        let stage = stage(until: asked)
        stage.player.exchange(with: later, at: FrameTime(96_100), slower: 1)
        stage.render(to: 60_000)
        stage.player.exchange(with: items[0], at: FrameTime(96_100), slower: 1)
        stage.render(to: 120_000)
        #expect(stage.left[36_240..<96_000] == version.samples[36_240..<96_000])
        #expect(stage.left[96_000...].elementsEqual(items[1].samples[..<24_000]))
        #expect(starts(stage) == ["0 start 1", "96000 start 2"])
    }

    @Test("A later version that takes over first is not left for the one before it")
    func overtaken() {
        let stage = stage(until: 28_000)
        stage.player.exchange(with: later, at: FrameTime(30_000), slower: 1)
        stage.render(to: 100_000)
        #expect(stage.left[30_240..<96_000] == later.samples[30_240..<96_000])
    }

    @Test(
        "The next item that is asked for before another version takes over plays at once, and plays on",
        arguments: moments)
    func next(asked: Int) {
        let stage = stage(until: asked)
        stage.player.next()
        stage.render(to: 100_000)
        #expect(starts(stage) == ["0 start 1", "\(asked) start 2"])
        #expect(isHeard(items[1], from: asked, in: stage))
    }

    @Test("The item before that is asked for begins, in its new version, and plays on", arguments: moments)
    func previous(asked: Int) {
        let stage = stage(until: asked)
        stage.player.previous()
        stage.render(to: 100_000)
        #expect(isHeard(version, from: asked, in: stage))
    }

    @Test("What is sought before another version takes over is heard in that version", arguments: moments)
    func seek(asked: Int) {
        let stage = stage(until: asked)
        stage.player.seek(to: 0.25)
        stage.render(to: 100_000)
        #expect(isHeard(version, from: asked, at: 12_000, in: stage))
    }

    @Test("A stop that is asked for before another version takes over lasts", arguments: moments)
    func stop(asked: Int) {
        let stage = stage(until: asked)
        stage.player.stop()
        stage.render(to: 60_000)
        #expect(stage.left[(asked + PlaylistVersionTests.fade)..<60_000].allSatisfy { $0 == 0 })
        #expect(stage.player.phase == .stopped)
        #expect(stage.player.position == 0)
        stage.player.play()
        stage.render(to: 100_000)
        #expect(stage.left[60_000..<100_000].elementsEqual(version.samples[..<40_000]))
    }

    @Test("Played again after a stop, an item begins in its new version, whose time it was to take over passes unheard")
    func stopAndPlay() {
        let stage = stage(until: 30_000)
        stage.player.stop()
        stage.render(to: 32_000)
        stage.player.play()
        stage.render(to: 100_000)
        #expect(stage.left[32_000..<100_000].elementsEqual(version.samples[..<68_000]))
    }

    @Test("An item that is removed before its other version takes over is not heard again")
    func removed() throws {
        let stage = stage(until: 30_000)
        try stage.player.remove(at: 0)
        stage.render(to: 100_000)
        #expect(isHeard(items[1], from: 30_000, in: stage))
        #expect(stage.player.items.map(\.id.rawValue) == [2])
    }

    @Test("Versions that were left for something else leave room for those after them")
    func decks() {
        let stage = PlaylistStage(items, frames: 400_000)
        stage.player.play()
        for round in 0..<40 {
            let frame = 9_000 * (round + 1)
            stage.render(to: frame)
            stage.player.exchange(
                with: round % 2 == 0 ? version : items[0], at: FrameTime(Int64(frame) + 6_000), slower: 1)
            stage.render(to: frame + 3_000)
            stage.player.previous()
        }
        stage.render(to: 400_000)
        // The last one began at 363,000.
        #expect(stage.left[363_240..<400_000].elementsEqual(items[0].samples[240..<37_000]))
    }

    @Test("Another version of what plays is heard before a jump that is decided already, and that comes on its time")
    func beforeJump() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 8))
        let player = PlaylistPlayer(prepared: engine, ahead: 8, feeding: .threads(2))
        defer { player.close() }
        let recorder = Recorder(engine, frames: 200_000)
        let items = (1...2).map { PlaylistItem.noise($0, frames: 480_000) }
        let version = PlaylistItem(id: PlaylistItemID(1), source: SampleItem(noise: 9, frames: 480_000))
        try player.insert(items, at: 0)
        player.play()
        recorder.renderPaced(to: 40_000) { player.position < 0.1 }
        let start = recorder.frames - Int((player.position * 48_000).rounded())
        let jump = recorder.frames + 80_000
        try player.play(index: 1, at: FrameTime(Int64(jump)))
        recorder.renderPaced(to: recorder.frames + 6_400)
        let asked = recorder.frames
        #expect(player.exchange(with: version, slower: 1))
        recorder.renderPaced(to: jump + 20_000)
        let left = recorder.left()
        let heard = asked + 24_000..<jump
        #expect(left[heard].elementsEqual(version.samples[(heard.lowerBound - start)..<(heard.upperBound - start)]))
        #expect(left[(jump + 240)..<(jump + 20_000)].elementsEqual(items[1].samples[240..<20_000]))
    }

    @Test("The next item plays from its beginning where another version of the one before could not be read in time")
    func unread() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = PlaylistPlayer(prepared: engine, ahead: 2, feeding: .threads(2))
        defer { player.close() }
        let recorder = Recorder(engine, frames: 200_000)
        let gated = GatedItem(frames: PlaylistVersionTests.frames)
        defer { gated.release() }
        func start(of item: Int) -> Int? {
            recorder.events.first { $0.kind == .playlist(.itemStarted(item: PlaylistItemID(item))) }
                .map { Int($0.frame.rawValue) }
        }
        let told = Mutex<[String]>([])
        try player.insert(items, at: 0)
        player.play()
        recorder.renderPaced(to: 199_000) { start(of: 1) == nil }
        let asked = recorder.frames
        player.exchange(
            with: PlaylistItem(id: PlaylistItemID(1), source: gated), at: FrameTime(Int64(asked) + 12_000), slower: 1
        ) { _, _ in told.withLock { $0.append("version") } }
        player.next { _ in told.withLock { $0.append("next") } }
        gated.release()
        recorder.renderPaced(to: 199_000) { start(of: 2).map { recorder.frames <= $0 + 48_000 } ?? true }
        let start = try #require(start(of: 2))
        #expect(recorder.left()[(start + 240)..<(start + 48_000)].elementsEqual(items[1].samples[240..<48_000]))
        // That the item is played in another version is known all the same.
        #expect(told.withLock { $0 } == ["version", "next"])
    }
}
