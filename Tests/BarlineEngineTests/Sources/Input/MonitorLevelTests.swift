import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// The monitor of a track alone: how it comes, goes, and changes over to another input.
@Suite("Levels of monitors")
struct MonitorLevelTests {
    /// Lets a monitor follow for so many frames, and returns the first frame on which `condition` holds.
    private func follow(
        _ monitor: inout InputMonitor, _ timeline: inout Timeline, frames: Int64, isPlaying: Bool,
        until condition: (InputMonitor) -> Bool
    ) -> Int64? {
        for _ in 0..<frames {
            monitor.update(isPlaying: isPlaying, timeline)
            if condition(monitor) { return timeline.now.rawValue }
            timeline.advance(by: 1)
        }
        return nil
    }

    @Test("Another input takes over once the former one has faded out, on the frame that was foretold")
    func exchange() throws {
        var timeline = Timeline(EngineConfiguration())
        var monitor = InputMonitor()
        #expect(!monitor.isAudible(at: timeline.now))
        monitor.request(3, .auto)
        let begin = follow(&monitor, &timeline, frames: 10, isPlaying: false) { $0.level.target == 1 }
        #expect(begin == 0 && monitor.input == 3)
        timeline.advance(by: 1_000)
        monitor.request(5, .auto)
        monitor.update(isPlaying: false, timeline)
        let foretold = monitor.nextSwitch
        #expect(foretold == timeline.now + 240 && monitor.input == 3 && monitor.isAudible(at: timeline.now))
        let switched = follow(&monitor, &timeline, frames: 1_000, isPlaying: false) { $0.input == 5 }
        #expect(switched == foretold.rawValue && monitor.level.target == 1 && monitor.nextSwitch == .never)
        #expect(monitor.checkInvariants())
    }

    @Test(
        "What plays silences what is monitored by itself, and nothing else",
        arguments: [(MonitorMode.auto, 1, 0), (.always, 1, 1), (.never, 0, 0)] as [(MonitorMode, Float, Float)])
    func modes(mode: MonitorMode, alone: Float, beside: Float) {
        var timeline = Timeline(EngineConfiguration())
        var monitor = InputMonitor()
        monitor.request(0, mode)
        for (isPlaying, expected) in [(false, alone), (true, beside), (false, alone)] {
            monitor.update(isPlaying: isPlaying, timeline)
            timeline.advance(by: 240)
            #expect(monitor.level.value(at: timeline.now) == expected, "playing: \(isPlaying)")
            #expect(monitor.isAudible(at: timeline.now) == (expected == 1))
        }
    }
}
