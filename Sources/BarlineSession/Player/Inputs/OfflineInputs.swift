import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// The audio of a session's inputs without a device: files, followed by silence, and signals that are computed. Both
/// begin with the first frame that is rendered.
public struct OfflineInputs: Sendable {
    private var signals: [String: InputSignal] = [:]
    /// By how many frames the files of recordings are ahead of what was delivered, by the names of inputs.
    private var takenOff: [String: Int] = [:]
    /// The files that they are read from.
    package private(set) var files: [String] = []
    /// The round-trip latency in frames, for inputs aligned with the audible output.
    public var latency = 0
    /// The playback part of the latency, which does not count for inputs aligned with the engine.
    public var playbackLatency = 0

    /// Creates silent inputs.
    public init() {}

    /// Feeds an input from a file. One that was recorded of an input says what latency was taken off: it is delivered
    /// as late again, whatever the latency of the input is said to be, and as loud, whatever its gain.
    ///
    /// - Parameters:
    ///   - name: the name of the input.
    ///   - path: the path of the file, which has the sample rate of the render.
    ///   - sampleRate: the sample rate of the render.
    /// - Throws: `AudioFileError` if the file can't be read, ``SessionError`` if it has another sample rate.
    /// - Complexity: O(*n*) in the frames of the file.
    public mutating func feed(_ name: String, from path: String, sampleRate: SampleRate) throws {
        let clip = try AudioClip(path: path)
        guard clip.samples.sampleRate == sampleRate else {
            throw SessionError.file(
                path: path,
                reason: "has \(clip.samples.sampleRate) and the render \(sampleRate): an input is taken as it is")
        }
        takenOff[name] = TakeFile.latency(of: path)
        signals[name] = takenOff[name] == nil ? .samples(clip.samples) : .taken(clip.samples)
        files.append(path)
    }

    /// Feeds an input with a signal that is computed.
    package mutating func feed(_ name: String, with signal: TestSignal) {
        signals[name] = .generated(signal)
        takenOff[name] = nil
    }

    /// Refuses signals for inputs that there are not, and scripts that record from inputs without a signal.
    func check(_ player: SessionPlayer, _ script: PerformanceScript) throws(SessionError) {
        try requireKnown(in: player)
        let document = player.document
        let played = document.inputs.filter { $0.from != nil }.map(\.name)
        for entry in script.entries {
            guard case .record(let action) = entry.action else { continue }
            let track = document.tracks.first { $0.id == action.track }
            guard let name = action.input ?? track?.input ?? document.inputs.first?.name, signals[name] == nil,
                !played.contains(name)
            else {
                continue
            }
            throw .unsupported(
                path: script.path, key: "line \(entry.line).input",
                what: "the script records \"\(name)\", and what that gave is not in it: say what it gives with "
                    + "--input \(name)=FILE")
        }
    }

    /// What the render of a recording lacks: inputs that were heard while it was made, for which nothing is given.
    func warnings(_ player: SessionPlayer, _ script: PerformanceScript) -> [String] {
        if script.beginning == nil { return [] }
        let document = player.document
        let heard = document.inputs.filter { input in
            input.from == nil && input.monitor != .never && signals[input.name] == nil
                && document.tracks.contains { $0.input == input.name }
        }
        return heard.map { input in
            "\"\(input.name)\" may have been heard, and what it gave is not in the script: give it with"
                + " --input \(input.name)=FILE"
        }
    }

    private func requireKnown(in player: SessionPlayer) throws(SessionError) {
        let known = player.inputs
        for name in signals.keys.sorted() where known[name] == nil {
            throw .unknown(path: player.path, key: "inputs", id: name)
        }
    }

