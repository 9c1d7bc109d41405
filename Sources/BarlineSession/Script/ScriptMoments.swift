import BarlineEngine
import BarlineTime

/// The actions of a script that are for a beat or a bar, in the order in which they come as far as is known.
package struct ScriptMoments: Sendable {
    /// An action, the frame on which it is expected, and its place in the file.
    package typealias Step = (frame: FrameTime, order: Int, entry: ScriptEntry)

    private var waiting: [(order: Int, entry: ScriptEntry)]
    /// The places in the file of those of ``waiting`` that were taken out.
    private var taken: Set<Int> = []
    /// Those that are expected under ``map``, the next one last.
    private var steps: [Step] = []
    private var map: TimelineMap?

    /// Those of a script that are `included`.
    package init(_ script: PerformanceScript, where included: (ScriptEntry) -> Bool = { _ in true }) {
        waiting = script.entries.enumerated().compactMap { order, entry in
            entry.time.frame(at: .standard) == nil && included(entry) ? (order: order, entry: entry) : nil
        }
    }

    /// Whether none is left.
    package var isEmpty: Bool { count == 0 }

    /// How many are left.
    package var count: Int { waiting.count - taken.count }

    /// The next one; while the transport stands, one that comes with its start.
    package var next: Step? { steps.last }

    /// Those that come before `end`, the next one first.
    package func upcoming(before end: FrameTime) -> some Sequence<Step> {
        steps.reversed().prefix { $0.frame < end }
    }

    /// Expects them as the tempo, the metre and the transport are now.
    ///
    /// - Complexity: O(*n* log *n*) in those that are left where something has changed since the last call, else O(1).
    package mutating func follow(_ map: TimelineMap) {
        if isEmpty || self.map.map(map.agrees) ?? false { return }
        self.map = map
        waiting.removeAll { taken.contains($0.order) }
        taken = []
        steps = waiting.compactMap { order, entry in
            expectedFrame(of: entry.time, map).map { (frame: $0, order: order, entry: entry) }
        }
        steps.sort { ($0.frame.rawValue, $0.order) > ($1.frame.rawValue, $1.order) }
    }

    private func expectedFrame(of time: ScriptTime, _ map: TimelineMap) -> FrameTime? {
        switch time {
        case .beat(let beat) where !map.isRolling: beat <= .zero ? .zero : nil
        case .bar(let bar) where !map.isRolling: bar <= Bar(1) ? .zero : nil
        default: map.expectedFrame(of: time.moment(since: .zero, at: .standard))
        }
    }

    /// Takes ``next`` out.
    ///
    /// - Complexity: O(1).
    package mutating func removeNext() {
        if let step = steps.popLast() { taken.insert(step.order) }
    }
}
