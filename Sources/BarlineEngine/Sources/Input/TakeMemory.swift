import BarlineDSP
import BarlineTime
import Synchronization

/// The owner of a ``Take``'s memory, on the control side; reports its progress.
final class TakeMemory: @unchecked Sendable {
    /// The length kept before a take's first frame and after its last one, in seconds: a take can be moved by so much
    /// later.
    static let marginSeconds = 0.5
    /// How far ahead of the recording pages are populated, in seconds.
    private static let populatedSeconds = 10.0

    let take: UnsafeMutablePointer<Take>
    let storage: SampleStorage
    /// What is played during the pass of a layer; `nil` for a take that is not a layer.
    let playedStorage: SampleStorage?
    let sampleRate: SampleRate
    let margin: Int
    /// The input that a take which is not a layer is of.
    let input: Int
    /// The number of the layer that it is for; −1 for a take that is not a layer.
    let serial: Int
    private let progress: UnsafeMutablePointer<TakeProgress>
    private let jumps: UnsafeMutablePointer<TakeGap>
    private let knots: UnsafeMutablePointer<WarpKnot>
    private let seam: UnsafeMutablePointer<Float>
    private let wrap: UnsafeMutablePointer<Float>
    /// Frames up to which pages were populated; negative once those that are not needed were given back.
    private let populated = Mutex(0)

    /// Allocates memory for takes of up to `seconds` seconds; `content` is the content of their clip.
    init(
        clip: Int, input: Int, bars: Int, channels: Int, seconds: Double, sampleRate: SampleRate,
        content: UnsafeMutablePointer<ClipContent>, serial: Int = -1, saysTempo: Bool = false
    ) {
        self.sampleRate = sampleRate
        self.serial = serial
        self.input = input
        margin = Int(sampleRate.frames(seconds: TakeMemory.marginSeconds))
        let frames = Int(sampleRate.frames(seconds: seconds))
        storage = SampleStorage(silent: frames + 2 * margin, channels: channels)
        playedStorage = serial < 0 ? nil : SampleStorage(silent: frames + 2 * margin, channels: channels)
        let seamFrames = Int(SeamFade.longest * sampleRate.hertz)
        seam = .allocate(capacity: 2 * seamFrames)
        seam.initialize(repeating: 0, count: 2 * seamFrames)
        let wrapFrames = seamFrames + 2 * VarispeedKernel.largestSpan
        wrap = .allocate(capacity: 2 * wrapFrames)
        wrap.initialize(repeating: 0, count: 2 * wrapFrames)
        progress = .allocate(capacity: 1)
        progress.initialize(to: TakeProgress())
        jumps = .allocate(capacity: Take.gapCapacity)
        knots = .allocate(capacity: serial < 0 ? Take.knotCapacity : 1)
        take = .allocate(capacity: 1)
        take.initialize(
            to: Take(
                memory: TakeSamples(
                    left: storage.left, right: storage.right, framesBefore: margin, framesAfter: margin,
                    capacity: frames + margin, seam: seam, seamFrames: seamFrames, wrap: wrap,
                    shortestSeamed: Int((SeamFade.shortestRegion * sampleRate.hertz).rounded(.up))),
                played: playedStorage.map { [margin] in
                    PlayedSamples(left: $0.left, right: $0.right, framesBefore: margin, framesAfter: margin)
                },
                content: content, progress: progress, gaps: jumps, knots: knots, clip: clip, input: input, bars: bars,
                serial: serial, saysTempo: saysTempo))
        populate()
    }

    deinit {
        take.deallocate()
        progress.deinitialize(count: 1)
        progress.deallocate()
        jumps.deallocate()
        knots.deallocate()
        seam.deallocate()
        wrap.deallocate()
    }

    /// Populates the pages that are recorded into next; those into which nothing came are given back once it is over.
    func populate() {
        if stage == .finished { return trim() }
        let end = written + Int(sampleRate.frames(seconds: TakeMemory.populatedSeconds))
        populated.withLock { done in
            if end - done < done / 64 { return }
            // A pass is an eighth of what a layer has room for, and of most layers that are supplied nothing comes.
            let end = isLayer && written == 0 ? min(end, margin + storage.capacity / 4) : end
            storage.populate(done..<end)
            playedStorage?.populate(done..<end)
            done = end
        }
    }

