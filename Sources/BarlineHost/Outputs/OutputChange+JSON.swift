import BarlineOutputs
import BarlineSession

extension OutputChange {
    /// As in the files of events.
    package var json: JSONValue {
        var values: [String: JSONValue] = ["output": .string(name), "frame": .number(Double(frame.rawValue))]
        switch kind {
        case .lost: values["event"] = "outputLost"
        case .recovered(let seconds):
            values["event"] = "outputRecovered"
            values["seconds"] = .number((seconds * 1_000).rounded() / 1_000)
        case .changed: values["event"] = "outputChanged"
        }
        return .object(values)
    }
}
