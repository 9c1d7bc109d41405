// What a callback of 64 frames takes while thousands of commands arrive and wait: worst and median.

import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

let blockFrames = 64
let blockMicroseconds = Double(blockFrames) / 48_000 * 1e6

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
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * blockFrames)
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
    outputs.initialize(to: samples)
    (outputs + 1).initialize(to: samples + blockFrames)
    defer {
        samples.deallocate()
        outputs.deallocate()
    }
    let block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: blockFrames)
    for _ in 0..<50 { engine.render(block) }
    let start = engine.state.frame + Int64(64 * blockFrames)
    for place in order.frames(count) {
        try engine.mixer[Channel.track(TrackIndex(place % 8))].setGain(Decibels(-6), at: start + Int64(8 * place))
    }
    return (0..<256 + 8 * count / blockFrames).map { _ in
        let before = ContinuousClock.now
        engine.render(block)
        return Double((ContinuousClock.now - before).components.attoseconds) * 1e-12
    }
}

print("commands that wait, sent   worst callback  median  worst in a block of \(Int(blockMicroseconds)) us")
for order in Order.allCases {
    for count in [100, 1_000, 8_000] {
        let times = try callbacks(count, order).sorted()
        let worst = times.last ?? 0
        print(
            String(format: "%5d %@", count, order.rawValue.padding(toLength: 20, withPad: " ", startingAt: 0))
                + String(
                    format: " %8.0f us  %6.1f us  %.0f %%", worst, times[times.count / 2],
                    100 * worst / blockMicroseconds))
    }
}
