import BarlineAnalysis
import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

extension SessionPlayer {
    /// Makes the session another one while it plays. What is the same in both plays on undisturbed, and a clip that
    /// plays and is changed continues with its new settings at the position that it has in them.
    ///
    /// What can't be loaded is left silent, as with ``Policy/lenient``, and reported in ``warnings``.
    ///
    /// - Parameters:
    ///   - newPath: where the session's file is from now on; `nil` for where it was.
    ///   - isAnother: whether it is another session, which begins at its own tempo, in its own metre and with its song,
    ///     whatever the performance has set before.
    ///   - rereads: whether files that could not be read are read again.
    ///   - transform: what becomes of the document. It is asked again where the document was changed meanwhile.
    /// - Returns: the document before and after.
    /// - Throws: what `transform` throws, or ``SessionError`` where the engine has no room.
    @discardableResult
    package func change(
        path newPath: String? = nil, isAnother: Bool = false, rereads: Bool = false,
        _ transform: (SessionDocument) throws(SessionError) -> SessionDocument
    ) async throws(SessionError) -> (before: SessionDocument, after: SessionDocument) {
        // What was prepared in vain is remembered for as long as somebody has it: a fader that moves all the time makes
        // nobody decode for ever.
        var earlier: PreparedContent?
        defer { withExtendedLifetime(earlier) {} }
        while true {
            let old = bound.withLock { $0 }
            let document = try transform(old.document)
            var new = old
            new.document = document
            new.path = newPath ?? old.path
            if new.document == old.document, new.path == old.path, !isAnother, !rereads {
                return (old.document, document)
            }
            try new.assignPlaces(from: old, engine.configuration)
            new.takeOutputs(capacity: engine.configuration.busCount)
            let clips = await prepareClips(old, new, rereads: rereads)
            let content = await PreparedContent(
                clips: clips, clicks: prepareClicks(old, new),
                parts: SessionParts.load(new, over: old, loader: loader), sounds: computeSounds(of: clips),
                isAnother: isAnother)
            let stems = SessionPlayer.openStems(new, over: old, rereads: rereads, sampleRate: engine.sampleRate)
            let (revision, first) = bound.withLock { current in
                guard current.revision == old.revision else { return (nil as Int?, nil as CommandID?) }
                let (changed, first) = engine.transaction {
                    var changed = apply(new, over: old, content, stems: stems, feeding: .threads(2))
                    if isAnother { rewind(&changed) }
                    return changed
                }
                current = changed
                return (changed.revision, first)
            }
            if let revision {
                record(edit: document, over: old, sentAs: first, isAnother: isAnother, revision: revision)
                await forgetAudio(since: old)
                return (old.document, document)
            }
            earlier = content
        }
    }

    /// Has nobody remember what was heard in samples that no clip has any more.
    ///
    /// - Complexity: O(*m*) where *m* clips have changed and all have the samples that they had; else O(*n*).
    private func forgetAudio(since old: BoundSession) async {
        let (clips, _, changed) = self.clips(since: old.clipsRevision)
        let hasAll = changed?.allSatisfy { id in
            guard let samples = old.clips[id]?.audio?.samples else { return true }
            return clips[id]?.audio?.samples === samples
        }
        if hasAll == true { return }
        var kept: Set<ObjectIdentifier> = []
        clips.forEach { _, binding in
            if let samples = binding.audio?.samples { kept.insert(ObjectIdentifier(samples)) }
        }
        await listener.keep(kept)
    }

    /// What is heard in the region of a clip that could be a loop; `nil` for any other.
    func listen(toLoop id: String?, among clips: SharedTable<ClipBinding>? = nil) async -> TempoEstimate? {
        guard let binding = id.flatMap({ (clips ?? clipTable)[$0] }), binding.document.loop, let audio = binding.audio
        else {
            return nil
        }
        let region = binding.document.start..<(binding.document.end ?? audio.samples.frameCount)
        guard Double(region.count) / audio.samples.sampleRate.hertz <= TempoAnalyzer.loopLimit else { return nil }
        return await listener.estimate(audio, range: region)
    }

