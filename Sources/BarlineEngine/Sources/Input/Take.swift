import BarlineDSP
import BarlineTime
import CKernels
import Synchronization

/// A recording, on the audio thread: a range of the timeline, copied from an input's captured audio into memory
/// preallocated by the control side.
///
/// Frame `i` of it is the audio played at `origin + i`, which the input delivers `latency` frames later. So a take that
/// has ended continues to be filled while it already plays, and a jump of the clock leaves a gap of the right length
/// and never a shift. Frames are copied at most ``copyRate`` times as fast as time passes; everything that depends on
/// that happens on timeline frames, independent of the blocks.
struct Take: @unchecked Sendable {
    /// The stage of a take's recording.
    enum Stage: BitwiseCopyable, CaseIterable {
        /// Nothing is recorded yet.
        case waiting
        /// Its end is open.
        case recording
        /// Its length is known, and its last frames are still being delivered.
        case closed
        /// All frames are present; the margin after them is still being delivered.
        case complete
        /// The audio thread no longer changes it.
        case finished

        /// The stages' order.
        var number: Int {
            @_noLocks get {
                switch self {
                case .waiting: 0
                case .recording: 1
                case .closed: 2
                case .complete: 3
                case .finished: 4
                }
            }
        }
    }

    /// The maximum number of frames copied per frame of the timeline.
    static var copyRate: Int64 { @_noLocks get { 64 } }
    /// The shortest loop that can be closed and played at once, in seconds, in addition to the latency.
    static var shortestSeconds: Double { @_noLocks get { 0.02 } }
    /// The number of gaps whose places are known.
    static var gapCapacity: Int { @_noLocks get { 64 } }
    /// The least length of a clip in quarter notes, which must be above 0.
    static var shortestBeats: Double { @_noLocks get { 1e-6 } }

    let memory: TakeSamples
    /// What the input gives during the pass of a layer; `nil` for a take that is not a layer, which has that in
    /// ``memory``.
    let played: PlayedSamples?
    let content: UnsafeMutablePointer<ClipContent>
    let progress: UnsafePointer<TakeProgress>
    /// Room for the first ``gapCapacity`` gaps.
    private let gaps: UnsafeMutablePointer<TakeGap>
    /// Room for ``knotCapacity`` knots; for a layer there is none.
    let knots: UnsafeMutablePointer<WarpKnot>
    /// The clip that it is recorded into.
    let clip: Int
    var input: Int
    /// The number of bars after which it closes by itself; 0 for none.
    let bars: Int
    /// The number by which the control side identifies a layer of a loop; −1 for a take that is not a layer.
    let serial: Int

    /// Whether its length is to say the tempo.
    var saysTempo: Bool
    /// The frame on which such a one ends because its button was pressed, or the end of time.
    var pressedEnd = FrameTime(rawValue: .max)
    var stage = Stage.waiting
    private(set) var latency: Int64 = 0
    /// The timeline frame of its first frame.
    private(set) var origin = FrameTime(rawValue: 0)
    var startBeat = Beat(rawValue: 0)
    var length: Int64 = 0
    /// The frame to copy next, and the timeline frame on which copying began.
    var next: Int64 = 0
    private(set) var copiesFrom = FrameTime(rawValue: 0)
    /// The frame of ``played`` to capture next.
    var nextPlayed: Int64 = 0
    private var peak: Float = 0
    /// The pass of a loop that it is recorded over, if it is a layer.
    var cycle = LayerCycle()
    /// The next take in the list: the one that was added before this one.
    var following: UnsafeMutablePointer<Take>?

    init(
        memory: TakeSamples, played: PlayedSamples?, content: UnsafeMutablePointer<ClipContent>,
        progress: UnsafePointer<TakeProgress>, gaps: UnsafeMutablePointer<TakeGap>,
        knots: UnsafeMutablePointer<WarpKnot>, clip: Int, input: Int, bars: Int, serial: Int = -1,
        saysTempo: Bool = false
    ) {
        self.memory = memory
        self.played = played
        self.content = content
        self.progress = progress
        self.gaps = gaps
        self.knots = knots
        self.clip = clip
        self.input = input
        self.bars = bars
        self.serial = serial
        self.saysTempo = saysTempo
    }

    var track: Int { @_noLocks get { content.pointee.track } }

    var isLayer: Bool { @_noLocks get { serial >= 0 } }

    var isWaiting: Bool { @_noLocks get { stage.number == Stage.waiting.number } }

    var isRecording: Bool { @_noLocks get { stage.number == Stage.recording.number } }

    /// Whether it can be played like any clip, including its end.
    var isWhole: Bool { @_noLocks get { stage.number >= Stage.complete.number } }

    var isFinished: Bool { @_noLocks get { stage.number == Stage.finished.number } }

