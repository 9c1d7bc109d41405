import BarlineAnalysis
import BarlineEngine
import BarlineFiles
import BarlineHost
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// Everything that a client must know and that does not change sixty times a second.
struct StateDocument {
    let session: LiveSession
    let facts: OutputFacts
    let analyses: AnalysisStore
    let playlist: PlaylistFacts
    let outputs: OutputRequests
    let server: ServerRequests

    /// The state, of which what is as it was the last time is taken from `cache`.
    func value(_ cache: inout StateCache) -> StateValue {
        let player = session.player
        let status = session.status
        let document = player.document
        let advice =
            [session.sharingWarning].compactMap(\.self) + player.advice
            + MIDIDocument.warnings(of: document, file: player.path)
        let values: [String: JSONValue] = [
            "program": ["name": "barline", "version": .string(Program.version)],
            "engine": engine(player),
            "stems": .object(
                Dictionary(document.stems.map { ($0.id, stem($0, player)) }, uniquingKeysWith: { $1 })),
            "stemsDuration": .number(player.multitrack?.duration ?? 0),
            "stemsLoop": player.multitrack?.loop.map {
                ["start": .number($0.lowerBound), "end": .number($0.upperBound)]
            } ?? .null,
            "file": [
                "name": .string(status.name), "isDirty": .bool(status.isDirty), "isDemo": .bool(status.isDemo),
                "canSave": .bool(!status.isDemo),
            ],
            "history": ["undo": .text(status.undo), "redo": .text(status.redo)],
            "sessions": .array(
                cache.sessions(of: session).map {
                    [
                        "name": .string($0.name), "modified": .number($0.modified),
                        "isOpen": .bool(session.isOpen($0)),
                        "isDirty": .bool(session.isOpen($0) ? status.isDirty : $0.isDirty),
                    ]
                }),
            "recoverable": status.recoverable.first.map { recoverable($0, status) } ?? .null,
            "recoverables": .array(status.recoverable.map { recoverable($0, status) }),
            "recording": session.recording.map {
                [
                    "since": .number(Double($0.since.rawValue)), "audio": .bool($0.isOfAudio),
                    "tracks": .bool($0.isOfTracks), "name": .string($0.name),
                ]
            } ?? .null,
            "givesInputs": .bool(player.givesInputs),
            "takes": .array(player.openTakes.map(take)),
            "overdubs": .object(
                player.overdubs.mapValues { ["since": $0.since.map { .number(Double($0.rawValue)) } ?? .null] }),
            "recordings": .array(session.recordings.map(recording)),
            "rescued": .array(
                session.recoveredTakes.map {
                    [
                        "name": .string($0.name), "seconds": .number($0.seconds),
                        "session": session.otherSession(of: $0).map { .string($0) } ?? .null,
                        "recordings": .array($0.files.map(recording)),
                    ]
                }),
            "learning": session.learnRequest?.action ?? .null,
            "warnings": .array(advice.map { .string($0.description) }),
            "messages": .array(advice.map { .string($0.words) }),
        ]
        var shared = values.mapValues(StateValue.value).merging(cache.facts(player)) { $1 }
        shared["session"] = cache.value(of: document)
        shared["clips"] = .table(cache.clips.table(of: player, analyses))
        shared["playlist"] = PlaylistState(player.playlist, playlist).value(
            player.playlist, gain: document.playlistSettings.gain, playlist, &cache.items)
        return .object(shared)
    }

    private func recoverable(_ copy: LiveSession.Recoverable, _ status: LiveSession.Status) -> JSONValue {
        ["name": .string(status.name), "copy": .string(copy.copy), "modified": .number(copy.modified)]
    }

    private func take(_ take: TakeStatus) -> JSONValue {
        [
            "clip": .string(take.id), "number": .number(Double(take.clip.rawValue)), "track": .string(take.track),
            "slot": .number(Double(take.slot)), "since": take.since.map { .number(Double($0.rawValue)) } ?? .null,
        ]
    }

    private func recording(_ recording: LiveSession.Recording) -> JSONValue {
        [
            "name": .string(recording.name), "kind": .string(recording.name.hasSuffix(".jsonl") ? "script" : "audio"),
            "bytes": .number(Double(recording.bytes)), "seconds": .number(recording.seconds),
        ]
    }

    private func engine(_ player: SessionPlayer) -> JSONValue {
        let configuration = player.engine.configuration
        return [
            "sampleRate": .number(player.engine.sampleRate.hertz), "latency": .number(facts.latency),
            "backend": .string(facts.backend), "output": .string(facts.name), "status": .string(facts.status),
            "xruns": .number(Double(facts.xruns)), "load": facts.load?.json ?? .null,
            "outputs": .array(player.outputs.map(JSONValue.string)),
            "tracks": .number(Double(configuration.trackCount)), "stems": .number(Double(configuration.stemCapacity)),
            "osc": server.json, "midi": midi,
            "clock": [
                "source": .string(outputs.clock.rawValue), "state": .text(outputs.clockState?.rawValue),
            ],
        ]
    }

    /// The ports for MIDI.
    private var midi: JSONValue {
        outputs.midiPorts.map {
            ["input": .string($0.input), "output": .string($0.output), "clock": .text($0.clock)]
        } ?? .null
    }

    private func stem(_ stem: StemDocument, _ player: SessionPlayer) -> JSONValue {
        guard let index = player.stemIndex(of: stem.id),
            let source = player.multitrack?.stem(at: index)?.source.recorded
        else {
            return [
                "frames": 0, "sampleRate": 0, "problem": "is not loaded", "message": "It can't be played.",
                "version": .null,
            ]
        }
        let problem = player.multitrack?.problems[index] ?? (source.frameCount == 0 ? "can't be played" : nil)
        return [
            "frames": .number(Double(source.frameCount)), "sampleRate": .number(source.sampleRate.hertz),
            "problem": .text(problem), "message": .text(problem.map { _ in "“\(stem.name)” can't be played." }),
            "version": .text((source as? StemFile).map { String($0.version, radix: 36) }),
        ]
    }
}

extension OutputLoad {
    /// In hundredths, which suffice for what is shown.
    package var json: JSONValue {
        func hundredths(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }
        return ["mean": hundredths(mean), "p99": hundredths(p99), "max": hundredths(max)]
    }
}

extension JSONValue {
    static func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

    static func optional(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }
}
