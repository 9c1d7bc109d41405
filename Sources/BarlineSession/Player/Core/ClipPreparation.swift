import BarlineAnalysis
import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// Loads a clip of a document and finds out how it is to be played.
struct ClipPreparation {
    let document: ClipDocument
    let track: TrackIndex
    /// The path of the clip's keys in the session file.
    let key: String
    let sessionPath: String
    let folder: URL
    /// What the clip has played so far: it plays on where its file is away.
    var former: AudioClip?

    struct Prepared {
        let audio: AudioClip
        var settings: ClipSettings
        let tempo: Double?
        let firstBeat: Int?
        var warning: SessionWarning?
        /// What it was before others were recorded over it, the latest one first, and with those that were undone,
        /// likewise.
        var layers: [(SampleBuffer, ClipSettings)] = []
        var undone: [(SampleBuffer, ClipSettings)] = []
        var missing = MissingLayers()
    }

    func load(
        with loader: AudioClipLoader, listener: TempoListener, _ takes: TakeKeeper?
    ) async -> Result<Prepared, SessionError> {
        do throws(AudioFileError) {
            let (audio, absence) = try await present(loader, takes)
            let detected = isTempoUnknown(audio) ? await detect(in: audio, with: listener) : nil
            let result = Result { () throws(SessionError) in try prepare(audio, detected: detected) }
            guard case .success(var clip) = result else { return result }
            if let absence { clip.warning = warning(of: absence) }
            await addLayers(to: &clip, loader, takes)
            guard document.playback == .stretch, let region = clip.settings.region else { return .success(clip) }
            if let onsets = document.onsets {
                clip.settings.onsets = onsets
            } else {
                clip.settings.onsets = await listener.attacks(audio, range: region, loops: document.loop)
            }
            clip.settings.stretchMode =
                document.stretchMode
                ?? AttackAnalysis.character(of: audio.samples, range: region, attacks: clip.settings.onsets).mode
            return .success(clip)
        } catch {
            return .failure(.audio(path: sessionPath, key: "\(key).file", error))
        }
    }

    /// The clip's audio; where its file can't be read any more that which is in memory, and why.
    private func present(
        _ loader: AudioClipLoader, _ takes: TakeKeeper?
    ) async throws(AudioFileError) -> (AudioClip, AudioFileError?) {
        do throws(AudioFileError) {
            return (try await audio(of: document.file, loader, takes), nil)
        } catch {
            guard let former, former.isFile(document.file, in: folder) else { throw error }
            return (former, error)
        }
    }

    private func warning(of absence: AudioFileError) -> SessionWarning {
        SessionWarning(
            "\(SessionError.audio(path: sessionPath, key: "\(key).file", absence)): it plays from memory",
            words: "“\(document.name)” plays from memory: \(absence.words)")
    }

    private func audio(
        of file: String, _ loader: AudioClipLoader, _ takes: TakeKeeper?
    ) async throws(AudioFileError) -> AudioClip {
        let path = URL(fileURLWithPath: file, relativeTo: folder).path
        if let take = await takes?.audio(of: path, named: file) { return take }
        // What keeps a clip's pitch is prepared as a whole.
        return try await document.playback == .stretch ? loader.load(path) : loader.loadForTrack(path)
    }

    /// Adds the layers that can be gone back to, and those that were undone, the last ones first, up to the first one of
    /// each that can't be read.
    private func addLayers(to clip: inout Prepared, _ loader: AudioClipLoader, _ takes: TakeKeeper?) async {
        let below = await layers(document.layers, "layers", loader, takes)
        let undone = await layers(document.undoneLayers, "undoneLayers", loader, takes)
        (clip.layers, clip.undone) = (below.read, undone.read)
        clip.missing.below = missing(of: document.layers, below)
        clip.missing.undone = missing(of: document.undoneLayers, undone)
        if clip.warning == nil, let problem = below.problem ?? undone.problem {
            clip.warning = SessionWarning(
                "\(problem)", words: "“\(document.name)”: an earlier layer can't be gone to: \(problem.words)")
        }
    }

    private func missing(of documents: [LayerDocument], _ layers: Layers) -> MissingLayers.Part? {
        guard let problem = layers.problem else { return nil }
        let count = documents.count - layers.read.count
        return (count, documents[count - 1].file, problem)
    }

