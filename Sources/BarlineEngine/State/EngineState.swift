import BarlineDSP
import BarlineTime

/// A snapshot of everything a display shows, at the end of one block.
public struct EngineState: Sendable, Hashable {
    /// The frame of the snapshot: the next one to render.
    public let frame: FrameTime
    /// The sample rate of the timeline.
    public let sampleRate: SampleRate
    /// The transport.
    public let transport: Transport
    /// The tracks, by index.
    public let tracks: [Track]
    /// The stems' strips, by index.
    public let stems: [Strip]
    /// The metronome's strip.
    public let metronome: Strip
    /// Whether the metronome is on.
    public let isMetronomeOn: Bool
    /// The latest sixteen beats rendered since the transport started.
    public let recentBeats: [UpcomingBeat]
    /// The next sixteen beats, not rendered yet; none while the transport is stopped.
    public let upcomingBeats: [UpcomingBeat]
    /// The buses, by index.
    public let buses: [MeterReading]
    /// The readings of the buses' limiters, by index; empty if the engine was created without.
    public let limiters: [LimiterReading]
    /// The state of the stems.
    public let multitrack: Multitrack
    /// The state of the playlist.
    public let playlist: Playlist
    /// The playlist's strip.
    public let playlistStrip: Strip
    /// The levels of the inputs, by index, as captured; silence for those that are not open.
    public let inputs: [MeterReading]
    /// The number of voices in use, of clips and pads, including those that fade out.
    public let voicesInUse: Int
    /// The states of parts that declare them in their own folders, such as ``pads``.
    let parts: PartStates
    /// Whether an effect rings out, fades, or has a ramping parameter.
    package let areEffectsActive: Bool

    /// The state of the transport.
    public struct Transport: Sendable, Hashable {
        /// Whether the transport rolls.
        public let isRolling: Bool
        /// The monotonic beat; 0 while stopped.
        public let beat: Beat
        /// The song position.
        public let songPosition: Beat
        /// The song's loop; `nil` if none was set.
        public let songLoop: SongLoop?
        /// The tempo.
        public let tempo: Tempo
        /// The bar, counted from 1; 0 and below in a count-in.
        public let bar: Int
        /// The pulse in the bar, counted from 1.
        public let pulse: Int
        /// The metre.
        public let timeSignature: TimeSignature
    }

    /// A region that the song position loops over, or did.
    public struct SongLoop: Sendable, Hashable {
        /// Its start.
        public let start: Beat
        /// Its length in quarter notes.
        public let length: Double
        /// Whether the loop is on.
        public let isOn: Bool
    }

    /// The state of a track.
    public struct Track: Sendable, Hashable {
        /// The clip that plays.
        public let playing: Playing?
        /// The queued request of the track.
        public let queued: Queued?
        /// Its mixer strip.
        public let strip: Strip
    }

    /// The state of a mixer strip.
    public struct Strip: Sendable, Hashable {
        /// Whether it is muted.
        public let isMuted: Bool
        /// Whether it is soloed.
        public let isSoloed: Bool
        /// Its meter, after the fader.
        public let meter: MeterReading
    }

    /// The state of the stems.
    public struct Multitrack: Sendable, Hashable {
        /// The phase of their playback.
        public let phase: Phase
        /// Their position, in seconds.
        public let position: Double
        /// The number of underruns.
        public let underrunCount: Int

        /// The phase of the stems' playback.
        public enum Phase: Int64, Sendable, BitwiseCopyable {
            /// Paused.
            case paused
            /// Waiting for their first frames, or for their position in the bar.
            case waiting
            /// Playing.
            case playing
            /// Moving on silently, because one of them has underrun.
            case starved
        }
    }

    /// The state of the playlist.
    public struct Playlist: Sendable, Hashable {
        /// The phase of its playback.
        public let phase: Phase
        let deck: Int
        let framePosition: Int64
        let playNumber: Int
        let item: PlaylistItemID
        let origin: Double
        let sampleRate: SampleRate
        let endCount: Int64
        /// The deck with which it did so last, or −1.
        let endedDeck: Int
        let pauseCount: Int64
        let lastStart: Int
        /// The number of underruns.
        public let underrunCount: Int
        /// The frame of the snapshot.
        public let frame: FrameTime

        /// The item that plays, or would; `nil` if there is none.
        public var currentItem: PlaylistItemID? { playNumber < 0 ? nil : item }

        /// The position in the item, in seconds.
        public var position: Double {
            playNumber < 0 ? 0 : max(0, (Double(framePosition) - origin) / sampleRate.hertz)
        }

        /// The phase of a playlist's playback.
        public enum Phase: Int64, Sendable, BitwiseCopyable {
            /// It has ended, was stopped, or never started, and is at an item's beginning.
            case stopped
            /// At the position where it was paused, or which was sought.
            case paused
            /// Waiting for audio.
            case waiting
            /// Playing.
            case playing
        }
    }

    /// A playing clip.
    public struct Playing: Sendable, Hashable {
        /// The clip.
        public let clip: ClipHandle
        /// How far through its region it is, 0 ..< 1.
        public let progress: Double
        /// The number of source frames since its region's start.
        public let sourceFrame: Double
        /// The number of wraps since its origin.
        public let iteration: Int
    }

    /// A request that waits for its boundary.
    public struct Queued: Sendable, Hashable {
        /// The clip to launch; `nil` for a stop.
        public let clip: ClipHandle?
        /// The number of frames until the boundary, 0 or more.
        public let framesLeft: Int64
    }

    /// The status of a clip, for its button.
    public enum ClipStatus: Sendable, Hashable {
        /// Silent.
        case stopped
        /// Waiting for its boundary.
        case queued(framesLeft: Int64)
        /// Playing; `progress` of its region, 0 ..< 1.
        case playing(progress: Double)
        /// Playing until the boundary.
        case stopping(progress: Double, framesLeft: Int64)
    }

    /// The status of `clip` on `track`.
    public func status(of clip: ClipHandle, on track: TrackIndex) -> ClipStatus {
        guard tracks.indices.contains(track.rawValue) else { return .stopped }
        let track = tracks[track.rawValue]
        if let queued = track.queued, queued.clip == clip { return .queued(framesLeft: queued.framesLeft) }
        guard let playing = track.playing, playing.clip == clip else { return .stopped }
        if let queued = track.queued { return .stopping(progress: playing.progress, framesLeft: queued.framesLeft) }
        return .playing(progress: playing.progress)
    }
}
