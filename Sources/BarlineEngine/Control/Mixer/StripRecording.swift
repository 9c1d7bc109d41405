import BarlineDSP
import BarlineTime

/// A strip that can be recorded.
package enum RecordedStrip: Hashable, Sendable {
    /// A channel, after its fader and that of its bus.
    case channel(Channel)
    /// A bus, after its effects and its fader, before the limiter.
    case bus(BusIndex)
    /// An input, as captured.
    case input(InputIndex)
}

/// Consecutive frames of a recorded strip.
package struct StripPiece: Sendable {
    /// The strip's index in ``StripRecording/strips``.
    package let strip: Int
    /// The left channel.
    package let left: [Float]
    /// The right channel, as long.
    package let right: [Float]
    /// The frame of the timeline that the first one belongs to.
    package let frame: FrameTime

    /// Creates a piece; both channels are of the same length.
    package init(strip: Int, left: [Float], right: [Float], frame: FrameTime) {
        self.strip = strip
        self.left = left
        self.right = right
        self.frame = frame
    }
}

/// A recording of strips: a ring each, written by the audio thread and read by one other.
///
/// All begin with the same frame. Frames that the reader does not take in time are missing from what it receives, and
/// what follows keeps its place.
package final class StripRecording: @unchecked Sendable {
    /// The frames that each ring holds.
    static let ringFrames = 1 << 17
    /// The most frames of a piece.
    private static let pieceFrames = 1 << 14

    /// What is recorded.
    package let strips: [RecordedStrip]
    let taps: UnsafeMutablePointer<StripTaps>
    private let rings: [AudioRing]
    private let progress: UnsafeMutablePointer<StripProgress>
    private let list: UnsafeMutablePointer<StripTaps.Tap>
    private let places: UnsafeMutablePointer<Int>
    private let silence: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - strips: what is recorded, each once.
    ///   - configuration: of the engine, which has them all.
    ///   - frames: the least number of frames that each ring holds.
    init(_ strips: [RecordedStrip], _ configuration: EngineConfiguration, frames: Int) {
        self.strips = strips
        rings = strips.map { _ in AudioRing(minimumFrames: frames) }
        progress = .allocate(capacity: strips.count)
        list = .allocate(capacity: strips.count)
        let chainCount = configuration.channelCount + configuration.busCount
        places = .allocate(capacity: chainCount)
        places.initialize(repeating: -1, count: chainCount)
        silence = .allocate(capacity: BlockSlice.largestCount)
        silence.initialize(repeating: 0, count: BlockSlice.largestCount)
        for (index, strip) in strips.enumerated() {
            var input = -1
            switch strip {
            case .channel(let channel): places[configuration.index(of: channel)] = index
            case .bus(let bus): places[configuration.channelCount + bus.rawValue] = index
            case .input(let place): input = place.rawValue
            }
            (progress + index).initialize(to: StripProgress())
            (list + index).initialize(
                to: StripTaps.Tap(ring: rings[index].producer, progress: progress + index, input: input))
        }
        taps = .allocate(capacity: 1)
        taps.initialize(to: StripTaps(taps: list, count: strips.count, places: places, silence: silence))
    }

    deinit {
        for ring in rings { ring.deallocate() }
        progress.deinitialize(count: strips.count)
        progress.deallocate()
        list.deallocate()
        places.deallocate()
        silence.deallocate()
        taps.deallocate()
    }

    /// The first frame; `nil` until the audio thread has begun.
    package var start: FrameTime? {
        guard !strips.isEmpty else { return nil }
        let start = progress[0].start.load(ordering: .acquiring)
        return start < 0 ? nil : FrameTime(start)
    }

    /// How many frames before its delivery the sound of a strip was played: an input's latency when the recording
    /// began, 0 for what is mixed.
    package func latency(of strip: Int) -> Int64 { progress[strip].latency.load(ordering: .relaxed) }

    /// Takes what was rendered before `end` and not taken yet; to be called by one thread at a time. An input's frames
    /// belong to where they were played.
    package func take(before end: FrameTime) -> [StripPiece] {
        guard let start else { return [] }
        return strips.indices.flatMap { strip in
            let latency = latency(of: strip)
            let ring = rings[strip].consumer
            var pieces: [StripPiece] = []
            while true {
                let frame = start + Int64(ring.readPosition)
                let wanted = min(StripRecording.pieceFrames, Int(clamping: end - frame))
                // Where frames were refused the ring says so once, and continues behind them.
                if wanted <= 0 { break }
                let (left, right) = StripRecording.read(ring, wanted)
                if left.isEmpty, ring.readPosition == Int(frame - start) { break }
                if left.isEmpty { continue }
                pieces.append(StripPiece(strip: strip, left: left, right: right, frame: frame + -latency))
            }
            return pieces
        }
    }

    private static func read(_ ring: AudioRing.Consumer, _ count: Int) -> ([Float], [Float]) {
        var right: [Float] = []
        let left = [Float](unsafeUninitializedCapacity: count) { left, leftCount in
            right = [Float](unsafeUninitializedCapacity: count) { right, rightCount in
                guard let first = left.baseAddress, let other = right.baseAddress else { return }
                rightCount = ring.read(left: first, right: other, frames: count)
            }
            leftCount = right.count
        }
        return (left, right)
    }
}

extension Engine.Mixer {
    /// Begins to record strips, from the next block on, in place of those that were recorded before.
    ///
    /// - Parameters:
    ///   - strips: what is recorded, each once.
    ///   - frames: how many frames may wait to be taken, at least.
    /// - Returns: the recording.
    /// - Throws: ``EngineError`` for a strip that the engine does not have, or ``EngineError/busy(capacity:)``.
    package func record(
        _ strips: [RecordedStrip], frames: Int = StripRecording.ringFrames
    ) throws(EngineError) -> StripRecording {
        for strip in strips {
            switch strip {
            case .channel(let channel): _ = try engine.index(of: channel)
            case .bus(let bus): try engine.check(bus)
            case .input(let input): try engine.check(input)
            }
        }
        let recording = StripRecording(strips, engine.configuration, frames: frames)
        try engine.withControl { state throws(EngineError) in
            try engine.push([.inputs(.record(recording.taps))], at: nil, &state)
            state.replaced[UInt(bitPattern: recording.taps)] = recording
        }
        return recording
    }

    /// Ends the recording of strips.
    ///
    /// - Throws: ``EngineError/busy(capacity:)``.
    package func endRecording() throws(EngineError) {
        try engine.send([.inputs(.record(nil))], at: nil)
    }
}
