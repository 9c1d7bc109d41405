import ArgumentParser
import BarlineSession
import BarlineTime

/// The options of a render of what is recorded.
struct InputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Have an input give what is in a file, from the first frame on; for each input once.",
            valueName: "name=file"),
        completion: .file())
    var input: [String] = []

    @Option(help: ArgumentHelp("How late inputs are given.", valueName: "frames"))
    var inputLatency = 0

    @Option(help: ArgumentHelp("How late the output was heard.", valueName: "frames"))
    var outputLatency = 0

    @Option(
        help: ArgumentHelp(
            "Write what is recorded into slots to a folder, under the clips' names.", valueName: "folder"),
        completion: .directory)
    var takesOut: String?

    func validate() throws {
        for latency in [inputLatency, outputLatency] where !(0...480_000).contains(latency) {
            throw ValidationError("latencies must be from 0 to 480000 frames")
        }
        for text in input where text.split(separator: "=", maxSplits: 1).count != 2 {
            throw ValidationError("--input is a name and a file, as mic=take.wav: \"\(text)\" is not")
        }
    }

    /// What the inputs provide.
    func offline(at sampleRate: SampleRate) throws -> OfflineInputs {
        var inputs = OfflineInputs()
        inputs.latency = inputLatency + outputLatency
        inputs.playbackLatency = outputLatency
        for text in input {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            try inputs.feed(parts[0], from: parts[1], sampleRate: sampleRate)
        }
        return inputs
    }
}
