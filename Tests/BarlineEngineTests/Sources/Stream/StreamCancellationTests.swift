import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

/// Waits until something is so, for a minute at most.
private func wait(_ what: Comment, until isSo: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
        if isSo() { return }
        Thread.sleep(forTimeInterval: 0.001)
    }
    Issue.record(what)
}

/// What has nothing to give, as a server that hangs: it ends as soon as nobody wants it any more.
private final class Hanging: Sendable {
    let isWaiting = Atomic<Bool>(false)
    let wasCalledOff = Atomic<Bool>(false)

    struct CalledOff: Error {}

    func wait(while isWanted: () -> Bool) throws -> Never {
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        while isWanted() { Thread.sleep(forTimeInterval: 0.001) }
        wasCalledOff.store(true, ordering: .sequentiallyConsistent)
        throw CalledOff()
    }

    var hasWaited: Bool { isWaiting.load(ordering: .sequentiallyConsistent) }
    var hasEnded: Bool { wasCalledOff.load(ordering: .sequentiallyConsistent) }
}

/// An item that hangs in being opened, or in being read.
private struct HangingItem: PlaylistSource {
    let hanging = Hanging()
    let opens: Bool

    var sampleRate: SampleRate { .standard }
    var frameCount: Int64? { nil }

    func open() throws -> sending any PlaylistReader { try open { true } }

    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any PlaylistReader {
        if !opens { try hanging.wait(while: isWanted) }
        return Reader(hanging: hanging, isWanted: isWanted)
    }

    private final class Reader: PlaylistReader {
        let hanging: Hanging
        let isWanted: @Sendable () -> Bool

        init(hanging: Hanging, isWanted: @escaping @Sendable () -> Bool) {
            self.hanging = hanging
            self.isWanted = isWanted
        }

        var sampleRate: SampleRate { .standard }
        func seek(to frame: Int64) throws {}
        func nextBuffer() throws -> PlaylistBuffer? { try hanging.wait(while: isWanted) }
    }
}

/// A stem that hangs in being read.
private struct HangingStem: StemSource {
    let hanging = Hanging()

    var sampleRate: SampleRate { .standard }
    var frameCount: Int64 { 96_000 }

    func open() throws -> sending any StemReader { try open { true } }

    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StemReader {
        Reader(hanging: hanging, isWanted: isWanted)
    }

    private final class Reader: StemReader {
        let hanging: Hanging
        let isWanted: @Sendable () -> Bool

        init(hanging: Hanging, isWanted: @escaping @Sendable () -> Bool) {
            self.hanging = hanging
            self.isWanted = isWanted
        }

        func seek(to frame: Int64) throws {}
        func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
            try hanging.wait(while: isWanted)
        }
    }
}

@Suite("Reading that is called off")
struct StreamCancellationTests {
    @Test("Another item plays though the one before hangs and has the only thread", arguments: [false, true])
    func item(opens: Bool) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let player = try PlaylistPlayer(on: engine, ahead: 2, feeding: .threads(1))
        defer { player.close() }
        let stuck = HangingItem(opens: opens)
        let good = PlaylistItem.noise(2, frames: 96_000)
        try player.insert([PlaylistItem(id: PlaylistItemID(1), source: stuck), good], at: 0)
        player.play()
        wait("the item is read") { stuck.hanging.hasWaited }
        try player.play(index: 1)
        let recorder = Recorder(engine, frames: 4_800)
        wait("the other item is ready") { player.isSettled }
        recorder.render(4_800, .fixed(480))
        #expect(stuck.hanging.hasEnded)
        withExtendedLifetime(recorder) {
            #expect(Array(recorder.left()[..<4_800]) == Array(good.samples[..<4_800]))
        }
        #expect(player.failures.isEmpty, "what nobody wants any more has not failed")
    }

    @Test("A player that is closed waits for nothing, and nothing waits for it")
    func closed() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 1, playlistSeconds: 2))
        let player = try PlaylistPlayer(on: engine, ahead: 2, feeding: .threads(2))
        let item = HangingItem(opens: true)
        try player.insert([PlaylistItem(id: PlaylistItemID(1), source: item)], at: 0)
        let stem = HangingStem()
        let multitrack = try Multitrack([Stem(stem)], on: engine, feeding: .threads(2))
        wait("both are read") { item.hanging.hasWaited && stem.hanging.hasWaited }
        let players: [any StreamPlayer] = [player, multitrack]
        for player in players { player.close() }
        wait("both are called off") { item.hanging.hasEnded && stem.hanging.hasEnded }
        #expect(multitrack.problems.isEmpty)
    }

    @Test("Stems start without the one that hangs and has the only thread, when it is taken away")
    func stem() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 2))
        let stuck = HangingStem()
        let good = SampleStem(noise: 3, frames: 96_000)
        let multitrack = try Multitrack([Stem(stuck), Stem(good)], on: engine, feeding: .threads(1))
        defer { multitrack.close() }
        wait("the stem is read") { stuck.hanging.hasWaited }
        multitrack.play()
        try multitrack.setStem(nil, at: 0)
        let recorder = Recorder(engine, frames: 96_000)
        wait("the other stem plays") {
            if recorder.frames < recorder.capacity { recorder.render(1, .fixed(1)) }
            return engine.stems.state.phase == .playing
        }
        #expect(stuck.hanging.hasEnded && multitrack.problems.isEmpty)
    }
}
