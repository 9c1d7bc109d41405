import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineDSP
@testable import BarlineOutputs

/// A real server, and two real clients that write what they hear to files.
@Suite("Snapcast", .serialized, .timeLimit(.minutes(10)))
struct SnapcastTests {
    @Test("Two rooms hear every sample, in its place, and the end of it too")
    func rooms() throws {
        // A server that had to wait for what is sent goes on at another place: the machine's doing, and another try is
        // made.
        let attempts = 10
        for attempt in 1...attempts {
            let server = try SnapServer()
            let sent = try play(to: server, rooms: ["kitchen", "bath"])
            if server.log.contains("onResync"), attempt < attempts { continue }
            for room in ["kitchen", "bath"] {
                let played = server.played(room)
                let start = try #require(
                    SnapcastTests.place(of: Array(sent[..<256]), in: played), "\(room): \(server.log)")
                #expect(played[start...].starts(with: sent), "\(room): \(server.log)")
            }
            return
        }
    }

    /// Plays five seconds to rooms and waits until they have heard them; gives what was sent.
    private func play(to server: SnapServer, rooms: [String]) throws -> [Int16] {
        for room in rooms { try server.addClient(room) }
        let device = try SnapcastDevice(address: server.address)
        let engine = try PlaceEngine.make()
        let supervisor = try OutputSupervisor(
            device, engine: engine, busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
        #expect(eventually { supervisor.renderedFrames >= 5 * 48_000 })
        #expect(supervisor.status == .running)
        supervisor.stop()
        for room in rooms { #expect(eventually { server.played(room).count >= 2 * 48_000 * 7 }) }
        return try SnapcastTests.codes(frames: Int(supervisor.renderedFrames))
    }

    /// What is sent: a render of the same engine, dithered with the same noise.
    private static func codes(frames: Int) throws -> [Int16] {
        let engine = try PlaceEngine.make()
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 960)
        defer { samples.deallocate() }
        var pointers: [UnsafeMutablePointer<Float>?] = [samples, samples + 960]
        var dither = Dither()
        var codes: [Int16] = []
        for _ in 0..<(frames / 960) {
            pointers.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                Engine.render(
                    engine.realtimeHandle, AudioBlock(outputs: UnsafePointer(base), outputCount: 2, frames: 960))
            }
            for frame in 0..<960 {
                codes.append(Int16(dither.quantize(samples[frame], bits: 16)))
                codes.append(Int16(dither.quantize(samples[960 + frame], bits: 16)))
            }
        }
        return codes
    }

    private static func place(of pattern: [Int16], in samples: [Int16]) -> Int? {
        samples.withUnsafeBufferPointer { samples in
            (0..<max(0, samples.count - pattern.count)).first { samples[$0...].starts(with: pattern) }
        }
    }

    @Test("A server that dies is waited for, and playing goes on when it is back")
    func reconnect() throws {
        var server = try SnapServer()
        let address = server.address
        let engine = try PlaceEngine.make()
        let supervisor = try OutputSupervisor(
            SnapcastDevice(address: address), engine: engine, busNames: ["main"],
            reopenWith: { () throws(OutputError) in try SnapcastDevice(address: address) })
        #expect(eventually { supervisor.renderedFrames > 9600 })
        server.crash()
        #expect(eventually { if case .lost(let attempts) = supervisor.status { attempts > 0 } else { false } })
        let frames = supervisor.renderedFrames
        server = try SnapServer(ports: server.ports)
        #expect(eventually { supervisor.status == .running && supervisor.renderedFrames > frames + 9600 })
        #expect(eventually { (try? server.control().streams().first { $0.id == "barline" })?.isPlaying == true })
        supervisor.stop()
        #expect(engine.state.frame.rawValue == supervisor.renderedFrames, "every frame is counted, heard or not")
    }

    @Test("A server that takes nothing is lost, not waited for")
    func stall() throws {
        let server = try SnapServer()
        let device = try SnapcastDevice(address: server.address)
        let supervisor = try OutputSupervisor(
            device, engine: SineEngine.make(), busNames: ["main"],
            reopenWith: { () throws(OutputError) in throw .noServer(backend: "test", reason: "none") })
        #expect(eventually { supervisor.renderedFrames > 9600 })
        server.pause()
        #expect(eventually { device.isLost })
        server.resume()
        supervisor.stop()
        #expect(supervisor.status == .stopped)
    }

    @Test("An output says how late it is, how far ahead it takes audio, and that it can't take it back")
    func format() throws {
        let server = try SnapServer()
        var address = server.address
        address.buffer = 0.5
        let format = try SnapcastDevice(address: address).format
        #expect(format.backend == .snapcast && format.sampleRate == .standard && format.blockFrames == 960)
        #expect(abs(format.latency - 0.54) < 1e-9)
        #expect(format.sendAhead == format.latency)
    }

    @Test("Rooms: names, volumes, mute, streams")
    func control() throws {
        let server = try SnapServer()
        try server.addClient("kitchen")
        try server.addClient("bath")
        let control = try server.control()
        #expect(try Set(control.streams().map(\.id)) == ["barline", "other"])
        func room(_ id: String) throws -> SnapcastRoom { try #require(try control.rooms().first { $0.id == id }) }
        try control.play(stream: "other", in: room("bath"))
        #expect(try room("kitchen").stream == "barline" && room("bath").stream == "other")
        try control.set(room("kitchen"), volume: 37)
        try control.set(room("bath"), isMuted: true)
        #expect(try room("kitchen").volume == 37 && !room("kitchen").isMuted)
        #expect(try room("bath").volume == 100 && room("bath").isMuted)
        try control.set(room("bath"), volume: 5, isMuted: false)
        #expect(try room("bath").volume == 5 && !room("bath").isMuted && room("bath").isConnected)
        try control.join([room("kitchen"), room("bath")])
        #expect(try room("kitchen").group == room("bath").group && room("bath").stream == "barline")
        #expect(throws: OutputError.self) { try control.play(stream: "none", in: room("bath")) }
    }

    @Test("Where nobody listens, that is said")
    func nobody() throws {
        let ports = FreePorts.find(1)
        for error in [
            #expect(throws: OutputError.self) {
                try SnapcastDevice(address: SnapcastAddress(host: "127.0.0.1", port: ports[0]))
            },
            #expect(throws: OutputError.self) { try SnapcastControl(host: "127.0.0.1", port: ports[0]) },
        ] {
            #expect(error == .noServer(backend: "snapcast", reason: "127.0.0.1, port \(ports[0]): Connection refused"))
        }
    }
}

extension SnapServer {
    /// The address to play to.
    var address: SnapcastAddress { SnapcastAddress(host: "127.0.0.1", port: audioPort) }

    func control() throws -> SnapcastControl { try SnapcastControl(host: "127.0.0.1", port: controlPort) }
}
