import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation
import Synchronization

/// A session on an engine: its clips loaded, its identifiers bound to the engine's handles.
///
/// ```swift
/// let document = try SessionDocument(path: "set.barline")
/// let player = try await SessionPlayer(document, path: "set.barline")
/// try player.perform(.launchScene(0))
/// ```
public final class SessionPlayer: Sendable {
    /// How a clip that can't be loaded is treated.
    public enum Policy: Sendable {
        /// The session is refused.
        case strict
        /// The clip is left silent, the rest plays.
        case lenient
    }

    /// The session.
    public let document: SessionDocument
    /// The session's file, as errors call it.
    public let path: String
    /// The engine that plays it.
    public let engine: Engine
    /// The clips by identifier.
    public let clips: [String: ClipBinding]
    /// The stems; `nil` where the session has none. Whoever renders feeds them, or lets threads do that.
    public let multitrack: Multitrack?
    /// The playlist. Whoever renders feeds it, or lets threads do that.
    public let playlist: SessionPlaylist
    /// What the user should know, one line each.
    public let warnings: [String]

    let clipIDs: [ClipHandle: String]
    let recording = Mutex<PerformanceRecording?>(nil)

    /// Loads every clip and makes an engine for the session.
    ///
    /// - Parameters:
    ///   - document: the session.
    ///   - path: the session's file: errors name it, relative paths start at its folder.
    ///   - policy: what happens where a clip can't be loaded.
    ///   - loader: shares samples with other sessions.
    ///   - configure: adapts the engine's configuration: sample rate, capacities.
    ///   - progress: is told how many of the stems are open, 0 … 1.
    /// - Throws: ``SessionError``.
    public init(
        _ document: SessionDocument, path: String, policy: Policy = .strict,
        loader: AudioClipLoader = AudioClipLoader(), configure: (inout EngineConfiguration) -> Void = { _ in },
        progress: (Double) -> Void = { _ in }
    ) async throws(SessionError) {
        self.document = document
        self.path = path
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
        engine = Engine(configuration)
        var warnings: [String] = []
        if configuration.tempo.beatsPerMinute != document.tempo {
            warnings.append("\(path): tempo: \(document.tempo) BPM is played as \(configuration.tempo)")
        }
        for (index, scene) in document.scenes.enumerated() {
            guard let tempo = scene.tempo, Tempo(tempo) == nil else { continue }
            warnings.append("\(path): scenes[\(index)].tempo: \(tempo) BPM is played as \(Tempo(clamping: tempo))")
        }
        let loading = await SessionPlayer.load(document, path: path, loader: loader)
        var clips: [String: ClipBinding] = [:]
        var clipIDs: [ClipHandle: String] = [:]
        for (preparation, result) in loading {
            let binding = try SessionPlayer.bind(preparation, result, engine: engine, policy: policy, &warnings)
            clips[preparation.document.id] = binding
            if let handle = binding.handle { clipIDs[handle] = preparation.document.id }
        }
        multitrack = try SessionPlayer.loadStems(
            document, path: path, engine: engine, policy: policy, progress: progress, &warnings)
        playlist = SessionPlaylist(document.playlist, path: path, engine: engine)
        self.clips = clips
        self.clipIDs = clipIDs
        self.warnings = warnings
        try SessionPlayer.setMixer(document, path: path, engine: engine)
        try await setClicks(loader)
    }

    /// How far ahead a playlist's audio is written, and a little for crossfades.
    private static let playlistSeconds = 30.0

    private static func load(
        _ document: SessionDocument, path: String, loader: AudioClipLoader
    ) async -> [(ClipPreparation, Result<ClipPreparation.Prepared, SessionError>)] {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let preparations = document.tracks.enumerated().flatMap { trackIndex, track in
            track.clips.enumerated().map { clipIndex, clip in
                ClipPreparation(
                    document: clip, track: TrackIndex(trackIndex), key: "tracks[\(trackIndex)].clips[\(clipIndex)]",
                    sessionPath: path, folder: folder)
            }
        }
        return await withTaskGroup { group in
            for (index, preparation) in preparations.enumerated() {
                group.addTask { (index, await preparation.load(with: loader)) }
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
        policy: Policy, _ warnings: inout [String]
    ) throws(SessionError) -> ClipBinding {
        do throws(SessionError) {
            let prepared = try result.get()
            if let warning = prepared.warning { warnings.append(warning) }
            do throws(EngineError) {
                let handle = try engine.load(prepared.audio.samples, settings: prepared.settings)
                return ClipBinding(
                    document: preparation.document, track: preparation.track, handle: handle, audio: prepared.audio,
                    tempo: prepared.tempo, problem: nil)
            } catch {
                throw SessionError.engine(path: preparation.sessionPath, key: preparation.key, error)
            }
        } catch {
            if policy == .strict { throw error }
            warnings.append("\(error)")
            return ClipBinding(
                document: preparation.document, track: preparation.track, handle: nil, audio: nil, tempo: nil,
                problem: error)
        }
    }

    /// Gives the metronome its sound.
    private func setClicks(_ loader: AudioClipLoader) async throws(SessionError) {
        var samples: SampleBuffer?
        if let file = document.metronome.file {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            do throws(AudioFileError) {
                samples = try await loader.load(URL(fileURLWithPath: file, relativeTo: folder).path).samples
            } catch {
                throw SessionError.audio(path: path, key: "metronome.file", error)
            }
        }
        do throws(EngineError) {
            try engine.setClicks(document.metronome.sounds(samples))
        } catch {
            throw .engine(path: path, key: "metronome", error)
        }
    }

    private static func setMixer(
        _ document: SessionDocument, path: String, engine: Engine
    ) throws(SessionError) {
        var key = "master.gain"
        do throws(EngineError) {
            try engine.setGain(Decibels(document.masterGain), of: BusIndex.main)
            key = "metronome"
            let metronome = document.metronome
            try engine.setBus(BusIndex(document.outputs.firstIndex(of: metronome.output) ?? 0), of: .metronome)
            try engine.setGain(Decibels(metronome.gain), of: .metronome)
            for (index, track) in document.tracks.enumerated() {
                key = "tracks[\(index)]"
                let strip = Channel.track(TrackIndex(index))
                let bus = document.outputs.firstIndex(of: track.output) ?? 0
                try engine.setBus(BusIndex(bus), of: strip)
                try engine.setGain(Decibels(track.gain), of: strip)
                try engine.setPan(track.pan, of: strip)
                try engine.setMute(track.mute, of: strip)
                try engine.setSolo(track.solo, of: strip)
            }
        } catch {
            throw .engine(path: path, key: key, error)
        }
    }

    /// The name of a loaded clip.
    public func name(of clip: ClipHandle) -> String {
        clipIDs[clip].flatMap { clips[$0] }?.document.name ?? ""
    }

    /// The clip of `track` in row `slot`.
    public func clip(track: Int, slot: Int) -> ClipBinding? {
        guard document.tracks.indices.contains(track) else { return nil }
        return document.tracks[track].clips.first { $0.slot == slot }.flatMap { clips[$0.id] }
    }
}
