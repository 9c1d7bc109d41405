import BarlineEngine
import BarlineTime

/// A performance: a setup, and what is done when.
struct Script: CustomStringConvertible {
    var seed: UInt64 = 0
    var setup: Setup
    var steps: [(frame: Int, step: Step)] = []
    var length: Int

    var description: String {
        let list = steps.map { "  \($0.frame): \($0.step)" }.joined(separator: "\n")
        return "seed \(seed), \(length) frames, \(setup)\n\(list)"
    }

    /// An engine that has got all commands, before its first frame.
    func engine() throws -> Engine {
        let engine = Engine(setup.configuration)
        let handles = try setup.clips.map {
            try engine.launcher.load(Quadrature.buffer($0), settings: Quadrature.settings($0))
        }
        for (frame, step) in steps { try step.send(to: engine, clips: handles, at: frame) }
        return engine
    }

    /// The model's account of the whole script.
    func model() -> ReferenceLauncher {
        let model = ReferenceLauncher(setup)
        for (frame, step) in steps { model.give(step, at: frame) }
        model.advance(to: length)
        return model
    }

    /// The first difference between two accounts, track by track; `nil` where there is none.
    static func difference(_ events: [EngineEvent], _ model: ReferenceLauncher) -> String? {
        difference(events.compactMap(Happening.init), model.happenings, lanes: model.lanes.count)
    }

    /// The first difference between two accounts of so many tracks.
    static func difference(_ seen: [Happening], _ wanted: [Happening], lanes: Int) -> String? {
        for lane in -1..<lanes {
            let actual = seen.filter { $0.lane == lane }
            let expected = wanted.filter { $0.lane == lane }
            for index in 0..<max(actual.count, expected.count) {
                let first = index < actual.count ? actual[index] : nil
                let second = index < expected.count ? expected[index] : nil
                if let first, let second, first.matches(second) { continue }
                return "track \(lane), event \(index): the engine has \(first.map { "\($0)" } ?? "none"), "
                    + "the model \(second.map { "\($0)" } ?? "none")"
            }
        }
        return nil
    }
}
