import BarlineDSP
import BarlineTime

/// The monitoring mode of an input: when it is audible on its track.
public enum MonitorMode: String, Sendable, CaseIterable, BitwiseCopyable {
    /// While no clip plays on the track, or one that it is overdubbed onto.
    case auto
    /// Always, whatever plays.
    case always
    /// Never: it is monitored outside the engine, or not at all.
    case never
}

/// The monitor of an input on a track. An input is exchanged for another once it has faded out.
struct InputMonitor: BitwiseCopyable, Sendable {
    /// The audible input; −1 for none.
    private(set) var input = -1
    /// The input to switch to, once the current one has faded out.
    private var wanted = -1
    private var mode = MonitorMode.auto
    private(set) var level = Ramp(constant: 0)

    @_noLocks init() {}

    /// Whether the invariants hold: the level ends at 0 or 1, and whatever is audible is an input.
    @_noLocks func checkInvariants() -> Bool {
        (level.target == 0 || level.target == 1) && (input >= 0 || level.target == 0)
    }

    /// Monitors an input, or none (−1), once the one that is audible has faded out.
    @_noLocks mutating func request(_ input: Int, _ mode: MonitorMode) {
        self.mode = mode
        wanted = input
    }

    /// Ramps to the target level, and changes over to the input that is asked for where the former one has faded out.
    ///
    /// - Parameters:
    ///   - isPlaying: whether a clip plays on the track that is not being overdubbed.
    ///   - timeline: now, and the length of fades.
    @_noLocks mutating func update(isPlaying: Bool, _ timeline: borrowing Timeline) {
        if input != wanted, level.target == 0, level.isSettled(at: timeline.now) { input = wanted }
        let target = target(isPlaying: isPlaying)
        if level.target == target { return }
        level = level.redirected(to: target, at: timeline.now, frames: timeline.fadeFrames)
    }

    /// The frame at which another input takes over, or the end of time.
    var nextSwitch: FrameTime {
        @_noLocks get { input == wanted || level.target != 0 ? .never : level.start + level.frames }
    }

    /// Whether an input is audible.
    @_noLocks func isAudible(at now: FrameTime) -> Bool {
        input >= 0 && !(level.target == 0 && level.isSettled(at: now))
    }

    /// Mixes the input into the signal of its track.
    @_noLocks func add(count: Int, _ context: inout RenderContext) {
        if !context.capture.isOpen(input) { return }
        context.capture.read(
            input, from: context.now, count: count, left: context.scratch.voiceLeft,
            right: context.scratch.voiceRight)
        if level.isSettled(at: context.now) {
            context.scratch.signal.add(context.scratch.source, gain: level.target, count)
        } else {
            context.scratch.signal.add(
                context.scratch.source, gains: level, Ramp(constant: 1), at: context.now, count)
        }
    }

    /// The target level, depending on whether a clip plays on the track.
    @_noLocks private func target(isPlaying: Bool) -> Float {
        if input < 0 || input != wanted { return 0 }
        switch mode {
        case .auto: return isPlaying ? 0 : 1
        case .always: return 1
        case .never: return 0
        }
    }
}