    private typealias Layers = (read: [(SampleBuffer, ClipSettings)], problem: SessionError?)

    private func layers(
        _ documents: [LayerDocument], _ list: String, _ loader: AudioClipLoader, _ takes: TakeKeeper?
    ) async -> Layers {
        var layers: [(SampleBuffer, ClipSettings)] = []
        for (index, layer) in documents.enumerated().suffix(Engine.Launcher.layerCapacity).reversed() {
            let key = "\(key).\(list)[\(index)]"
            let own = ClipPreparation(
                document: document.with(layer), track: track, key: key, sessionPath: sessionPath, folder: folder)
            do throws(AudioFileError) {
                let audio = try await audio(of: layer.file, loader, takes)
                let prepared = Result { () throws(SessionError) in try own.prepare(audio, detected: nil) }
                switch prepared {
                case .success(let prepared): layers.append((audio.samples, prepared.settings))
                case .failure(let problem): return (layers, problem)
                }
            } catch {
                return (layers, .audio(path: sessionPath, key: "\(key).file", error))
            }
        }
        return (layers, nil)
    }

    /// Whether neither the session nor the file says how long the clip is in beats, and it matters.
    private func isTempoUnknown(_ audio: AudioClip) -> Bool {
        document.playback != .original && document.warp == nil
            && document.start < (document.end ?? audio.samples.frameCount)
            && (document.end ?? 0) <= audio.samples.frameCount
            && beats(of: document.start..<(document.end ?? audio.samples.frameCount), in: audio) == nil
    }

    private func detect(in audio: AudioClip, with listener: TempoListener) async -> TempoEstimate {
        await listener.estimate(audio, range: document.start..<(document.end ?? audio.samples.frameCount))
    }

    private func prepare(_ audio: AudioClip, detected: TempoEstimate?) throws(SessionError) -> Prepared {
        let frames = audio.samples.frameCount
        guard document.start < frames else {
            throw .value(
                path: sessionPath, key: "\(key).start", expected: "a frame below the file's \(frames)",
                found: "\(document.start)")
        }
        let end = document.end ?? frames
        guard end <= frames else {
            throw .value(
                path: sessionPath, key: "\(key).end", expected: "a frame of at most the file's \(frames)",
                found: "\(end)")
        }
        let region = document.start..<end
        var beats = document.playback == .original ? nil : beats(of: region, in: audio)
        var warning: SessionWarning?
        if document.playback != .original, document.warp == nil, beats == nil {
            beats = detected.flatMap { trusted($0, region: region, in: audio) }
        }
        if document.playback != .original, document.warp == nil, beats == nil {
            warning = SessionWarning(
                "\(sessionPath): \(key): neither \"bpm\" nor \"beats\" is given and the file says nothing of its tempo;"
                    + " \(ClipPreparation.doubt(detected)): \"\(document.id)\" plays at its own rate, not in sync",
                words: "“\(document.name)”: tempo unknown: plays at its own speed.")
        }
        let gaps = TakeFile.gaps(of: audio.path).map { Int(clamping: $0.lowerBound)..<Int(clamping: $0.upperBound) }
        warning =
            warning ?? SessionWarning.missing(gaps, in: region, of: document.name, audio.samples.sampleRate)
        let warped = try warped(region)
        if let warped { beats = warped.beats }
        let first = beats == nil ? nil : firstBeat(in: region, of: audio, detected: detected, warped)
        let settings = ClipSettings(
            track: track, region: region, beats: beats,
            firstBeat: offset(ofFirstBeat: first, in: region, beats: beats ?? 0, warped),
            gain: Decibels(document.gain), loops: document.loop,
            playback: document.playback, transposition: document.transpose, stretch: document.stretch,
            warp: warped?.inner ?? [],
            launchMode: document.launchMode,
            startPosition: document.startPosition,
            quantization: document.quantization, fadeIn: document.fadeIn.map { $0 / 1000 },
            fadeOut: document.fadeOut.map { $0 / 1000 })
        let seconds = Double(region.count) / audio.samples.sampleRate.hertz
        let tempo = beats.map { Tempo.beatsPerMinute(of: $0, in: seconds) } ?? document.bpm ?? audio.metadata.tempo
        return Prepared(audio: audio, settings: settings, tempo: tempo, firstBeat: first, warning: warning)
    }

