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

    private struct State {
        var answers: [String] = []
        /// Clips as they will be when all that was asked for is done, and how much of it is not.
        var asked: [String: (clip: ClipDocument, count: Int)] = [:]
    }

    private let state = Mutex(State())

    /// What became of a key, once, when it is known.
    func takeAnswer() -> String? { state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() } }

    /// Changes the clip at a place; whoever has chosen none is told to.
    func change(_ clip: ClipDocument?, _ change: Change, _ performance: LivePerformance) {
        guard let clip else {
            state.withLock { $0.answers.append("the arrows choose the clip") }
            return
        }
        let (set, words) = state.withLock { state in
            // What a key before it has asked for may not be there yet.
            var asked = state.asked[clip.id] ?? (clip, 0)
            asked.count += 1
            let edit = PitchKeys.edit(&asked.clip, change)
            state.asked[clip.id] = asked
            return edit
        }
        let request: JSONValue = ["do": "editClip", "clip": .string(clip.id), "set": .object(set)]
        _ = performance.dispatcher.perform(request, source: "terminal", reach: .user) { [self] answer in
            state.withLock { state in
                state.answers.append(answer.message ?? "\(clip.name): \(words)")
                state.asked[clip.id]?.count -= 1
                if state.asked[clip.id]?.count == 0 { state.asked[clip.id] = nil }
            }
        }
    }

    /// Makes a change; what is set by it, and how that is called.
    private static func edit(
        _ clip: inout ClipDocument, _ change: Change
    ) -> (set: [String: JSONValue], words: String) {
        switch change {
        case .transpose(let semitones):
            clip.transpose = (max(-24, min(24, clip.transpose + semitones)) * 100).rounded() / 100
            // A pitch of its own is heard with nothing else.
            clip.playback = .stretch
            return (["transpose": .number(clip.transpose), "playback": "stretch"], text(clip.transpose))
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
            (clip.playback, clip.stretchMode) = (next.playback, next.mode)
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
