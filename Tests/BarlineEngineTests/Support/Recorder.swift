import BarlineEngine
import Foundation

/// How a render is cut into blocks.
enum BlockPlan: CustomStringConvertible {
    case fixed(Int)
    /// Blocks of 0 … 3000 frames.
    case mixed(seed: UInt64)

    var description: String {
        switch self {
        case .fixed(let frames): "blocks of \(frames)"
        case .mixed(let seed): "mixed blocks \(seed)"
        }
    }
}

/// Renders an engine offline and keeps what it plays: every bus and, if asked to, every track and the metronome apart.
final class Recorder {
    let engine: Engine
    let capacity: Int
    private(set) var frames = 0
    private(set) var events: [EngineEvent] = []
    private let queue: EventQueue
    private let samples: UnsafeMutablePointer<Float>
    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private var inputs: [[Float]] = []
    private var jump: (frame: Int, by: Int)?
    private let channels: Int
    private let trackChannels: Int

    /// Whether every part is looked at after each block, which takes longer than a block of few frames by far: after
    /// the first ones no more of these are rendered then.
    private static let checksBlocks = ProcessInfo.processInfo.environment["BARLINE_ASSERTIONS"] != nil
    private static let checkedFrames = 6_000
    private static let leastChecked = 61

    init(_ engine: Engine, frames: Int, keepsTracks: Bool = false) {
        self.engine = engine
        queue = engine.events.queue()
        capacity = frames
        channels = 2 * engine.configuration.busCount
        trackChannels = keepsTracks ? 2 * (engine.configuration.trackCount + 1) : 0
        let count = channels + trackChannels
        samples = .allocate(capacity: max(1, count * frames))
        samples.initialize(repeating: 0, count: count * frames)
        // The stems' strips are passed over.
        let pointerCount = channels + 2 * engine.configuration.channelCount
        pointers = .allocate(capacity: pointerCount)
        pointers.initialize(repeating: nil, count: pointerCount)
    }

    deinit {
        samples.deallocate()
        pointers.deallocate()
    }

    /// Has the engine's input channels give these samples, one list a channel, from frame 0 on.
    func give(_ channels: [[Float]]) {
        inputs = channels.map { $0 + [Float](repeating: 0, count: max(0, capacity - $0.count)) }
    }

    /// Has the device's clock go so much further at a frame, with which a block begins.
    func jumpClock(by frames: Int, at frame: Int) { jump = (frame, frames) }

    /// Renders the next `count` frames in blocks.
    func render(_ count: Int, _ plan: BlockPlan = .fixed(512)) {
        let end = frames + count
        precondition(end <= capacity, "the recorder was made for fewer frames")
        var random = TestRandom(seed: 0)
        if case .mixed(let seed) = plan { random = TestRandom(seed: seed) }
        let first = frames
        while frames < end {
            var size: Int
            switch plan {
            case .fixed(let wanted):
                let isLong = Recorder.checksBlocks && frames - first >= Recorder.checkedFrames
                size = isLong ? max(wanted, Recorder.leastChecked) : wanted
            case .mixed: size = random.pick([0, 1, 2, 63, 64, 65, 256, 257, random.int(1...3000)])
            }
            size = min(size, end - frames)
            if let jump, frames < jump.frame { size = min(size, jump.frame - frames) }
            block(size)
        }
        if count == 0 { block(0) }
    }

    private func block(_ size: Int) {
        for channel in 0..<channels + trackChannels { pointers[channel] = samples + channel * capacity + frames }
        var block = AudioBlock(outputs: UnsafePointer(pointers), outputCount: channels, frames: size)
        if trackChannels > 0 { block.channelOutputs = UnsafePointer(pointers + channels) }
        if let jump { block.deviceFrame = Int64(frames + (frames >= jump.frame ? jump.by : 0)) }
        if inputs.isEmpty {
            engine.render(block)
        } else {
            // Each channel's samples stay where they are for as long as the block takes.
            withPointers(to: inputs[...], offset: frames, []) { pointers in
                pointers.withUnsafeBufferPointer {
                    block.inputs = $0.baseAddress
                    block.inputCount = $0.count
                    engine.render(block)
                }
            }
        }
        frames += size
        events += queue.take()
    }

    private func withPointers(
        to channels: ArraySlice<[Float]>, offset: Int, _ found: [UnsafePointer<Float>?],
        _ body: ([UnsafePointer<Float>?]) -> Void
    ) {
        guard let first = channels.first else { return body(found) }
        first.withUnsafeBufferPointer { samples in
            withPointers(
                to: channels.dropFirst(), offset: offset, found + [samples.baseAddress.map { $0 + offset }], body)
        }
    }

    private func channel(_ index: Int) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: samples + index * capacity, count: frames)
    }

    /// The left channel of a bus.
    func left(bus: Int = 0) -> UnsafeBufferPointer<Float> { channel(2 * bus) }

    /// The right channel of a bus.
    func right(bus: Int = 0) -> UnsafeBufferPointer<Float> { channel(2 * bus + 1) }

    /// The left channel of a track.
    func left(track: Int) -> UnsafeBufferPointer<Float> { channel(channels + 2 * track) }

    /// The right channel of a track.
    func right(track: Int) -> UnsafeBufferPointer<Float> { channel(channels + 2 * track + 1) }

    /// The left channel of the metronome.
    var metronome: UnsafeBufferPointer<Float> { left(track: engine.configuration.trackCount) }

    /// Whether both have played the same, bit for bit.
    func isIdentical(to other: Recorder) -> Bool {
        guard frames == other.frames, events == other.events else { return false }
        return (0..<channels + trackChannels).allSatisfy { index in
            zip(channel(index), other.channel(index)).allSatisfy { $0.bitPattern == $1.bitPattern }
        }
    }
}
