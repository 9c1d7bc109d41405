import BarlineEngine
import BarlineFiles
import BarlineSession

/// The state of clips for clients, beside the document, by identifier.
struct ClipFacts {
    private struct Entry {
        let handle: ClipHandle?
        let audio: AudioClip?
        let tempo: Double?
        let beats: Double?
        let onsets: [Int]
        let problem: SessionError?
        let missingLayers: [String]
        let isAnalysed: Bool
        /// Changes with the file's samples.
        let version: String?

        func isSame(as binding: ClipBinding, isAnalysed: Bool) -> Bool {
            hasAudio(of: binding) && handle == binding.handle && tempo == binding.tempo && beats == binding.beats
                && onsets == binding.onsets && problem == binding.problem
                && missingLayers == binding.missingLayers.files
                && self.isAnalysed == isAnalysed
        }

        func hasAudio(of binding: ClipBinding) -> Bool {
            audio?.samples === binding.audio?.samples && audio?.path == binding.audio?.path
        }
    }

    private var entries: [String: Entry] = [:]
    private var values = SharedTable<JSONValue>()
    private var revision: (clips: Int, analyses: Int)?

    /// The clips.
    ///
    /// - Complexity: O(*m* log *n*) where *m* clips have changed; O(*n*) comparisons of a few words where something was
    ///   analysed in files.
    mutating func table(of player: SessionPlayer, _ analyses: AnalysisStore) -> SharedTable<JSONValue> {
        let analysed = analyses.revision
        let (clips, bound, changed) = player.clips(since: revision?.clips)
        if let revision, revision == (bound, analysed) { return values }
        let mayBeAnalysed = analysed != revision?.analyses
        revision = (bound, analysed)
        let looked = mayBeAnalysed ? nil : changed
        for id in looked ?? Set(entries.keys) where clips[id] == nil {
            entries[id] = nil
            values[id] = nil
        }
        for id in looked ?? Set(clips.keys) {
            guard let binding = clips[id] else { continue }
            let entry = entries[id]
            let isKept = entry?.hasAudio(of: binding) ?? false
            let isAnalysed =
                isKept && !mayBeAnalysed
                ? entry?.isAnalysed ?? false : binding.audio.map { analyses.known($0) != nil } ?? false
            if let entry, entry.isSame(as: binding, isAnalysed: isAnalysed) { continue }
            let version = isKept ? entry?.version : binding.audio.map(AnalysisStore.version)
            entries[id] = Entry(
                handle: binding.handle, audio: binding.audio, tempo: binding.tempo, beats: binding.beats,
                onsets: binding.onsets, problem: binding.problem, missingLayers: binding.missingLayers.files,
                isAnalysed: isAnalysed, version: version)
            values[id] = ClipFacts.json(of: binding, version: version, analyses)
        }
        return values
    }

    private static func json(of binding: ClipBinding, version: String?, _ analyses: AnalysisStore) -> JSONValue {
        let samples = binding.audio?.samples
        return [
            "number": .number(Double(binding.handle?.rawValue ?? -1)),
            "problem": .text(binding.problem.map { "\($0)" }), "message": .text(binding.problem?.words),
            "missingLayers": .array(binding.missingLayers.files.map(JSONValue.string)),
            "frames": .number(Double(samples?.frameCount ?? 0)),
            "sampleRate": .number(samples?.sampleRate.hertz ?? 0),
            "channels": .number(Double(samples?.channelCount ?? 0)), "tempo": .optional(binding.tempo),
            "beats": .optional(binding.beats),
            "attacks": .array(binding.onsets.map { .number(Double($0)) }), "version": .text(version),
            "analysis": binding.audio.flatMap(analyses.known).map(AnalysisStore.summary) ?? .null,
        ]
    }
}
