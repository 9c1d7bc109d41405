import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

/// What is reported of an output that goes, comes back and is changed, once each and in order.
@Suite("Changes of the output")
struct OutputChangeTests {
    private func supervise(_ device: FakeDevice, _ engine: Engine, _ queue: DeviceQueue) throws -> OutputSupervisor {
        try OutputSupervisor(
            device, engine: engine, busNames: ["main"], timeouts: SupervisorTests.timeouts, reopenWith: queue.open)
    }

    @Test("A device that is lost and one that is back are reported once, with the frame, however long it takes")
    func lossAndReturn() throws {
        let engine = try SineEngine.make()
        let first = FakeDevice()
        let queue = DeviceQueue()
        let supervisor = try supervise(first, engine, queue)
        defer { supervisor.stop() }
        first.play(10_000)
        #expect(supervisor.takeChanges().isEmpty)
        first.vanish()
        #expect(eventually { queue.attempts > 3 })
        #expect(supervisor.takeChanges() == [OutputChange(kind: .lost, name: "fake", frame: FrameTime(10_000))])
        #expect(supervisor.takeChanges().isEmpty)
        let second = FakeDevice()
        queue.add(second)
        #expect(eventually { supervisor.status == .running })
        let back = supervisor.takeChanges()
        #expect(back.count == 1 && back[0].frame == FrameTime(10_000))
        guard case .recovered(let seconds)? = back.first?.kind else {
            Issue.record("\(back)")
            return
        }
        // Four attempts, 20 ms and more apart.
        #expect(seconds > 0.06)
        second.play(480)
    }

    @Test("A device that is back at once is reported as well: nobody has to look in time")
    func short() throws {
        let engine = try SineEngine.make()
        let devices = (0..<4).map { _ in FakeDevice() }
        let supervisor = try supervise(devices[0], engine, DeviceQueue(Array(devices[1...])))
        defer { supervisor.stop() }
        for index in 0..<3 {
            devices[index].play(480)
            devices[index].vanish()
            #expect(eventually { devices[index + 1].isStarted && supervisor.status == .running })
        }
        let kinds = supervisor.takeChanges().map { change in
            if case .recovered = change.kind { "recovered" } else { "\(change.kind)" }
        }
        #expect(kinds == ["lost", "recovered", "lost", "recovered", "lost", "recovered"])
    }

    @Test("Another device that is chosen is reported, and one that can't be had leaves the old one to come back")
    func choice() throws {
        let engine = try SineEngine.make()
        let (first, second, third) = (FakeDevice(), FakeDevice(), FakeDevice())
        let queue = DeviceQueue([third])
        let supervisor = try supervise(first, engine, queue)
        defer { supervisor.stop() }
        first.play(480)
        try supervisor.change(to: { () throws(OutputError) in second })
        #expect(supervisor.takeChanges() == [OutputChange(kind: .changed, name: "fake", frame: FrameTime(480))])
        second.play(480)
        let broken = FakeDevice(startError: .noServer(backend: "fake", reason: "it does not start"))
        #expect(throws: OutputError.self) { try supervisor.change(to: { () throws(OutputError) in broken }) }
        #expect(supervisor.takeChanges().first?.kind == .lost)
    }
}
