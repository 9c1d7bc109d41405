import BarlineEngine
import BarlineTime

/// A slot that is recorded into, for displays.
package struct TakeStatus: Hashable, Sendable {
    /// What its clip will be called.
    package let id: String
    /// The clip, as events and positions have it.
    package let clip: ClipHandle
    package let track: String
    package let slot: Int
    /// The frame that its first frame belongs at; `nil` before it has begun.
    package let since: FrameTime?
}

extension SessionPlayer {
    /// The slots that are recorded into, those that wait for their boundary included.
    package var openTakes: [TakeStatus] {
        bound.withLock { $0.takes }.filter { !$0.isKept }.map { take in
            TakeStatus(
                id: take.id, clip: take.clip, track: take.track, slot: take.slot,
                since: engine.launcher.take(of: take.clip)?.start?.frame)
        }
    }

    /// What is recorded.
    var recorded: RecordedPlaces {
        let takes = openTakes
        return bound.withLock { bound in
            var (tracks, inputs): (Set<String>, Set<String>) = ([], [])
            for take in bound.takes where engine.launcher.take(of: take.clip)?.isRecording == true {
                tracks.insert(take.track)
                inputs.formUnion(bound.inputs.filter { $0.value == take.input }.keys)
            }
            let overdubs = bound.overdubs.filter { $0.value.since != nil }
            for track in bound.document.tracks where !overdubs.isEmpty {
                if track.clips.contains(where: { overdubs[$0.id] != nil }) { tracks.insert(track.id) }
            }
            inputs.formUnion(overdubs.values.compactMap(\.input))
            return RecordedPlaces(tracks: tracks, inputs: inputs, takes: takes)
        }
    }

    /// Refuses to change the sound of a clip that is recorded over: it would begin anew, without what was played.
    func requireSoundRecordedOver(
        of before: SessionDocument, in after: SessionDocument, _ source: String
    ) throws(SessionError) {
        let overdubs = bound.withLock { $0.overdubs }
        if overdubs.isEmpty { return }
        func clips(_ document: SessionDocument) -> [String: (clip: ClipDocument, track: String)] {
            var clips: [String: (ClipDocument, String)] = [:]
            for track in document.tracks {
                for clip in track.clips where overdubs[clip.id] != nil { clips[clip.id] = (clip, track.id) }
            }
            return clips
        }
        let (old, new) = (clips(before), clips(after))
        for id in new.keys.sorted() {
            guard let former = old[id], let present = new[id] else { continue }
            if former.track == present.track, former.clip.soundsLike(present.clip) { continue }
            throw .unsupported(path: source, key: "clip", what: "\"\(id)\" is recorded over: end that first")
        }
    }

    /// Refuses to bring clips back to where something is recorded, or rows to where they were in which it is.
    func requireTakePlaces(in after: SessionDocument, movesRows: Bool, _ source: String) throws(SessionError) {
        let recorded = recorded
        if movesRows, let take = recorded.takes.first?.id {
            throw .unsupported(
                path: source, key: "do", what: "\"\(take)\" is recorded in a row that may move: end that first")
        }
        try recorded.requireFree(in: after, source, key: "do")
    }

    /// Refuses to take an earlier take back while another one is recorded: who undoes then means that one.
    func requireTakes(
        of before: SessionDocument, in after: SessionDocument, _ source: String
    ) throws(SessionError) {
        let takes = bound.withLock { $0.takes }
        guard takes.contains(where: { engine.launcher.take(of: $0.clip)?.isRecording == true }) else { return }
        let gone = before.clipIdentifiers.subtracting(after.clipIdentifiers)
        guard let take = takes.first(where: { $0.isKept && gone.contains($0.id) }) else { return }
        throw .unsupported(
            path: source, key: "do", what: "\"\(take.id)\" was recorded before what is recorded now: end that first")
    }

    /// Whether a clip was recorded here, and not brought along by the session.
    func isRecorded(_ clip: String) -> Bool { bound.withLock { $0.takes.contains { $0.isKept && $0.id == clip } } }

    /// Whether a track's input can be recorded: the output provides it, or it is of what is played.
    package func isArmed(_ track: TrackDocument) -> Bool {
        guard let name = track.input else { return false }
        if let input = inputs[name], gives(input) { return true }
        return document.inputs.contains { $0.name == name && $0.from != nil }
    }

    /// Whether the button of a slot is a foot switch: the track's input is recorded there, or over the loop that it
    /// has.
    package func hasFootSwitch(slot: Int, on track: TrackDocument) -> Bool {
        guard isArmed(track) else { return false }
        guard let clip = track.clips.first(where: { $0.slot == slot }) else { return true }
        let handle = bound.withLock { $0.clips[clip.id]?.handle }
        return handle.flatMap { engine.launcher.settings(of: $0) }?.isLayered ?? false
    }
}
