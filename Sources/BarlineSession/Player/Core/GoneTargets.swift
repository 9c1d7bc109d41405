/// What an edit has taken out of a session. What was set ahead for it is not done, also where it is brought back until
/// then: it is another one for the engine.
struct GoneTargets {
    private let clips: Set<String>
    private let tracks: Set<String>
    private let stems: Set<String>

    /// - Complexity: O(*n*) in the clips and stems.
    init(of old: SessionDocument, notIn new: SessionDocument) {
        clips = old.clipIdentifiers.subtracting(new.clipIdentifiers)
        tracks = Set(old.tracks.map(\.id)).subtracting(new.tracks.map(\.id))
        stems = Set(old.stems.map(\.id)).subtracting(new.stems.map(\.id))
    }

    var isEmpty: Bool { clips.isEmpty && tracks.isEmpty && stems.isEmpty }

    /// Whether an action is for something of it.
    func has(targetOf action: ScriptAction) -> Bool {
        switch action {
        case .launch(let clip), .release(let clip), .startPosition(let clip, _): clips.contains(clip)
        case .layer(let action): clips.contains(action.clip)
        case .stop(let track), .stopNow(let track): tracks.contains(track)
        case .gain(let strip, _), .pan(let strip, _), .send(let strip, _, _, _), .mute(let strip, _),
            .solo(let strip, _):
            has(strip)
        case .effect, .launchScene, .stopAll, .tempo, .timeSignature, .quantization, .stems, .playlist, .part, .record,
            .transport,
            .locate, .loop, .looping, .metronome, .tap, .clockJump, .session, .change:
            false
        }
    }

    private func has(_ strip: StripName) -> Bool {
        switch strip {
        case .clip(let id): clips.contains(id)
        case .track(let id): tracks.contains(id)
        case .stem(let id): stems.contains(id)
        case .master, .part: false
        }
    }
}
