import BarlineEngine
import BarlineTime

/// Loops that are recorded over.
extension SessionPlayer {
    /// What is recorded over clips, or waits to be, by their identifiers.
    package var overdubs: [String: OverdubStatus] { bound.withLock { $0.overdubs } }

    /// What records over the clip of a slot, or ends that; `nil` for an action that records into an empty one.
    func overdubbing(
        _ action: RecordAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Sending? {
        guard case .clip(_, _, _, let bars, _, let mode, let feedback) = action,
            let track = bound.document.tracks.first(where: { $0.id == action.track })
        else { return nil }
        let clip = track.clips.first { $0.slot == action.slot }
        let isUnderWay = clip.map { bound.overdubs[$0.id] != nil } ?? false
        guard mode != nil || isUnderWay else { return nil }
        let take = bound.openTake(track: action.track, slot: action.slot)
        guard let id = clip?.id ?? take?.id, let handle = bound.clips[id]?.handle else {
            throw .value(path: source, key: "\(key).slot", expected: "the slot of a loop", found: "an empty one")
        }
        let input = try input(of: action, on: track, bound, source: source, key: key)
        let settings = OverdubSettings(input: input, feedback: mode == .replace ? 0 : feedback / 100, bars: bars)
        return { [self] moment throws(EngineError) in
            let isNow = isNow(moment)
            // Nothing is done over what waits to be recorded, and a recording has nothing of it: there it may come
            // before what it waits for.
            if isNow, let take, take.asked != engine.state.frame, let waiting = engine.launcher.take(of: handle),
                waiting.start == nil
            {
                return nil
            }
            let command = try engine.launcher.overdub(handle, settings, at: moment)
            if isNow { noteOverdub(of: id, input) }
            return command
        }
    }

    /// Whether what is asked for a moment is done now: what a script asks for ahead of its time does not wait yet, what a
    /// controller does is of this block.
    func isNow(_ moment: (any Moment)?) -> Bool {
        guard let moment else { return true }
        let now = engine.state
        let present = now.frame + now.sampleRate.frames(seconds: SessionPlayer.presentSeconds)
        return engine.transport.map.expectedFrame(of: moment).map { $0 <= present } ?? false
    }

    /// How far ahead of what was rendered something may be that is done now, in seconds: several long blocks.
    private static let presentSeconds = 0.1

    /// What waited to be recorded over a clip does not any more: its latest layer was undone, which calls that off.
    func forgetOverdub(of clip: String) {
        bound.withLock { bound in
            guard let status = bound.overdubs[clip], status.since == nil else { return }
            bound.overdubs[clip] = nil
            bound.revision += 1
        }
    }

    /// Something waits to be recorded over a clip, or does not any more.
    private func noteOverdub(of clip: String, _ input: InputIndex) {
        bound.withLock { bound in
            switch bound.overdubs[clip] {
            case nil: bound.overdubs[clip] = OverdubStatus(input: bound.inputs.first { $0.value == input }?.key)
            case let status? where status.since == nil: bound.overdubs[clip] = nil
            default: return
            }
            bound.revision += 1
        }
    }

    /// Keeps in the document what has become of layers.
    ///
    /// - Returns: what the step is called; `nil` where the document is as it was.
    func keepLayers(_ event: EngineEvent) -> String? {
        switch event.kind {
        case .launcher(.recordStarted(let clip, _, let input)):
            noteOverdub(of: clip, input, since: event.frame)
            takeLayers(of: clip)
        case .launcher(.recordEnded(let clip, _, let frames)):
            // It was called off where the loop was.
            let playsOn = engine.state.tracks.contains { $0.playing?.clip == clip && $0.queued == nil }
            bound.withLock { bound in
                guard let id = bound.clipIDs[clip], let status = bound.overdubs.removeValue(forKey: id) else { return }
                bound.revision += 1
                if status.since != nil || frames > 0 || !playsOn { return }
                let name = bound.clips[id]?.document.name ?? id
                bound.notices.append(
                    SessionNotice(
                        "\"\(name)\" is not recorded over: the tempo is on its way to another one, or the loop is shorter "
                            + "than its input is late"))
            }
        case .transport(.stopped):
            bound.withLock { bound in
                let waiting = bound.overdubs.filter { $0.value.since == nil }
                if waiting.isEmpty { return }
                for id in waiting.keys { bound.overdubs[id] = nil }
                bound.revision += 1
            }
        case .launcher(.layerAdded(let clip, _, let layer, _)):
            takeLayers(of: clip)
            let isChange = bound.withLock { $0.layers.first { $0.id == layer }?.take?.isChange } ?? false
            return keep(layer, of: clip) ? isChange ? "Change loop" : "Record layer" : nil
        case .launcher(.layerUndone(let clip, _)):
            return change(clip) { $0.undoLayer() } ? "Undo layer" : nil
        case .launcher(.layerRedone(let clip, _)):
            return change(clip) { $0.redoLayer() } ? "Redo layer" : nil
        default: break
        }
        return nil
    }

    private func noteOverdub(of clip: ClipHandle, _ input: InputIndex, since frame: FrameTime) {
        bound.withLock { bound in
            guard let id = bound.clipIDs[clip], !bound.takes.contains(where: { $0.id == id && !$0.isKept }) else {
                return
            }
            bound.overdubs[id] = OverdubStatus(
                since: frame, input: bound.inputs.first { $0.value == input }?.key)
            bound.revision += 1
        }
    }

    /// Has layers that have begun written to files, and memory ready for those that follow.
    private func takeLayers(of clip: ClipHandle) {
        guard let id = bound.withLock({ $0.clipIDs[clip] }) else { return }
        let present = engine.launcher.layers(of: clip)
        if takes.isWriting { bound.withLock { $0.releaseLayers(of: id, but: Set(present.map(\.id))) } }
        for (layer, take) in present {
            if bound.withLock({ $0.layers.contains { $0.id == layer } }) { continue }
            let files = takes.add(take, named: "\(id) layer \(layer.rawValue + 1)", title: "\(id) layer")
            bound.withLock { $0.layers.append(BoundLayer(id: layer, clip: id, take: take, files: files)) }
        }
        // What is refused ends with the memory that there is.
        if bound.withLock({ $0.overdubs[id] != nil }) { try? engine.launcher.prepareLayers(of: clip) }
    }

    private func keep(_ layer: LayerID, of clip: ClipHandle) -> Bool {
        guard let bound = bound.withLock({ $0.layers.first { $0.id == layer } }), let take = bound.take,
            let result = take.result
        else { return false }
        let latency = take.isChange ? nil : latency(of: result, from: take.recordedInput)
        let files = takes.names(of: bound.files)
        return change(clip) { document in
            var layer = LayerDocument(file: files.file)
            layer.start = result.region.lowerBound
            layer.end = result.region.upperBound
            layer.beats = result.beats
            if result.firstBeat != 0 { layer.firstBeat = layer.start + result.firstBeat }
            layer.latency = latency
            layer.pass = take.recipe.map { recipe in
                LayerPass(
                    played: files.played.map { LayerPass.Played(file: $0, start: take.margin) }, recipe: recipe)
            }
            document.add(layer)
            return true
        }
    }

    /// Changes the document's clip to what the engine plays already.
    private func change(_ clip: ClipHandle, _ body: (inout ClipDocument) -> Bool) -> Bool {
        bound.withLock { bound in
            guard let id = bound.clipIDs[clip], let binding = bound.clips[id] else { return false }
            for track in bound.document.tracks.indices {
                guard let place = bound.document.tracks[track].clips.firstIndex(where: { $0.id == id }) else {
                    continue
                }
                var document = bound.document.tracks[track].clips[place]
                guard body(&document) else { return false }
                bound.document.tracks[track].clips[place] = document
                bound.revision += 1
                bound.bind(
                    ClipBinding(
                        document: document, track: binding.track, handle: clip, audio: nil, tempo: binding.tempo,
                        beats: document.beats, firstBeat: document.firstBeat, onsets: [], problem: nil, warning: nil,
                        isRecorded: true))
                bound.unheard.insert(id)
                return true
            }
            return false
        }
    }
}

extension BoundSession {
    /// Lets go of what is recorded of a clip's layers but for some.
    mutating func releaseLayers(of clip: String, but present: Set<LayerID> = []) {
        for place in layers.indices where layers[place].clip == clip && !present.contains(layers[place].id) {
            layers[place].take = nil
        }
    }
}
