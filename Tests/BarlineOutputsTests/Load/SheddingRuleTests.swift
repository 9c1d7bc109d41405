import BarlineTestSupport
import Testing

@testable import BarlineOutputs

/// When voices are let go, by the loads of the blocks alone.
@Suite("Shedding rule")
struct SheddingRuleTests {
    /// What is due after the last of `blocks`, found by looking back over all that came since the last time.
    private func model(_ blocks: [(load: Double, seconds: Double)], since last: Int) -> Double {
        let run = blocks[last...].reversed().prefix { $0.load > 0.9 }
        let length = run.reversed().reduce(0) { $0 + $1.seconds }
        guard run.count >= 3, length >= 0.01, let quickest = run.map(\.load).min() else { return 0 }
        return (quickest - 0.75) / quickest
    }

    @Test(
        "Three blocks and ten milliseconds in a row above 90 % let go what brings the load to 75 %", arguments: 1...50)
    func random(seed: UInt64) {
        var random = TestRandom(seed: seed)
        var rule = SheddingRule()
        var blocks: [(load: Double, seconds: Double)] = []
        var last = 0
        var sheddings = 0
        var isBusy = false
        for index in 0..<2_000 {
            if random.chance(0.1) { isBusy.toggle() }
            let load = random.chance(0.05) ? random.pick([0, 0.9, 3, 40]) : random.double(isBusy ? 0.88...2 : 0...0.95)
            blocks.append((load, Double(random.pick([32, 64, 256, 1024])) / 48_000))
            let part = rule.part(after: load, seconds: blocks[index].seconds)
            let expected = model(blocks, since: last)
            #expect(abs(part - expected) < 1e-12)
            #expect((0..<1).contains(part))
            if expected > 0 {
                last = index + 1
                sheddings += 1
            }
        }
        #expect(sheddings > 10)
    }

    @Test("Single blocks that take however long let nothing go")
    func interruptions() {
        var rule = SheddingRule()
        for index in 0..<3_000 {
            let load = index % 3 == 2 ? 0.3 : 40
            #expect(rule.part(after: load, seconds: 0.02) == 0)
        }
    }
}