    /// Whether frames of it are still to come.
    var isUnderWay: Bool { @_noLocks get { !isWaiting && !isFinished } }

    // MARK: Beginning and ending

    /// Begins at `origin`, where `beat` is; that may be slightly in the past.
    @_noLocks mutating func begin(
        at origin: FrameTime, beat: Beat, latency: Int64, now: FrameTime, sampleRate: SampleRate
    ) {
        stage = .recording
        self.latency = latency
        self.origin = origin
        startBeat = beat
        next = -Int64(memory.framesBefore)
        nextPlayed = next
        copiesFrom = now
        peak = 0
        progress.pointee.origin.store(origin.rawValue, ordering: .relaxed)
        progress.pointee.input.store(input, ordering: .relaxed)
        progress.pointee.latency.store(Int(latency), ordering: .relaxed)
        progress.pointee.sampleRate.store(sampleRate.hertz.bitPattern, ordering: .relaxed)
        progress.pointee.stage.store(stage.number, ordering: .releasing)
    }

    /// The earliest frame at which it can close and continue playing without a gap.
    @_noLocks func earliestEnd(_ sampleRate: SampleRate) -> FrameTime {
        let delivered = origin + latency + sampleRate.frames(seconds: Take.shortestSeconds)
        return later(delivered, earliestStart)
    }

    /// The frame from which on it can be played while the rest of it is copied: one that has begun late is behind.
    var earliestStart: FrameTime {
        @_noLocks get { copiesFrom + (Int64(memory.framesBefore) + 2 * Take.copyRate) / Take.copyRate }
    }

    /// The frame at which its memory is full.
    var latestEnd: FrameTime { @_noLocks get { origin + Int64(memory.capacity - memory.framesAfter) } }

    /// Ends at `end`, where `beat` is: its length is known from now on.
    @_noLocks mutating func close(at end: FrameTime, beat: Beat, sampleRate: SampleRate) {
        length = end - origin
        let longest = Int64(memory.capacity - memory.framesAfter)
        if length > longest { length = longest }
        if length < 1 { length = 1 }
        stage = .closed
        var beats = beat - startBeat
        if beats < Take.shortestBeats { beats = Take.shortestBeats }
        content.pointee.setLoop(memory.region(length: Int(length), seam: 0), beats: beats, rate: sampleRate)
        findLoudness()
        progress.pointee.beats.store(beats.bitPattern, ordering: .relaxed)
        progress.pointee.length.store(Int(length), ordering: .relaxed)
        progress.pointee.stage.store(stage.number, ordering: .releasing)
    }

    /// Ends at once, with the frames copied so far, without those still to be delivered.
    @_noLocks mutating func abandon() {
        if !isUnderWay { return }
        if isLayer {
            abandonLayer()
            return
        }
        complete()
        finish()
    }

    // MARK: Copying

    /// Copies the frames captured before `end`.
    @_noLocks mutating func copy(_ context: borrowing RenderContext, until end: FrameTime) {
        if !isUnderWay { return }
        if isLayer {
            copyLayer(context, until: end)
            return
        }
        var last = end - latency - origin
        let allowed = Take.copyRate * (end - copiesFrom) - Int64(memory.framesBefore)
        if allowed < last { last = allowed }
        copy(context.capture, upTo: last)
    }

    @_noLocks private mutating func copy(_ capture: borrowing Capture, upTo end: Int64) {
        let bound = isRecording ? Int64(memory.capacity) : length + Int64(memory.framesAfter)
        let end = end < bound ? end : bound
        if end <= next { return }
        memory.copy(capture, input: input, from: origin + next + latency, to: Int(next), count: Int(end - next))
        let first = next > 0 ? next : 0
        let last = isRecording || end < length ? end : length
        if last > first { peak = memory.peak(from: Int(first), count: Int(last - first), above: peak) }
        next = end
        progress.pointee.written.store(memory.framesBefore + Int(next), ordering: .releasing)
    }

    /// The device's clock has jumped, and every beat falls `frames` frames later: audio from now on is shifted
    /// accordingly.
    @_noLocks mutating func shift(by frames: Int64, _ capture: borrowing Capture, now: FrameTime) {
        if !isUnderWay || isLayer { return }
        copy(capture, upTo: now - latency - origin)
        if !isRecording, next >= length { return }
        let number = progress.pointee.gaps.load(ordering: .relaxed)
        if number < Take.gapCapacity {
            let count = frames < 0 ? -frames : 0
            gaps[number] = TakeGap(first: memory.framesBefore + Int(next), count: Int(count))
        }
        progress.pointee.gaps.store(number + 1, ordering: .releasing)
        origin = origin + frames
        next -= frames
        if next < -Int64(memory.framesBefore) { next = -Int64(memory.framesBefore) }
    }

