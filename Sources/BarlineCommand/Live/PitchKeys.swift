import BarlineEngine
import BarlineSession
import Synchronization

/// The keys for a clip's pitch and for how it follows the tempo, which edit it as the page does.
final class PitchKeys: Sendable {
    /// A change that a key makes.
    enum Change: Hashable {
        /// So many semitones higher.
        case transpose(Double)
        /// The next way to follow the tempo.
        case nextMode
    }

    private let answers = Mutex<[String]>([])

    /// What became of a key, once, when it is known.
    func takeAnswer() -> String? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    /// Changes the clip at a place; whoever has chosen none is told to.
    func change(_ clip: ClipDocument?, _ change: Change, _ performance: LivePerformance) {
        guard let clip else {
            answers.withLock { $0.append("the arrows choose the clip") }
            return
        }
        let (set, words) = PitchKeys.edit(of: clip, change)
        let request: JSONValue = ["do": "editClip", "clip": .string(clip.id), "set": .object(set)]
        _ = performance.dispatcher.perform(request, source: "terminal", reach: .user) { [self] answer in
            answers.withLock { $0.append(answer.message ?? "\(clip.name): \(words)") }
        }
    }

    /// What is set, and how it is called.
    private static func edit(of clip: ClipDocument, _ change: Change) -> (set: [String: JSONValue], words: String) {
        switch change {
        case .transpose(let semitones):
            let wanted = clip.transpose + semitones
            let value = (max(-24, min(24, wanted)) * 100).rounded() / 100
            // A pitch of its own is heard with nothing else.
            return (["transpose": .number(value), "playback": "stretch"], text(value))
        case .nextMode:
            let ways: [(playback: Playback, mode: StretchMode?, words: String)] = [
                (.repitch, nil, "pitch follows the tempo"), (.stretch, nil, "at its pitch, as it sounds"),
                (.stretch, .beats, "at its pitch, for drums"), (.stretch, .tonal, "at its pitch, without attacks"),
                (.stretch, .complex, "at its pitch, for everything"), (.original, nil, "at its own tempo"),
            ]
            let now = ways.firstIndex {
                $0.playback == clip.playback && (clip.playback != .stretch || $0.mode == clip.stretchMode)
            }
            let next = ways[((now ?? 0) + 1) % ways.count]
            return (
                [
                    "playback": .string(next.playback.rawValue),
                    "stretchMode": next.mode.map { .string($0.rawValue) } ?? .null,
                ], next.words
            )
        }
    }

    private static func text(_ semitones: Double) -> String {
        let cents = Int((abs(semitones) * 100).rounded())
        let number = "\(cents / 100)" + (cents % 100 == 0 ? "" : "." + (cents % 100 < 10 ? "0" : "") + "\(cents % 100)")
        return (semitones < 0 ? "−" : semitones > 0 ? "+" : "") + number + " semitones"
    }
}
