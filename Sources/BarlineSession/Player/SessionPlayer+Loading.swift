import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// Opening a session.
extension SessionPlayer {
    /// Loads every clip and creates an engine for the session.
    ///
    /// - Parameters:
    ///   - document: the session.
    ///   - path: the session's file: errors refer to it, and paths are relative to its folder.
    ///   - policy: the handling of clips that can't be loaded.
    ///   - loader: shares samples with other sessions.
    ///   - configure: adjusts the engine's configuration, such as its sample rate and capacities.
    ///   - progress: called with the fraction of the stems that are open, 0 … 1.
    /// - Throws: ``SessionError``, also for a document that no session file could have: its numbers have the bounds of
    ///   the format.
    /// - Complexity: O(*n*) in the frames of all clips, which are loaded.
    public convenience init(
        _ document: SessionDocument, path: String, policy: Policy = .strict,
        loader: AudioClipLoader = AudioClipLoader(), configure: (inout EngineConfiguration) -> Void = { _ in },
        progress: (Double) -> Void = { _ in }
    ) async throws(SessionError) {
        try document.checkValues(file: path)
        try await self.init(
            read: document, path: path, policy: policy, loader: loader, configure: configure, progress: progress)
    }

    /// The same for a document that was read, which is not checked again.
    package convenience init(
        read document: SessionDocument, path: String, policy: Policy = .strict,
        loader: AudioClipLoader = AudioClipLoader(), configure: (inout EngineConfiguration) -> Void = { _ in },
        progress: (Double) -> Void = { _ in }
    ) async throws(SessionError) {
        var configuration = EngineConfiguration(
            trackCount: max(1, document.tracks.count), stemCapacity: document.stems.count,
            busCount: document.outputs.count,
            clipCapacity: max(64, 2 * document.tracks.reduce(0) { $0 + $1.clips.count }),
            voiceCount: max(64, 4 * document.tracks.count), playlistSeconds: SessionPlayer.playlistSeconds,
            tempo: Tempo(clamping: document.tempo),
            timeSignature: document.timeSignature, launchQuantization: document.launchQuantization,
            firstLaunch: document.firstLaunch, snapTolerance: document.snapTolerance,
            resyncThreshold: document.resyncThreshold / 1000,
            metronome: document.metronome.settings)
        configure(&configuration)
        let engine = Engine(configuration)
        let events = engine.events.queue()
        let listener = TempoListener()
        var bound = BoundSession(document, path: path)
        for (preparation, result) in await SessionPlayer.load(bound, loader: loader, listener: listener) {
            bound.bind(try SessionPlayer.bind(preparation, result, engine: engine, policy: policy))
        }
        bound.multitrack = try SessionPlayer.loadStems(
            document, path: path, engine: engine, policy: policy, progress: progress, &bound.warnings)
        for part in await SessionParts.load(bound, loader: loader) {
            try part.open(&bound, engine: engine, policy: policy)
        }
        try document.checkPlaylist(file: path)
        let playlist: SessionPlaylist
        do throws(EngineError) {
            playlist = try SessionPlaylist(document.items, path: path, engine: engine)
        } catch {
            throw .engine(path: path, key: "playlist", error)
        }
        try bound.insertEffects(engine.mixer)
        try bound.assignInputs(from: nil, capacity: configuration.inputCapacity)
        try SessionPlayer.openInputs(bound, engine: engine)
        self.init(
            bound, engine: engine, events: events, playlist: playlist, loader: loader, listener: listener,
            history: PerformanceHistory(document, path: path, sampleRate: configuration.sampleRate))
        try SessionPlayer.setMixer(bound, engine: engine)
        do throws(EngineError) {
            try playlist.apply(document.playlistSettings, over: PlaylistSettings())
        } catch {
            throw .engine(path: path, key: "playlistSettings", error)
        }
        try await setClicks(policy)
    }

    /// How far ahead a playlist's audio is written, and a little for crossfades.
    private static let playlistSeconds = 30.0

