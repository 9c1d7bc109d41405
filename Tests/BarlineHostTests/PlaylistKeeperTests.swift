import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineHost
@testable import BarlineSession

/// The place in a list that is remembered from one run to the next.
@Suite("The playlist that is remembered")
struct PlaylistKeeperTests {
    @Test("Who goes on before it is known that the remembered item is missing has its place kept", arguments: [1, 2])
    func early(index: Int) async throws {
        let stage = try await ListStage(missing: [1, 2], at: index)
        defer { stage.end() }
        let written = try stage.written()
        try stage.perform(.next)
        stage.report()
        #expect(try stage.written() == written)
        stage.host.start()
        #expect(eventually { !stage.player.playlist.player.failures.isEmpty })
        stage.report()
        stage.keeper.outputWillClose()
        #expect(try stage.written() == written)
    }

    @Test("Who goes on from a remembered item that is there, without playing, is found at the next one")
    func moved() async throws {
        let stage = try await ListStage(missing: [], at: 1)
        defer { stage.end() }
        stage.waitUntilCued()
        #expect(try stage.written().index == 1 && stage.written().position == 0.25)
        try stage.perform(.next)
        stage.keeper.outputWillClose()
        #expect(try stage.written().index == 2 && stage.written().position == 0)
    }

    @Test("A list that was skipped to its end, without playing, begins again")
    func ended() async throws {
        let stage = try await ListStage(missing: [], at: 2)
        defer { stage.end() }
        stage.waitUntilCued()
        try stage.perform(.next)
        stage.report()
        #expect(try stage.written().index == 0 && stage.written().position == 0)
    }
}

/// A list of three files of half a second, which stands a quarter of a second into one of them as it was left.
private struct ListStage {
    let stage: HostStage
    let store: PlaylistStore
    let keeper: PlaylistKeeper

    /// - Parameters:
    ///   - missing: the indices of those whose files are away.
    ///   - index: that of the one it stands in.
    /// - Throws: where there is no place for files.
    init(missing: [Int], at index: Int) async throws {
        var made: (PlaylistStore, PlaylistSnapshot)?
        stage = try await HostStage { plan, folder in
            for place in 0..<3 where !missing.contains(place) {
                try folder.write("\(place).wav", WaveFile([Double](repeating: 0.1, count: 24_000)).bytes)
            }
            let items = (0..<3).map { #"{"id": "p\#($0 + 1)", "file": "\#(folder.path("\($0).wav"))"}"# }.joined(
                separator: ", ")
            let path = try folder.write(
                "playlist.json", #"{"items": [\#(items)], "index": \#(index), "position": 0.25}"#)
            let store = PlaylistStore(path: path)
            let kept = try #require(try store.load())
            // As it is written, not as it was written by hand.
            try store.save(kept)
            plan.document.playlist = kept.items
            plan.restored = kept
            made = (store, kept)
        }
        let (store, kept) = try #require(made)
        self.store = store
        keeper = PlaylistKeeper(stage.host.player, store, since: kept)
    }

    var host: SessionHost { stage.host }
    var player: SessionPlayer { stage.host.player }

    func perform(_ action: PlaylistAction) throws { _ = try host.session.perform(.playlist(action)) }

    /// Has the keeper look.
    func report() { keeper.receive(HostReport(player.engine.state)) }

    /// Plays the host until the list stands where it was left, and has the keeper see that.
    func waitUntilCued() {
        host.start()
        #expect(eventually { player.playlist.player.position == 0.25 })
        report()
    }

    func written() throws -> PlaylistSnapshot { try #require(try store.load()) }

    func end() { try? host.stop() }
}
