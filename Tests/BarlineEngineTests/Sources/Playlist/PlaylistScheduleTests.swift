import BarlineEngine
import BarlineTime
import Synchronization
import Testing

@Suite("What is asked of a list for later")
struct PlaylistScheduleTests {
    private let items = (1...5).map { PlaylistItem.noise($0, frames: 480_000) }

    private func stage(_ items: [PlaylistItem]? = nil) -> PlaylistStage {
        let stage = PlaylistStage(items ?? self.items, frames: 480_000)
        stage.player.play()
        stage.render(to: 512)
        return stage
    }

    /// Whether an item is heard from one of its frames on, from a frame of the stage to another, but for the fade into it.
    private func hears(
        _ index: Int, from place: Int = 0, in frames: Range<Int>, of stage: PlaylistStage,
        _ items: [PlaylistItem]? = nil
    ) -> Bool {
        if frames.count <= 240 { return true }
        let heard = stage.left[(frames.lowerBound + 240)..<frames.upperBound]
        return heard.elementsEqual((items ?? self.items)[index].samples[(place + 240)..<(place + frames.count)])
    }

    @Test(
        "Each of several jumps is done on its time, in whichever order they were asked for, and however close they are",
        arguments: [96_000, 24_000, 9_600, 2_400], [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]])
    func jumps(apart: Int, order: [Int]) throws {
        let stage = stage()
        let first = 100_000
        for jump in order {
            try stage.player.play(index: [3, 1, 2][jump], at: FrameTime(Int64(first + jump * apart)))
            stage.render(to: stage.recorder.frames + 3_000)
        }
        let end = first + 3 * apart
        stage.render(to: end)
        #expect(
            stage.itemEvents.filter { $0.contains("start") } == [
                "0 start 1", "\(first) start 4", "\(first + apart) start 2", "\(first + 2 * apart) start 3",
            ])
        #expect(hears(0, in: 0..<first, of: stage))
        for (jump, item) in [3, 1, 2].enumerated() {
            let begin = first + jump * apart
            #expect(hears(item, in: begin..<begin + apart, of: stage), "jump \(jump)")
        }
    }

    @Test(
        "What is done at once meanwhile counts from what plays, and the jump comes on its time",
        arguments: [48_000, 90_000, 240_000], [24_000, 30_001])
    func meanwhile(due: Int, asked: Int) throws {
        let stage = stage()
        try stage.player.play(index: 4, at: FrameTime(Int64(due)))
        stage.render(to: asked)
        stage.player.next()
        stage.render(to: due + 48_000)
        #expect(
            stage.itemEvents.filter { $0.contains("start") }
                == ["0 start 1", "\(asked) start 2", "\(due) start 5"])
        #expect(hears(0, in: 0..<asked, of: stage))
        #expect(hears(1, in: asked..<due, of: stage))
        #expect(hears(4, in: due..<due + 48_000, of: stage))
    }

    @Test("An item that is not there by then is none, and what plays plays on")
    func removed() throws {
        let stage = stage()
        try stage.player.play(index: 4, at: FrameTime(120_000))
        stage.render(to: 48_000)
        try stage.player.move(from: 1, to: 3)
        stage.render(to: 60_000)
        try stage.player.remove(at: 2)
        stage.render(to: 168_000)
        #expect(stage.itemEvents == ["0 start 1"])
        #expect(hears(0, in: 0..<168_000, of: stage))
    }

    @Test("An item is the one at the place on its time")
    func edited() throws {
        let stage = stage()
        try stage.player.play(index: 2, at: FrameTime(240_000))
        stage.render(to: 200_000)
        try stage.player.move(from: 4, to: 1)
        stage.render(to: 288_000)
        #expect(hears(1, in: 240_000..<288_000, of: stage))
        #expect(stage.player.currentIndex == 2)
    }

    @Test(
        "A place that is sought later is one of the item that plays by then",
        arguments: [40_000, 100_000, 119_000, 119_999])
    func seek(length: Int) {
        let items = [PlaylistItem.noise(1, frames: length), .noise(2, frames: 480_000)]
        let stage = stage(items)
        stage.player.seek(to: 1.5, at: FrameTime(120_000))
        stage.render(to: 192_000)
        #expect(hears(1, in: length..<120_000, of: stage, items))
        #expect(hears(1, from: 72_000, in: 120_000..<192_000, of: stage, items))
    }

    @Test(
        "What follows what is sought later is what it is by then, and what plays until then is left alone",
        arguments: [110_000, 118_000], [false, true])
    func followed(asked: Int, isMovedBefore: Bool) throws {
        let items = [PlaylistItem.noise(1, frames: 480_000), .noise(2, frames: 480_000), .noise(3, frames: 480_000)]
        let version = PlaylistItem(id: PlaylistItemID(2), source: SampleItem(noise: 9, frames: 480_000))
        let stage = stage(items)
        stage.player.seek(to: 9.5, at: FrameTime(120_000))
        stage.render(to: 104_000)
        if isMovedBefore { try stage.player.move(from: 2, to: 0) }
        stage.render(to: asked)
        stage.player.exchange(with: version, slower: 1)
        stage.render(to: 240_000)
        #expect(stage.itemEvents == ["0 start 1", "144000 end 1", "144000 start 2"])
        #expect(hears(0, in: 0..<120_000, of: stage, items))
        #expect(hears(0, from: 456_000, in: 120_000..<144_000, of: stage, items))
        #expect(stage.left[144_000..<240_000].elementsEqual(version.samples[..<96_000]))
    }

    @Test(
        "A jump comes on its time after what is done at once, also where other audio than was read is to follow what plays",
        arguments: [false, true], [44_000, 60_000, 88_000])
    func edited(isSeek: Bool, asked: Int) throws {
        let items = [120_000, 480_000, 480_000].enumerated().map { PlaylistItem.noise($0 + 1, frames: $1) }
        let inserted = PlaylistItem.noise(4, frames: 480_000)
        let stage = stage(items)
        try stage.player.play(index: 2, at: FrameTime(90_000))
        stage.render(to: 36_000)
        try stage.player.insert([inserted], at: 1)
        stage.render(to: asked)
        if isSeek { stage.player.seek(to: 1) } else { stage.player.next() }
        stage.render(to: 140_000)
        #expect(
            stage.itemEvents.filter { $0.contains("start") }
                == ["0 start 1"] + (isSeek ? [] : ["\(asked) start 4"]) + ["90000 start 2"])
        #expect(hears(0, in: 0..<asked, of: stage, items))
        #expect(hears(0, from: isSeek ? 48_000 : 0, in: asked..<90_000, of: stage, isSeek ? items : [inserted]))
        #expect(hears(1, in: 90_000..<140_000, of: stage, items))
    }

    @Test("Skips that are asked for ahead count on from each other, and a stop between them is one")
    func skips() {
        let stage = stage()
        for frame in [48_000, 60_000, 72_000] { stage.player.next(at: FrameTime(Int64(frame))) }
        stage.player.previous(at: FrameTime(84_000))
        stage.player.stop(at: FrameTime(96_000))
        stage.player.play(at: FrameTime(108_000))
        stage.render(to: 160_000)
        #expect(
            stage.itemEvents.filter { $0.contains("start") }
                == ["0 start 1", "48000 start 2", "60000 start 3", "72000 start 4", "84000 start 3", "108000 start 3"])
        #expect(stage.left[96_240..<108_000].allSatisfy { $0 == 0 })
        #expect(hears(2, in: 108_000..<160_000, of: stage))
    }

    @Test(
        "Of several jumps for one frame the last is heard, counted from those before it, and nothing in between",
        arguments: [0, 0.5], [0, 60_000, 89_000])
    func atOnce(crossfade: Double, asked: Int) throws {
        for (jumps, expected) in OneFrame.cases {
            let (stage, reference) = (stage(), stage())
            let due = FrameTime(90_000)
            let told = Told()
            for player in [stage.player, reference.player] { player.crossfade = crossfade }
            for (index, jump) in jumps.enumerated() {
                // One that is asked for when the others are decided, and read.
                if index == jumps.count - 1 { stage.render(to: max(512, asked)) }
                try jump.ask(stage.player, due) { _ in told.count.add(1, ordering: .relaxed) }
            }
            try expected.ask(reference.player, due) { _ in }
            stage.render(to: 160_000)
            reference.render(to: 160_000)
            #expect((stage.left == reference.left) as Bool, "\(jumps)")
            #expect(stage.itemEvents == reference.itemEvents, "\(jumps)")
            #expect(told.count.load(ordering: .relaxed) == jumps.count, "\(jumps)")
        }
    }

    @Test("Of several jumps that are made on one frame nothing but the last is heard", arguments: [0, 0.5])
    func madeAtOnce(crossfade: Double) throws {
        for (jumps, expected) in OneFrame.cases {
            let (stage, reference) = (stage(), stage())
            for stage in [stage, reference] {
                stage.player.crossfade = crossfade
                stage.render(to: 90_000)
            }
            for jump in jumps { try jump.ask(stage.player, nil) { _ in } }
            try expected.ask(reference.player, nil) { _ in }
            stage.render(to: 160_000)
            reference.render(to: 160_000)
            #expect((stage.left == reference.left) as Bool, "\(jumps)")
        }
    }

    @Test("A jump of a paused list comes after what is done at once before it, whatever is to follow what is paused")
    func paused() throws {
        let items = [30_000, 480_000, 480_000].enumerated().map { PlaylistItem.noise($0 + 1, frames: $1) }
        let stage = stage(items)
        stage.player.pause()
        stage.render(to: 1_000)
        stage.player.modes.repeat = .one
        stage.render(to: 2_000)
        try stage.player.play(index: 2, at: FrameTime(60_000))
        stage.render(to: 40_000)
        #expect(stage.player.currentIndex == 2, "what comes is decided")
        stage.player.seek(to: 0.25)
        #expect(stage.player.currentIndex == 0)
        stage.render(to: 108_000)
        #expect(stage.itemEvents == ["0 start 1", "60000 end 1", "60000 start 3"])
        #expect(stage.left[1_000..<60_000].allSatisfy { $0 == 0 })
        #expect(hears(2, in: 60_000..<108_000, of: stage, items))
        #expect(stage.player.currentIndex == 2 && stage.player.isSettled)
    }

    @Test("What is for a beat comes on it, whatever the tempo does until then", arguments: [60.0, 200])
    func tempo(bpm: Double) throws {
        let stage = stage()
        try stage.engine.transport.start(at: nil)
        stage.render(to: 24_512)
        try stage.player.play(index: 3, at: Beat(8))
        stage.render(to: 48_000)
        try stage.engine.transport.setTempo(Tempo(clamping: bpm), at: FrameTime(48_512))
        stage.render(to: 440_000)
        let begin = 48_512 + Int((6 * 60 / bpm * 48_000).rounded())
        let started = try #require(stage.itemEvents.last)
        let frame = try #require(started.split(separator: " ").first.flatMap { Int($0) })
        #expect(started.hasSuffix("start 4") && abs(frame - begin) <= 1, "\(started), \(begin)")
        #expect(hears(3, in: frame..<frame + 20_000, of: stage))
    }

    @Test("The command of each is told once, the first time, and followed from then on to the one that is taken")
    func told() throws {
        let stage = stage()
        let sent = Told()
        let commands = Mutex<[CommandID]>([])
        stage.player.followResent { former, command in
            commands.withLock { if $0.last == former { $0.append(command) } }
        }
        try stage.player.play(index: 4, at: FrameTime(90_000)) { command in
            sent.count.add(1, ordering: .relaxed)
            commands.withLock { $0.append(command) }
        }
        for frame in [20_000, 70_000, 76_000, 82_000] {
            stage.render(to: frame)
            stage.player.next()
        }
        stage.render(to: 120_000)
        #expect(sent.count.load(ordering: .relaxed) == 1)
        #expect(stage.itemEvents.last == "90000 start 5")
        #expect(commands.withLock(\.count) == 4, "decided half a second before, and anew after each of the three")
        #expect(stage.player.isSettled)
    }
}

/// A jump, as several are asked for one frame.
private enum OneFrame {
    case next
    case previous
    case play(Int)
    case seek(Double)

    /// Jumps from the first of five items, and the one that leads to the same.
    static let cases: [([OneFrame], OneFrame)] = [
        ([.next, .next], .play(2)), ([.next, .next, .next], .play(3)), ([.play(4), .previous], .play(3)),
        ([.play(1), .play(3)], .play(3)), ([.seek(2), .next], .play(1)),
    ]

    func ask(_ player: PlaylistPlayer, _ moment: FrameTime?, _ sent: @escaping PlaylistPlayer.Sent) throws {
        switch self {
        case .next: player.next(at: moment, sent: sent)
        case .previous: player.previous(at: moment, sent: sent)
        case .play(let index): try player.play(index: index, at: moment, sent: sent)
        case .seek(let seconds): player.seek(to: seconds, at: moment, sent: sent)
        }
    }
}
