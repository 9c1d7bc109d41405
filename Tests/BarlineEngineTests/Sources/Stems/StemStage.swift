import BarlineDSP
import BarlineEngine
import BarlineTime

/// Renders an engine with stems offline, the way an offline render does: never past an action before it is made.
final class StemStage {
    let engine: Engine
    let multitrack: Multitrack
    let recorder: Recorder
    private var random: TestRandom
    private let blocks: [Int]

    init(
        _ stems: [Stem], frames: Int, capacity: Int? = nil, recordedTempo: Tempo? = nil, blocks: [Int] = [512],
        seed: UInt64 = 1, quality: VarispeedQuality = .live
    ) throws {
        engine = Engine(
            EngineConfiguration(trackCount: 1, stemCapacity: capacity ?? stems.count, varispeed: quality))
        multitrack = try Multitrack(stems, on: engine, recordedTempo: recordedTempo, feeding: .manual)
        recorder = Recorder(engine, frames: frames)
        random = TestRandom(seed: seed)
        self.blocks = blocks
    }

    func render(to frame: Int) {
        while recorder.frames < frame {
            multitrack.feed()
            let count = min(random.pick(blocks), multitrack.framesPerFeed, frame - recorder.frames)
            recorder.render(count, .fixed(count))
        }
    }

    func perform(_ step: ReferenceMultitrack.Step, at frame: Int) throws {
        render(to: frame)
        let time = FrameTime(Int64(frame))
        func seconds(_ frames: Int) -> Double { Double(frames) / 48_000 }
        switch step {
        case .play: multitrack.play(at: time)
        case .pause: multitrack.pause(at: time)
        case .seek(let position): multitrack.seek(to: seconds(position), at: time)
        case .loop(let region):
            try multitrack.setLoop(seconds(region.lowerBound)..<seconds(region.upperBound), at: time)
        case .endLoop: try multitrack.setLoop(nil, at: time)
        }
    }

    /// Puts a stem, or none, in a place on `frame`.
    func set(_ stem: SampleStem?, in place: Int, at frame: Int) throws {
        render(to: frame)
        try multitrack.setStem(stem.map { Stem($0) }, at: StemIndex(place))
    }

    func perform(_ steps: [(frame: Int, step: ReferenceMultitrack.Step)], frames: Int) throws {
        for (frame, step) in steps { try perform(step, at: frame) }
        render(to: frames)
    }
}
