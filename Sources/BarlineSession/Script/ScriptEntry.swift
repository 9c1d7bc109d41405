import BarlineTime

/// An action and its frame.
public struct ScriptEntry: Hashable, Sendable {
    /// The time at which it takes effect.
    public var time: ScriptTime
    /// The action.
    public var action: ScriptAction
    /// Its line in the file, counted from 1; 0 if it is from no file.
    public var line: Int
    /// Whether it was asked for ahead, so that the session does not keep what it sets.
    package var isPlanned = false
    /// How many frames it was late: it took effect at its time, and was meant for so many frames before.
    package var late: Int64 = 0

    /// Creates an entry.
    public init(time: ScriptTime, action: ScriptAction, line: Int = 0) {
        self.time = time
        self.action = action
        self.line = line
    }

    /// The entry as a line of a script has it, with its frame.
    var json: [String: JSONValue] {
        var values = action.json
        switch time {
        case .beat(let beat): values["beat"] = .number(beat.rawValue)
        case .bar(let bar): values["bar"] = .number(Double(bar.number))
        case .nextBar: values["at"] = .string(ScriptTime.nextBarWord)
        case .seconds, .frame: values["frame"] = time.frame(at: .standard).map { .number(Double($0.rawValue)) }
        }
        if isPlanned { values["planned"] = true }
        if late > 0 { values["late"] = .number(Double(late)) }
        return values
    }
}

/// A time of a script.
public enum ScriptTime: Hashable, Sendable {
    /// Seconds since the start of the run.
    case seconds(Double)
    /// A frame.
    case frame(FrameTime)
    /// A beat of the transport, whatever the tempo does until it comes; it does not come while the transport stands,
    /// and one that has passed is at once.
    case beat(Beat)
    /// The line of a bar, in the same way.
    case bar(Bar)
    /// The line of the bar that is next when it is asked for.
    case nextBar

    /// Its frame at a sample rate; `nil` for what the tempo moves.
    public func frame(at sampleRate: SampleRate) -> FrameTime? {
        switch self {
        case .seconds(let seconds): FrameTime(sampleRate.frames(seconds: seconds))
        case .frame(let frame): frame
        case .beat, .bar, .nextBar: nil
        }
    }

    /// The moment that the engine waits for, seconds being counted from `start`.
    func moment(since start: FrameTime, at sampleRate: SampleRate) -> any Moment {
        switch self {
        case .seconds(let seconds): start + sampleRate.frames(seconds: seconds)
        case .frame(let frame): frame
        case .beat(let beat): beat
        case .bar(let bar): bar
        case .nextBar: Bar.next
        }
    }
}
