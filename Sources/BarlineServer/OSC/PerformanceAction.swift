import BarlineSession

/// Which actions belong to playing: those that neither read or write files, nor change the session's content or where
/// the sound goes.
enum PerformanceAction {
    private static let words: Set<String> = [
        "launch", "release", "launchScene", "stop", "stopNow", "stopAll", "tempo", "tap", "timeSignature",
        "quantization",
        "startPosition", "gain", "pan", "mute", "solo", "transport", "stepScene", "resetOvers",
    ]
    private static let metronomeKeys: Set<String> = [
        "do", "at", "on", "pattern", "subdivision", "swing", "gain", "countIn",
    ]
    private static let stemActions: Set<String> = ["play", "pause", "stop", "seek", "loop", "gain"]
    private static let listActions: Set<String> = [
        "play", "pause", "resume", "stop", "next", "previous", "seek", "crossfade", "repeat", "shuffle", "single",
        "consume", "stopAfterCurrent", "gain",
    ]

    static func includes(_ action: JSONValue) -> Bool {
        guard case .object(let values) = action, case .string(let word)? = values["do"] else { return false }
        if words.contains(word) { return true }
        switch word {
        case "metronome": return values.keys.allSatisfy(metronomeKeys.contains)
        case "stems": return isOne(values["action"], of: stemActions)
        case "playlist": return isOne(values["action"], of: listActions)
        case "toggle": return values["what"] != "record"
        default: return false
        }
    }

    private static func isOne(_ value: JSONValue?, of words: Set<String>) -> Bool {
        if case .string(let word)? = value { words.contains(word) } else { false }
    }
}
