import BarlineDSP
import BarlineTime
import CRealtime

/// The content of a clip on the audio thread. It is immutable: an edit creates a new one. Only that of a take is
/// updated, with the recording, and where a clip starts, if that was set ahead.
struct ClipContent: BitwiseCopyable, @unchecked Sendable {
    private(set) var region: SourceRegion
    /// The region as read by a clip that has not reached its first frame: including everything before it in the file.
    private(set) var leadRegion: SourceRegion
    /// Frames of the region per second of the recording.
    private(set) var sourceRate: Double
    /// Frames of the recording per frame of the region: 1, unless it was prepared at another pitch.
    let sourceScale: Double
    /// How its frames come into memory, if it is streamed; `nil` if all of them are there.
    let stream: ClipStream?
    /// The time-stretch that keeps its pitch, if it is on.
    let stretch: ClipStretch
    /// The region's length in quarter notes; 0 if the clip is not synced to the tempo.
    private(set) var beats: Double
    /// The warp map from its beats to its frames, if beats are of unequal length.
    private(set) var warp: WarpMap
    /// The quarter notes from the region's start to the position aligned with the boundary of a launch; 0 if not
    /// synced.
    private(set) var firstBeat: Double
    /// The tempo at which the clip's rate is 1 (at equal sample rates); 0 if not synced.
    private(set) var tempo: Double
    let gain: Float
    let track: Int
    let loops: Bool
    var fades: ClipFades
    let launchMode: LaunchMode
    private(set) var startPosition: StartPosition
    let hasQuantization: Bool
    let quantization: Quantization
    /// The loop's other layers.
    var layers = LayerLinks()
    /// Tells it from every other one.
    var serial = 0
    /// The ``serial`` of what it is but for its start position; 0 if it is to be taken as it is.
    var basis = 0

    var isSynced: Bool { @_noLocks get { beats > 0 } }
    /// Whether a part of its frames is in memory, and nothing but its voices may read them.
    var isStreamed: Bool {
        @_noLocks get {
            if case .some = stream { return true }
            return false
        }
    }
    var isWarped: Bool { @_noLocks get { !warp.isNone } }

    /// The rounding error of a number of passes.
    private static var cycleTolerance: Double { @_noLocks get { 1e-12 } }

    /// The completed passes of a loop; one within rounding error of its end counts.
    @_noLocks static func wholeCycles(_ cycles: Double) -> Double { rt_floor(cycles + ClipContent.cycleTolerance) }

    /// Source frames per quarter note, on average; only for synced clips.
    var framesPerBeat: Double { @_noLocks get { Double(region.length) / beats } }

    /// The position `beats` quarter notes after the region's start; only for synced clips.
    @_noLocks func position(atBeat beats: Double) -> Double {
        isWarped ? warp.position(atBeat: beats) : beats * framesPerBeat
    }

    /// The quarter notes from the region's start to `position`; only for synced clips.
    @_noLocks func beat(atPosition position: Double) -> Double {
        isWarped ? warp.beat(atPosition: position) : position / framesPerBeat
    }

    /// Source frames per output frame at `tempo`.
    @_noLocks func rate(at tempo: Tempo, sampleRate: SampleRate) -> Double {
        if !isSynced { return sourceRate / sampleRate.hertz }
        return (tempo.beatsPerMinute * sourceRate) / (self.tempo * sampleRate.hertz)
    }

    /// Source frames per output frame at `tempo`, `beat` quarter notes after the region's start.
    @_noLocks func rate(at tempo: Tempo, beat: Double, sampleRate: SampleRate) -> Double {
        if !isWarped { return rate(at: tempo, sampleRate: sampleRate) }
        return tempo.beats(inFrames: warp.slope(atBeat: beat), at: sampleRate)
    }

    /// Becomes a newly recorded loop of `beats` quarter notes, at its own rate in the tempo at which it was recorded.
    @_noLocks mutating func setLoop(_ region: SourceRegion, beats: Double, rate: SampleRate) {
        self.beats = beats
        sourceRate = rate.hertz
        tempo = Tempo.beatsPerMinute(of: beats, inFrames: Double(region.length), rate: rate.hertz)
        setRegion(region)
    }

    /// Becomes a loop whose beats are of unequal length.
    @_noLocks mutating func setWarp(_ map: WarpMap) { warp = map }

    /// Becomes a layer of a loop: the same clip, with other frames of the same length, from another position of its
    /// pass on.
    @_noLocks mutating func setLayer(of baseLayer: UnsafePointer<ClipContent>, firstBeat: Double) {
        let (own, ownSerial) = (layers, serial)
        self = baseLayer.pointee
        self.firstBeat = firstBeat
        (layers, serial, basis) = (own, ownSerial, 0)
        fades.setStartsLoud(true)
    }

    /// Starts where another one does.
    @_noLocks mutating func takeStart(of other: ClipContent) { startPosition = other.startPosition }

    /// Replaces the region by the same frames with different reads at the loop's ends.
    @_noLocks mutating func setRegion(_ region: SourceRegion) {
        self.region = region
        leadRegion = region
    }
}
