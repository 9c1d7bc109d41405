import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// Ports and what they are connected to.
    @Suite("Ports", .timeLimit(.minutes(10)))
    struct JackPortTests {
        private func start(
            _ connection: JackConnection, buses: [String] = ["main"]
        ) throws -> (OutputSupervisor, String) {
            let engine = Engine(EngineConfiguration(trackCount: 1, busCount: buses.count))
            let device = try JackDevice(name: "ports", connection: connection)
            let supervisor = try OutputSupervisor(
                device, engine: engine, busNames: buses,
                reopenWith: { () throws(OutputError) in try JackDevice(name: "ports", connection: connection) })
            return (supervisor, "ports")
        }

        @Test("Every bus has two ports of its own, and the main ones go to the physical outputs")
        func automatic() throws {
            let server = try JackServer()
            defer { server.end() }
            let probe = try JackCapture(name: "probe", seconds: 1)
            let (supervisor, name) = try start(.automatic, buses: ["main", "phones"])
            defer { supervisor.stop() }
            let ports = ["main_1", "main_2", "phones_1", "phones_2"].map { "\(name):\($0)" }
            #expect(probe.ports(of: name) == ports)
            #expect(ports.allSatisfy(probe.isOutput))
            #expect(probe.connections(of: ports[0]) == ["system:playback_1"])
            #expect(probe.connections(of: ports[1]) == ["system:playback_2"])
            #expect(supervisor.format.backend == .jack)
            #expect(supervisor.format.blockFrames == 256)
            #expect(eventually { supervisor.renderedFrames > 4800 })
        }

        @Test(
            "An input that is called otherwise keeps its port under its new name, connected; one that is gone takes its ports along"
        )
        func inputs() throws {
            let server = try JackServer()
            defer { server.end() }
            let probe = try JackCapture(name: "probe", seconds: 1)
            let engine = Engine(EngineConfiguration(trackCount: 1))
            func input(_ name: String, _ index: Int, _ channels: [Int]) -> DeviceInput {
                DeviceInput(name: name, index: InputIndex(index), channels: channels)
            }
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "ports"), engine: engine, busNames: ["main"],
                inputs: [input("mic", 0, [1]), input("keys", 1, [1, 2])],
                reopenWith: { () throws(OutputError) in try JackDevice(name: "ports") })
            defer { supervisor.stop() }
            func inputs() -> Set<String> {
                Set(
                    probe.ports(of: "ports").filter { !probe.isOutput($0) }.map { String($0.dropFirst("ports:".count)) }
                )
            }
            #expect(inputs() == ["mic", "keys_1", "keys_2"])
            #expect(probe.connections(of: "ports:mic") == ["system:capture_1"])
            supervisor.setInputs([input("voice", 0, [1]), input("keys", 1, [1, 2])])
            #expect(inputs() == ["voice", "keys_1", "keys_2"])
            #expect(probe.connections(of: "ports:voice") == ["system:capture_1"])
            supervisor.setInputs([input("voice", 0, [2]), input("bass", 2, [1])])
            #expect(inputs() == ["voice", "bass"])
            #expect(probe.connections(of: "ports:voice") == ["system:capture_2"])
            supervisor.setInputs([])
            #expect(inputs().isEmpty)
            let frames = supervisor.renderedFrames
            #expect(eventually { supervisor.renderedFrames > frames + 4_800 })
            #expect(supervisor.status == .running)
        }

        @Test("A bus that gets a name while it plays gets ports, and what plays goes on")
        func added() throws {
            let server = try JackServer()
            defer { server.end() }
            let probe = try JackCapture(name: "probe", seconds: 1)
            let engine = Engine(EngineConfiguration(trackCount: 1, busCount: 8))
            let supervisor = try OutputSupervisor(
                try JackDevice(name: "ports"), engine: engine, busNames: ["main"],
                reopenWith: { () throws(OutputError) in try JackDevice(name: "ports") })
            defer { supervisor.stop() }
            #expect(eventually { supervisor.renderedFrames > 4_800 })
            #expect(probe.ports(of: "ports") == ["ports:main_1", "ports:main_2"])
            supervisor.setBusNames(["main", "phones"])
            let all = ["main_1", "main_2", "phones_1", "phones_2"].map { "ports:\($0)" }
            #expect(probe.ports(of: "ports") == all)
            #expect(probe.connections(of: all[0]) == ["system:playback_1"])
            let frames = supervisor.renderedFrames
            #expect(eventually { supervisor.renderedFrames > frames + 4_800 })
            #expect(supervisor.status == .running)
        }

        @Test("Ports are left alone where that is asked for")
        func none() throws {
            let server = try JackServer()
            defer { server.end() }
            let probe = try JackCapture(name: "probe", seconds: 1)
            let (supervisor, name) = try start(.none)
            defer { supervisor.stop() }
            let ports = probe.ports(of: name)
            #expect(ports.count == 2)
            #expect(ports.allSatisfy { probe.connections(of: $0).isEmpty })
            #expect(eventually { supervisor.renderedFrames > 4800 })
        }

        @Test("A pattern chooses the inputs that ports are connected to")
        func matching() throws {
            let server = try JackServer()
            defer { server.end() }
            let probe = try JackCapture(name: "probe", seconds: 1)
            let (supervisor, name) = try start(.matching("^pro.*:in_[12]$"))
            defer { supervisor.stop() }
            let ports = probe.ports(of: name)
            #expect(ports.count == 2)
            #expect(ports.map(probe.connections) == [["probe:in_1"], ["probe:in_2"]])
            let engine = Engine(EngineConfiguration(trackCount: 1))
            let all = try OutputSupervisor(
                try JackDevice(name: "all", connection: .matching("in_|mic")), engine: engine, busNames: ["main"],
                inputs: [DeviceInput(name: "mic", index: InputIndex(0), channels: [1])],
                reopenWith: { () throws(OutputError) in try JackDevice(name: "all") })
            defer { all.stop() }
            // Nothing goes back to where it comes from.
            #expect(probe.connections(of: "all:mic").isEmpty)
            #expect(probe.ports(of: "all").prefix(2).map(probe.connections) == [["probe:in_1"], ["probe:in_2"]])
        }

        @Test("What a pattern chooses is connected when it comes, and what was disconnected by hand stays so")
        func later() throws {
            let server = try JackServer()
            defer { server.end() }
            let probe = try JackCapture(name: "probe", seconds: 1)
            let (supervisor, name) = try start(.matching("^late:in_[12]$"))
            defer { supervisor.stop() }
            let ports = probe.ports(of: name)
            #expect(ports.map(probe.connections) == [[], []])
            #expect(supervisor.format.name == "jack (ports), connected to nothing")
            var late: JackCapture? = try JackCapture(name: "late", seconds: 1)
            #expect(eventually { ports.map(probe.connections) == [["late:in_1"], ["late:in_2"]] })
            #expect(supervisor.format.name == "jack (ports)")
            probe.disconnect(ports[0], "late:in_1")
            let other = try JackCapture(name: "other", seconds: 1)
            Thread.sleep(forTimeInterval: 0.5)
            #expect(ports.map(probe.connections) == [[], ["late:in_2"]])
            other.close()
            late?.close()
            late = nil
            #expect(eventually { ports.map(probe.connections) == [[], []] })
            late = try JackCapture(name: "late", seconds: 1)
            #expect(eventually { ports.map(probe.connections) == [["late:in_1"], ["late:in_2"]] })
            late?.close()
        }

        @Test("A pattern that is none is refused")
        func badPattern() {
            #expect(throws: OutputError.invalidPattern("(")) { try JackDevice(connection: .matching("(")) }
        }

        @Test("A running server is what is played to by default, and listed as the default")
        func selection() throws {
            #expect(!JackServer.isRunning)
            let server = try JackServer(sampleRate: 44_100)
            defer { server.end() }
            #expect(JackServer.isRunning)
            let device = try OutputSelection().open()
            #expect(device.format.backend == .jack)
            #expect(device.format.sampleRate.hertz == 44_100)
            device.close()
            let listing = try #require(OutputListing.all().first)
            #expect(listing.backend == .jack && listing.isDefault && listing.sampleRate == 44_100)
        }
    }
}
