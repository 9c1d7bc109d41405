import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineOutputs
import BarlineSession
import BarlineTime
import Synchronization

/// An engine with an output: live, into a file, or into memory, with the same code.
///
/// ```swift
/// let stage = try Stage()
/// try stage.play("loop.wav")
/// try await stage.runToEnd()
/// ```
///
/// A stage keeps what it plays alive: its playlist, its stems and, when it plays live, itself, until ``stop()``. Its
/// engine is created with room for a playlist. Everything else is done through its parts, which are the engine's:
/// ``transport``, ``launcher``, ``sampler``, ``metronome``, ``mixer`` and ``events``.
///
/// Offline, time passes in ``run(seconds:)`` only, as fast as it can be rendered; live, that call waits for the given
/// time.
public final class Stage: Sendable {
    /// The destination of a stage's audio.
    public enum Output: Sendable {
        /// The best output available, or the selected one; when that is lost, another one.
        case live(OutputSelection = OutputSelection())
        /// An output of one's own, which is opened by the closure; when that is lost, another one.
        case device(@Sendable () throws(OutputError) -> any OutputDevice)
        /// A new audio file; its kind follows from its name's extension. It is complete with ``Stage/stop()``.
        case file(String)
        /// ``Stage/recording``.
        case memory
    }

    /// The engine.
    public let engine: Engine

    private enum Playing: Sendable {
        case live(OutputSupervisor)
        case offline(OfflineOutput)
    }

    private struct Players {
        var playlist: PlaylistPlayer?
        var stems: Multitrack?
        var nextItem = 0

        var all: [any StreamPlayer] {
            let players: [(any StreamPlayer)?] = [playlist, stems]
            return players.compactMap(\.self)
        }
    }

    private let playing: Playing
    private let players = Mutex(Players())
    /// The longest run that is not asked to be longer or shorter, in seconds: a day.
    public static let longestRun = 86_400.0
    /// The frames between two looks whether everything has ended.
    private static let settlingFrames: Int64 = 1_024
    /// Longer than any run: some 30 years.
    private static let endlessSeconds = 1e9
    /// The time between two looks at a device's clock.
    private static let pollInterval = Duration.milliseconds(5)

    /// The stages that play live.
    private static let live = Mutex<[ObjectIdentifier: Stage]>([:])

    /// Creates an engine and starts playing it.
    ///
    /// - Parameters:
    ///   - output: the destination of the audio.
    ///   - configuration: the engine's configuration. Room for a playlist is added where there is none; live, its
    ///     sample rate becomes the device's, and a limiter is added where there is none.
    /// - Throws: ``StageError/output(_:)`` if the output can't be opened, ``StageError/file(_:)`` if the file can't be
    ///   written.
    public init(
        _ output: Output = .live(), _ configuration: EngineConfiguration = EngineConfiguration()
    ) throws(StageError) {
        var configuration = configuration
        let hasRoom = configuration.playlistSeconds > 0 && configuration.playlistSeconds.isFinite
        if !hasRoom { configuration.playlistSeconds = 10 }
        switch output {
        case .live(let selection):
            (engine, playing) = try Stage.open(selection.open, &configuration)
            Stage.live.withLock { $0[ObjectIdentifier(self)] = self }
        case .device(let open):
            (engine, playing) = try Stage.open(open, &configuration)
            Stage.live.withLock { $0[ObjectIdentifier(self)] = self }
        case .file(let path):
            configuration.eventDelivery = .manual
            engine = Engine(configuration)
            do throws(AudioFileError) {
                let file = try AudioFileWriter(path: path, sampleRate: configuration.sampleRate)
                playing = .offline(OfflineOutput(engine, file: file))
            } catch {
                throw .file(error)
            }
        case .memory:
            configuration.eventDelivery = .manual
            engine = Engine(configuration)
            playing = .offline(OfflineOutput(engine, file: nil))
        }
    }

