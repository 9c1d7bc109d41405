import BarlineTime

/// Where the transport stands when the first clip is launched.
public enum FirstLaunch: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Beat 0 comes one quantisation period after the launch.
    case afterOnePeriod
    /// Beat 0 is the launch's own frame.
    case immediate
}

/// What the control side asks of the audio thread.
enum Action: BitwiseCopyable, @unchecked Sendable {
    case launch(clip: Int)
    case release(clip: Int)
    case stop(track: Int)
    case stopNow(track: Int)
    case stopAll
    case stopAllNow
    case startTransport
    case stopTransport
    case tempo(Tempo, rampBeats: Double)
    case launchTempo(Tempo)
    case timeSignature(TimeSignature)
    case quantization(Quantization)
    case snapTolerance(Double)
    case firstLaunch(FirstLaunch)
    case channelGain(channel: Int, Float)
    case channelPan(channel: Int, Float)
    case channelMute(channel: Int, Bool)
    case channelSolo(channel: Int, Bool)
    case channelBus(channel: Int, bus: Int)
    case busGain(bus: Int, Float)
    case limiter(isOn: Bool, ceiling: Float)
    case resetOvers
    case effect(chain: Int, EffectAction)
    case metronome(Bool)
    case accentPattern(AccentPattern)
    case subdivision(Int)
    case swing(Double)
    case countIn(Int)
    case clicks(UnsafePointer<ClickContent>)
    case tap
    case clipGain(clip: Int, Float)
    case install(clip: Int, UnsafePointer<ClipContent>)
    case remove(clip: Int)
    case installStems(UnsafePointer<StemSetContent>?)
    case stemsHold(set: Int, deck: Int, seconds: Double, StemHoldPurpose)
    case stemsPlay(set: Int)
    case stemsPause(set: Int)
    case stemsLoop(set: Int, number: Int, start: Double, end: Double)
    case stemsGain(Float)
    case stemsGrid(set: Int, StemGrid?)
    case playlistStart(deck: Int, fade: Int64, plays: Bool)
    case playlistSwitch(deck: Int, position: Int64, fade: Int64)
    case playlistPlay
    case playlistPause
    case playlistStop
    case relocate(Beat)
    case songLoop(start: Beat, length: Double)
}

/// A command that was sent, to be recognised in the events that it causes.
public struct CommandID: Hashable, Sendable, BitwiseCopyable {
    /// Commands sent before this one.
    public let rawValue: Int
}

/// An action and when it takes effect.
struct Command: BitwiseCopyable, @unchecked Sendable {
    /// Stands for the first frame of the next block.
    static var nextBlock: FrameTime { @_noLocks get { FrameTime(rawValue: .min) } }

    /// The frame that it is for.
    var frame: FrameTime
    /// The frame at which it is done: `frame`, or later where the command came late.
    var due = FrameTime(rawValue: 0)
    let action: Action
    let id: CommandID

    init(frame: FrameTime, action: Action, id: CommandID) {
        self.frame = frame
        self.action = action
        self.id = id
    }
}