    /// The length in beats that was heard, where it is likelier right than not.
    private func trusted(_ estimate: TempoEstimate, region: Range<Int>, in audio: AudioClip) -> Double? {
        guard let bpm = estimate.bpm, estimate.confidence >= 0.5 else { return nil }
        return estimate.loopBeats
            ?? Tempo.beats(in: Double(region.count) / audio.samples.sampleRate.hertz, at: bpm)
    }

    /// The frame that falls on the boundary of a launch: the session's, or the first downbeat of a loop that is heard
    /// to be cut off the beat. What lies before it is heard at the loop's end, after the wrap; a clip that plays once
    /// would lose it.
    private func firstBeat(
        in region: Range<Int>, of audio: AudioClip, detected: TempoEstimate?, _ warped: WarpedRegion?
    ) -> Int? {
        var frame = document.firstBeat
        if frame == nil, document.loop, let warped { frame = warped.frame(atOffset: warped.offsetOfBeatZero) }
        if frame == nil, document.loop, let seconds = detected?.loopOffset {
            frame = region.lowerBound + Int((seconds * audio.samples.sampleRate.hertz).rounded())
        }
        return frame.map { region.wrapping($0) }.flatMap { $0 == region.lowerBound ? nil : $0 }
    }

    /// The quarter notes from the region's start to what falls on the boundary of a launch.
    private func offset(
        ofFirstBeat frame: Int?, in region: Range<Int>, beats: Double, _ warped: WarpedRegion?
    ) -> Double {
        guard let frame else { return 0 }
        guard let warped else { return Double(frame - region.lowerBound) / Double(region.count) * beats }
        return document.firstBeat == nil ? warped.offsetOfBeatZero : warped.offset(ofFrame: Double(frame))
    }

    private func warped(_ region: Range<Int>) throws(SessionError) -> WarpedRegion? {
        do throws(WarpedRegion.Problem) {
            return try document.warped(region)
        } catch {
            throw .value(path: sessionPath, key: "\(key).warp", expected: error.expected, found: error.found)
        }
    }

    /// Why what was heard is not used.
    private static func doubt(_ estimate: TempoEstimate?) -> String {
        guard let estimate, let bpm = estimate.bpm else {
            return "no tempo is heard" + (estimate?.absence.map { " (\($0.rawValue))" } ?? "")
        }
        return "it sounds like \((bpm * 100).rounded() / 100) BPM,"
            + " but that is only \(Int((estimate.confidence * 100).rounded())) % sure"
    }

    private func beats(of region: Range<Int>, in audio: AudioClip) -> Double? {
        if let beats = document.beats { return beats }
        let rate = audio.samples.sampleRate
        if let bpm = document.bpm { return Tempo.beats(in: Double(region.count) / rate.hertz, at: bpm) }
        var metadata = audio.metadata
        // A file's number of beats is that of the whole file.
        if region.count != audio.samples.frameCount, let beats = metadata.beats {
            metadata.beats = nil
            metadata.tempo = Tempo.beatsPerMinute(
                of: Double(beats), inFrames: Double(audio.samples.frameCount), rate: rate.hertz)
        }
        return metadata.beats(inFrames: region.count, sampleRate: rate)
    }
}

extension ClipDocument {
    /// How it is stretched, apart from its mode.
    fileprivate var stretch: StretchParameters {
        StretchParameters(
            kept: stretchKeep / 100, decay: stretchDecay.map { $0 / 1000 }, cutRise: stretchCut, grain: stretchGrain,
            formants: formants)
    }
}

extension AttackAnalysis.Character {
    /// What suits it.
    fileprivate var mode: StretchMode {
        switch self {
        case .beats: .beats
        case .sustained: .tonal
        case .mixed: .complex
        }
    }
}

extension AudioClip {
    /// Whether it was read from the file that a session in a folder names.
    func isFile(_ name: String, in folder: URL) -> Bool {
        URL(fileURLWithPath: name, relativeTo: folder).standardizedFileURL.path
            == URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
