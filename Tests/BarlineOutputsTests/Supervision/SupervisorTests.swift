import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineOutputs

/// A supervisor over devices that do what the test says.
@Suite("Supervision of devices")
struct SupervisorTests {
    static var timeouts: OutputSupervisor.Timeouts {
        var timeouts = OutputSupervisor.Timeouts()
        // A busy machine may keep the test waiting.
        timeouts.stall = 5
        timeouts.teardown = 0.3
        timeouts.firstRetry = 0.02
        timeouts.longestRetry = 0.05
        // Blocks come when the test says so, and no others.
        timeouts.continuesByClock = false
        return timeouts
    }

    private func supervise(
        _ device: FakeDevice, _ engine: Engine, _ queue: DeviceQueue, stall: Double = 5, continuesByClock: Bool = false
    ) throws -> OutputSupervisor {
        var timeouts = SupervisorTests.timeouts
        timeouts.stall = stall
        timeouts.continuesByClock = continuesByClock
        return try OutputSupervisor(
            device, engine: engine, busNames: ["main"], timeouts: timeouts, reopenWith: queue.open)
    }

    /// Checks that a device that came back goes on at `frame`, faded in over 5 ms, without a step.
    private func expectResumption(_ samples: [Float], from frame: Int, sampleRate: Double = 48_000) {
        let fade = Int((0.005 * sampleRate).rounded())
        let scale = 48_000 / sampleRate
        #expect(samples.count > 2 * fade)
        var previous = 0.0
        let step = SineEngine.step(sampleRate: sampleRate) + SineEngine.level / Double(fade) + 1e-3
        for (index, sample) in samples.enumerated() {
            let position = Double(frame) + Double(index) * scale
            let gain = min(1, Double(index) / Double(fade))
            if abs(Double(sample) - gain * SineEngine.value(at: position)) > 2e-3 {
                Issue.record("frame \(index) after the resumption: \(sample) is out of phase")
                return
            }
            if abs(Double(sample) - previous) > step {
                Issue.record("frame \(index) after the resumption: a click")
                return
            }
            previous = Double(sample)
        }
    }

