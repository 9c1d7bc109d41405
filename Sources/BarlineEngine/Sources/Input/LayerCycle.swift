import BarlineDSP
import BarlineTime
import CRealtime

/// The pass of a loop over which a layer is recorded, or from which a changed loop is computed, on the audio thread.
struct LayerCycle: BitwiseCopyable, @unchecked Sendable {
    /// The kind of change of the loop.
    enum Kind: BitwiseCopyable {
        /// An input is recorded over it, and it is mixed in at the level of its feedback.
        case overdub(feedback: Float)
        /// Nothing is recorded: the whole loop, `baseLayerLength` frames, is changed, and is `beats` quarter notes long
        /// then. The result becomes audible at ``LayerCycle/end``.
        case change(LoopChange, baseLayerLength: Int64, beats: Double)
    }

    /// The extent of the pass over which the input is recorded.
    enum Extent: BitwiseCopyable {
        /// The end is open.
        case open
        /// All of it.
        case whole
        /// Its first `recorded` frames. The input fades out until frame `inputEnd`, and the rest of the loop is copied
        /// from frame `restFrom` of the timeline on.
        case part(recorded: Int64, inputEnd: Int64, restFrom: FrameTime)
    }

    let kind: Kind
    /// The base layer: the loop recorded over; `nil` for a take that is not a layer, or has not begun.
    let baseLayer: UnsafePointer<ClipContent>?
    /// The position in the loop of the layer's first frame, and the distance of its frames there.
    private(set) var start = SourcePosition(rawValue: 0)
    private(set) var step = SourcePosition(1)
    private(set) var rate = 1.0
    /// The timeline frame of the layer's first frame, and its beat.
    private(set) var origin = FrameTime(rawValue: 0)
    private(set) var beat = Beat(rawValue: 0)
    /// The length of the pass, in frames.
    private(set) var length: Int64 = 0
    /// The position aligned with the boundary of a launch, in frames and in quarter notes from the layer's first frame
    /// on.
    private(set) var firstFrame: Int64 = 0
    private(set) var firstBeat = 0.0
    /// The frame at which the pass ends.
    var end = FrameTime(rawValue: .max)
    private(set) var endBeat = Beat(rawValue: 0)
    var extent = Extent.open
    /// The frame by which the base layer is complete.
    var baseLayerReady = FrameTime(rawValue: .min)
    /// Whether it never becomes audible.
    var isDropped = false
    /// Whether no more is captured of what is played: the length of a frame has changed.
    var isCut = false
    /// Whether it takes over when it is complete, because it was not when it ended.
    var isPending = false

    /// No pass yet.
    @_noLocks init() {
        kind = .overdub(feedback: 1)
        baseLayer = nil
    }

    /// The pass of a loop from `boundary` on whose position 0 is at `originBeat`.
    ///
    /// If the loop plays so close to its own rate that a pass is within a frame of its length, its frames are copied
    /// unchanged: the layers below lose no quality.
    @_noLocks init(
        over baseLayer: UnsafePointer<ClipContent>, from originBeat: Beat, at boundary: Beat, feedback: Float,
        _ timeline: borrowing Timeline
    ) {
        kind = .overdub(feedback: feedback)
        self.baseLayer = baseLayer
        let content = baseLayer.pointee
        let length = Double(content.region.length)
        beat = boundary
        origin = timeline.tempo.frame(of: boundary)
        endBeat = boundary + content.beats
        end = timeline.tempo.frame(of: endBeat)
        let rate = content.rate(at: timeline.tempo.tempo(at: origin), sampleRate: timeline.sampleRate)
        let cycles = (boundary - originBeat) / content.beats
        let rounding = Double(origin.rawValue) - timeline.tempo.exactFrame(of: boundary)
        var position = (cycles - ClipContent.wholeCycles(cycles)) * length + rounding * rate
        let first = content.firstBeat / content.beats * length
        let drift = (rate - 1) * length
        if drift < 1, drift > -1 {
            position = rt_floor(position + 0.5)
            self.length = Int64(content.region.length)
        } else {
            // A loop of a few frames has none left at a high tempo, and is too short to be recorded over.
            let frames = Int64(rt_floor(length / rate + 0.5))
            self.length = frames > 1 ? frames : 1
            self.rate = length / Double(self.length)
            step = SourcePosition(self.rate)
        }
        start = SourcePosition(snapping: position)
        let offset = rt_floor((first - position) / self.rate + 0.5)
        firstFrame = Int64(offset) % self.length
        if firstFrame < 0 { firstFrame += self.length }
        firstBeat = Double(firstFrame) / Double(self.length) * content.beats
    }

