import BarlineDSP
import BarlineTime

extension Launcher {
    /// A command to the launcher.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Presses or releases the launch button of a clip.
        case launch(clip: Int)
        case release(clip: Int)
        /// Stops a track on its boundary, or at once.
        case stop(track: Int)
        case stopNow(track: Int)
        case stopAll
        case stopAllNow
        /// Ends takes that say the tempo, which are recorded while the transport stands.
        case stopFirstLoops
        /// Queues the tempo of a scene, which takes effect on the scene's boundary.
        case launchTempo(Tempo)
        case quantization(Quantization)
        case firstLaunch(FirstLaunch)
        /// Replaces or removes a clip's content.
        case install(clip: Int, UnsafePointer<ClipContent>)
        case remove(clip: Int)
        case clipGain(clip: Int, Float)
        /// Passes the voices that keep the pitch of clips, before the first such clip.
        case supply(UnsafeMutablePointer<StretchPool>)
        /// Installs a take that is yet to be recorded as the content of its clip.
        case supplyTake(UnsafeMutablePointer<Take>)
        /// Creates a take of the last bars.
        case keepLast(clip: Int, bars: Int)
        /// Passes preallocated memory for a layer of a clip.
        case supplyLayer(UnsafeMutablePointer<Take>)
        /// Puts a previously recorded layer below or above those of a clip.
        case link(clip: Int, UnsafePointer<ClipContent>, isAbove: Bool)
        /// Begins to overdub a clip, or ends that.
        case overdub(clip: Int, OverdubPlan)
        /// Ends the overdub of a clip at once.
        case endOverdub(clip: Int)
        case changeLoop(clip: Int, LoopChangePlan)
        case undoLayer(clip: Int)
        case redoLayer(clip: Int)
        /// Monitors an input on a track; −1 for none.
        case monitor(track: Int, input: Int, MonitorMode)
    }
}
