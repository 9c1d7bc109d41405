import BarlineTestSupport
import Testing

@testable import BarlineOutputs

/// What is reported of the time that blocks take, beside a sorted list of all of them.
@Suite("Load meter")
struct LoadMeterTests {
    @Test("Mean, 99th percentile and maximum are those of a sorted list, to a hundredth", arguments: 1...20)
    func figures(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let meter = LoadMeter()
        var earlier: LoadMeter.Counts?
        for _ in 0..<3 {
            var blocks: [(taken: Int64, given: Int64)] = []
            for _ in 0..<random.int(1...700) {
                let given = Int64(random.int(100_000...20_000_000))
                let load = random.chance(0.02) ? random.double(0...3) : random.double(0...0.4)
                let taken = Int64(Double(given) * load)
                blocks.append((taken, given))
                #expect(meter.add(taken: taken, given: given) == Double(taken) / Double(given))
            }
            let loads = blocks.map { min(2, Double($0.taken) / Double($0.given)) }.sorted()
            let mean = Double(blocks.map(\.taken).reduce(0, +)) / Double(blocks.map(\.given).reduce(0, +))
            let counts = meter.counted
            let told = counts.load(since: earlier)
            earlier = counts
            // At most one of a hundred is above.
            let typical = loads[loads.count - 1 - loads.count / 100]
            guard let told else {
                Issue.record("nothing is told")
                return
            }
            #expect(abs(told.mean - mean) < 1e-12)
            #expect(told.p99 >= typical - 1e-9 && told.p99 <= typical + 0.01 + 1e-9)
            #expect(told.max >= loads[loads.count - 1] - 1e-9 && told.max <= loads[loads.count - 1] + 0.01 + 1e-9)
        }
        #expect(meter.counted.load(since: earlier) == nil)
    }

    @Test("A window tells of the last ten seconds, and of nothing before")
    func window() {
        let meter = LoadMeter()
        var window = LoadWindow()
        #expect(window.load == nil)
        _ = meter.add(taken: 150, given: 100)
        for second in 0..<40 {
            _ = meter.add(taken: 20, given: 100)
            window.look(meter, at: Int64(second) * 1_000_000_000)
            // Before the second is over nothing is looked at.
            _ = meter.add(taken: 20, given: 100)
            window.look(meter, at: Int64(second) * 1_000_000_000 + 900_000_000)
            #expect(window.load?.max == (second < LoadWindow.seconds ? 1.5 : 0.2))
        }
        #expect(window.load?.mean == 0.2)
    }
}
