import BarlineEngine
import BarlineTime

extension SessionDocument {
    /// Keeps what an action sets where the session has a key for it: faders, tempo, metre, grid, metronome.
    mutating func keep(_ action: ScriptAction) {
        switch action {
        case .tempo(let bpm, _): tempo = Tempo(clamping: bpm).beatsPerMinute
        case .timeSignature(let value): timeSignature = value
        case .quantization(let value): launchQuantization = value
        case .loop(let region, let isOn): (songLoop.region, songLoop.isOn) = (region, isOn)
        case .looping(let isOn): if songLoop.region != nil { songLoop.isOn = isOn }
        case .gain(.master, let db): masterGain = db
        // A clip's fader is the performance's: it lasts until the next launch.
        case .gain(.clip, _): break
        case .gain(let strip, let db): self[strip: strip]?.gain = db
        case .pan(let strip, let value): self[strip: strip]?.pan = value
        case .send(let strip, let output, let db, let preFader):
            self[strip: strip]?.setSend(to: output, level: db, preFader: preFader)
        case .mute(let strip, let isOn): self[strip: strip]?.mute = isOn
        case .solo(let strip, let isOn): self[strip: strip]?.solo = isOn
        case .startPosition(let id, let value): withClip(id) { $0.startPosition = value }
        case .metronome(let change): metronome.keep(change)
        case .effect(let change): keep(change)
        default: break
        }
    }

    private mutating func keep(_ change: EffectChange) {
        guard let index = self[effects: change.strip].firstIndex(where: { $0.id == change.effect }) else { return }
        switch change.setting {
        case .parameter(let name, let value, _): self[effects: change.strip][index].parameters[name] = value
        case .bypass(let isOn): self[effects: change.strip][index].bypass = isOn
        }
    }

    private mutating func withClip(_ id: String, _ change: (inout ClipDocument) -> Void) {
        for track in tracks.indices {
            guard let clip = tracks[track].clips.firstIndex(where: { $0.id == id }) else { continue }
            change(&tracks[track].clips[clip])
        }
    }
}

extension MetronomeDocument {
    fileprivate mutating func keep(_ change: MetronomeChange) {
        if let isOn = change.isOn { isEnabled = isOn }
        if let gain = change.gain { self.gain = gain }
        if let pattern = change.pattern { self.pattern = pattern }
        if let subdivision = change.subdivision { self.subdivision = subdivision }
        if let swing = change.swing { self.swing = swing }
    }
}