    /// The pass that a change produces, from the position aligned with the boundary of a launch on, until `boundary`.
    @_noLocks init(
        _ change: LoopChange, of baseLayer: UnsafePointer<ClipContent>, until boundary: Beat,
        _ timeline: borrowing Timeline
    ) {
        let content = baseLayer.pointee
        let length = Double(content.region.length)
        kind = .change(
            change, baseLayerLength: Int64(content.region.length), beats: content.beats * change.lengthFactor)
        self.baseLayer = baseLayer
        self.length = Int64(rt_floor(length * change.lengthFactor + 0.5))
        origin = timeline.now
        beat = timeline.currentBeat
        endBeat = boundary
        end = timeline.isRolling ? timeline.tempo.frame(of: boundary) : timeline.now
        switch change {
        case .halfSpeed, .doubleSpeed:
            rate = length / Double(self.length)
            step = SourcePosition(rate)
        case .reverse, .multiply, .insert: break
        }
        if content.beats > 0 {
            start = SourcePosition(rt_floor(content.firstBeat / content.beats * length + 0.5))
        }
    }

    /// A pass that was recorded over before, or changed, of `length` frames from `position` of the loop on.
    init(remaking kind: Kind, over baseLayer: UnsafePointer<ClipContent>, from position: Double, length: Int64) {
        self.kind = kind
        self.baseLayer = baseLayer
        self.length = length
        start = SourcePosition(position)
        switch kind {
        case .change(.reverse, _, _), .change(.multiply, _, _), .change(.insert, _, _): return
        case .change(.halfSpeed, _, _), .change(.doubleSpeed, _, _), .overdub: break
        }
        rate = Double(baseLayer.pointee.region.length) / Double(length)
        step = SourcePosition(rate)
    }

    // MARK: Its kind

    /// Whether nothing is recorded.
    var isChange: Bool {
        @_noLocks get {
            if case .change = kind { return true }
            return false
        }
    }

    /// The level at which the loop is mixed into what is recorded.
    var feedback: Float {
        @_noLocks get {
            switch kind {
            case .overdub(let feedback): feedback
            case .change: 1
            }
        }
    }

    /// The length of the result in quarter notes, that of the loop being `beats`.
    @_noLocks func beats(ofLoop beats: Double) -> Double {
        switch kind {
        case .overdub: beats
        case .change(_, _, let changed): changed
        }
    }

    /// Whether it is recorded over `content`.
    @_noLocks func isOver(_ content: UnsafeRawPointer) -> Bool {
        if let baseLayer { return UnsafeRawPointer(baseLayer) == content }
        return false
    }

    // MARK: Its extent

    /// The number of frames over which the input is recorded; unlimited while the end is open.
    var recorded: Int64 {
        @_noLocks get {
            switch extent {
            case .open: .max
            case .whole: length
            case .part(let recorded, _, _): recorded
            }
        }
    }

    /// The frame of the layer from which on the input is silent.
    var inputEnd: Int64 {
        @_noLocks get {
            switch extent {
            case .open: .max
            case .whole: length
            case .part(_, let end, _): end
            }
        }
    }

    /// The frame from which on the rest of the pass is copied; the end of time if all of it is recorded over.
    var restFrom: FrameTime {
        @_noLocks get {
            switch extent {
            case .open, .whole: FrameTime(rawValue: .max)
            case .part(_, _, let frame): frame
            }
        }
    }

    /// Whether only a part of the pass is recorded over.
    var isPart: Bool { @_noLocks get { recorded < length } }
}
