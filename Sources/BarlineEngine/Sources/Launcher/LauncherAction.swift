import BarlineDSP
import BarlineTime

extension Launcher {
    /// A command to the launcher.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// The launch button of a clip goes down, or up.
        case launch(clip: Int)
        case release(clip: Int)
        /// A track stops on its boundary, or at once.
        case stop(track: Int)
        case stopNow(track: Int)
        case stopAll
        case stopAllNow
        /// A tempo that comes with a scene takes over on the scene's boundary.
        case launchTempo(Tempo)
        case quantization(Quantization)
        case firstLaunch(FirstLaunch)
        /// Puts content in the place of a clip, or takes it away.
        case install(clip: Int, UnsafePointer<ClipContent>)
        case remove(clip: Int)
        case clipGain(clip: Int, Float)
        /// Gives it what it keeps the pitch of clips with, before the first of them.
        case lend(UnsafeMutablePointer<StretchPool>)
        /// Puts a take that is yet to be recorded in the place of its clip.
        case lendTake(UnsafeMutablePointer<Take>)
        /// Makes a take of the last bars.
        case keepLast(clip: Int, bars: Int)
        /// Gives it memory for a layer of a clip.
        case lendLayer(UnsafeMutablePointer<Take>)
        /// Puts a layer that was recorded before below or above those of a clip.
        case link(clip: Int, UnsafePointer<ClipContent>, isAbove: Bool)
        /// Begins to record an input over a clip, or ends that.
        case overdub(clip: Int, OverdubPlan)
        case changeLoop(clip: Int, LoopChangePlan)
        case undoLayer(clip: Int)
        case redoLayer(clip: Int)
        /// Has an input heard on a track, or none where it is −1.
        case monitor(track: Int, input: Int, MonitorMode)
    }
}
