import BarlineEngine
import BarlineTestSupport
import BarlineTime
import CJack
import Foundation
import Synchronization
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// MIDI through a real server.
    @Suite("MIDI", .timeLimit(.minutes(10)))
    struct JackMIDITests {
        private func playing(
            _ engine: Engine, _ timeouts: OutputSupervisor.Timeouts = OutputSupervisor.Timeouts()
        ) throws -> OutputSupervisor {
            try OutputSupervisor(
                try JackDevice(name: "timed"), engine: engine, busNames: ["main"], timeouts: timeouts,
                reopenWith: { () throws(OutputError) in try JackDevice(name: "timed") })
        }

        @Test("A message carries the engine's frame on which it came, within its block")
        func frames() throws {
            // A server that waits for its clients passes over no frames, however busy the machine is.
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let engine = Engine(EngineConfiguration(trackCount: 1))
            let supervisor = try playing(engine)
            defer { supervisor.stop() }
            let midi = try JackMIDI(name: "midi")
            defer { midi.close() }
            #expect(eventually { supervisor.renderedFrames > 4_800 })
            let keys = try MIDIKeys(name: "keys", to: "midi:control_in", offset: 100)
            defer { keys.close() }
            var events: [MIDIEvent] = []
            #expect(
                eventually {
                    events += midi.takeEvents(near: engine.state.frame)
                    return events.count >= 200
                })
            // Blocks of 256 begin on multiples of 256.
            #expect(events.allSatisfy { $0.frame.rawValue % 256 == 100 })
            #expect(events.allSatisfy { $0.bytes.count == 3 && $0.bytes[0] == 0x90 })
            // One a block: the n-th is n blocks after the first.
            let numbers = events.map { Int64($0.bytes[1]) }
            for (first, second) in zip(events.indices, events.indices.dropFirst()) {
                let blocks = (numbers[second] - numbers[first] + 128) % 128
                #expect(events[second].frame - events[first].frame == 256 * blocks)
            }
            let last = try #require(events.last)
            #expect(abs(engine.state.frame - last.frame) < 48_000)
            #expect(midi.droppedCount == 0)
        }

        @Test("Controllers are joined again when the server was lost and is back")
        func rejoin() throws {
            var server = try JackServer()
            defer { server.end() }
            let engine = Engine(EngineConfiguration(trackCount: 1))
            var timeouts = OutputSupervisor.Timeouts()
            timeouts.firstRetry = 0.05
            timeouts.longestRetry = 0.1
            let supervisor = try playing(engine, timeouts)
            defer { supervisor.stop() }
            let controllers = JackControllers(supervisor, name: "grid")
            defer { controllers.close() }
            func hears(_ name: String) throws -> Bool {
                #expect(
                    eventually {
                        _ = controllers.take(near: engine.state.frame)
                        return controllers.ports != nil
                    })
                let keys = try MIDIKeys(name: name, to: "grid:control_in", offset: 7)
                defer { keys.close() }
                return eventually { !controllers.take(near: engine.state.frame).isEmpty }
            }
            #expect(try hears("before"))
            #expect(controllers.joinCount == 1)
            #expect(controllers.ports?.input == "grid:control_in" && controllers.ports?.output == "grid:control_out")
            server.crash()
            // Whoever plays from controllers asks for what they do all the time.
            #expect(
                eventually {
                    _ = controllers.take(near: engine.state.frame)
                    return controllers.ports == nil
                })
            server = try JackServer()
            #expect(eventually { supervisor.status == .running })
            #expect(try hears("after"))
            #expect(controllers.joinCount == 2)
        }

        @Test("A controller that is plugged in later is connected, and shown what one that was there would be")
        func pluggedIn() throws {
            let server = try JackServer()
            defer { server.end() }
            let engine = Engine(EngineConfiguration(trackCount: 1))
            let supervisor = try playing(engine)
            defer { supervisor.stop() }
            let controllers = JackControllers(supervisor, name: "grid")
            defer { controllers.close() }
            func hears() -> Bool { !controllers.take(near: engine.state.frame).isEmpty }
            #expect(
                eventually {
                    _ = hears()
                    return controllers.ports != nil
                })
            func plugIn() throws -> MIDIKeys {
                let joins = controllers.joinCount
                let keys = try MIDIKeys(name: "pad", isPhysical: true, offset: 7)
                #expect(eventually(hears))
                // Connected to the output as well, so that its lights are sent again.
                #expect(
                    eventually {
                        _ = hears()
                        return controllers.joinCount > joins
                    })
                #expect(keys.targets == ["grid:control_in"] && keys.sources == ["grid:control_out"])
                return keys
            }
            try plugIn().close()
            let keys = try plugIn()
            defer { keys.close() }
            // What was disconnected by hand stays so, whatever else is plugged in.
            keys.disconnect()
            let other = try MIDIKeys(name: "other", isPhysical: true, offset: 9)
            #expect(
                eventually {
                    _ = hears()
                    return other.sources == ["grid:control_out"]
                })
            #expect(keys.targets.isEmpty && keys.sources.isEmpty)
            other.close()
            let joins = controllers.joinCount
            keys.connect(from: "grid:control_out")
            #expect(
                eventually {
                    _ = hears()
                    return controllers.joinCount > joins
                })
        }

        @Test("Two devices' counts are one timeline, also where JACK's starts over")
        func wrap() {
            let timeline = JackTimeline.shared
            timeline.set(time: .max - 10, frame: 10_000_000_000)
            #expect(timeline.frame(at: .max, near: 10_000_000_300) == 10_000_000_010)
            #expect(timeline.frame(at: 9, near: 9_999_999_000) == 10_000_000_020)
        }
    }
}