    // MARK: Completion

    /// The frame at which it needs to be serviced next, or the end of time.
    var due: FrameTime {
        @_noLocks get {
            switch stage {
            case .waiting, .finished: FrameTime(rawValue: .max)
            case .recording: isLayer ? endOfPass : (pressedEnd < latestEnd ? pressedEnd : latestEnd)
            case .closed: cycle.isPart ? dueOfPart : frameOfCopy(of: length)
            case .complete: frameOfCopy(of: isLayer ? playedEnd : length + Int64(memory.framesAfter))
            }
        }
    }

    /// The frame at which all frames before `index` have been copied.
    @_noLocks func frameOfCopy(of index: Int64) -> FrameTime {
        later(origin + index + latency, caughtUp(to: index))
    }

    /// The frame at which the frames before `index` that were delivered have been copied.
    @_noLocks func caughtUp(to index: Int64) -> FrameTime {
        copiesFrom + (index + Int64(memory.framesBefore) + Take.copyRate - 1) / Take.copyRate
    }

    /// Whether the invariants hold: the control side sees the same stage, and copied frames are within the memory.
    @_noLocks func checkInvariants() -> Bool {
        if progress.pointee.stage.load(ordering: .relaxed) != stage.number { return false }
        if isWaiting { return true }
        if next < -Int64(memory.framesBefore) || next > Int64(memory.capacity) { return false }
        return isRecording || (length >= 1 && length <= Int64(memory.capacity - memory.framesAfter))
    }

    /// Performs what is due now.
    @_noLocks mutating func performDue(at now: FrameTime) {
        if case .closed = stage, due <= now { complete() }
        if case .complete = stage, due <= now { finish() }
    }

    /// Completes the take: if its ends don't match, the last frames are blended to lead to the first.
    @_noLocks private mutating func complete() {
        if isRecording { return }
        stage = .complete
        findLoudness()
        content.pointee.setRegion(memory.wholeRegion(length: Int(length)))
        progress.pointee.stage.store(stage.number, ordering: .releasing)
    }

    /// Whether a start on the bare first frame would click, as far as is known by now.
    @_noLocks private func findLoudness() {
        content.pointee.fades.setStartsLoud(memory.level(at: 0) > peak * ClipFades.inaudible)
    }

    @_noLocks mutating func finish() {
        if !isWhole { return }
        stage = .finished
        progress.pointee.stage.store(stage.number, ordering: .releasing)
    }
}

/// A jump of the device's clock during a take.
struct TakeGap: BitwiseCopyable, Sendable {
    /// The frame of the take's memory at which it is.
    let first: Int
    /// The number of silent frames; 0 where the clock went back.
    let count: Int
}

/// The progress of a take, for the control side.
struct TakeProgress: ~Copyable {
    /// The ``Take/Stage``.
    let stage = Atomic<Int>(0)
    /// The number of frames of the memory that were written, from its first one on.
    let written = Atomic<Int>(0)
    /// The length in frames, once it is known.
    let length = Atomic<Int>(0)
    /// The length in quarter notes, as the bits of a `Double`.
    let beats = Atomic<UInt64>(0)
    /// The timeline frame of the first frame when it was recorded.
    let origin = Atomic<Int64>(0)
    /// The latency, in frames: how much later that was delivered.
    let latency = Atomic<Int>(0)
    /// The input.
    let input = Atomic<Int>(0)
    /// The sample rate, as the bits of a `Double`.
    let sampleRate = Atomic<UInt64>(0)
    /// The number of jumps of the device's clock during the recording.
    let gaps = Atomic<Int>(0)
    /// The number of its warp knots; 0 if all beats are equal.
    let knots = Atomic<Int>(0)
    /// Of a layer, the number of frames of what was played that were written, from the first one of its memory on.
    let played = Atomic<Int>(0)
    /// Of a layer, the number of frames of its pass that were recorded over.
    let recorded = Atomic<Int>(0)
    /// Of a layer, the level of the loop in it, as the bits of a `Float`.
    let feedback = Atomic<UInt32>(0)
    /// The position of a layer's first frame in the loop below it, in frames, as the bits of a `Double`.
    let position = Atomic<UInt64>(0)
    /// The ``LoopChange/number`` of a change of a whole loop; −1 for none.
    let change = Atomic<Int>(-1)
    /// Whether it was taken back before it was over: it can't be brought back.
    let isCancelled = Atomic<Bool>(false)
    /// The frame aligned with the boundary of a launch, counted from the first one.
    let firstBeat = Atomic<Int>(0)
    /// The tempo that its length has made, as the bits of a `Double`; 0 for none.
    let tempo = Atomic<UInt64>(0)
}
