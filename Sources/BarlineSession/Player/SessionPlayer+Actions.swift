import BarlineDSP
import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// Performs an action at `frame`, or as soon as the next block begins.
    ///
    /// - Parameters:
    ///   - action: what is asked for.
    ///   - frame: when; `nil` for at once.
    ///   - source: the file that errors name: the script's, or the session's.
    ///   - key: the place in that file.
    /// - Returns: what the user should know, where the action was changed to something that can be done.
    /// - Throws: ``SessionError`` where an identifier is unknown or the engine refuses.
    @discardableResult
    public func perform(
        _ action: ScriptAction, at frame: FrameTime? = nil, source: String? = nil, key: String = "action"
    ) throws(SessionError) -> String? {
        try send(action, at: frame, source: source, key: key).warning?.description
    }

    /// What became of an action that was sent.
    package struct Sent: Sendable {
        /// The command that the engine will tell of when it takes it; `nil` for what stems do when they are ready.
        package let command: CommandID?
        /// What the user should know, where the action was changed to something that can be done.
        package let warning: SessionWarning?
    }

    /// Performs an action as ``perform(_:at:source:key:)`` does, and tells what to recognise it by.
    package func send(
        _ action: ScriptAction, at frame: FrameTime? = nil, source: String? = nil, key: String = "action"
    ) throws(SessionError) -> Sent {
        let bound = bound.withLock { $0 }
        let source = source ?? bound.path
        let target = try resolve(action, bound, source: source, key: key)
        var command: CommandID?
        do throws(EngineError) {
            if case .stems(let stemsAction) = target {
                try perform(stemsAction, at: frame)
            } else if case .playlist(let playlistAction) = target {
                try perform(playlistAction, at: frame)
            } else {
                command = try send(target, at: frame)
            }
        } catch {
            throw .engine(path: source, key: key, error)
        }
        if let command { record(action, sentAs: command, at: frame) }
        if case .launchScene(let row) = action { launchedScene = row }
        // What is for a later frame is the performance's, not the session's.
        if frame == nil { keep(action) }
        var warning: SessionWarning?
        if case .tempo(let bpm, _) = action, let played = bound.document.clamped(bpm) {
            warning = .clamped(bpm, to: "\(played)", path: source, key: key)
        }
        return Sent(command: command, warning: warning)
    }

    /// Checks that every identifier of an action is known and every clip it needs is loaded.
    package func check(_ action: ScriptAction, source: String, key: String) throws(SessionError) {
        _ = try resolve(action, bound.withLock { $0 }, source: source, key: key)
    }

    /// An action with the engine's handles in the place of identifiers.
    private enum Target {
        case launch(ClipHandle)
        case release(ClipHandle)
        case scene([ClipHandle], stopping: [TrackIndex], Tempo?)
        case stop(TrackIndex)
        case stopNow(TrackIndex)
        case stopAll
        case tempo(Tempo, ramp: Double)
        case timeSignature(TimeSignature)
        case quantization(Quantization)
        case masterGain(Decibels)
        case channelGain(Channel, Decibels)
        case clipGain(ClipHandle, Decibels)
        case pan(Channel, Double)
        case mute(Channel, Bool)
        case solo(Channel, Bool)
        case stems(StemsAction)
        case playlist(PlaylistAction)
        case pads(PadTarget)
        case transport(Bool)
        case metronome(MetronomeChange)
        case startPosition(ClipHandle, StartPosition)
        case tap
        case effect(EffectHandle, EffectChange.Setting)
    }

    private func resolve(
        _ action: ScriptAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Target {
        func clip(_ id: String) throws(SessionError) -> ClipHandle {
            guard let binding = bound.clips[id] else { throw .unknown(path: source, key: "\(key).clip", id: id) }
            if let problem = binding.problem { throw problem }
            guard let handle = binding.handle else { throw .unknown(path: source, key: "\(key).clip", id: id) }
            return handle
        }
        func track(_ id: String) throws(SessionError) -> TrackIndex {
            guard let index = bound.tracks[id] else { throw .unknown(path: source, key: "\(key).track", id: id) }
            return index
        }
        func channel(_ strip: ScriptAction.Strip) throws(SessionError) -> Channel {
            switch strip {
            case .track(let id): return .track(try track(id))
            case .stem(let id):
                guard let index = bound.stems[id] else { throw .unknown(path: source, key: "\(key).stem", id: id) }
                return .stem(index)
            case .pads: return .pads
            case .master, .clip:
                throw .value(path: source, key: key, expected: "a track, a stem or the pads", found: "another strip")
            }
        }
        switch action {
        case .launch(let id): return .launch(try clip(id))
        case .release(let id): return .release(try clip(id))
        case .launchScene(let row): return try scene(row, bound, source: source, key: key)
        case .stop(let id): return .stop(try track(id))
        case .stopNow(let id): return .stopNow(try track(id))
        case .stopAll: return .stopAll
        case .tempo(let bpm, let ramp): return .tempo(Tempo(clamping: bpm), ramp: ramp)
        case .timeSignature(let value): return .timeSignature(value)
        case .quantization(let value): return .quantization(value)
        case .gain(.master, let db): return .masterGain(Decibels(db))
        case .gain(.clip(let id), let db): return .clipGain(try clip(id), Decibels(db))
        case .gain(let strip, let db): return .channelGain(try channel(strip), Decibels(db))
        case .pan(let strip, let value): return .pan(try channel(strip), value)
        case .mute(let strip, let isOn): return .mute(try channel(strip), isOn)
        case .solo(let strip, let isOn): return .solo(try channel(strip), isOn)
        case .stems(let action): return .stems(try resolve(action, bound, source: source, key: key))
        case .playlist(let action): return .playlist(try resolve(action, source: source, key: key))
        case .pads(let action): return .pads(try resolve(action, bound, source: source, key: key))
        case .transport(let isRolling): return .transport(isRolling)
        case .metronome(let change): return .metronome(change)
        case .startPosition(let id, let value): return .startPosition(try clip(id), value)
        case .tap: return .tap
        case .effect(let change):
            return .effect(try bound.effect(change, source: source, key: key), change.setting)
        case .session:
            throw .unsupported(
                path: source, key: "\(key).do", what: "the edits of a recording can be rendered, not performed")
        }
    }

    /// A row: its clips start together, and a track with nothing in the row stops.
    private func scene(
        _ row: Int, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Target {
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
        return .scene(launching, stopping: stopping, tempo.map(Tempo.init(clamping:)))
    }

    private func send(_ target: Target, at frame: FrameTime?) throws(EngineError) -> CommandID? {
        switch target {
        case .launch(let clip): try engine.launcher.launch(clip, at: frame)
        case .release(let clip): try engine.launcher.release(clip, at: frame)
        case .scene(let clips, let stopping, let tempo):
            try engine.launcher.launchScene(clips, stopping: stopping, tempo: tempo, at: frame)
        case .stop(let track): try engine.launcher.stop(track, at: frame)
        case .stopNow(let track): try engine.launcher.stopNow(track, at: frame)
        case .stopAll: try engine.launcher.stopAll(at: frame)
        case .tempo(let tempo, let ramp): try engine.transport.setTempo(tempo, overBeats: ramp, at: frame)
        case .timeSignature(let value): try engine.transport.setTimeSignature(value, at: frame)
        case .quantization(let value): try engine.launcher.setQuantization(value, at: frame)
        case .masterGain(let gain): try engine.mixer[.main].setGain(gain, at: frame)
        case .channelGain(let channel, let gain): try engine.mixer[channel].setGain(gain, at: frame)
        case .clipGain(let clip, let gain): try engine.launcher.setGain(gain, of: clip, at: frame)
        case .pan(let channel, let value): try engine.mixer[channel].setPan(value, at: frame)
        case .mute(let channel, let isOn): try engine.mixer[channel].setMute(isOn, at: frame)
        case .solo(let channel, let isOn): try engine.mixer[channel].setSolo(isOn, at: frame)
        case .stems, .playlist: nil
        case .pads(let target): try send(target, at: frame)
        case .transport(true): try engine.transport.start(at: frame)
        case .transport(false): try engine.transport.stop(at: frame)
        case .metronome(let change):
            try engine.metronome.change(
                isOn: change.isOn, gain: change.gain.map { Decibels($0) }, pattern: change.pattern,
                subdivision: change.subdivision, swing: change.swing.map { $0 / 100 }, at: frame)
        case .startPosition(let clip, let value): try engine.launcher.setStartPosition(value, of: clip, at: frame)
        case .tap: try engine.transport.tapTempo(at: frame)
        case .effect(let effect, let setting): try send(setting, of: effect, at: frame)
        }
    }
}
