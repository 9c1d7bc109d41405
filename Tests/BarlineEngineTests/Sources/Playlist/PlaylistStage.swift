import BarlineDSP
import BarlineEngine
import BarlineTime
import Synchronization

/// Renders an engine with a playlist offline, the way an offline render does: never past an action before it is made.
final class PlaylistStage {
    let engine: Engine
    let player: PlaylistPlayer
    let recorder: Recorder
    private var random: TestRandom
    private let blocks: [Int]

    init(
        _ items: [PlaylistItem], frames: Int, sampleRate: SampleRate = .standard, seconds: Double = 2,
        blocks: [Int] = [512], seed: UInt64 = 1, quality: VarispeedQuality = .live
    ) {
        engine = Engine(
            EngineConfiguration(
                sampleRate: sampleRate, trackCount: 1, stemCapacity: 0, playlistSeconds: seconds, varispeed: quality))
        player = PlaylistPlayer(prepared: engine, ahead: seconds, seed: seed, feeding: .manual)
        recorder = Recorder(engine, frames: frames)
        random = TestRandom(seed: seed)
        self.blocks = blocks
        if !items.isEmpty { try? player.insert(items, at: 0) }
    }

    func render(to frame: Int) {
        while recorder.frames < frame {
            player.feed()
            let count = min(random.pick(blocks), player.framesPerFeed, frame - recorder.frames)
            recorder.render(count, .fixed(count))
        }
    }

    /// What happened to items, in words.
    var itemEvents: [String] {
        recorder.events.compactMap { event in
            switch event.kind {
            case .playlist(.itemStarted(let item)): "\(event.frame.rawValue) start \(item.rawValue)"
            case .playlist(.itemEnded(let item)): "\(event.frame.rawValue) end \(item.rawValue)"
            case .playlist(.itemSkipped(let item)): "\(event.frame.rawValue) skip \(item.rawValue)"
            case .playlist(.ended): "\(event.frame.rawValue) over"
            default: nil
            }
        }
    }

    /// The left channel so far.
    var left: [Float] {
        if played.count != recorder.frames { played = Array(recorder.left()) }
        return played
    }

    // Tests look at it frame by frame.
    private var played: [Float] = []
}

/// Counts how often something is told.
final class Told: Sendable {
    let count = Atomic<Int>(0)
}
