import BarlineEngine
import BarlineTime

extension LiveSession {
    /// Takes the last step back. What is recorded over a loop at the moment is that step: it ends with what was played
    /// so far, as a layer that can be done again. What waits to be recorded over one is called off.
    func undo(_ source: String) async throws(SessionError) {
        guard let overdub = latestOverdub else { return try await step(source, .undo) }
        guard overdub.pass != nil else {
            _ = try perform(.record(overdub.toggle), source: source)
            return
        }
        do throws(EngineError) {
            try player.endOverdub(of: overdub.clip)
        } catch {
            throw .engine(path: source, key: "do", error)
        }
        if await isStep(overdub) { try await step(source, .undo) }
    }

    /// Does again what was taken back last.
    func redo(_ source: String) async throws(SessionError) { try await step(source, .redo) }

    private enum Direction: String {
        case undo
        case redo
    }

    /// Moves to another document of the history. What others do meanwhile stays.
    ///
    /// - Throws: ``SessionError`` where there is none, a loop that is recorded over would sound otherwise in it, or an
    ///   earlier take would go while another one is recorded.
    private func step(_ source: String, _ direction: Direction) async throws(SessionError) {
        guard let move = state.withLock({ $0.history.begin(undo: direction == .undo) }) else {
            throw .unsupported(path: source, key: "do", what: "there is nothing to \(direction)")
        }
        do throws(SessionError) {
            try await player.change { before throws(SessionError) in
                let document = try move.applied(to: before, source: source)
                try self.player.requireSoundRecordedOver(of: before, in: document, source)
                try self.player.requireTakePlaces(in: document, movesRows: move.movesRows, source)
                if direction == .undo { try self.player.requireTakes(of: before, in: document, source) }
                return document
            }
            state.withLock { $0.history.end(move, source: source) }
        } catch {
            state.withLock { $0.history.cancel() }
            throw error
        }
    }

    // MARK: What is recorded over a loop

    private struct LatestOverdub {
        let clip: String
        /// What begins or ends it on a boundary, and before it has begun calls it off.
        let toggle: RecordAction
        /// The pass under way; `nil` where it waits for its boundary.
        let pass: LayerID?
        /// The loop as the history has it.
        let document: ClipDocument?
    }

    /// What was begun last to be recorded over a loop, or waits to be.
    private var latestOverdub: LatestOverdub? {
        func order(_ overdub: (clip: String, status: OverdubStatus)) -> (FrameTime, String) {
            (overdub.status.since ?? FrameTime(rawValue: .max), overdub.clip)
        }
        let overdubs = player.overdubs.map { (clip: $0.key, status: $0.value) }
        guard let (clip, status) = overdubs.max(by: { order($0) < order($1) }) else { return nil }
        let pass = status.since == nil ? nil : player.pass(over: clip)
        // The last pass may just have ended, and is a step.
        if status.since != nil, pass == nil { return nil }
        guard let track = player.document.tracks.first(where: { $0.clips.contains { $0.id == clip } }),
            let slot = track.clips.first(where: { $0.id == clip })?.slot
        else { return nil }
        return LatestOverdub(
            clip: clip,
            toggle: .clip(track: track.id, slot: slot, input: nil, bars: nil, id: nil, mode: .overdub), pass: pass,
            document: state.withLock { $0.history.present.clip(clip) })
    }

    /// Waits until an overdub that was ended is a step.
    ///
    /// - Returns: whether it is one: of what had hardly begun nothing comes.
    private func isStep(_ overdub: LatestOverdub) async -> Bool {
        for _ in 0..<LiveSession.longestLayerSteps {
            if state.withLock({ $0.history.present.clip(overdub.clip) }) != overdub.document { return true }
            if player.overdubs[overdub.clip] == nil, player.isNothing(overdub.pass, over: overdub.clip) { return false }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    /// The rest of a loop is copied at 64 times its pace: of one of ten minutes, in that time.
    private static let longestLayerSteps = 1_000
}

extension SessionPlayer {
    /// Ends at once what is recorded over a clip.
    fileprivate func endOverdub(of clip: String) throws(EngineError) {
        guard let handle = clipTable[clip]?.handle else { return }
        let command = try engine.launcher.endOverdub(of: handle)
        // What is recorded so far is taken back: to who plays it again it never was.
        record(.layer(.undo(clip: clip)), sentAs: command, at: nil)
    }

    /// The pass that is recorded over a clip.
    fileprivate func pass(over clip: String) -> LayerID? {
        guard let handle = clipTable[clip]?.handle else { return nil }
        return engine.launcher.layers(of: handle).last { $0.take.isRecording }?.id
    }

    /// Whether nothing comes of a pass.
    fileprivate func isNothing(_ pass: LayerID?, over clip: String) -> Bool {
        guard let handle = clipTable[clip]?.handle else { return true }
        return engine.launcher.layers(of: handle).first { $0.id == pass }?.take.isEmpty ?? true
    }
}

extension SessionDocument {
    fileprivate func clip(_ id: String) -> ClipDocument? {
        for track in tracks { if let clip = track.clips.first(where: { $0.id == id }) { return clip } }
        return nil
    }
}