/// A client that plays a note in every block, at one offset, and has an input.
private final class MIDIKeys: @unchecked Sendable {
    private let client: OpaquePointer
    private let input: OpaquePointer
    private let state: UnsafeMutablePointer<MIDIKeysState>

    // Physical ports are those of a device of the machine.
    init(name: String, isPhysical: Bool = false, to target: String? = nil, offset: jack_nframes_t) throws {
        var status = jack_status_t(rawValue: 0)
        client = try #require(barline_jack_client_open(name, JackNoStartServer, &status, nil))
        state = .allocate(capacity: 1)
        let client = client
        func port(_ name: String, _ flag: JackPortFlags) -> OpaquePointer? {
            jack_port_register(
                client, name, JACK_DEFAULT_MIDI_TYPE,
                UInt(flag.rawValue | (isPhysical ? JackPortIsPhysical.rawValue : 0)), 0)
        }
        state.initialize(to: MIDIKeysState(port: try #require(port("out", JackPortIsOutput)), offset: offset))
        input = try #require(port("in", JackPortIsInput))
        jack_set_process_callback(client, playKeys, state)
        jack_activate(client)
        if let target { jack_connect(client, name + ":out", target) }
    }

    /// The names of what its notes go to, and of what its input comes from.
    var targets: [String] { peers(of: state.pointee.port) }
    var sources: [String] { peers(of: input) }

    func disconnect() {
        jack_port_disconnect(client, state.pointee.port)
        jack_port_disconnect(client, input)
    }

    func connect(from source: String) { jack_connect(client, source, jack_port_name(input)) }

    func close() {
        jack_client_close(client)
        state.deallocate()
    }

    private func peers(of port: OpaquePointer) -> [String] {
        guard let names = jack_port_get_all_connections(client, port) else { return [] }
        defer { jack_free(names) }
        var result: [String] = []
        while let name = names[result.count] { result.append(String(cString: name)) }
        return result
    }
}

private struct MIDIKeysState {
    let port: OpaquePointer
    let offset: jack_nframes_t
    var number: UInt8 = 0
}

private func playKeys(_ frames: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let state = context?.assumingMemoryBound(to: MIDIKeysState.self),
        let buffer = jack_port_get_buffer(state.pointee.port, frames)
    else { return 0 }
    jack_midi_clear_buffer(buffer)
    state.pointee.number = (state.pointee.number + 1) % 128
    if let bytes = jack_midi_event_reserve(buffer, state.pointee.offset, 3) {
        (bytes[0], bytes[1], bytes[2]) = (0x90, state.pointee.number, 64)
    }
    return 0
}