    /// Has the inputs of a player give their signals from now on.
    func feed(_ player: SessionPlayer, from first: FrameTime) throws(SessionError) {
        try requireKnown(in: player)
        let places = player.inputs
        let signals = Dictionary(
            uniqueKeysWithValues: signals.map { name, signal in
                (name, FedInputs.Signal(signal: signal, first: first + Int64(takenOff[name] ?? 0)))
            })
        do throws(EngineError) {
            for (name, place) in places.sorted(by: { $0.key < $1.key }) {
                if let fed = signals[name] {
                    try player.engine.inputs.feed(place, with: fed.signal, from: fed.first)
                }
                let input = player.document.inputs.first { $0.name == name }
                let known = latency - (input?.alignment == .captured ? playbackLatency : 0)
                try player.engine.inputs.setLatency(takenOff[name] ?? input?.latency ?? known, of: place)
            }
        } catch {
            throw .engine(path: player.path, key: "inputs", error)
        }
        player.fedInputs.withLock { fed in
            for (name, signal) in signals { if let place = places[name] { fed.add(signal, named: name, at: place) } }
        }
    }
}

extension SessionPlayer {
    /// Has inputs give signals instead of what a device does, from the first frame that is rendered on.
    ///
    /// - Throws: ``SessionError`` if the session does not have one of them.
    package func feed(_ inputs: OfflineInputs) throws(SessionError) { try inputs.feed(self, from: .zero) }

    /// Whether an input gives something: its device does, or it has a signal.
    func gives(_ input: InputIndex) -> Bool {
        hasInputs.load(ordering: .relaxed) || fedInputs.withLock { $0.contains(input) }
    }

    /// Whether any input that is not of what is played gives something.
    package var givesInputs: Bool { hasInputs.load(ordering: .relaxed) || !fedInputs.withLock { $0.isEmpty } }
}

/// A slot that a script records into.
struct RecordedSlot: Hashable {
    let track: String
    let slot: Int
}

extension ScriptAction {
    /// The identifier of the clip that it records, where it says one.
    var recordedID: String? { if case .record(let action) = self { action.id } else { nil } }

    /// The slot that it records into, or over.
    var recordedSlot: RecordedSlot? {
        if case .record(let action) = self { RecordedSlot(track: action.track, slot: action.slot) } else { nil }
    }

    /// Whether it is about one of some clips.
    func plays(oneOf clips: Set<String>) -> Bool {
        switch self {
        case .launch(let clip), .release(let clip), .startPosition(let clip, _), .gain(.clip(let clip), _):
            clips.contains(clip)
        case .layer(let action): clips.contains(action.clip)
        default: false
        }
    }
}

extension SessionPlayer {
    /// Writes every take that has its length into a folder, under its clip's identifier: exactly its frames.
    func writeTakes(into folder: String, beside reads: ReadFiles) throws {
        let layers = bound.withLock { $0.layers }
        // Of two that were called the same the later one stays.
        var named = writtenTakes.withLock { $0 ?? [] }
        for (clip, list) in Dictionary(grouping: layers, by: \.clip) {
            for (place, layer) in list.enumerated() {
                if let take = layer.take { named.append(("\(clip) layer \(place + 1)", take)) }
            }
        }
        for (id, handle) in named {
            guard let result = handle.result, !result.region.isEmpty else { continue }
            let path = RenderedFile.path(of: id, in: folder)
            try reads.check(path, readFor: RenderedFile.purpose)
            let file = try TakeFile(path: path, sampleRate: result.start.sampleRate, appearsWhole: true)
            try handle.withSamples(from: 0) { left, right in
                // What was not recorded any more when the render ended is silence.
                let end = min(result.region.upperBound, left.count)
                let region = min(result.region.lowerBound, end)..<end
                try file.write(
                    left: UnsafeBufferPointer(rebasing: left[region]),
                    right: UnsafeBufferPointer(rebasing: right[region]))
                let missing = [Float](repeating: 0, count: result.region.count - region.count)
                try missing.withUnsafeBufferPointer { try file.write(left: $0, right: $0) }
            }
            try file.close(with: TakeChunks(handle, margin: 0))
        }
    }
}
