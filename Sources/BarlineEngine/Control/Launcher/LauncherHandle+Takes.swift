import BarlineDSP
import BarlineTime

/// Recording into slots.
extension Engine.Launcher {
    /// Creates a clip that is yet to be recorded.
    ///
    /// Launching it begins the take on the boundary on which a clip would start; if the transport is stopped, it starts
    /// and counts in as for any launch. Launching it again ends the take on the boundary that follows, and from that
    /// frame on it plays, in time and from its first frame. A take with a fixed number of bars does so by itself.
    /// Stopping its track, or launching another clip there, also ends it. From then on it is a clip like any other.
    ///
    /// A take that sets the tempo (``TakeSettings/saysTempo``) and is launched while the transport is stopped is
    /// recorded from the frame of that launch to the frame of the next one, or of a stop. Its length gives the tempo (a
    /// whole number of beats at 60 … 180 BPM); launched again, the transport starts without a count-in, with the loop's
    /// first frame on beat 0. Whatever else starts the transport ends the take at the current tempo.
    ///
    /// - Complexity: O(1); the system allocates its memory as it is recorded into.
    /// - Throws: ``EngineError/clipTableFull(capacity:)``, ``EngineError/unknownTrack(_:count:)``,
    ///   ``EngineError/unknownInput(_:count:)``, ``EngineError/invalidValue(name:value:)`` or
    ///   ``EngineError/busy(capacity:)``.
    public func arm(_ settings: TakeSettings) throws(EngineError) -> ClipHandle {
        try check(settings)
        let rate = engine.sampleRate
        return try engine.withControl { state throws(EngineError) in
            guard let free = state.freeHandle else { throw .clipTableFull(capacity: state.clipCapacity) }
            let handle = free.handle
            let channels = state.inputs[settings.input.rawValue]?.channels ?? 2
            let prepared = PreparedClip(handle, settings, channels: channels, sampleRate: rate)
            guard let memory = prepared.take else { throw .noTake(ClipHandle(handle)) }
            try engine.push([.launcher(.supplyTake(memory.take))], at: nil, &state)
            state.take(free)
            state.clips[handle] = prepared
            return ClipHandle(handle)
        }
    }

    /// Creates a take of the last bars retroactively: those up to the bar line that has just passed, or up to the next
    /// one if it is within ``snapTolerance``. If the transport is stopped, they end now.
    ///
    /// - Parameters:
    ///   - bars: how many, within ``TakeSettings/barsRange``; audio from before the input was opened is silent.
    ///   - clip: a clip returned by ``arm(_:)`` into which nothing has been recorded yet.
    ///   - moment: when; `nil` for the next block.
    /// - Returns: the command, as carried by events.
    /// - Throws: ``EngineError/noTake(_:)``, ``EngineError/notKept(bars:seconds:)`` for more than the input keeps at
    ///   the present tempo, ``EngineError/invalidValue(name:value:)`` or ``EngineError/busy(capacity:)``.
    /// - Complexity: O(1) here; on the audio thread O(*n*) in the frames that are kept, a bounded number of them in
    ///   each block.
    @discardableResult
    public func keepLast(
        bars: Int, as clip: ClipHandle, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard TakeSettings.barsRange.contains(bars) else { throw .invalidValue(name: "bars", value: Double(bars)) }
        guard let take = take(of: clip) else { throw .noTake(clip) }
        try requireKept(bars: bars, of: InputIndex(take.input))
        return try engine.send([.launcher(.keepLast(clip: clip.rawValue, bars: bars))], for: [clip], at: moment)
    }

    /// Checks that an input keeps so many bars at the present tempo; one that is not open keeps silence.
    ///
    /// - Throws: ``EngineError/notKept(bars:seconds:)``.
    package func requireKept(bars: Int, of input: InputIndex) throws(EngineError) {
        guard let kept = engine.control.withLock({ $0.inputs[input.rawValue]?.seconds }) else { return }
        let beats = Double(bars) * engine.transport.timeSignature.quartersPerBar
        if engine.transport.tempo.seconds(of: beats) > kept { throw .notKept(bars: bars, seconds: kept) }
    }

    /// The take recorded into a clip; `nil` if it is not loaded, or was not recorded.
    public func take(of clip: ClipHandle) -> TakeHandle? {
        engine.control.withLock { $0.clips[clip.rawValue]?.take }.map(TakeHandle.init)
    }