    /// Beats and attacks in the region of a clip, whose own attacks are not listened for.
    func rhythm(ofClip id: String?, among clips: SharedTable<ClipBinding>? = nil) async -> ClipRhythm {
        guard let binding = id.flatMap({ (clips ?? clipTable)[$0] }), let audio = binding.audio else {
            return ClipRhythm()
        }
        let region = binding.document.start..<(binding.document.end ?? audio.samples.frameCount)
        let estimate = await listener.estimate(audio, range: region)
        func frame(_ time: Double) -> Double { Double(region.lowerBound) + time * audio.samples.sampleRate.hertz }
        var rhythm = ClipRhythm(beats: estimate.beats.map(frame), downbeats: estimate.downbeats.map(frame))
        if binding.document.onsets == nil {
            rhythm.attacks = await listener.attacks(audio, range: region, loops: binding.document.loop)
        }
        return rhythm
    }

    /// Keeps what an action sets in the document.
    ///
    /// - Returns: which change of the document has it.
    @discardableResult
    func keep(_ action: ScriptAction) -> Int {
        bound.withLock { bound in
            var document = bound.document
            if case .playlist(let action) = action {
                document.items = playlist.listing.documents
                document.playlistSettings.keep(action)
            } else {
                document.keep(action)
            }
            if document == bound.document { return bound.revision }
            bound.document = document
            bound.revision += 1
            if case .startPosition(let clip, _) = action { bound.rebind(clip) }
            return bound.revision
        }
    }

    /// Keeps what is left of the list, where items leave it when they have been played.
    ///
    /// - Returns: whether some have.
    func keepConsumedPlaylist() -> Bool {
        // Whoever asks for the current item makes the list advance to it.
        _ = playlist.player.currentItem
        return bound.withLock { bound in
            let items = playlist.listing.documents
            guard bound.document.playlistSettings.consumes, bound.document.items != items else { return false }
            bound.document.items = items
            bound.revision += 1
            return true
        }
    }

    // MARK: Preparing

    /// Loads the clips that are new or not what they were, and those that could not be loaded if `rereads`.
    func prepareClips(
        _ old: BoundSession, _ new: BoundSession, rereads: Bool = false
    ) async -> [(ClipPreparation, Result<ClipPreparation.Prepared, SessionError>)] {
        let isMoved = old.path != new.path
        let places = isMoved || rereads ? nil : new.clipsToBind(over: old)
        return await SessionPlayer.load(new, loader: loader, listener: listener, takes: takes, places: places) {
            clip, track in
            guard !isMoved, let binding = old.clips[clip.id], binding.problem == nil else { return true }
            if rereads, binding.warning != nil { return true }
            return binding.document != clip || binding.track != track
        }
    }

