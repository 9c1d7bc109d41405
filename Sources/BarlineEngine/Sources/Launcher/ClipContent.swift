import BarlineDSP
import BarlineTime

/// What the audio thread knows of a clip. It never changes: an edit makes a new one.
struct ClipContent: BitwiseCopyable, @unchecked Sendable {
    let region: SourceRegion
    /// The region as a clip that is not yet at its first frame reads it: with all that lies before it in the file.
    let leadRegion: SourceRegion
    let sourceRate: Double
    /// The region's length in quarter notes; 0 where the clip is not synced to the tempo.
    let beats: Double
    /// The quarter notes from the region's start to what falls on the boundary of a launch; 0 where it is not synced.
    let firstBeat: Double
    /// The tempo at which the clip's rate is 1 (at equal sample rates); 0 where it is not synced.
    let tempo: Double
    let gain: Float
    let track: Int
    let loops: Bool
    let fades: ClipFades
    let launchMode: LaunchMode
    let startPosition: StartPosition
    let hasQuantization: Bool
    let quantization: Quantization

    var isSynced: Bool { @_noLocks get { beats > 0 } }

    /// Source frames a quarter note; only where the clip is synced.
    var framesPerBeat: Double { @_noLocks get { Double(region.length) / beats } }

    /// Source frames an output frame at `tempo`.
    @_noLocks func rate(at tempo: Tempo, sampleRate: SampleRate) -> Double {
        if !isSynced { return sourceRate / sampleRate.hertz }
        return (tempo.beatsPerMinute * sourceRate) / (self.tempo * sampleRate.hertz)
    }
}

/// Owns what a ``ClipContent`` points to, on the control side.
final class PreparedClip: @unchecked Sendable {
    let content: UnsafePointer<ClipContent>
    let settings: ClipSettings
    let buffer: SampleBuffer
    private let seam: UnsafeMutablePointer<Float>
    private let wrap: LoopWrap?

    init(buffer: SampleBuffer, settings: ClipSettings) {
        let frames = settings.region ?? 0..<buffer.frameCount
        let isSynced = settings.playback == .repitch && settings.beats != nil
        let beats = isSynced ? settings.beats ?? 0 : 0
        let fade = settings.loops ? SeamFade(of: buffer, region: frames) : nil
        let seamLength = fade?.left.count ?? 0
        seam = .allocate(capacity: max(1, 2 * seamLength))
        if let fade {
            seam.initialize(from: fade.left, count: seamLength)
            (seam + seamLength).initialize(from: fade.right ?? fade.left, count: seamLength)
        }
        // What lies beside the region is for interpolating at its ends, not for hearing.
        let first = frames.lowerBound
        let seamLeft = UnsafePointer(seam)
        let seamRight = UnsafePointer(buffer.channelCount == 1 ? seam : seam + seamLength)
        func region(framesBefore: Int) -> SourceRegion {
            SourceRegion(
                left: buffer.left + first, right: buffer.right + first, length: frames.count,
                framesBefore: framesBefore,
                framesAfter: min(buffer.frameCount - frames.upperBound, VarispeedKernel.largestSpan / 2),
                loops: settings.loops, seamLeft: seamLeft, seamRight: seamRight, seamLength: seamLength)
        }
        var heard = region(framesBefore: min(first, VarispeedKernel.largestSpan / 2))
        var lead = region(framesBefore: first)
        wrap = settings.loops ? LoopWrap(of: heard) : nil
        heard.wrap = wrap
        lead.wrap = wrap
        let storage = UnsafeMutablePointer<ClipContent>.allocate(capacity: 1)
        storage.initialize(
            to: ClipContent(
                region: heard, leadRegion: lead, sourceRate: buffer.sampleRate.hertz, beats: beats,
                firstBeat: isSynced && settings.loops ? settings.firstBeat : 0,
                tempo: beats * 60 * buffer.sampleRate.hertz / Double(frames.count),
                gain: Float(settings.gain.amplitude), track: settings.track.rawValue, loops: settings.loops,
                fades: ClipFades(settings, buffer: buffer, region: frames), launchMode: settings.launchMode,
                startPosition: settings.startPosition, hasQuantization: settings.quantization != nil,
                quantization: settings.quantization ?? .none))
        content = UnsafePointer(storage)
        self.settings = settings
        self.buffer = buffer
    }

    deinit {
        content.deallocate()
        seam.deallocate()
        wrap?.deallocate()
    }
}
