import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

/// One thing of which there are ever more.
struct Curve {
    let name: String
    let color: String
    /// The most that an engine takes.
    var most = 1_024
    /// An engine that has so many.
    let stage: (Int) throws -> Stage
}

/// An engine that plays, and the buffers to render into.
final class Stage {
    private static let blockFrames = 64
    private let engine: Engine
    private let multitrack: Multitrack?
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let samples: UnsafeMutablePointer<Float>

    private init(_ engine: Engine, _ multitrack: Multitrack?) {
        self.engine = engine
        self.multitrack = multitrack
        samples = .allocate(capacity: 2 * Stage.blockFrames)
        samples.initialize(repeating: 0, count: 2 * Stage.blockFrames)
        outputs = .allocate(capacity: 2)
        outputs.initialize(to: samples)
        (outputs + 1).initialize(to: samples + Stage.blockFrames)
    }

    /// `tracks` tracks with `clipsPerTrack` clips each, of which the first plays at `rate`.
    convenience init(tracks: Int, clipsPerTrack: Int, rate: Double) throws {
        let count = tracks * clipsPerTrack
        let engine = Engine(
            EngineConfiguration(
                trackCount: tracks, clipCapacity: max(1, count), voiceCount: 2 * tracks,
                commandCapacity: max(64, 4 * count), tempo: Tempo(clamping: 120 * rate), launchQuantization: .none,
                firstLaunch: .immediate))
        let loop = (0..<96_000).map { Float(($0 * 7_919) % 1_000) / 2_000 - 0.25 }
        let buffer = SampleBuffer(left: loop, right: loop.reversed(), sampleRate: .standard)
        for track in 0..<tracks {
            for place in 0..<clipsPerTrack {
                let settings = ClipSettings(track: TrackIndex(track), beats: 4)
                let clip = try engine.launcher.load(buffer, settings: settings)
                if place == 0 { try engine.launcher.launch(clip) }
            }
        }
        self.init(engine, nil)
    }

    /// `stems` stems that play.
    convenience init(stems: Int) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: stems))
        let multitrack = try Multitrack(
            (0..<stems).map { _ in Stem(Hum()) }, on: engine, feeding: .manual)
        multitrack.play()
        self.init(engine, multitrack)
    }

    deinit {
        samples.deallocate()
        outputs.deallocate()
    }

    /// The median of what a block takes, in microseconds; what reads the stems ahead is not in it.
    func median(blocks: Int) -> Double {
        let block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: Stage.blockFrames)
        var times: [Double] = []
        for index in 0..<blocks + 50 {
            multitrack?.feed()
            let start = ContinuousClock.now
            engine.render(block)
            if index >= 50 { times.append(Double((ContinuousClock.now - start).components.attoseconds) * 1e-12) }
        }
        return times.sorted()[blocks / 2]
    }
}

/// A stem without a file.
private struct Hum: StemSource {
    let sampleRate = SampleRate.standard
    let frameCount: Int64 = 48_000 * 60

    func open() throws -> sending any StemReader { Reader(left: frameCount) }

    private final class Reader: StemReader {
        private var left: Int64
        private let length: Int64

        init(left: Int64) {
            self.left = left
            length = left
        }

        func seek(to frame: Int64) { left = max(0, length - frame) }

        func read(left channel: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) -> Int {
            let frames = Int(min(Int64(count), left))
            channel.update(repeating: 0.01, count: frames)
            right.update(repeating: -0.01, count: frames)
            left -= Int64(frames)
            return frames
        }
    }
}