    @Test("A device that vanishes keeps the position; the next one goes on in phase, faded in")
    func vanishes() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let second = FakeDevice(blockFrames: 96)
        let queue = DeviceQueue()
        let supervisor = try supervise(first, engine, queue)
        defer { supervisor.stop() }
        first.play(10_000)
        #expect(supervisor.status == .running)
        #expect(supervisor.renderedFrames == 10_000)
        first.vanish()
        #expect(eventually { if case .lost(let attempts) = supervisor.status { attempts > 1 } else { false } })
        #expect(engine.state.frame.rawValue == 10_000)
        queue.add(second)
        #expect(eventually { supervisor.status == .running && second.isStarted })
        #expect(first.isClosed)
        second.play(9_600)
        expectResumption(second.samples, from: 10_000)
        #expect(supervisor.renderedFrames == 19_600)
    }

    @Test("A device that is there and lost again at once is opened again after pauses that grow")
    func comesAndGoes() throws {
        let engine = try SineEngine.make()
        var timeouts = SupervisorTests.timeouts
        timeouts.firstRetry = 0.1
        timeouts.longestRetry = 30
        let first = FakeDevice()
        let openings = Mutex(0)
        let supervisor = try OutputSupervisor(
            first, engine: engine, busNames: ["main"], timeouts: timeouts,
            reopenWith: { () throws(OutputError) -> any OutputDevice in
                openings.withLock { $0 += 1 }
                let next = FakeDevice()
                next.vanish()
                return next
            })
        defer { supervisor.stop() }
        first.vanish()
        Thread.sleep(forTimeInterval: 2)
        // After 0.1, 0.2, 0.4 and 0.8 s: the next one would be after 1.6 more.
        #expect((1...4).contains(openings.withLock { $0 }))
    }

    @Test("Another device that is chosen takes over in phase, and is the one that is waited for")
    func changed() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let second = FakeDevice(blockFrames: 96)
        let third = FakeDevice()
        let supervisor = try supervise(first, engine, DeviceQueue())
        defer { supervisor.stop() }
        first.play(10_000)
        let queue = DeviceQueue([second, third])
        try supervisor.change(to: queue.open)
        #expect(first.isClosed && second.isStarted && supervisor.status == .running)
        second.play(9_600)
        expectResumption(second.samples, from: 10_000)
        second.vanish()
        #expect(eventually { third.isStarted })
        third.play(4_800)
        expectResumption(third.samples, from: 19_600)
    }

    @Test("A device that can't be opened leaves the one in use playing; after one that can't be started it is back")
    func refused() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let again = FakeDevice()
        let supervisor = try supervise(first, engine, DeviceQueue([again]))
        defer { supervisor.stop() }
        first.play(4_800)
        #expect(throws: OutputError.noServer(backend: "fake", reason: "nothing is plugged in")) {
            try supervisor.change(to: DeviceQueue().open)
        }
        #expect(!first.isClosed && supervisor.status == .running)
        first.play(4_800)
        let broken = OutputError.cannotStart(backend: "fake", reason: "broken")
        #expect(throws: broken) { try supervisor.change(to: DeviceQueue([FakeDevice(startError: broken)]).open) }
        #expect(eventually { again.isStarted && supervisor.status == .running })
        again.play(4_800)
        expectResumption(again.samples, from: 9_600)
    }

    @Test("A device that is chosen while none is there ends the wait")
    func changedWhileLost() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let second = FakeDevice()
        let supervisor = try supervise(first, engine, DeviceQueue())
        defer { supervisor.stop() }
        first.play(4_800)
        first.vanish()
        #expect(eventually { if case .lost = supervisor.status { true } else { false } })
        try supervisor.change(to: DeviceQueue([second]).open)
        second.play(4_800)
        expectResumption(second.samples, from: 4_800)
    }

    @Test("A device that asks for nothing any more is lost, whatever it says of itself")
    func stalls() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let second = FakeDevice()
        let supervisor = try supervise(first, engine, DeviceQueue([second]), stall: 0.5)
        defer { supervisor.stop() }
        first.play(4_800)
        #expect(eventually { second.isStarted })
        #expect(first.isClosed)
        second.play(4_800)
        expectResumption(second.samples, from: 4_800)
    }

    @Test("A device that keeps asking is left alone")
    func keepsAsking() throws {
        let device = FakeDevice()
        let queue = DeviceQueue([FakeDevice()])
        let supervisor = try supervise(device, try SineEngine.make(), queue, stall: 1)
        defer { supervisor.stop() }
        for _ in 0..<60 {
            device.play(256)
            Thread.sleep(forTimeInterval: 0.025)
        }
        #expect(supervisor.status == .running)
        #expect(queue.attempts == 0)
    }

    @Test("A device at another rate goes on at the same beat and pitch", arguments: [44_100.0, 96_000])
    func otherRate(rate: Double) throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let second = FakeDevice(sampleRate: rate, blockFrames: 1024)
        let supervisor = try supervise(first, engine, DeviceQueue([second]))
        defer { supervisor.stop() }
        first.play(12_345)
        first.vanish()
        #expect(eventually { second.isStarted })
        second.play(Int(rate / 10))
        expectResumption(second.samples, from: 12_345, sampleRate: rate)
        #expect(engine.state.sampleRate.hertz == rate)
        let beat = Double(12_345) / SineEngine.framesPerBeat + 0.2
        #expect(abs(engine.state.transport.beat.rawValue - beat) < 1e-4)
    }

    @Test("A device may change its block size while it runs")
    func blockSizes() throws {
        let device = FakeDevice()
        let supervisor = try supervise(device, try SineEngine.make(), DeviceQueue())
        defer { supervisor.stop() }
        for size in [256, 1, 64, 8192, 17, 1024] { device.play(3_000, blockFrames: size) }
        for (index, sample) in device.samples.enumerated() {
            guard abs(Double(sample) - SineEngine.value(at: Double(index))) < 1e-6 else {
                Issue.record("frame \(index) is out of phase")
                return
            }
        }
    }

    @Test("A device that hangs when it is closed is given up, and gets silence where it still asks")
    func hangs() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice(closing: .hangs)
        let second = FakeDevice()
        let supervisor = try supervise(first, engine, DeviceQueue([second]))
        defer {
            supervisor.stop()
            first.letGo()
        }
        first.play(2_560)
        first.vanish()
        #expect(eventually { second.isStarted })
        #expect(!first.isClosed, "it hangs still")
        // Both ask now: only one gets the engine.
        first.play(2_560)
        second.play(2_560)
        #expect(first.samples.suffix(2_560).allSatisfy { $0 == 0 })
        expectResumption(second.samples, from: 2_560)
        #expect(engine.state.frame.rawValue == 5_120)
        #expect(supervisor.renderedFrames == 5_120)
    }

    @Test("Devices that can't be started are tried and closed until one can be")
    func startErrors() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let bad = (0..<5).map { _ in
            FakeDevice(sampleRate: 44_100, startError: .cannotStart(backend: "fake", reason: "busy"))
        }
        let last = FakeDevice()
        let queue = DeviceQueue(bad + [last])
        let supervisor = try supervise(first, engine, queue)
        defer { supervisor.stop() }
        first.play(5_000)
        first.vanish()
        #expect(eventually { last.isStarted })
        #expect(queue.attempts == 6)
        #expect(eventually { bad.allSatisfy(\.isClosed) })
        last.play(4_800)
        expectResumption(last.samples, from: 5_000)
        #expect(engine.state.sampleRate.hertz == 48_000)
    }

    @Test("While devices of another rate can't be started, the engine goes on by the clock at its own")
    func startErrorsOfOtherRate() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let queue = DeviceQueue(
            (0..<2_000).map { _ in
                FakeDevice(sampleRate: 44_100, startError: .cannotStart(backend: "fake", reason: "busy"))
            })
        let supervisor = try supervise(first, engine, queue, continuesByClock: true)
        defer { supervisor.stop() }
        first.play(5_000)
        first.vanish()
        for attempts in [1, 2, 5] {
            #expect(eventually { queue.attempts > attempts })
            let frame = engine.state.frame
            #expect(eventually { engine.state.frame - frame > 2_048 })
            #expect(engine.state.sampleRate.hertz == 48_000)
        }
        let state = engine.state
        let beat = Double(state.frame.rawValue) / SineEngine.framesPerBeat
        #expect(abs(state.transport.beat.rawValue - beat) < 1e-4)
    }

    @Test("A device that takes over from the clock knows the engine's frames, also those that it has caught up with")
    func framesAfterClock() throws {
        let engine = try SineEngine.make()
        let (first, second) = (FakeDevice(), FakeDevice())
        let queue = DeviceQueue()
        let supervisor = try supervise(first, engine, queue, continuesByClock: true)
        defer { supervisor.stop() }
        first.play(5_000)
        #expect(first.nextFrame == 5_000)
        first.vanish()
        #expect(eventually { engine.state.frame.rawValue > 10_000 })
        queue.add(second)
        #expect(eventually { second.isStarted })
        #expect(
            eventually {
                second.play(256)
                return supervisor.status == .running
            })
        for _ in 0..<3 {
            second.play(256)
            #expect(second.nextFrame == engine.state.frame.rawValue)
        }
        #expect(engine.state.frame.rawValue > 10_000)
    }

    @Test("Commands that pile up while there is no device don't keep the next one out")
    func fullRing() throws {
        let engine = try SineEngine.make(commandCapacity: 16)
        let first = FakeDevice()
        let queue = DeviceQueue()
        let supervisor = try supervise(first, engine, queue)
        defer { supervisor.stop() }
        first.play(4_800)
        first.vanish()
        #expect(eventually { supervisor.status != .running })
        #expect(throws: EngineError.self) {
            for _ in 0..<100 { try engine.mixer[.track(TrackIndex(1))].setPan(0) }
        }
        let second = FakeDevice()
        queue.add(second)
        #expect(eventually { second.isStarted && supervisor.status == .running })
        second.play(4_800)
        expectResumption(second.samples, from: 4_800)
    }

    @Test("A first device that can't be started is an error")
    func firstStart() throws {
        let device = FakeDevice(startError: .cannotStart(backend: "fake", reason: "busy"))
        let engine = try SineEngine.make()
        #expect(throws: OutputError.cannotStart(backend: "fake", reason: "busy")) {
            _ = try supervise(device, engine, DeviceQueue())
        }
    }

    @Test("Blocks that came too late are counted over all devices")
    func xruns() throws {
        let first = FakeDevice()
        let second = FakeDevice()
        let supervisor = try supervise(first, try SineEngine.make(), DeviceQueue([second]))
        defer { supervisor.stop() }
        first.play(256)
        for _ in 0..<3 { first.reportXrun() }
        #expect(supervisor.xrunCount == 3)
        first.vanish()
        #expect(eventually { second.isStarted && supervisor.status == .running })
        second.reportXrun()
        #expect(eventually { supervisor.xrunCount == 4 })
    }
}
