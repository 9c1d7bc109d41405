import ArgumentParser
import BarlineDSP
import BarlineSession
import BarlineTime

/// The option that has inputs give files and signals instead of what a device does.
struct SignalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Have an input give what is in a file, from the first frame on, or a signal: silence, sine:HERTZ, noise or \
            click:PER-MINUTE, each with :DBFS after it for another peak level than -20. For each input once.
            """,
            valueName: "name=file"),
        completion: .file())
    var input: [String] = []

    func validate() throws {
        var names: Set<String> = []
        for text in input {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw ValidationError(
                    "--input is a name and a file or a signal, as mic=take.wav or mic=sine:440: \"\(text)\" is not")
            }
            guard names.insert(parts[0]).inserted else {
                throw ValidationError("--input \(text): \"\(parts[0])\" has one already")
            }
            do {
                _ = try TestSignal(words: parts[1])
            } catch {
                throw ValidationError("--input \(text): \(error)")
            }
        }
    }

    /// The files that inputs are read from.
    var files: [String] {
        input.compactMap { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, (try? TestSignal(words: parts[1])) == nil else { return nil }
            return parts[1]
        }
    }

    /// What the inputs provide.
    func signals(at sampleRate: SampleRate) throws -> OfflineInputs {
        var inputs = OfflineInputs()
        for text in input {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            if let signal = try TestSignal(words: parts[1], below: sampleRate) {
                inputs.feed(parts[0], with: signal)
            } else {
                try inputs.feed(parts[0], from: parts[1], sampleRate: sampleRate)
            }
        }
        return inputs
    }
}

/// The options of a render of what is recorded.
struct InputOptions: ParsableArguments {
    @OptionGroup var signals: SignalOptions

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
    }

    /// What the inputs provide.
    func offline(at sampleRate: SampleRate) throws -> OfflineInputs {
        var inputs = try signals.signals(at: sampleRate)
        inputs.latency = inputLatency + outputLatency
        inputs.playbackLatency = outputLatency
        return inputs
    }
}