    private func check(_ settings: TakeSettings) throws(EngineError) {
        try engine.check(settings.track)
        try engine.check(settings.input)
        if let bars = settings.bars, !TakeSettings.barsRange.contains(bars) {
            throw .invalidValue(name: "bars", value: Double(bars))
        }
        _ = try Engine.amplitude(settings.gain)
        if let quantization = settings.quantization { try engine.check(quantization) }
        guard TakeSettings.secondsRange.contains(settings.longestSeconds) else {
            throw .invalidValue(name: "longest take", value: settings.longestSeconds)
        }
    }
}

/// A handle to a take on the control side. Its audio can be read while it is recorded; frames that were written do not
/// change.
public struct TakeHandle: Sendable {
    private let memory: TakeMemory

    init(_ memory: TakeMemory) { self.memory = memory }

    var input: Int { memory.input }

    /// Whether its end is still open.
    public var isRecording: Bool { memory.stage == .recording }

    /// Whether nothing more is added to it.
    public var isFinished: Bool { memory.stage == .finished }

    /// Where it was recorded; `nil` before it has begun.
    public var start: TakeStart? { memory.stage == .waiting ? nil : memory.start }

    /// The recording, once its length is known.
    public var result: RecordedTake? { memory.result }

    /// The frames of its memory that are silent because the device passed over them, the first 64 of them at most.
    package var gaps: [Range<Int>] { memory.gaps }

    /// The frames of its memory at which its beats are, its ends included, if the tempo has changed during the take;
    /// none if it has not.
    package var warp: [WarpMarker] { memory.warp }

    /// Whether it ended before it began.
    package var isEmpty: Bool { memory.result.map { $0.region.isEmpty } ?? false }

    /// Whether it is a change of a whole loop.
    package var isChange: Bool { memory.change != nil }

    /// How it is made of the loop that it was recorded over; `nil` while its end is open, and for what is no layer.
    package var recipe: LayerRecipe? { memory.recipe }

    /// Whether what is played during it is kept by itself, as it is for layers.
    package var hasPlayed: Bool { memory.playedStorage != nil && memory.change == nil }

    /// The input that it was recorded from.
    package var recordedInput: InputIndex { InputIndex(memory.recordedInput) }

    /// Whether it is a layer that was undone before it was over: nothing brings it back.
    package var isCancelled: Bool { memory.isCancelled }

    /// Whether none of the recording was written yet.
    package var hasNothingYet: Bool { memory.written <= memory.margin }

    /// The number of frames kept before its first one and after its last one.
    public var margin: Int { memory.margin }

    /// Calls `body` with the samples of both channels from frame `first` of its memory up to the last one written: the
    /// take's first frame is number ``margin`` there.
    public func withSamples<Result>(
        from first: Int, _ body: (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>) throws -> Result
    ) rethrows -> Result {
        let first = max(0, first)
        return try read(memory.storage, first..<max(first, memory.written), body)
    }

    /// Calls `body` with what was played during a layer, as it was captured, from frame `first` of that on: what
    /// belongs to the layer's first frame is number ``margin`` there.
    package func withPlayed<Result>(
        from first: Int, _ body: (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>) throws -> Result
    ) rethrows -> Result {
        let first = max(0, first)
        return try read(memory.playedStorage, first..<max(first, memory.played), body)
    }

    private func read<Result>(
        _ storage: SampleStorage?, _ frames: Range<Int>,
        _ body: (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>) throws -> Result
    ) rethrows -> Result {
        guard let storage else {
            let none = UnsafeBufferPointer<Float>(start: nil, count: 0)
            return try body(none, none)
        }
        return try withExtendedLifetime(memory) {
            try body(
                UnsafeBufferPointer(start: storage.left + frames.lowerBound, count: frames.count),
                UnsafeBufferPointer(start: storage.right + frames.lowerBound, count: frames.count))
        }
    }

    /// What was played during a layer, as far as it was written; `nil` for what is no layer.
    package var played: SampleBuffer? {
        memory.playedStorage.map {
            SampleBuffer($0, frameCount: max(1, memory.played), sampleRate: memory.sampleRate)
        }
    }

    /// Populates the memory to be recorded into next; to be called at least every five seconds during recording.
    ///
    /// - Complexity: O(*n*) in the frames of the memory that is populated.
    public func prepareMemory() { memory.populate() }

    /// Whether it is complete, except for the margin after its last frame.
    package var isWhole: Bool { memory.stage.number >= Take.Stage.complete.number }

    /// Its memory as far as it was written, padded with silence to `count` frames.
    package func samples(atLeast count: Int = 1) -> SampleBuffer {
        SampleBuffer(memory.storage, frameCount: max(count, memory.written), sampleRate: memory.sampleRate)
    }
}
