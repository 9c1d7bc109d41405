import BarlineEngine
import BarlineTime
import Foundation
import Observation
import Synchronization
import Testing

/// Any number of readers have all events, each at its own pace.
@Suite("Event readers", .timeLimit(.minutes(10)))
struct EventReaderTests {
    private func engine(_ delivery: EventDelivery = .manual, events: Int = 1_024) -> Engine {
        Engine(EngineConfiguration(trackCount: 1, eventCapacity: events, eventDelivery: delivery, tempo: 300))
    }

    /// The frames of the first pulses at 300 BPM.
    private func pulses(_ count: Int) -> [Int64] { (0..<count).map { Int64($0) * 9_600 } }

    private func pulses(_ events: [EngineEvent]) -> [Int64] {
        events.compactMap { event in
            if case .metronome(.pulse) = event.kind { return event.frame.rawValue }
            return nil
        }
    }

    private func render(_ engine: Engine, _ frames: Int) { Recorder(engine, frames: frames).render(frames) }

    @Test("Every queue has every event since it was made, once and in order")
    func queues() throws {
        let engine = engine()
        let first = engine.events.queue()
        try engine.transport.start(at: FrameTime.zero)
        render(engine, 48_000)
        let second = engine.events.queue()
        #expect(pulses(first.take()) == pulses(5))
        render(engine, 48_000)
        #expect(pulses(second.take()) == Array(pulses(10)[5...]))
        #expect(pulses(first.take()) == Array(pulses(10)[5...]))
        #expect(first.take().isEmpty && second.take().isEmpty && engine.droppedEventCount == 0)
    }

    @Test("A queue that is not read keeps the newest events and counts the others; its neighbours lose nothing")
    func full() throws {
        let engine = engine()
        let small = engine.events.queue(capacity: 4)
        let large = engine.events.queue()
        try engine.transport.start(at: FrameTime.zero)
        render(engine, 192_000)
        let all = large.take()
        #expect(pulses(all) == pulses(20) && large.droppedCount == 0)
        #expect(small.take() == Array(all.suffix(4)) && small.droppedCount == all.count - 4)
    }

    @Test("Where nobody reads for too long the engine drops events, and counts them")
    func unread() throws {
        let engine = engine(events: 8)
        let queue = engine.events.queue()
        try engine.transport.start(at: FrameTime.zero)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)
        outputs.initialize(to: nil)
        engine.render(AudioBlock(outputs: UnsafePointer(outputs), outputCount: 0, frames: 20 * 9_600))
        outputs.deallocate()
        #expect(queue.take().count == 8 && queue.droppedCount == 0 && engine.droppedEventCount > 0)
    }

    @Test("Callbacks get every event when it is delivered, until they are let go")
    func callbacks() throws {
        let engine = engine()
        let heard = Mutex<[EngineEvent]>([])
        let queue = engine.events.queue()
        var observation: EngineObservation? = engine.events.observe { event in heard.withLock { $0.append(event) } }
        try engine.transport.start(at: FrameTime.zero)
        render(engine, 48_000)
        #expect(heard.withLock { $0 }.isEmpty)
        engine.events.deliver()
        let expected = queue.take()
        #expect(heard.withLock { $0 } == expected && pulses(expected) == pulses(5))
        withExtendedLifetime(observation) {}
        observation = nil
        render(engine, 48_000)
        engine.events.deliver()
        #expect(heard.withLock { $0 } == expected)
    }

    @Test("A callback may make and end readers, and ask for delivery")
    func reentrant() throws {
        let engine = engine()
        let count = Atomic(0)
        let kept = Mutex<[EngineObservation]>([])
        let observation = engine.events.observe { [weak engine] event in
            guard case .metronome(.pulse) = event.kind, let engine else { return }
            count.wrappingAdd(1, ordering: .relaxed)
            kept.withLock { $0 = [engine.events.observe { _ in }] }
            _ = engine.events.queue().take()
            engine.events.deliver()
        }
        try engine.transport.start(at: FrameTime.zero)
        render(engine, 48_000)
        engine.events.deliver()
        #expect(count.load(ordering: .relaxed) == 5)
        observation.cancel()
    }

    @Test("Asynchronous sequences have every event, and end with the engine")
    func sequences() async throws {
        var engine: Engine? = self.engine(.thread)
        let streams = try (0..<3).map { _ in try #require(engine).events.stream() }
        let readers = streams.map { stream in
            Task {
                var events: [EngineEvent] = []
                for await event in stream { events.append(event) }
                return events
            }
        }
        let queue = try #require(engine).events.queue()
        try engine?.transport.start(at: FrameTime.zero)
        if let engine { render(engine, 96_000) }
        let expected = queue.take()
        engine = nil
        for reader in readers { #expect(await reader.value == expected) }
        #expect(pulses(expected) == pulses(10) && streams.allSatisfy { $0.droppedCount == 0 })
    }

    @Test("A sequence that is not read keeps the newest events and counts the others")
    func slowSequence() async throws {
        let engine = engine()
        let stream = engine.events.stream(capacity: 3)
        let queue = engine.events.queue()
        try engine.transport.start(at: FrameTime.zero)
        for _ in 0..<10 {
            render(engine, 9_600)
            engine.events.deliver()
        }
        let all = queue.take()
        var read: [EngineEvent] = []
        for await event in stream {
            read.append(event)
            if read.count == 3 { break }
        }
        #expect(read == Array(all.suffix(3)) && stream.droppedCount == all.count - 3)
    }

    @Test("The engine's own thread delivers, and nobody keeps the engine alive")
    func thread() async throws {
        var engine: Engine? = self.engine(.thread)
        let isGone = { [weak engine] in engine == nil }
        let count = Atomic(0)
        let observation = engine?.events.observe { _ in count.wrappingAdd(1, ordering: .relaxed) }
        try engine?.transport.start(at: FrameTime.zero)
        if let engine { render(engine, 48_000) }
        while count.load(ordering: .relaxed) < 5 { try await Task.sleep(for: .milliseconds(2)) }
        engine = nil
        #expect(isGone())
        observation?.cancel()
    }

    @Test("A monitor shows the state as it changes, and tells those who observe it") @MainActor
    func monitor() async throws {
        let engine = engine()
        let monitor = engine.monitor(perSecond: 500)
        #expect(monitor.state.frame == .zero)
        let changes = Atomic(0)
        withObservationTracking {
            _ = monitor.state
        } onChange: {
            changes.wrappingAdd(1, ordering: .relaxed)
        }
        try engine.transport.start(at: FrameTime.zero)
        render(engine, 24_000)
        while monitor.state.frame.rawValue < 24_000 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(monitor.state == engine.state && changes.load(ordering: .relaxed) == 1)
    }
}
