import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineOutputs

/// The end of an output.
@Suite("Stopping an output")
struct StopTests {
    private func supervise(_ device: FakeDevice, _ queue: DeviceQueue = DeviceQueue()) throws -> OutputSupervisor {
        try OutputSupervisor(
            device, engine: try SineEngine.make(), busNames: ["main"], timeouts: SupervisorTests.timeouts,
            reopenWith: queue.open)
    }

    @Test("Stopping closes the device; a second time does nothing", .timeLimit(.minutes(10)))
    func stop() throws {
        let device = FakeDevice()
        let supervisor = try supervise(device)
        device.play(256)
        supervisor.stop()
        #expect(supervisor.status == .stopped)
        #expect(device.isClosed)
        supervisor.stop()
        #expect(supervisor.renderedFrames == 256)
    }

    @Test("Stopping returns though the device hangs, which then gets silence", .timeLimit(.minutes(10)))
    func stopHanging() throws {
        let device = FakeDevice(closing: .hangs)
        let supervisor = try supervise(device)
        device.play(480)
        supervisor.stop()
        #expect(supervisor.status == .stopped)
        #expect(!device.isClosed, "it hangs still")
        device.play(480)
        #expect(device.samples.suffix(480).allSatisfy { $0 == 0 })
        device.letGo()
    }

    @Test("Stopping returns while there is no device", .timeLimit(.minutes(10)))
    func stopWithoutDevice() throws {
        let device = FakeDevice()
        let supervisor = try supervise(device)
        device.vanish()
        #expect(eventually { if case .lost(let attempts) = supervisor.status { attempts > 0 } else { false } })
        supervisor.stop()
        #expect(supervisor.status == .stopped)
    }

    @Test("A device that is chosen for an output that has ended is closed, and not kept", .timeLimit(.minutes(10)))
    func chosenTooLate() throws {
        let supervisor = try supervise(FakeDevice())
        supervisor.stop()
        weak var kept: FakeDevice?
        do {
            let late = FakeDevice()
            kept = late
            try supervisor.change(to: { late })
            #expect(late.isClosed && !late.isStarted)
        }
        #expect(kept == nil)
        #expect(supervisor.status == .stopped)
    }
}
