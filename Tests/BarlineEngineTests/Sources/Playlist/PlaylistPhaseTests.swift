import BarlineEngine
import BarlineTime
import Synchronization
import Testing

@Suite("What a playlist says of itself")
struct PlaylistPhaseTests {
    private func names(_ stage: PlaylistStage) -> [String] {
        stage.recorder.events.compactMap { event in
            switch event.kind {
            case .playlist(.playing): "\(event.frame.rawValue) playing"
            case .playlist(.paused): "\(event.frame.rawValue) paused"
            case .playlist(.stopped): "\(event.frame.rawValue) stopped"
            case .playlist(.ended): "\(event.frame.rawValue) ended"
            default: nil
            }
        }
    }

    @Test(
        "It is stopped before it was played, after it was stopped and after its end; paused where it stands elsewhere")
    func phases() throws {
        let stage = PlaylistStage([.noise(1, frames: 20_000), .noise(2, frames: 20_000)], frames: 120_000)
        func phase(at frame: Int) -> EngineState.Playlist.Phase {
            stage.render(to: frame)
            return stage.player.phase
        }
        #expect(phase(at: 1_000) == .stopped)
        stage.player.play()
        #expect(phase(at: 4_000) == .playing)
        stage.player.pause()
        #expect(phase(at: 6_000) == .paused)
        stage.player.stop()
        #expect(phase(at: 8_000) == .stopped)
        stage.player.stop()
        stage.player.pause()
        #expect(phase(at: 9_000) == .stopped)
        stage.player.seek(to: 0.1)
        #expect(phase(at: 10_000) == .paused)
        stage.player.stop()
        #expect(phase(at: 11_000) == .stopped)
        stage.player.next()
        #expect(phase(at: 12_000) == .stopped)
        #expect(stage.player.currentIndex == 1)
        stage.player.play()
        #expect(phase(at: 15_000) == .playing)
        stage.player.stop()
        #expect(phase(at: 16_000) == .stopped)
        stage.player.play()
        #expect(phase(at: 60_000) == .stopped)
        #expect(
            names(stage) == [
                "1000 playing", "4000 paused", "6000 stopped", "10000 stopped", "12000 playing", "15000 stopped",
                "16000 playing", "36000 ended",
            ])
    }

    @Test(
        "Whether it plays is what was asked for last, though what was to start could not be read before",
        arguments: [true, false])
    func pausedBeforeStart(isPlayedAgain: Bool) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = PlaylistPlayer(prepared: engine, ahead: 2, feeding: .threads(2))
        defer { player.close() }
        let gated = GatedItem(frames: 96_000)
        defer { gated.release() }
        let recorder = Recorder(engine, frames: 200_000)
        try player.insert([PlaylistItem(id: PlaylistItemID(1), source: gated)], at: 0)
        try player.play(index: 0)
        player.pause()
        if isPlayedAgain { try player.play(index: 0) }
        player.seek(to: 0.5)
        recorder.render(512, .fixed(64))
        gated.release()
        recorder.renderPaced(to: 40_000) { player.position < 0.6 }
        #expect(player.phase == (isPlayedAgain ? .playing : .paused))
        #expect((player.position == 0.5) != isPlayedAgain)
        #expect(recorder.left()[..<recorder.frames].allSatisfy { $0 == 0 } != isPlayedAgain)
    }

    @Test(
        "What is left of an item that is shorter than its header says is corrected when its end was read",
        arguments: [false, true])
    func remaining(isCrossfaded: Bool) throws {
        let claimed = ClaimingItem(frames: 20_000, claimed: 90_000)
        let items = [
            PlaylistItem(id: PlaylistItemID(1), source: claimed), .noise(2, frames: 30_000),
        ]
        let stage = PlaylistStage(items, frames: 60_000)
        if isCrossfaded { stage.player.crossfade = 0.05 }
        #expect(stage.player.remaining == 90_000.0 / 48_000)
        stage.player.play()
        for frame in [4_000, 9_000, 16_000] {
            stage.render(to: frame)
            let left = try #require(stage.player.remaining)
            #expect(abs(left - Double(20_000 - frame) / 48_000) < 1e-9, "at \(frame): \(left)")
        }
        stage.render(to: 40_000)
        let end = isCrossfaded ? 50_000 - 2_400 : 50_000
        #expect(abs(try #require(stage.player.remaining) - Double(end - 40_000) / 48_000) < 1e-9)
    }

    @Test("An item is in the list once: what would put it there twice is refused, and nothing changes")
    func duplicates() throws {
        let (one, two, three) = (
            PlaylistItem.noise(1, frames: 9), PlaylistItem.noise(2, frames: 9), PlaylistItem.noise(3, frames: 9)
        )
        let stage = PlaylistStage([one, two], frames: 1_000)
        let player = stage.player
        let refusal = EngineError.duplicateItem(PlaylistItemID(1))
        #expect(throws: refusal) { try player.insert([three, one], at: 1) }
        #expect(throws: EngineError.duplicateItem(PlaylistItemID(3))) { try player.insert([three, three], at: 1) }
        #expect(throws: refusal) { try player.replace(at: 1, with: one) }
        #expect(throws: refusal) { try player.continue(with: [one, two, one]) }
        #expect(throws: refusal) { try player.restart(from: [one, one]) }
        #expect(player.items.map(\.id.rawValue) == [1, 2])
        try player.replace(at: 0, with: one)
        try player.insert([three], at: 0)
        #expect(player.items.map(\.id.rawValue) == [3, 1, 2])
    }

    @Test("The log says what was asked for")
    func log() throws {
        let lines = Mutex<[String]>([])
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 1))
        let player = try PlaylistPlayer(on: engine, ahead: 1, feeding: .manual) { entry in
            if entry.component == .player { lines.withLock { $0.append(entry.message) } }
        }
        try player.insert([.noise(1, frames: 9_000), .noise(2, frames: 9_000)], at: 0)
        player.play()
        player.feed()
        try player.move(from: 0, to: 1)
        try player.remove(at: 1)
        player.modes.repeat = .all
        let said = lines.withLock { $0 }.joined(separator: "\n")
        for words in [
            "item 1, item 2 inserted at 0", "play is asked for", "is moved to 1", "at 1 is removed",
            "play of item 1 is sent as command",
        ] {
            #expect(said.contains(words), "\(words) in \(said)")
        }
    }

    @Test("That an item could not be read is a change that those who look at revisions see")
    func failureRevision() {
        let samples = [Float](repeating: 0.1, count: 200_000)
        let broken = PlaylistItem(id: PlaylistItemID(1), source: SampleItem(left: samples, failsAt: 150_000))
        let stage = PlaylistStage([broken, .noise(2, frames: 5_000)], frames: 130_000)
        stage.player.play()
        let revision = stage.player.revision
        stage.render(to: 130_000)
        #expect(stage.player.failures.keys.map(\.rawValue) == [1])
        #expect(stage.player.revision > revision)
    }

    @Test("What was consumed is in the list no longer, and can be put there again")
    func consumption() throws {
        let stage = PlaylistStage([.noise(1, frames: 20_000), .noise(2, frames: 20_000)], frames: 90_000)
        stage.player.modes.consumes = true
        stage.player.play()
        stage.render(to: 30_000)
        #expect(!stage.player.has(PlaylistItemID(1)) && stage.player.has(PlaylistItemID(2)))
        try stage.player.insert([.noise(1, frames: 20_000)], at: 1)
        stage.render(to: 90_000)
        #expect(
            stage.itemEvents.filter { !$0.hasSuffix("over") } == [
                "0 start 1", "20000 end 1", "20000 start 2", "40000 end 2", "40000 start 1", "60000 end 1",
            ])
        #expect(!stage.player.has(PlaylistItemID(1)))
    }
}

/// An item that says it is longer than it is.
private final class ClaimingItem: PlaylistSource {
    private let item: SampleItem
    let frameCount: Int64?

    init(frames: Int, claimed: Int64) {
        item = SampleItem(noise: 5, frames: frames)
        frameCount = claimed
    }

    var sampleRate: SampleRate { item.sampleRate }

    func open() throws -> sending any PlaylistReader { try item.open() }
}