    /// Computes what clips play whose pitch is kept, which may take seconds: not where the session waits for it.
    private func computeSounds(
        of clips: [(ClipPreparation, Result<ClipPreparation.Prepared, SessionError>)]
    ) async -> [ClipSound] {
        await withTaskGroup { group in
            for case .success(let clip) in clips.map(\.1) where clip.settings.playback == .stretch {
                group.addTask { [launcher = engine.launcher] in
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global(qos: .utility).async {
                            continuation.resume(
                                returning: launcher.computeSound(of: clip.audio.samples, settings: clip.settings))
                        }
                    }
                }
            }
            return await group.reduce(into: []) { sounds, sound in if let sound { sounds.append(sound) } }
        }
    }

    func prepareClicks(_ old: BoundSession, _ new: BoundSession) async -> ClickSounds? {
        let metronome = new.document.metronome
        if metronome.hasSound(of: old.document.metronome), old.path == new.path { return nil }
        guard let file = metronome.file else { return metronome.sounds(nil) }
        let folder = URL(fileURLWithPath: new.path).deletingLastPathComponent()
        let audio = try? await loader.load(URL(fileURLWithPath: file, relativeTo: folder).path)
        return metronome.sounds(audio?.samples)
    }

    // MARK: Applying

    func apply(
        _ new: BoundSession, over old: BoundSession, _ content: PreparedContent, stems: OpenedStems,
        feeding: Multitrack.Feeding
    ) -> BoundSession {
        var new = new
        new.revision += 1
        new.warnings = []
        new.noteGoneTracks(of: old)
        for id in new.clipsToUnbind(over: old) {
            guard let binding = old.clips[id] else { continue }
            new.unbind(id)
            new.overdubs[id] = nil
            if takes.isWriting { new.releaseLayers(of: id) }
            guard let handle = binding.handle else { continue }
            new.takes.removeAll { $0.clip == handle }
            attempt("clip \"\(id)\"", &new) { () throws(EngineError) in try engine.launcher.unload(handle) }
        }
        let kept = new.document.clips(content.kept)
        for (preparation, result) in content.clips {
            let id = preparation.document.id
            let former = old.path == new.path ? old.clips[id] : nil
            // It may have layers by now, of which what was loaded ahead knows nothing.
            if let former, let clip = kept[id]?.clip, former.isSame(as: clip, on: preparation.track) {
                new.bind(former.playing(clip))
                continue
            }
            // Another name, colour or place is nothing for which it would be read again.
            if let former, former.isRecorded || former.warning == nil,
                former.isSame(as: preparation.document, on: preparation.track)
            {
                new.bind(former.playing(preparation.document))
                continue
            }
            new.bind(bind(preparation, result, over: old.clips[id]))
        }
        for line in new.missingOutputs { new.warnings.append(line) }
        setTransport(old, &new)
        setStrips(old, &new)
        setMetronome(old, &new, clicks: content.clicks)
        for part in content.parts { part.replace(old, &new, in: self) }
        setInputs(old, &new)
        install(stems, over: old, feeding: feeding, &new)
        if let multitrack = new.multitrack {
            let grid = new.stemGrid
            attempt("stemSet", &new) { () throws(EngineError) in
                if grid != multitrack.grid { try multitrack.setGrid(grid) }
            }
        }
        setStemStrips(old, &new)
        setEffects(old.document, &new)
        if new.document.items != playlist.listing.documents || new.path != old.path {
            let (items, path) = (new.document.items, new.path)
            let exchanged = exchangeRecorder(path: path)
            attempt("playlist", &new) { () throws(EngineError) in
                try playlist.become(items, path: path, isAnother: content.isAnother, exchanged: exchanged)
            }
        }
        let (settings, before) = (new.document.playlistSettings, old.document.playlistSettings)
        let bus = new.bus(settings.output)
        attempt("playlistSettings", &new) { () throws(EngineError) in
            try playlist.apply(settings, over: before)
            if settings.output != before.output { try engine.mixer[.playlist].setBus(bus) }
        }
        return new
    }

    private func bind(
        _ preparation: ClipPreparation, _ result: Result<ClipPreparation.Prepared, SessionError>,
        over old: ClipBinding?
    ) -> ClipBinding {
        do throws(SessionError) {
            let prepared = try result.get()
            do throws(EngineError) {
                guard let handle = old?.handle else {
                    let handle = try engine.launcher.load(prepared.audio.samples, settings: prepared.settings)
                    try engine.launcher.setLayers(prepared.layers, undone: prepared.undone, of: handle)
                    return ClipBinding(preparation, prepared, handle: handle)
                }
                // What was set ahead of where it starts is not in those settings.
                if engine.launcher.settings(of: handle) != prepared.settings
                    || old?.document.startPosition != preparation.document.startPosition
                    || old?.audio?.samples !== prepared.audio.samples
                    || !prepared.missing.isSame(as: old?.missingLayers)
                {
                    try engine.launcher.replace(handle, with: prepared.audio.samples, settings: prepared.settings)
                    try engine.launcher.setLayers(prepared.layers, undone: prepared.undone, of: handle)
                }
                return ClipBinding(preparation, prepared, handle: handle)
            } catch {
                throw SessionError.engine(path: preparation.sessionPath, key: preparation.key, error)
            }
        } catch {
            if let handle = old?.handle { try? engine.launcher.unload(handle) }
            return ClipBinding(preparation, problem: error)
        }
    }

    private func setTransport(_ old: BoundSession, _ new: inout BoundSession) {
        let (before, after) = (old.document, new.document)
        attempt("transport", &new) { () throws(EngineError) in
            if after.tempo != before.tempo {
                try engine.transport.setTempo(Tempo(clamping: after.tempo))
                taps.withLock { $0.removeAll() }
            }
            if after.timeSignature != before.timeSignature {
                try engine.transport.setTimeSignature(after.timeSignature)
            }
            if after.launchQuantization != before.launchQuantization {
                try engine.launcher.setQuantization(after.launchQuantization)
            }
            if after.songLoop != before.songLoop { try engine.transport.setLoop(after.songLoop) }
            if after.snapTolerance != before.snapTolerance { try engine.launcher.setSnapTolerance(after.snapTolerance) }
            if after.firstLaunch != before.firstLaunch { try engine.launcher.setFirstLaunch(after.firstLaunch) }
            if after.masterGain != before.masterGain {
                try engine.mixer[.main].setGain(Decibels(after.masterGain))
            }
            if after.limiter != before.limiter { try engine.mixer.setLimiter(after.limiter) }
        }
    }

    /// Begins as a session that was just opened does: what the performance has set is not the new document's.
    private func rewind(_ bound: inout BoundSession) {
        let document = bound.document
        taps.withLock { $0.removeAll() }
        attempt("transport", &bound) { () throws(EngineError) in
            let (transport, tempo) = (engine.transport, Tempo(clamping: document.tempo))
            if transport.tempo != tempo { try transport.setTempo(tempo) }
            if transport.timeSignature != document.timeSignature {
                try transport.setTimeSignature(document.timeSignature)
            }
            try transport.relocate(to: .zero)
        }
    }

    private func setStrips(_ old: BoundSession, _ new: inout BoundSession) {
        for track in old.document.tracks where new.tracks[track.id] == nil {
            guard let index = old.tracks[track.id] else { continue }
            attempt("track \"\(track.id)\"", &new) { () throws(EngineError) in
                try engine.launcher.stopNow(index)
                // A solo that nobody sees any more would silence the others.
                try engine.mixer[.track(index)].setSolo(false)
            }
        }
        for track in new.document.tracks {
            guard let index = new.tracks[track.id] else { continue }
            let before = old.document[strip: .track(track.id)]
            set(track.strip, before: before, of: .track(index), key: "track \"\(track.id)\"", over: old, &new)
        }
    }

    private func setStemStrips(_ old: BoundSession, _ new: inout BoundSession) {
        for stem in new.document.stems {
            guard let index = new.stems[stem.id] else { continue }
            let before = old.document[strip: .stem(stem.id)]
            set(stem.strip, before: before, of: .stem(index), key: "stem \"\(stem.id)\"", over: old, &new)
        }
    }

    /// Makes a strip what the document has.
    func set(
        _ after: StripSettings, before: StripSettings?, of channel: Channel, key: String, over old: BoundSession,
        _ new: inout BoundSession
    ) {
        let (bus, former, outputs) = (new.bus(after.output), before.map { old.bus($0.output) }, new.outputs)
        attempt(key, &new) { () throws(EngineError) in
            try engine.mixer.set(after, bus, before: before, former, of: channel, outputs: outputs)
        }
    }

    private func setMetronome(_ old: BoundSession, _ new: inout BoundSession, clicks: ClickSounds?) {
        let (before, after) = (old.document.metronome, new.document.metronome)
        let bus = new.bus(after.output)
        attempt("metronome", &new) { () throws(EngineError) in
            if after.settings != before.settings { try engine.metronome.setSettings(after.settings) }
            if after.gain != before.gain { try engine.mixer[.metronome].setGain(Decibels(after.gain)) }
            if after.output != before.output { try engine.mixer[.metronome].setBus(bus) }
            if let clicks { try engine.metronome.setClicks(clicks) }
        }
        if clicks != nil { new.clickProblem = nil }
    }
}