    private static func open(
        _ open: @escaping @Sendable () throws(OutputError) -> any OutputDevice,
        _ configuration: inout EngineConfiguration
    ) throws(StageError) -> (Engine, Playing) {
        do throws(OutputError) {
            let device = try open()
            configuration.sampleRate = device.format.sampleRate
            if configuration.limiter == nil { configuration.limiter = LimiterSettings() }
            let engine = Engine(configuration)
            let names = (0..<configuration.busCount).map { $0 == 0 ? "main" : "out\($0 + 1)" }
            return (engine, .live(try OutputSupervisor(device, engine: engine, busNames: names, reopenWith: open)))
        } catch {
            throw .output(error)
        }
    }

    // MARK: Parts

    /// Tempo, metre and the song position.
    public var transport: Engine.Transport { engine.transport }
    /// Clips, launched on the grid.
    public var launcher: Engine.Launcher { engine.launcher }
    /// The click.
    public var metronome: Engine.Metronome { engine.metronome }
    /// Faders, pan and buses.
    public var mixer: Engine.Mixer { engine.mixer }
    /// Events, each with its frame.
    public var events: Engine.Events { engine.events }
    /// Whether it plays to a device.
    public var isLive: Bool {
        if case .live = playing { return true }
        return false
    }
    /// The output when it plays live: its device, its latency, its losses.
    public var output: OutputSupervisor? {
        if case .live(let supervisor) = playing { return supervisor }
        return nil
    }

    // MARK: Files

    /// The playlist, kept for the life of the stage.
    public var playlist: PlaylistPlayer {
        players.withLock { players in
            if let playlist = players.playlist { return playlist }
            let playlist = PlaylistPlayer(
                prepared: engine, ahead: engine.configuration.playlistSeconds, feeding: isLive ? .threads(2) : .manual)
            players.playlist = playlist
            return playlist
        }
    }

    /// The most recently loaded stems, kept for the life of the stage; `nil` before any were loaded.
    public var stems: Multitrack? { players.withLock { $0.stems } }

    /// Plays files one after the other, without a gap, in place of the playlist's items.
    ///
    /// - Throws: ``StageError/file(_:)`` for the first one that can't be played; nothing is changed then.
    /// - Complexity: O(*n*) in the files, each of which is opened.
    public func play(_ paths: String...) throws(StageError) {
        let items = try items(paths)
        do throws(EngineError) {
            if items.isEmpty { playlist.clear() } else { try playlist.restart(from: items) }
        } catch {
            throw .engine(error)
        }
    }

    /// Creates items for the ``playlist``, one per file, each with its own identifier.
    ///
    /// - Throws: ``StageError/file(_:)`` for the first one that can't be played.
    /// - Complexity: O(*n*) in the files, each of which is opened.
    public func items(_ paths: [String]) throws(StageError) -> [PlaylistItem] {
        var items: [PlaylistItem] = []
        for path in paths {
            do throws(AudioFileError) { _ = try AudioFileStream(path: path) } catch { throw .file(error) }
            let number = players.withLock { players in
                players.nextItem += 1
                return players.nextItem
            }
            items.append(PlaylistItem(id: PlaylistItemID(number), source: PlaylistItemFile(path: path), title: path))
        }
        return items
    }

    /// Loads a loop onto a track, to be launched with ``launcher``.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - track: the track that it plays on.
    ///   - beats: its length in quarter notes; `nil` to take it from the file's tags or name. If those don't say, the
    ///     clip plays at its own rate.
    ///   - adjust: changes the clip's other settings.
    /// - Returns: the clip, which is silent until it is launched.
    /// - Throws: ``StageError/file(_:)`` or ``StageError/engine(_:)``.
    /// - Complexity: O(*n*) in the frames of the file.
    public func load(
        _ path: String, on track: TrackIndex = 0, beats: Double? = nil,
        adjust: (inout ClipSettings) -> Void = { _ in }
    ) throws(StageError) -> ClipHandle {
        let clip: AudioClip
        do throws(AudioFileError) { clip = try AudioClip(path: path) } catch { throw .file(error) }
        let detected = clip.metadata.beats(inFrames: clip.samples.frameCount, sampleRate: clip.samples.sampleRate)
        var settings = ClipSettings(track: track, beats: beats ?? detected)
        adjust(&settings)
        do throws(EngineError) {
            return try launcher.load(clip.samples, settings: settings)
        } catch {
            throw .engine(error)
        }
    }

