import BarlineDSP
import BarlineEngine
import BarlineTime

/// The commands that the engine is sent for actions.
extension SessionPlayer {
    /// Finds what an action names; what is unknown is refused now, what the engine refuses when it is sent.
    func sending(
        _ action: ScriptAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Sending {
        switch action {
        case .launch, .release, .launchScene, .stop, .stopNow, .stopAll, .startPosition, .layer:
            return try launching(action, bound, source: source, key: key)
        case .quantization, .tempo, .timeSignature, .transport, .locate, .loop, .looping, .tap, .clockJump, .metronome:
            return try timing(action, source: source, key: key)
        case .gain, .pan, .send, .mute, .solo, .effect:
            return try mixing(action, bound, source: source, key: key)
        case .stems(let action):
            let action = try resolve(action, bound, source: source, key: key)
            return { [self] moment throws(EngineError) in
                try perform(action, at: moment)
                return nil
            }
        case .playlist(let action):
            let action = try resolve(action, source: source, key: key)
            return { [self] moment throws(EngineError) in try perform(action, at: moment) }
        case .part(let action):
            for part in SessionParts.played {
                if let sending = try part.sending(action, self, bound, source: source, key: key) { return sending }
            }
            throw SessionPlayer.unsupported(source, key)
        case .record(let action): return try sending(action, bound, source: source, key: key)
        case .session:
            throw .unsupported(
                path: source, key: "\(key).do", what: "the edits of a recording can be rendered, not performed")
        case .change:
            throw .unsupported(path: source, key: "\(key).do", what: "a change of the session takes its script")
        }
    }

    /// Finds what an action of the launcher names.
    private func launching(
        _ action: ScriptAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Sending {
        let engine = engine
        switch action {
        case .launch(let id):
            let clip = try bound.handle(ofClip: id, source: source, key: key)
            return { moment throws(EngineError) in try engine.launcher.launch(clip, at: moment) }
        case .release(let id):
            let clip = try bound.handle(ofClip: id, source: source, key: key)
            return { moment throws(EngineError) in try engine.launcher.release(clip, at: moment) }
        case .launchScene(let row): return try scene(row, bound, source: source, key: key)
        case .stop(let id):
            let track = try bound.index(ofTrack: id, source: source, key: key)
            return { moment throws(EngineError) in try engine.launcher.stop(track, at: moment) }
        case .stopNow(let id):
            let track = try bound.index(ofTrack: id, source: source, key: key)
            return { moment throws(EngineError) in try engine.launcher.stopNow(track, at: moment) }
        case .stopAll: return { moment throws(EngineError) in try engine.launcher.stopAll(at: moment) }
        case .startPosition(let id, let value):
            let clip = try bound.handle(ofClip: id, source: source, key: key)
            return { moment throws(EngineError) in try engine.launcher.setStartPosition(value, of: clip, at: moment) }
        case .layer(let action):
            let clip = try bound.handle(ofClip: action.clip, source: source, key: key)
            return { [self] moment throws(EngineError) in
                switch action {
                case .undo:
                    let command = try engine.launcher.undoLayer(of: clip, at: moment)
                    if isNow(moment) { forgetOverdub(of: action.clip) }
                    return command
                case .redo: return try engine.launcher.redoLayer(of: clip, at: moment)
                case .change(_, let change, let grid):
                    return try engine.launcher.changeLoop(of: clip, change, quantization: grid, at: moment)
                }
            }
        default: throw SessionPlayer.unsupported(source, key)
        }
    }

    /// Finds what an action of the transport or the metronome sets.
    private func timing(
        _ action: ScriptAction, source: String, key: String
    ) throws(SessionError) -> Sending {
        let engine = engine
        switch action {
        case .quantization(let value):
            return { moment throws(EngineError) in try engine.launcher.setQuantization(value, at: moment) }
        case .tempo(let bpm, let ramp):
            return { moment throws(EngineError) in
                try engine.transport.setTempo(Tempo(clamping: bpm), overBeats: ramp, at: moment)
            }
        case .timeSignature(let value):
            return { moment throws(EngineError) in try engine.transport.setTimeSignature(value, at: moment) }
        case .transport(true): return { moment throws(EngineError) in try engine.transport.start(at: moment) }
        case .transport(false): return { moment throws(EngineError) in try engine.transport.stop(at: moment) }
        case .locate(.beat(let beat)):
            return { moment throws(EngineError) in try engine.transport.relocate(to: Beat(beat), at: moment) }
        case .locate(.bar(let bar)):
            return { moment throws(EngineError) in try engine.transport.relocate(toBar: bar, at: moment) }
        case .loop(let region, let isOn):
            return { moment throws(EngineError) in try engine.transport.setLoop(region, isOn: isOn, at: moment) }
        case .looping(let isOn):
            return { moment throws(EngineError) in try engine.transport.setLooping(isOn, at: moment) }
        case .clockJump(let frames):
            return { moment throws(EngineError) in try engine.transport.jumpClock(by: Int64(frames), at: moment) }
        case .tap:
            return { [self] moment throws(EngineError) in
                // What comes of it is not looked at before it is known.
                try taps.withLock { taps throws(EngineError) in
                    let command = try engine.transport.tapTempo(at: moment)
                    if moment == nil { taps.add(command) }
                    return command
                }
            }
        case .metronome(let change):
            return { moment throws(EngineError) in
                try engine.metronome.change(
                    isOn: change.isOn, gain: change.gain.map { Decibels($0) }, pattern: change.pattern,
                    subdivision: change.subdivision, swing: change.swing.map { $0 / 100 }, at: moment)
            }
        default: throw SessionPlayer.unsupported(source, key)
        }
    }

    /// Finds the strip that an action of the mixer names.
    private func mixing(
        _ action: ScriptAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Sending {
        let engine = engine
        switch action {
        case .gain(.master, let db):
            return { moment throws(EngineError) in try engine.mixer[.main].setGain(Decibels(db), at: moment) }
        case .gain(.clip(let id), let db):
            let clip = try bound.handle(ofClip: id, source: source, key: key)
            return { moment throws(EngineError) in try engine.launcher.setGain(Decibels(db), of: clip, at: moment) }
        case .gain(let strip, let db):
            let channel = try bound.channel(of: strip, source: source, key: key)
            return { moment throws(EngineError) in try engine.mixer[channel].setGain(Decibels(db), at: moment) }
        case .pan(let strip, let value):
            let channel = try bound.channel(of: strip, source: source, key: key)
            return { moment throws(EngineError) in try engine.mixer[channel].setPan(value, at: moment) }
        case .send(let strip, let output, let db, let isPreFader):
            let channel = try bound.channel(of: strip, source: source, key: key)
            guard let bus = bound.outputs.firstIndex(of: output) else {
                throw .unknown(path: source, key: "\(key).output", id: output)
            }
            return { moment throws(EngineError) in
                let send = engine.mixer[channel].send(to: BusIndex(bus))
                if let isPreFader { try send.setPreFader(isPreFader, at: moment) }
                return try send.setLevel(Decibels(db), at: moment)
            }
        case .mute(let strip, let isOn):
            let channel = try bound.channel(of: strip, source: source, key: key)
            return { moment throws(EngineError) in try engine.mixer[channel].setMute(isOn, at: moment) }
        case .solo(let strip, let isOn):
            let channel = try bound.channel(of: strip, source: source, key: key)
            return { moment throws(EngineError) in try engine.mixer[channel].setSolo(isOn, at: moment) }
        case .effect(let change):
            let effect = try bound.effect(change, source: source, key: key)
            return { [self] moment throws(EngineError) in try send(change.setting, of: effect, at: moment) }
        default: throw SessionPlayer.unsupported(source, key)
        }
    }

    /// A row: its clips start together, and a track with nothing in the row stops.
    private func scene(
        _ row: Int, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Sending {
        let document = bound.document
        guard row < document.rowCount else { throw .unknown(path: source, key: "\(key).scene", id: "\(row)") }
        var launching: [ClipHandle] = []
        var stopping: [TrackIndex] = []
        for (index, track) in document.tracks.enumerated() {
            if let handle = bound.clip(track: index, slot: row)?.handle {
                launching.append(handle)
            } else if let index = bound.tracks[track.id] {
                stopping.append(index)
            }
        }
        let tempo = document.scenes.indices.contains(row) ? document.scenes[row].tempo : nil
        return { [engine, launching, stopping] moment throws(EngineError) in
            try engine.launcher.launchScene(
                launching, stopping: stopping, tempo: tempo.map(Tempo.init(clamping:)), at: moment)
        }
    }

    /// The error for an action that nothing performs.
    private static func unsupported(_ source: String, _ key: String) -> SessionError {
        .unsupported(path: source, key: key, what: "nothing here does that")
    }
}

extension BoundSession {
    /// The engine's clip; it has to be loaded.
    func handle(ofClip id: String, source: String, key: String) throws(SessionError) -> ClipHandle {
        guard let binding = clips[id] else { throw .unknown(path: source, key: "\(key).clip", id: id) }
        if let problem = binding.problem { throw problem }
        guard let handle = binding.handle else { throw .unknown(path: source, key: "\(key).clip", id: id) }
        return handle
    }

    fileprivate func index(ofTrack id: String, source: String, key: String) throws(SessionError) -> TrackIndex {
        guard let index = tracks[id] else { throw .unknown(path: source, key: "\(key).track", id: id) }
        return index
    }

    /// The engine's channel of a strip that has one.
    fileprivate func channel(
        of strip: StripName, source: String, key: String
    ) throws(SessionError) -> Channel {
        switch strip {
        case .track(let id): return .track(try index(ofTrack: id, source: source, key: key))
        case .stem(let id):
            guard let index = stems[id] else { throw .unknown(path: source, key: "\(key).stem", id: id) }
            return .stem(index)
        case .part(let part): return part.place.channel
        case .master, .clip:
            let expected = PartStrip.words(PartStrip.faders)
            throw .value(path: source, key: key, expected: expected, found: "another strip")
        }
    }
}
