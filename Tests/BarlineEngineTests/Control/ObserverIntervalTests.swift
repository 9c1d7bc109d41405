import BarlineEngine
import BarlineTime
import Synchronization
import Testing

/// Intervals that nobody can keep.
@Suite("Intervals of observers")
struct ObserverIntervalTests {
    /// The frames that an observer is called for over a second of playing.
    private func frames(_ interval: TimelineInterval, rendering count: Int = 4_800) throws -> [Int64] {
        let engine = Engine(EngineConfiguration(trackCount: 1, eventDelivery: .manual))
        let recorder = Recorder(engine, frames: count)
        try engine.transport.start(at: FrameTime.zero)
        let reported = Reported()
        let observation = engine.transport.observe(every: interval) { tick in
            reported.frames.withLock { $0.append(tick.frame.rawValue) }
        }
        defer { observation.cancel() }
        engine.events.deliver()
        while recorder.frames < count {
            recorder.render(480, .fixed(480))
            engine.events.deliver()
        }
        return reported.frames.withLock { $0 }
    }

    private final class Reported: Sendable {
        let frames = Mutex<[Int64]>([])
    }

    @Test(
        "No callback comes where an interval is 0, negative or no number",
        arguments: [
            TimelineInterval.seconds(0), .seconds(-1), .seconds(.nan), .beats(0), .beats(-1), .beats(.nan),
            .bars(0), .bars(-4), .bars(.min),
        ])
    func none(interval: TimelineInterval) throws {
        #expect(try frames(interval).isEmpty)
    }

    @Test(
        "An interval shorter than a frame is every frame, once",
        arguments: [TimelineInterval.seconds(1e-12), .beats(1e-12), .beats(.leastNonzeroMagnitude)])
    func tiny(interval: TimelineInterval) throws {
        let reported = try frames(interval)
        #expect(reported.count >= 4_320 && reported.count <= 4_800)
        #expect(zip(reported, reported.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    @Test(
        "An interval without end comes once at most",
        arguments: [
            TimelineInterval.seconds(.infinity), .seconds(1e300), .beats(.infinity), .beats(1e300), .bars(.max),
        ])
    func endless(interval: TimelineInterval) throws {
        #expect(try frames(interval).count <= 1)
    }
}
