import BarlineDSP
import BarlineTime

/// A voice that plays a clip.
///
/// The position of a clip at a frame follows from its origin alone: the beat (or, unsynced, the frame) at which it is
/// at its region's first frame. The anchor only restates that for the current segment of constant tempo.
struct ClipVoice: BitwiseCopyable, @unchecked Sendable {
    /// The phase of a voice's life.
    enum Phase: BitwiseCopyable {
        case free
        /// Fading in before the boundary on which it starts.
        case leading
        case playing
        /// Stopped, and fading out until `envelope` has settled.
        case fading
    }

    var phase = Phase.free
    var clip = 0
    var content: UnsafePointer<ClipContent>
    var envelope = Ramp(constant: 1)
    var gain = Ramp(constant: 1)
    /// The frame at which a lead-in reaches full level.
    var leadsTo = FrameTime(rawValue: 0)
    /// Whether the part of the file before the region is audible.
    var isEarly = false

    /// The beat at which the clip is at its first frame; for a synced clip.
    var originBeat = Beat(rawValue: 0)
    /// The position on the timeline at which the clip is at its first frame; for an unsynced clip.
    var origin = FramePosition(FrameTime(rawValue: 0))
    /// The boundary on which the clip was launched, as a beat and on the timeline.
    var launchBeat = Beat(rawValue: 0)
    var launch = FramePosition(FrameTime(rawValue: 0))

    /// The change of tempo or metre after which it was restated (``VoicePool/retimings``).
    var retiming = 0
    var anchorFrame = FrameTime(rawValue: 0)
    var anchor = SourcePosition(rawValue: 0)
    var step = SourcePosition(rawValue: 0)
    var rate = 1.0

    /// The number of wraps since the origin.
    var iteration: Int64 = 0
    /// The frame of the next wrap, or the end of time.
    var nextWrap = FrameTime.never
    /// The next frame at which the length of the clip's beats changes, so that the anchor must be restated, or the end
    /// of time.
    var nextBend = FrameTime.never
    /// The frame at which a one-shot ends, or the end of time.
    var end = FrameTime.never
    /// Whether the fade before `end` has begun.
    var isEnding = false
    /// Whether the timeline that the voice began on has ended: it fades out at its last rate.
    var isDetached = false

    /// Its place in a clip that is streamed, or −1.
    var place = -1
    /// Whether frames of its clip were missing: it is silent until they are there, while it moves on.
    var isStarved = false
    /// The fades around missing frames.
    var supply = Ramp(constant: 1)

    /// The next voice on the same track, or −1.
    var nextOfTrack = -1

    @_noLocks init(content: UnsafePointer<ClipContent>) { self.content = content }

    var isFree: Bool {
        @_noLocks get {
            if case .free = phase { return true }
            return false
        }
    }

    var isPlaying: Bool {
        @_noLocks get {
            if case .playing = phase { return true }
            return false
        }
    }

    var isLeading: Bool {
        @_noLocks get {
            if case .leading = phase { return true }
            return false
        }
    }

    /// Whether the invariants hold: its rate is finite and 0 or more, and its envelope ends within 0 … 1.
    @_noLocks func checkInvariants() -> Bool {
        rate >= 0 && rate < .infinity && envelope.target >= 0 && envelope.target <= 1 && gain.target >= 0
            && nextOfTrack >= -1 && place >= -1
    }

    /// The region that the voice reads.
    var region: SourceRegion { @_noLocks get { isEarly ? content.pointee.leadRegion : content.pointee.region } }

    /// The position at `frame`, within the segment of constant tempo that the anchor is for.
    @_noLocks func position(at frame: FrameTime) -> SourcePosition {
        anchor.advanced(by: step, times: frame - anchorFrame)
    }
}