    /// Gives back what was populated ahead, but for what is read beside the recording.
    private func trim() {
        populated.withLock { done in
            if done < 0 { return }
            done = -1
            for (memory, used) in [(storage, written), (playedStorage, played)] {
                guard let memory else { continue }
                memory.discard(min(used + margin, memory.capacity)..<memory.capacity)
            }
        }
    }

    /// Populates the pages of its first `seconds` seconds, as required when copying is faster than time passes.
    func populate(seconds: Double) {
        storage.populate(0..<margin + Int(sampleRate.frames(seconds: seconds)))
    }

    /// The longest recording that fits, in seconds.
    var seconds: Double { Double(storage.capacity - 2 * margin) / sampleRate.hertz }

    /// The change of a whole loop that it holds; `nil` for none.
    var change: LoopChange? {
        let number = progress.pointee.change.load(ordering: .relaxed)
        return LoopChange.allCases.first { $0.number == number }
    }

    /// The number of frames written of what was played during the pass of a layer, including those before its first
    /// one.
    var played: Int { progress.pointee.played.load(ordering: .acquiring) }

    /// How the layer is made of the one below it; `nil` while its end is open, and for a take that is not a layer.
    var recipe: LayerRecipe? {
        guard isLayer, stage.number >= Take.Stage.closed.number else { return nil }
        let recorded = progress.pointee.recorded.load(ordering: .relaxed)
        let feedback = Float(bitPattern: progress.pointee.feedback.load(ordering: .relaxed))
        return LayerRecipe(
            change.map(LayerRecipe.Making.change) ?? .overdub(feedback: feedback, recorded: recorded),
            position: Double(bitPattern: progress.pointee.position.load(ordering: .relaxed)),
            length: progress.pointee.length.load(ordering: .relaxed))
    }

    /// The input that it is recorded from.
    var recordedInput: Int { progress.pointee.input.load(ordering: .relaxed) }

    /// Whether it was taken back before it was over.
    var isCancelled: Bool { progress.pointee.isCancelled.load(ordering: .acquiring) }

    var stage: Take.Stage {
        let number = progress.pointee.stage.load(ordering: .acquiring)
        return Take.Stage.allCases.first { $0.number == number } ?? .waiting
    }

    /// The number of frames written, including those before the take's first one.
    var written: Int { progress.pointee.written.load(ordering: .acquiring) }

    /// The frames of the memory that are silent because the device passed over them.
    var gaps: [Range<Int>] {
        let count = min(progress.pointee.gaps.load(ordering: .acquiring), Take.gapCapacity)
        return (0..<count).map { jumps[$0].first..<jumps[$0].first + jumps[$0].count }.filter { !$0.isEmpty }
    }

    /// The frames of the memory at which beats of the take are, counted from its first one, if they are of unequal
    /// length: of its ends and in between. None if they are equal.
    var warp: [WarpMarker] {
        (0..<progress.pointee.knots.load(ordering: .acquiring)).map {
            WarpMarker(frame: margin + Int(knots[$0].position), beat: knots[$0].beat)
        }
    }

    /// The recording; `nil` while its end is open.
    var result: RecordedTake? {
        guard stage.number >= Take.Stage.closed.number else { return nil }
        return RecordedTake(
            region: margin..<margin + progress.pointee.length.load(ordering: .relaxed),
            beats: Double(bitPattern: progress.pointee.beats.load(ordering: .relaxed)), start: start,
            firstBeat: progress.pointee.firstBeat.load(ordering: .relaxed),
            tempo: Tempo(Double(bitPattern: progress.pointee.tempo.load(ordering: .relaxed))))
    }

    /// Whether it is for a layer.
    var isLayer: Bool { serial >= 0 }

    /// The place on the timeline at which it was recorded.
    var start: TakeStart {
        TakeStart(
            frame: FrameTime(progress.pointee.origin.load(ordering: .relaxed)),
            latency: progress.pointee.latency.load(ordering: .relaxed),
            sampleRate: SampleRate(unchecked: Double(bitPattern: progress.pointee.sampleRate.load(ordering: .relaxed))),
            gaps: progress.pointee.gaps.load(ordering: .relaxed))
    }
}
