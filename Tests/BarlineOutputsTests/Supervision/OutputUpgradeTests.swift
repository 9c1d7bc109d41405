import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineOutputs

/// A supervisor whose device plays only until there is a better one.
@Suite("A device until there is a better one")
struct OutputUpgradeTests {
    private static var timeouts: OutputSupervisor.Timeouts {
        var timeouts = SupervisorTests.timeouts
        timeouts.firstSearch = 0.01
        timeouts.longestSearch = 0.04
        return timeouts
    }

    private func supervise(_ device: FakeDevice, _ engine: Engine) throws -> OutputSupervisor {
        try OutputSupervisor(
            device, engine: engine, busNames: ["main"], timeouts: OutputUpgradeTests.timeouts,
            reopenWith: DeviceQueue().open)
    }

    @Test("A better device that appears replaces the temporary one, and is supervised like any other")
    func appears() throws {
        let engine = try SineEngine.make()
        let (clock, better, again) = (FakeDevice(), FakeDevice(sampleRate: 44_100), FakeDevice())
        let supervisor = try supervise(clock, engine)
        defer { supervisor.stop() }
        clock.play(10_000)
        let (queue, later) = (DeviceQueue(), DeviceQueue([again]))
        let found = Mutex<[Double]>([])
        supervisor.improve(with: queue.open) { _ in
            later.open
        } then: { format in
            found.withLock { $0.append(format.sampleRate.hertz) }
        }
        #expect(eventually { queue.attempts > 3 })
        #expect(clock.isStarted && !clock.isClosed && supervisor.status == .running)
        clock.play(2_000)
        queue.add(better)
        #expect(eventually { found.withLock { $0 } == [44_100] })
        #expect(clock.isClosed && better.isStarted)
        #expect(engine.state.frame.rawValue == 12_000)
        let attempts = queue.attempts
        better.vanish()
        #expect(eventually { again.isStarted })
        #expect(queue.attempts == attempts, "it does not look on")
    }

    @Test("One that can't be started leaves the temporary one in its place, and is searched for again")
    func broken() throws {
        let engine = try SineEngine.make()
        let (clock, clockAgain, good) = (FakeDevice(), FakeDevice(), FakeDevice())
        let again = DeviceQueue([clockAgain])
        let supervisor = try OutputSupervisor(
            clock, engine: engine, busNames: ["main"], timeouts: OutputUpgradeTests.timeouts, reopenWith: again.open)
        defer { supervisor.stop() }
        let queue = DeviceQueue([FakeDevice(startError: .cannotStart(backend: "fake", reason: "broken"))])
        supervisor.improve(with: queue.open, reopenWith: { _ in DeviceQueue().open }, then: { _ in })
        #expect(eventually { clockAgain.isStarted })
        queue.add(good)
        #expect(eventually { good.isStarted })
    }

    @Test("A chosen output is not temporary: nothing replaces it")
    func chosen() throws {
        let engine = try SineEngine.make()
        let (clock, chosen, better) = (FakeDevice(), FakeDevice(), FakeDevice())
        let supervisor = try supervise(clock, engine)
        defer { supervisor.stop() }
        let queue = DeviceQueue()
        supervisor.improve(with: queue.open, reopenWith: { _ in DeviceQueue().open }, then: { _ in })
        #expect(eventually { queue.attempts > 0 })
        try supervisor.change(to: DeviceQueue([chosen]).open)
        queue.add(better)
        // Several looks long.
        Thread.sleep(forTimeInterval: 0.3)
        #expect(chosen.isStarted && !chosen.isClosed && !better.isStarted)
    }

    @Test("A device that can be opened only when the one in use is closed; where it can't, that one is back")
    func closingFirst() throws {
        let engine = try SineEngine.make()
        let (first, again, second) = (FakeDevice(), FakeDevice(), FakeDevice())
        let supervisor = try OutputSupervisor(
            first, engine: engine, busNames: ["main"], timeouts: OutputUpgradeTests.timeouts,
            reopenWith: DeviceQueue([again]).open)
        defer { supervisor.stop() }
        #expect(throws: OutputError.noServer(backend: "fake", reason: "nothing is plugged in")) {
            try supervisor.change(to: DeviceQueue().open, closingFirst: true)
        }
        #expect(eventually { again.isStarted && first.isClosed })
        let opened = Mutex(false)
        try supervisor.change(
            to: { () throws(OutputError) in
                opened.withLock { $0 = again.isClosed }
                return second
            }, closingFirst: true)
        #expect(second.isStarted && opened.withLock { $0 }, "it was opened after the other one was closed")
    }
}