    /// Loads stems in place of the former ones, and returns their player, which the stage keeps.
    ///
    /// - Throws: ``StageError/file(_:)`` for the first one that can't be played, or ``StageError/engine(_:)`` if there
    ///   are more of them than the engine has room for.
    /// - Complexity: O(*n*) in the files, each of which is opened.
    @discardableResult
    public func loadStems(_ paths: [String], recordedTempo: Tempo? = nil) throws(StageError) -> Multitrack {
        var files: [Stem] = []
        for path in paths {
            do throws(AudioFileError) { files.append(Stem(try StemFile(path: path))) } catch { throw .file(error) }
        }
        do throws(EngineError) {
            let stems = try engine.stems.load(
                files, recordedTempo: recordedTempo, feeding: isLive ? .threads(2) : .manual)
            players.withLock { $0.stems = stems }
            return stems
        } catch {
            throw .engine(error)
        }
    }

    // MARK: Time

    /// Lets `seconds` pass: waits for them when live, renders them when offline. Returns early if the task is
    /// cancelled.
    ///
    /// - Throws: ``StageError/file(_:)`` if the file can't be written to.
    public func run(seconds: Double) async throws(StageError) { try await run(frames: frames(of: seconds)) }

    /// The frames of so many seconds, none of less than 0 and NaN, and as many as can pass of infinity.
    func frames(of seconds: Double) -> Int64 {
        engine.sampleRate.frames(seconds: min(max(0, seconds), Stage.endlessSeconds))
    }

    /// Lets `frames` frames of the engine pass; see ``run(seconds:)``.
    ///
    /// - Complexity: offline O(*n*) in the frames.
    public func run(frames: Int64) async throws(StageError) {
        let frames = min(frames, self.frames(of: .infinity))
        switch playing {
        case .live:
            let end = engine.now + frames
            while engine.now < end, !Task.isCancelled, Stage.isPlaying(self) {
                try? await Task.sleep(for: Stage.pollInterval)
            }
        case .offline(let output):
            do throws(AudioFileError) {
                try output.render(frames, feeding: players.withLock { $0.all })
            } catch {
                throw .file(error)
            }
        }
    }

    /// Lets time pass until nothing plays or rings any more and nothing is to come, for `seconds` at most: no clip,
    /// pad, stem or playlist item plays or waits for its boundary, no command waits for its moment, and effects have
    /// died away. The metronome, which has no end, does not count; neither do commands for a beat or a bar while the
    /// transport is stopped, if nothing else is to start it.
    ///
    /// - Complexity: offline O(*n*) in the frames.
    public func runToEnd(atMost seconds: Double = Stage.longestRun) async throws(StageError) {
        var left = frames(of: seconds)
        repeat {
            let step = min(left, Stage.settlingFrames)
            try await run(frames: step)
            left -= step
        } while left > 0 && !isSilent && !Task.isCancelled && !hasStopped
        // What was streamed may still fade out, and the limiter's delay follows.
        let tail = engine.sampleRate.frames(seconds: Ramp.fadeSeconds) + Int64(engine.outputLatency)
        try await run(frames: min(left, tail))
    }

    private var hasStopped: Bool { isLive && !Stage.isPlaying(self) }

    private var isSilent: Bool { players.withLock { $0.all }.allSatisfy(\.isSettled) && engine.isSilent }

    /// Ends playback: the device is closed, or the file completed. To be called once.
    ///
    /// - Throws: ``StageError/file(_:)`` if the file can't be written.
    public func stop() throws(StageError) {
        switch playing {
        case .live(let supervisor):
            supervisor.stop()
            Stage.live.withLock { $0[ObjectIdentifier(self)] = nil }
        case .offline(let output):
            do throws(AudioFileError) { try output.finish() } catch { throw .file(error) }
        }
    }

    private static func isPlaying(_ stage: Stage) -> Bool {
        live.withLock { $0[ObjectIdentifier(stage)] != nil }
    }

    /// What was rendered with ``Output/memory``: the main bus. `nil` if nothing was.
    public var recording: SampleBuffer? {
        if case .offline(let output) = playing { return output.recording }
        return nil
    }
}
