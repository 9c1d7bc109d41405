import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// A performance of hours, as fast as it can be rendered: everything on the model's frames to the end, and nothing that
/// grows.
///
/// `make soak` lets it last 24 hours and looks at the process meanwhile; as one of many tests it lasts two minutes, and
/// the process is not its own to look at.
@Suite("A long performance")
struct SoakTests {
    private static let hours = ProcessInfo.processInfo.environment["BARLINE_SOAK_HOURS"].flatMap(Double.init)

    @Test("Random verbs for hours are on the model's frames; memory, descriptors and threads stay what they were")
    func longPerformance() throws {
        let hours = SoakTests.hours ?? 1.0 / 30
        let begin = ContinuousClock.now
        let performance = try SoakPerformance(seed: 1)
        var facts: [ProcessFacts] = []
        let minutes = max(2, Int((hours * 60).rounded()))
        for minute in 0..<minutes {
            if let difference = try performance.play(minute: minute) {
                Issue.record("minute \(minute): \(difference)")
                return
            }
            if SoakTests.hours != nil, minute % max(1, minutes / 100) == 0 { facts.append(try ProcessFacts()) }
        }
        #expect(performance.heard.isFinite && performance.events > 50 * minutes)
        guard SoakTests.hours != nil else { return }
        // What is made once is made by then.
        let settled = Array(facts.dropFirst(facts.count / 10))
        let (early, late) = (settled.prefix(settled.count / 2), settled.suffix(settled.count / 2))
        let growth = (late.map(\.memory).max() ?? 0) - (early.map(\.memory).max() ?? 0)
        print(
            """
            soak: \(minutes) minutes simulated in \((ContinuousClock.now - begin).components.seconds) s; \(performance.verbs) verbs, \
            \(performance.events) events on the model's frames; memory \(settled.map(\.memory).min() ?? 0) … \
            \(settled.map(\.memory).max() ?? 0) KiB, \(growth) KiB more in the second half; descriptors \
            \(Set(settled.map(\.descriptors)).sorted()), threads \(Set(settled.map(\.threads)).sorted())
            """)
        #expect(growth <= 2_048, "KiB")
        #expect((late.map(\.descriptors).max() ?? 0) <= (early.map(\.descriptors).max() ?? 0))
        #expect((late.map(\.threads).max() ?? 0) <= (early.map(\.threads).max() ?? 0))
    }
}
