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
        values["frame"] = .number(Double(time.frame(at: .standard).rawValue))
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

    /// Its frame at a sample rate.
    public func frame(at sampleRate: SampleRate) -> FrameTime {
        switch self {
        case .seconds(let seconds): FrameTime(sampleRate.frames(seconds: seconds))
        case .frame(let frame): frame
        }
    }
}
