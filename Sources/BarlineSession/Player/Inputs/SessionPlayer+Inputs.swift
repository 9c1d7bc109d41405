import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

extension SessionPlayer {
    /// The engine's inputs by the names of the session's.
    public var inputs: [String: InputIndex] { bound.withLock { $0.inputs } }

    /// Brings the inputs of a session that is opened to an engine that has none.
    static func openInputs(_ bound: BoundSession, engine: Engine) throws(SessionError) {
        for (place, input) in bound.document.inputs.enumerated() {
            guard let index = bound.inputs[input.name] else { continue }
            do throws(EngineError) {
                try engine.inputs.open(
                    index, channels: input.channelCount, of: bound.source(of: input), keeping: bound.keptSeconds)
                if input.gain != 0 { try engine.inputs.setGain(Decibels(input.gain), of: index) }
            } catch {
                throw .engine(path: bound.path, key: "inputs[\(place)]", error)
            }
        }
        for (place, track) in bound.document.tracks.enumerated() where track.input != nil {
            do throws(EngineError) {
                try bound.setMonitor(of: track, engine)
            } catch {
                throw .engine(path: bound.path, key: "tracks[\(place)].input", error)
            }
        }
    }

    /// Makes the engine's inputs those of the document. What is recorded of one that is kept continues.
    func setInputs(_ old: BoundSession, _ new: inout BoundSession) {
        let kept = Set(new.inputs.values)
        for (name, index) in old.inputs.sorted(by: { $0.value.rawValue < $1.value.rawValue })
        where !kept.contains(index) {
            attempt("input \"\(name)\"", &new) { () throws(EngineError) in try engine.inputs.close(index) }
        }
        feedInputs(old, &new)
        let session = new
        for input in new.document.inputs {
            guard let index = new.inputs[input.name] else { continue }
            let before = old.document.inputs.first { old.inputs[$0.name] == index }
            attempt("input \"\(input.name)\"", &new) { () throws(EngineError) in
                let source = session.source(of: input)
                if before?.channelCount != input.channelCount || before.map(old.source(of:)) != source {
                    try engine.inputs.open(
                        index, channels: input.channelCount, of: source, keeping: session.keptSeconds)
                }
                if (before?.gain ?? 0) != input.gain { try engine.inputs.setGain(Decibels(input.gain), of: index) }
            }
        }
        for track in new.document.tracks where session.monitor(of: track) != old.monitor(of: track.id) {
            attempt("track \"\(track.id)\"", &new) { () throws(EngineError) in try session.setMonitor(of: track, engine)
            }
        }
    }

    /// Has signals given by the inputs that have their names now.
    private func feedInputs(_ old: BoundSession, _ new: inout BoundSession) {
        let changes = fedInputs.withLock { fed in
            if old.path == new.path {
                for (name, place) in new.inputs where old.inputs[name] == nil {
                    let former = old.inputs.first { $0.value == place && new.inputs[$0.key] == nil }
                    if let former { fed.rename(former.key, to: name) }
                }
            }
            return fed.move(to: new.inputs)
        }
        for (place, signal) in changes {
            attempt("inputs", &new) { () throws(EngineError) in
                if let signal {
                    try engine.inputs.feed(place, with: signal.signal, from: signal.first)
                } else {
                    try engine.inputs.stopFeeding(place)
                }
            }
        }
    }

