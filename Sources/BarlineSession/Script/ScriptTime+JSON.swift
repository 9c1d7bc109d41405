import BarlineTime

extension ScriptTime {
    /// The word of ``nextBar`` in place of seconds.
    static let nextBarWord = "nextBar"

    private static let beatKey = "beat"
    private static let barKey = "bar"

    private static let beats = ValueType.number(
        "a number of beats from -1000000000 to 1000000000", -1_000_000_000...1_000_000_000, unit: "beats")
    private static let bars = ValueType<Int>.whole(-10_000_000...10_000_000, unit: "bars")

    /// Checks that a script can be read that has it.
    ///
    /// - Throws: ``SessionError`` for ``nextBar``, which is known only while something plays, and for seconds that a
    ///   script can't have.
    func checkWritable(file: String, key: String) throws(SessionError) {
        let found: String
        switch self {
        case .nextBar: found = "\"\(ScriptTime.nextBarWord)\""
        case .seconds(let seconds) where !(0...999_999_999).contains(seconds): found = "\(seconds)"
        case .seconds, .frame, .beat, .bar: return
        }
        throw .value(path: file, key: "\(key).time", expected: "a time that a script can have", found: found)
    }

    /// Reads the time of an action, whose own keys have been read.
    ///
    /// - Parameters:
    ///   - reader: the action.
    ///   - seconds: what is read of `at`.
    ///   - frames: what is read of `frame`.
    ///   - isEdit: whether `beat` and `bar` are the action's own.
    /// - Returns: the time; `nil` where there is none.
    /// - Throws: ``SessionError`` where there is more than one, or it is none.
    static func read(
        _ reader: inout ObjectReader, seconds: ValueType<Double>, frames: ValueType<Int64>, isEdit: Bool = false
    ) throws(SessionError) -> ScriptTime? {
        var times: [ScriptTime] = []
        if case .string(nextBarWord)? = reader.values["at"] {
            _ = reader.value("at")
            times.append(.nextBar)
        } else if let seconds = try seconds.read(&reader, "at") {
            times.append(.seconds(seconds))
        }
        if let frame = try frames.read(&reader, "frame") { times.append(.frame(FrameTime(frame))) }
        // An action that has an argument of that name has no such time.
        let hasBeat = !isEdit && !reader.hasRead(beatKey)
        let hasBar = !isEdit && !reader.hasRead(barKey)
        if hasBeat, let beat = try beats.read(&reader, beatKey) { times.append(.beat(Beat(beat))) }
        if hasBar, let bar = try bars.read(&reader, barKey) { times.append(.bar(Bar(bar))) }
        guard times.count < 2 else {
            let last =
                hasBar && reader.isPresent(barKey) ? barKey : hasBeat && reader.isPresent(beatKey) ? beatKey : "at"
            throw reader.error(last, expected: "one of \"at\", \"frame\", \"beat\" and \"bar\"")
        }
        return times.first
    }
}
