// What a callback of 64 frames takes while thousands of commands arrive, wait and come due: worst and median, by the
// time that the thread has run. Each is the median of several runs.

import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

let runs = ProcessInfo.processInfo.environment["BENCH_QUICK"] == nil ? 7 : 1

/// The order in which commands for later frames are sent.
enum Order: String, CaseIterable {
    case inTime = "in order of time"
    case backwards = "latest first"
    case shuffled = "in any order"

    func frames(_ count: Int) -> [Int] {
        switch self {
        case .inTime: Array(0..<count)
        case .backwards: (0..<count).reversed()
        case .shuffled: (0..<count).map { ($0 * 7_919) % count }
        }
    }
}

/// Microseconds of each callback while `count` commands are sent at once and then come due, a block's worth at a time.
func callbacks(_ count: Int, _ order: Order) throws -> [Double] {
    let engine = Engine(EngineConfiguration(trackCount: 8, commandCapacity: max(count, 64)))
    let output = BlockOutput()
    for _ in 0..<50 { output.render(engine) }
    let start = engine.state.frame + Int64(64 * BlockOutput.frames)
    for place in order.frames(count) {
        try engine.mixer[.track(TrackIndex(place % 8))].setGain(Decibels(-6), at: start + Int64(8 * place))
    }
    return (0..<256 + 8 * count / BlockOutput.frames).map { _ in
        let before = threadNanoseconds()
        output.render(engine)
        return Double(threadNanoseconds() - before) * 1e-3
    }
}

/// Prints the medians, over all runs, of the worst and of the median callback.
func report(_ name: String, _ callbacks: () throws -> [Double]) rethrows {
    let times = try (0..<runs).map { _ in try callbacks().sorted() }
    let worst = times.map { $0[$0.count - 1] }.sorted()[runs / 2]
    let median = times.map { $0[$0.count / 2] }.sorted()[runs / 2]
    print(
        String(
            format: "%@ %8.0f us  %6.1f us  %.0f %%", name.padding(toLength: 26, withPad: " ", startingAt: 0), worst,
            median,
            100 * worst / BlockOutput.microseconds))
}

print("commands that wait, sent   worst callback  median  worst in a block of \(Int(BlockOutput.microseconds)) us")
for order in Order.allCases {
    for count in [100, 1_000, 8_000] {
        try report("\(count) \(order.rawValue)") { try callbacks(count, order) }
    }
}
print("\nat once, 64 loops playing")
for storm in CommandStorm.allCases { try report(storm.rawValue) { try storm.callbacks() } }