    /// Finds what a recording names.
    func sending(
        _ action: RecordAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Sending {
        let engine = engine
        if let over = try overdubbing(action, bound, source: source, key: key) { return over }
        let take = bound.openTake(track: action.track, slot: action.slot)
        let replaced = take.flatMap { isOther(action, than: $0, bound) ? $0 : nil }
        if case .clip = action, let take, replaced == nil {
            return { moment throws(EngineError) in try engine.launcher.launch(take.clip, at: moment) }
        }
        guard let track = bound.document.tracks.first(where: { $0.id == action.track }),
            let place = bound.tracks[track.id]
        else { throw .unknown(path: source, key: "\(key).track", id: action.track) }
        if let clip = track.clips.first(where: { $0.slot == action.slot }) {
            throw .value(path: source, key: "\(key).slot", expected: "an empty slot", found: "that of \"\(clip.id)\"")
        }
        let input = try input(of: action, on: track, bound, source: source, key: key)
        let gone = action.id.flatMap { calledOff($0, bound) }
        if let id = action.id, id != replaced?.id, gone == nil, bound.takenIdentifiers.contains(id) {
            throw .duplicate(path: source, key: "\(key).id", id: id)
        }
        let id = action.id ?? replaced?.id ?? bound.identifier(forTakeOn: track)
        let saysTempo = bound.document.tempoFromFirstLoop && bound.hasNoLoops
        return { [self] moment throws(EngineError) in
            if let replaced { try forget(replaced) }
            if let gone, gone.clip != replaced?.clip { try forget(gone) }
            var settings = TakeSettings(track: place, input: input)
            settings.longestSeconds = SessionPlayer.longestTake(
                at: engine.sampleRate, memory: ProcessInfo.processInfo.physicalMemory)
            if case .clip(_, _, _, let bars, _, _, _) = action {
                (settings.bars, settings.saysTempo) = (bars, saysTempo)
            }
            if case .keepLast(_, _, let bars, _, _) = action { try engine.launcher.requireKept(bars: bars, of: input) }
            let clip = try engine.launcher.arm(settings)
            let now = engine.state.frame
            let asked = moment.map { engine.transport.map.expectedFrame(of: $0) ?? FrameTime(.max) } ?? now
            bind(
                clip, of: input, id: id, on: track.id, place, slot: action.slot, asked: asked,
                launched: moment == nil ? now : nil, bars: settings.bars)
            switch action {
            case .clip: return try engine.launcher.launch(clip, at: moment)
            case .keepLast(_, _, let bars, _, _): return try engine.launcher.keepLast(bars: bars, as: clip, at: moment)
            }
        }
    }

    /// The action with the identifier of the clip that it makes: a script of it must call that what it was called.
    func named(_ action: ScriptAction, _ bound: BoundSession) -> ScriptAction {
        guard case .record(let record) = action, record.id == nil, !record.isOver,
            let track = bound.document.tracks.first(where: { $0.id == record.track }),
            !track.clips.contains(where: { $0.slot == record.slot }),
            bound.openTake(track: record.track, slot: record.slot) == nil
        else { return action }
        return .record(record.named(bound.identifier(forTakeOn: track)))
    }

    /// The input that a recording on a track is of.
    func input(
        of action: RecordAction, on track: TrackDocument, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> InputIndex {
        guard let name = action.input ?? track.input ?? bound.document.inputs.first?.name else {
            throw .unsupported(path: source, key: "\(key).input", what: "the session has no inputs")
        }
        guard let input = bound.inputs[name] else { throw .unknown(path: source, key: "\(key).input", id: name) }
        let isPlayed = bound.document.inputs.first { $0.name == name }?.from != nil
        guard isPlayed || gives(input) else {
            throw .unsupported(
                path: source, key: "\(key).do",
                what: "the output gives no inputs: JACK does, and so does PortAudio with a device that captures and "
                    + "may be captured from; --input has files and test signals recorded"
            )
        }
        return input
    }

    /// The longest take, in seconds: what fits into half of a machine's memory, four hours at most and half an hour at
    /// least.
    static func longestTake(at rate: SampleRate, memory: UInt64) -> Double {
        let bytesPerSecond = rate.hertz * Double(2 * MemoryLayout<Float>.stride)
        return min(
            TakeSettings.secondsRange.upperBound, max(TakeSettings.usualSeconds, Double(memory / 2) / bytesPerSecond))
    }

    private func bind(
        _ clip: ClipHandle, of input: InputIndex, id: String, on track: String, _ place: TrackIndex, slot: Int,
        asked: FrameTime, launched: FrameTime?, bars: Int?
    ) {
        guard let handle = engine.launcher.take(of: clip) else { return }
        writtenTakes.withLock { $0?.append((id, handle)) }
        let name = bound.withLock { $0.inputs.first { $0.value == input }?.key }
        // A file that is given in place of a device may begin with a recording that goes back further.
        let beginning = [
            engine.inputs.beginning(of: input), fedInputs.withLock { $0.beginning(of: input) },
        ].compactMap { $0 }.max()
        let files = takes.add(
            handle, named: id, title: name ?? id, slot: TakeKeeper.Slot(track: track, slot: slot, clip: id))
        bound.withLock { bound in
            bound.revision += 1
            bound.takes.append(
                BoundTake(
                    id: id, track: track, slot: slot, clip: clip, input: input, files: files,
                    beginning: beginning, asked: asked, launched: launched, bars: bars))
            bound.bind(
                ClipBinding(
                    document: ClipDocument(
                        id: id, name: bound.name(ofTake: id, on: track), file: files.file, slot: slot),
                    track: place, handle: clip, audio: nil, tempo: nil, beats: nil, firstBeat: nil, onsets: [],
                    problem: nil, warning: nil, isRecorded: true))
        }
    }

    /// Puts the clips of takes that have ended into the document.
    ///
    /// - Returns: what the step is called that this was; `nil` where there were none.
    func keepTakes(_ events: [EngineEvent]) -> String? {
        var label: String?
        for event in events {
            if case .launcher(.recordStarted) = event.kind { bound.withLock { $0.revision += 1 } }
            if let step = keepLayers(event) { label = step }
            guard case .launcher(.recordEnded(let clip, _, _)) = event.kind,
                let result = engine.launcher.take(of: clip)?.result
            else { continue }
            if keep(result, of: clip) { label = "Record clip" }
        }
        return label
    }

    /// What was taken off a recording of an input.
    func latency(of result: RecordedTake, from input: InputIndex) -> ClipLatency? {
        inputLatencies.withLock { $0[input] }.flatMap { known in
            // What has changed since it was recorded is not what was taken off.
            known.frames == result.start.latency && known.sampleRate == result.start.sampleRate.hertz ? known : nil
        }
    }

    private func keep(_ result: RecordedTake, of clip: ClipHandle) -> Bool {
        guard let take = bound.withLock({ $0.takes.first { $0.clip == clip && !$0.isKept } }) else { return false }
        let file = takes.names(of: take.files).file
        return bound.withLock { bound in
            guard let place = bound.takes.firstIndex(where: { $0.clip == clip && !$0.isKept }) else { return false }
            guard let track = bound.document.tracks.firstIndex(where: { $0.id == take.track }),
                let binding = bound.clips[take.id]
            else { return false }
            let isFree = !bound.document.tracks[track].clips.contains { $0.slot == take.slot }
            let slot = isFree ? take.slot : bound.document.tracks[track].freeSlot(from: take.slot)
            var document = ClipDocument(id: take.id, name: binding.document.name, file: file, slot: slot)
            document.start = result.region.lowerBound
            document.end = result.region.upperBound
            document.beats = result.beats
            let warp = engine.launcher.take(of: clip)?.warp ?? []
            if !warp.isEmpty { document.warp = warp }
            document.latency = latency(of: result, from: take.input)
            bound.document.tracks[track].clips.append(document)
            if let tempo = result.tempo { bound.document.tempo = tempo.beatsPerMinute }
            bound.takes[place].isKept = true
            bound.revision += 1
            let seconds = result.start.sampleRate.seconds(frames: Int64(result.region.count))
            let early = SessionWarning.silence(of: take.id, result, since: take.beginning)
            if let early { bound.notices.append(SessionNotice(early.description, words: early.words)) }
            bound.bind(
                ClipBinding(
                    document: document, track: binding.track, handle: clip, audio: nil,
                    tempo: Tempo.beatsPerMinute(of: result.beats, in: seconds), beats: result.beats, firstBeat: nil,
                    onsets: [], problem: nil,
                    warning: early
                        ?? .missing(
                            engine.launcher.take(of: clip)?.gaps ?? [], in: result.region, of: take.id,
                            result.start.sampleRate), isRecorded: true))
            bound.unheard.insert(take.id)
            return true
        }
    }
}

extension BoundSession {
    /// The monitoring of an input on a track.
    fileprivate struct Monitor: Equatable {
        let input: InputIndex?
        let mode: MonitorMode
    }

    fileprivate func monitor(of track: TrackDocument) -> Monitor {
        // What is played is heard already.
        let input = document.inputs.first { $0.name == track.input && $0.from == nil }
        return Monitor(input: input.flatMap { inputs[$0.name] }, mode: input?.monitor ?? .auto)
    }

    fileprivate func monitor(of id: String) -> Monitor {
        document.tracks.first { $0.id == id }.map(monitor(of:)) ?? Monitor(input: nil, mode: .auto)
    }

    fileprivate func setMonitor(of track: TrackDocument, _ engine: Engine) throws(EngineError) {
        guard let place = tracks[track.id] else { return }
        let monitor = monitor(of: track)
        try engine.inputs.monitor(monitor.input, monitor.mode, on: place)
    }
}

extension BoundSession {
    /// The bars of an input that are kept.
    private static let keptBars = 16.0

    /// How much of an input is kept, in seconds: so many bars at the session's tempo, or the slowest one of its scenes.
    var keptSeconds: Double {
        let slowest = ([document.tempo] + document.scenes.compactMap(\.tempo)).min() ?? document.tempo
        let bar = Tempo(clamping: slowest).seconds(of: document.timeSignature.quartersPerBar)
        let seconds = max(Engine.Inputs.keptSeconds, BoundSession.keptBars * bar)
        return min(seconds, Engine.Inputs.keptRange.upperBound)
    }

    /// What an input is of, in the engine; silence where that is not there.
    fileprivate func source(of input: InputDocument) -> InputSource {
        switch input.from {
        case .track(let id)?: tracks[id].map(InputSource.track) ?? .device
        case .output(let name)?: outputs.contains(name) ? .bus(bus(name)) : .device
        case nil: .device
        }
    }
}

extension InputDocument {
    /// The channels that the engine keeps of it.
    fileprivate var channelCount: Int { from == nil ? channels.count : 2 }
}