    /// Loads the clips of a session: all, or those in some places of some tracks, that `isWanted` is true for, which is
    /// given the engine's track too.
    static func load(
        _ bound: BoundSession, loader: AudioClipLoader, listener: TempoListener, takes: TakeKeeper? = nil,
        places: [(track: Int, clips: Range<Int>)]? = nil,
        isWanted: (ClipDocument, TrackIndex) -> Bool = { _, _ in true }
    ) async -> [(ClipPreparation, Result<ClipPreparation.Prepared, SessionError>)] {
        let folder = URL(fileURLWithPath: bound.path).deletingLastPathComponent()
        let places = places ?? bound.document.tracks.enumerated().map { ($0, $1.clips.indices) }
        let preparations = places.flatMap { trackIndex, clips in
            let track = bound.document.tracks[trackIndex]
            let place = bound.tracks[track.id] ?? TrackIndex(trackIndex)
            return clips.filter { isWanted(track.clips[$0], place) }.map { clipIndex in
                ClipPreparation(
                    document: track.clips[clipIndex], track: place,
                    key: "tracks[\(trackIndex)].clips[\(clipIndex)]", sessionPath: bound.path, folder: folder,
                    former: bound.clips[track.clips[clipIndex].id]?.audio)
            }
        }
        return await withTaskGroup { group in
            for (index, preparation) in preparations.enumerated() {
                group.addTask { (index, await preparation.load(with: loader, listener: listener, takes)) }
            }
            var results: [Int: Result<ClipPreparation.Prepared, SessionError>] = [:]
            for await (index, result) in group { results[index] = result }
            return preparations.enumerated().compactMap { index, preparation in
                results[index].map { (preparation, $0) }
            }
        }
    }

    private static func bind(
        _ preparation: ClipPreparation, _ result: Result<ClipPreparation.Prepared, SessionError>, engine: Engine,
        policy: Policy
    ) throws(SessionError) -> ClipBinding {
        do throws(SessionError) {
            let prepared = try result.get()
            do throws(EngineError) {
                let handle = try engine.launcher.load(prepared.audio.samples, settings: prepared.settings)
                try engine.launcher.setLayers(prepared.layers, undone: prepared.undone, of: handle)
                return ClipBinding(preparation, prepared, handle: handle)
            } catch {
                throw SessionError.engine(path: preparation.sessionPath, key: preparation.key, error)
            }
        } catch {
            if policy == .strict { throw error }
            return ClipBinding(preparation, problem: error)
        }
    }

    /// Gives the metronome its sound; its own where that of the session can't be loaded and need not be.
    private func setClicks(_ policy: Policy) async throws(SessionError) {
        let (document, path) = bound.withLock { ($0.document, $0.path) }
        var samples: SampleBuffer?
        if let file = document.metronome.file {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            do throws(AudioFileError) {
                samples = try await loader.load(URL(fileURLWithPath: file, relativeTo: folder).path).samples
            } catch {
                let problem = SessionError.audio(path: path, key: "metronome.file", error)
                if policy == .strict { throw problem }
                bound.withLock { $0.clickProblem = "\(problem)" }
            }
        }
        do throws(EngineError) {
            try engine.metronome.setClicks(document.metronome.sounds(samples))
        } catch {
            throw .engine(path: path, key: "metronome", error)
        }
    }

    private static func setMixer(_ bound: BoundSession, engine: Engine) throws(SessionError) {
        let document = bound.document
        var key = "master.gain"
        do throws(EngineError) {
            try engine.mixer[.main].setGain(Decibels(document.masterGain))
            key = "songLoop"
            if document.songLoop.region != nil { try engine.transport.setLoop(document.songLoop) }
            key = "playlistSettings.output"
            try engine.mixer[.playlist].setBus(bound.bus(document.playlistSettings.output))
            key = "metronome"
            let metronome = document.metronome
            try engine.mixer[.metronome].setBus(bound.bus(metronome.output))
            try engine.mixer[.metronome].setGain(Decibels(metronome.gain))
            for (index, track) in document.tracks.enumerated() {
                key = "tracks[\(index)]"
                try engine.mixer.set(
                    track.strip, bound.bus(track.output), before: nil, nil, of: .track(TrackIndex(index)),
                    outputs: bound.outputs)
            }
            for place in PartStrip.faders.map(\.place) {
                key = place.key
                guard let settings = place.settings.map({ document[keyPath: $0] }) else { continue }
                try engine.mixer.set(
                    settings, bound.bus(settings.output), before: StripSettings(), .main, of: place.channel,
                    outputs: bound.outputs)
            }
        } catch {
            throw .engine(path: bound.path, key: key, error)
        }
    }
}
