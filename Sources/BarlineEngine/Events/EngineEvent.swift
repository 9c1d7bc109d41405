import BarlineTime

/// Something that happened on the timeline.
public struct EngineEvent: Hashable, Sendable, BitwiseCopyable {
    /// The frame on which it happened.
    public let frame: FrameTime
    /// What happened.
    public let kind: Kind

    /// What can happen.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        /// A clip began to sound: at `beat`, and in the source at `sourceFrame` frames from its region's start. A
        /// start is rounded to a whole frame, so this may be up to half a step before 0.
        case clipStarted(clip: ClipHandle, track: TrackIndex, beat: Beat, sourceFrame: Double)
        /// A loop began its `iteration`th repetition.
        case clipLooped(clip: ClipHandle, track: TrackIndex, iteration: Int64)
        /// A clip stopped; where it did not end by itself, its fade-out begins here.
        case clipStopped(clip: ClipHandle, track: TrackIndex)
        /// The tempo changed, or began to ramp to `tempo` over `rampBeats` quarter notes.
        case tempoChanged(tempo: Tempo, beat: Beat, rampBeats: Double)
        /// The metre changes on bar line `beat`.
        case timeSignatureChanged(TimeSignature, beat: Beat)
        /// The transport began to roll at `beat`.
        case transportStarted(beat: Beat)
        /// The transport stopped.
        case transportStopped
        /// A pulse of the metre; bars and pulses are counted from 1, bar 0 and below is a count-in.
        case pulse(bar: Int64, pulse: Int, isAccented: Bool)
        /// A command that was sent without a frame took effect.
        case commandTaken(CommandID)
        /// A command came `frames` frames after the frame that it was for.
        case commandLate(CommandID, frames: Int64)
        /// All voices are in use: the clip was not started.
        case voicesExhausted(clip: ClipHandle, track: TrackIndex)
        /// The machine doesn't keep up: so many clips and hits of pads were faded out before the output would be late.
        case voicesShed(count: Int)
        /// A pad began to sound, hit with a velocity of 0 … 1.
        case padHit(pad: PadHandle, velocity: Double)
        /// The stems began to play, or went on, at `position` seconds.
        case stemsStarted(position: Double)
        /// The stems paused at `position` seconds.
        case stemsPaused(position: Double)
        /// The stems are now at `position` seconds.
        case stemsSeeked(position: Double)
        /// The stems' loop went back to its start, `position` seconds.
        case stemsLooped(position: Double)
        /// The last stem has ended.
        case stemsEnded
        /// A stem lacks data: all fade out, and move on silently.
        case stemsUnderrun(position: Double)
        /// All stems have data again and fade in at `position` seconds, where they would have been.
        case stemsRecovered(position: Double)
        /// A stem has come in beside those that were there, or in the place of one, at `position` seconds.
        case stemJoined(stem: StemIndex, position: Double)
        /// A stem was taken away at `position` seconds.
        case stemLeft(stem: StemIndex, position: Double)
        /// An item of the playlist began to play.
        case itemStarted(item: PlaylistItemID)
        /// An item of the playlist ended, or was left.
        case itemEnded(item: PlaylistItemID)
        /// An item of the playlist was left out, for it has nothing to play.
        case itemSkipped(item: PlaylistItemID)
        /// An item of the playlist is now at `position` seconds, where nobody would expect it.
        case itemSeeked(item: PlaylistItemID, position: Double)
        /// An item of the playlist is at `position` seconds: told every 0.1 s of it.
        case itemTime(item: PlaylistItemID, position: Double)
        /// The playlist plays, or goes on.
        case playlistPlaying
        /// The playlist paused.
        case playlistPaused
        /// The playlist was stopped, and stands at the beginning of an item.
        case playlistStopped
        /// The playlist's last item has ended.
        case playlistEnded
        /// The playlist's audio does not come in time: it fades out, and waits.
        case playlistUnderrun
        /// The playlist goes on where it had to wait.
        case playlistRecovered
        /// The device's clock jumped ahead by `frames` frames, or back where that is below 0, and the timeline with it.
        case clockJumped(frames: Int64)
        /// The device changed the sample rate.
        case sampleRateChanged(SampleRate)
    }

    @_noLocks package init(frame: FrameTime, kind: Kind) {
        self.frame = frame
        self.kind = kind
    }
}
