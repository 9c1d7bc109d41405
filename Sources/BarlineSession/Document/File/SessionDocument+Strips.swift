import BarlineEngine

/// Strips of which a session has one each.
extension PartStrip: CaseIterable {
    /// All of them.
    public static let allCases = [metronome, playlist] + SessionParts.all.flatMap { $0.strips }

    /// The strip of that name; `nil` if there is none.
    package init?(rawValue: String) {
        guard let strip = PartStrip.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = strip
    }

    /// Those whose fader, balance, mute and solo are asked for as a track's are.
    static var faders: [PartStrip] { allCases.filter { $0.place.settings != nil } }
}

/// All strips of a session.
extension SessionDocument {
    /// The names of the outputs that tracks, stems and parts go to or are sent to, the main one first.
    ///
    /// - Complexity: O(*n*) in the tracks, stems and sends.
    public var outputs: [String] {
        var names = routedOutputs
        let parts = PartStrip.faders.flatMap { part in part.place.settings.map { self[keyPath: $0].sends } ?? [] }
        for send in tracks.flatMap(\.sends) + stems.flatMap(\.sends) + parts where !names.contains(send.output) {
            names.append(send.output)
        }
        return names
    }

    /// Those that something goes to that is not a send.
    var routedOutputs: [String] {
        var names = [TrackDocument.mainOutput]
        let others = PartStrip.allCases.map { self[keyPath: $0.place.output] }
        for name in tracks.map(\.output) + stems.map(\.output) + others where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// The strips that have effects, with their keys in the file.
    ///
    /// - Complexity: O(*n*) in the tracks and stems.
    var effectStrips: [(strip: EffectStrip, key: String, effects: [EffectDocument])] {
        var strips: [(strip: EffectStrip, key: String, effects: [EffectDocument])] = []
        func add(_ effects: [EffectDocument], _ strip: EffectStrip, _ key: @autoclosure () -> String) {
            if !effects.isEmpty { strips.append((strip, key(), effects)) }
        }
        add(masterEffects, .master, "master")
        for part in PartStrip.allCases { add(self[keyPath: part.place.effects], .part(part), part.place.key) }
        for (index, track) in tracks.enumerated() { add(track.effects, .track(track.id), "tracks[\(index)]") }
        for (index, stem) in stems.enumerated() { add(stem.effects, .stem(stem.id), "stems[\(index)]") }
        return strips
    }

    /// Refuses two effects of one name in a strip, and more than a strip can have.
    func checkEffects(file: String) throws(SessionError) {
        for (_, key, effects) in effectStrips {
            var ids: Set<String> = []
            for (index, effect) in effects.enumerated() where !ids.insert(effect.id).inserted {
                throw .duplicate(path: file, key: "\(key).effects[\(index)].id", id: effect.id)
            }
            let count = effects.count { $0.kind != nil }
            if count > Engine.Mixer.effectCapacity {
                throw .value(
                    path: file, key: "\(key).effects", expected: "at most \(Engine.Mixer.effectCapacity) effects",
                    found: "\(count)")
            }
        }
    }

    /// Refuses two sends of a strip to one output.
    func checkSends(file: String) throws(SessionError) {
        var strips = PartStrip.faders.compactMap { part in
            part.place.settings.map { (part.place.key, self[keyPath: $0].sends) }
        }
        for (index, track) in tracks.enumerated() { strips.append(("tracks[\(index)]", track.sends)) }
        for (index, stem) in stems.enumerated() { strips.append(("stems[\(index)]", stem.sends)) }
        for (key, sends) in strips {
            var outputs: Set<String> = []
            for (index, send) in sends.enumerated() where !outputs.insert(send.output).inserted {
                throw .duplicate(path: file, key: "\(key).sends[\(index)].output", id: send.output)
            }
        }
    }

    /// What the format has and this version does not play.
    func unplayedParts(path: String) -> [SessionWarning] {
        var lines: [SessionWarning] = []
        if case .array(let songs)? = rest["songs"], !songs.isEmpty {
            lines.append(
                SessionWarning(
                    "\(path): songs: can't be played by this version; they are kept",
                    words: "Songs can't be played by this version; they are kept."))
        }
        for track in tracks.indices {
            // By place: of thousands of clips hardly one has such a key, and to copy them all takes longer.
            for index in tracks[track].clips.indices where !tracks[track].clips[index].rest.isEmpty {
                let clip = tracks[track].clips[index]
                guard clip.rest["followAction"] ?? .null != .null else { continue }
                let key = "tracks[\(track)].clips[\(index)].followAction"
                lines.append(
                    SessionWarning(
                        "\(path): \(key): can't be done by this version: the clip plays on; it is kept",
                        words: "“\(clip.name)” has a follow action, which this version can't do: it plays on."))
            }
        }
        return lines
    }

    /// What is kept and not heard.
    func unknownEffects(path: String) -> [SessionWarning] {
        effectStrips.flatMap { strip, key, effects in
            effects.enumerated().filter { $0.element.kind == nil }.map { index, effect in
                SessionWarning(
                    "\(path): \(key).effects[\(index)].type: there is no effect \"\(effect.type)\"; it is kept, and not heard",
                    words:
                        "The effect “\(effect.type)” of “\(strip.words)” is not known here; it is kept, and not heard.")
            }
        }
    }
}
