import BarlineDSP
import BarlineTime

/// A clip as the audio thread has it. It is immutable: an edit makes a new one. Only that of a take becomes what was
/// recorded.
struct ClipContent: BitwiseCopyable, @unchecked Sendable {
    private(set) var region: SourceRegion
    /// The region as a clip that is not yet at its first frame reads it: with all that lies before it in the file.
    private(set) var leadRegion: SourceRegion
    /// Frames of the region to a second of the recording.
    private(set) var sourceRate: Double
    /// Frames of the recording to a frame of the region: 1, but where it was prepared at another pitch.
    let sourceScale: Double
    /// How its pitch is kept, where it is.
    let stretch: ClipStretch
    /// The region's length in quarter notes; 0 where the clip is not synced to the tempo.
    private(set) var beats: Double
    /// Which of its frames is heard at which of its beats, where these are not equally long.
    let warp: WarpMap
    /// The quarter notes from the region's start to what falls on the boundary of a launch; 0 where it is not synced.
    private(set) var firstBeat: Double
    /// The tempo at which the clip's rate is 1 (at equal sample rates); 0 where it is not synced.
    private(set) var tempo: Double
    let gain: Float
    let track: Int
    let loops: Bool
    var fades: ClipFades
    let launchMode: LaunchMode
    let startPosition: StartPosition
    let hasQuantization: Bool
    let quantization: Quantization
    /// The loop's other layers.
    var layers = LayerLinks()

    var isSynced: Bool { @_noLocks get { beats > 0 } }
    var isWarped: Bool { @_noLocks get { !warp.isNone } }

    /// Source frames a quarter note, in the mean; only where the clip is synced.
    var framesPerBeat: Double { @_noLocks get { Double(region.length) / beats } }

    /// The position `beats` quarter notes after the region's start; only where the clip is synced.
    @_noLocks func position(atBeat beats: Double) -> Double {
        isWarped ? warp.position(atBeat: beats) : beats * framesPerBeat
    }

    /// The quarter notes from the region's start to `position`; only where the clip is synced.
    @_noLocks func beat(atPosition position: Double) -> Double {
        isWarped ? warp.beat(atPosition: position) : position / framesPerBeat
    }

    /// Source frames an output frame at `tempo`.
    @_noLocks func rate(at tempo: Tempo, sampleRate: SampleRate) -> Double {
        if !isSynced { return sourceRate / sampleRate.hertz }
        return (tempo.beatsPerMinute * sourceRate) / (self.tempo * sampleRate.hertz)
    }

    /// Source frames an output frame at `tempo`, `beat` quarter notes after the region's start.
    @_noLocks func rate(at tempo: Tempo, beat: Double, sampleRate: SampleRate) -> Double {
        if !isWarped { return rate(at: tempo, sampleRate: sampleRate) }
        return warp.slope(atBeat: beat) * tempo.beatsPerMinute / (60 * sampleRate.hertz)
    }

    /// Becomes a loop that was just recorded: so many quarter notes, at its own rate in the tempo that it was recorded in.
    @_noLocks mutating func become(_ region: SourceRegion, beats: Double, rate: SampleRate) {
        self.beats = beats
        sourceRate = rate.hertz
        tempo = beats * 60 * rate.hertz / Double(region.length)
        become(region)
    }

    /// Becomes a layer of a loop: the same clip, with other frames of the same length, from another place of its turn on.
    @_noLocks mutating func become(layerOf bed: UnsafePointer<ClipContent>, firstBeat: Double) {
        let own = layers
        self = bed.pointee
        self.firstBeat = firstBeat
        layers = own
        fades.setStartsLoud(true)
    }

    /// The same frames, to be read in another way at the loop's ends.
    @_noLocks mutating func become(_ region: SourceRegion) {
        self.region = region
        leadRegion = region
    }
}
