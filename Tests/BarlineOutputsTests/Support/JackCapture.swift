import CJack
import Foundation
import Synchronization

@testable import BarlineOutputs

/// A JACK client with two inputs that keeps what it hears, and one for a MIDI clock.
final class JackCapture: @unchecked Sendable {
    /// Why there is no client.
    struct NoClient: Error {}

    private let client: OpaquePointer
    private let memory: UnsafeMutablePointer<CaptureMemory>
    private var isClosed = false

    /// The client's name.
    let name: String

    init(name: String, seconds: Int) throws {
        var status = jack_status_t(rawValue: 0)
        guard let client = barline_jack_client_open(name, JackNoStartServer, &status, nil) else { throw NoClient() }
        self.client = client
        self.name = String(cString: jack_get_client_name(client))
        memory = .allocate(capacity: 1)
        memory.initialize(to: CaptureMemory(client, frames: seconds * Int(jack_get_sample_rate(client))))
        jack_set_process_callback(client, captureProcess, memory)
        jack_set_xrun_callback(client, captureXrun, memory)
        guard memory.pointee.hasPorts, jack_activate(client) == 0 else {
            jack_client_close(client)
            throw NoClient()
        }
    }

    deinit {
        close()
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    /// Ends the client; what it heard is kept.
    func close() {
        if isClosed { return }
        isClosed = true
        jack_client_close(client)
    }

    /// The frames heard so far.
    var frameCount: Int { memory.pointee.count.load(ordering: .acquiring) }
    /// The frames heard when a block last came late or the server last passed over some; 0 where that never was.
    var lastFault: Int { memory.pointee.lastFault.load(ordering: .relaxed) }
    /// The frames heard when blocks came late or the server passed over some, as far as there was room to note them.
    var faults: [Int] { (0..<memory.pointee.faultCount.load(ordering: .acquiring)).map { memory.pointee.faults[$0] } }
    /// The messages of the clock, each with the frames heard before it, as far as there was room for them.
    var messages: [ClockMessage] {
        (0..<memory.pointee.messageCount.load(ordering: .acquiring)).map { memory.pointee.messages[$0] }
    }
    /// What the left input heard.
    var left: [Float] { Array(UnsafeBufferPointer(start: memory.pointee.left, count: frameCount)) }
    /// What the right input heard.
    var right: [Float] { Array(UnsafeBufferPointer(start: memory.pointee.right, count: frameCount)) }

    // MARK: The server

    /// The names of the audio ports of a client, in order.
    func ports(of client: String) -> [String] {
        JackCapture.names(jack_get_ports(self.client, "^\(client):", JACK_DEFAULT_AUDIO_TYPE, 0))
    }

    /// What a port is connected to.
    func connections(of port: String) -> [String] {
        guard let handle = jack_port_by_name(client, port) else { return [] }
        return JackCapture.names(jack_port_get_all_connections(client, handle))
    }

    func disconnect(_ port: String, _ other: String) { jack_disconnect(client, port, other) }

    /// How many frames ago what comes out of a port began, as its client says.
    func latency(of port: String) -> Int? {
        guard let handle = jack_port_by_name(client, port) else { return nil }
        var range = jack_latency_range_t()
        jack_port_get_latency_range(handle, JackCaptureLatency, &range)
        return range.min == range.max ? Int(range.max) : nil
    }

    /// Whether sound comes out of a port.
    func isOutput(_ port: String) -> Bool {
        guard let handle = jack_port_by_name(client, port) else { return false }
        return jack_port_flags(handle) & Int32(JackPortIsOutput.rawValue) != 0
    }

    /// Connects two ports.
    func connect(_ source: String, to target: String) -> Bool { jack_connect(client, source, target) == 0 }

    /// Changes the server's block size.
    func setBlockFrames(_ frames: Int) -> Bool { jack_set_buffer_size(client, jack_nframes_t(frames)) == 0 }

    private static func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let list else { return [] }
        defer { jack_free(list) }
        var names: [String] = []
        while let name = list[names.count] { names.append(String(cString: name)) }
        return names
    }
}

/// A message of a MIDI clock.
struct ClockMessage: Hashable {
    let frame: Int
    let status: UInt8
}

/// What the callbacks of a ``JackCapture`` work with, allocated before they are called.
struct CaptureMemory: ~Copyable, @unchecked Sendable {
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>
    let count = Atomic<Int>(0)
    let lastFault = Atomic<Int>(0)
    let faults = UnsafeMutablePointer<Int>.allocate(capacity: CaptureMemory.faultCapacity)
    let faultCount = Atomic<Int>(0)
    private static let faultCapacity = 4096
    let messages = UnsafeMutablePointer<ClockMessage>.allocate(capacity: CaptureMemory.messageCapacity)
    let messageCount = Atomic<Int>(0)
    private static let messageCapacity = 4096
    private let capacity: Int
    private let client: OpaquePointer
    private let leftPort: OpaquePointer?
    private let rightPort: OpaquePointer?
    private let clockPort: OpaquePointer?
    private let nextTime = Atomic<UInt32>(0)

    init(_ client: OpaquePointer, frames: Int) {
        self.client = client
        capacity = frames
        left = .allocate(capacity: frames)
        right = .allocate(capacity: frames)
        let isInput = UInt(JackPortIsInput.rawValue)
        leftPort = jack_port_register(client, "in_1", JACK_DEFAULT_AUDIO_TYPE, isInput, 0)
        rightPort = jack_port_register(client, "in_2", JACK_DEFAULT_AUDIO_TYPE, isInput, 0)
        clockPort = jack_port_register(client, "clock", JACK_DEFAULT_MIDI_TYPE, isInput, 0)
    }

    deinit {
        left.deallocate()
        right.deallocate()
        faults.deallocate()
        messages.deallocate()
    }

    var hasPorts: Bool { leftPort != nil && rightPort != nil && clockPort != nil }

    func process(_ frames: Int) {
        guard let leftPort, let rightPort else { return }
        let length = jack_nframes_t(frames)
        let time = jack_last_frame_time(client)
        let start = count.load(ordering: .relaxed)
        if start > 0, time != nextTime.load(ordering: .relaxed) { markFault() }
        nextTime.store(time &+ length, ordering: .relaxed)
        let kept = min(frames, capacity - start)
        guard kept > 0, let heardLeft = jack_port_get_buffer(leftPort, length),
            let heardRight = jack_port_get_buffer(rightPort, length)
        else { return }
        memcpy(left + start, heardLeft, kept * MemoryLayout<Float>.stride)
        memcpy(right + start, heardRight, kept * MemoryLayout<Float>.stride)
        if let clockPort, let events = jack_port_get_buffer(clockPort, length) { keep(events, from: start) }
        count.store(start + kept, ordering: .releasing)
    }

    private func keep(_ events: UnsafeMutableRawPointer, from start: Int) {
        var event = jack_midi_event_t()
        for index in 0..<jack_midi_get_event_count(events) where jack_midi_event_get(&event, events, index) == 0 {
            let noted = messageCount.load(ordering: .relaxed)
            guard noted < CaptureMemory.messageCapacity else { return }
            messages[noted] = ClockMessage(frame: start + Int(event.time), status: event.buffer[0])
            messageCount.store(noted + 1, ordering: .releasing)
        }
    }

    func markFault() {
        let frame = count.load(ordering: .relaxed)
        lastFault.store(frame, ordering: .relaxed)
        let noted = faultCount.load(ordering: .relaxed)
        guard noted < CaptureMemory.faultCapacity else { return }
        faults[noted] = frame
        faultCount.store(noted + 1, ordering: .releasing)
    }
}

func captureProcess(_ frames: jack_nframes_t, _ memory: UnsafeMutableRawPointer?) -> Int32 {
    memory?.assumingMemoryBound(to: CaptureMemory.self).pointee.process(Int(frames))
    return 0
}

func captureXrun(_ memory: UnsafeMutableRawPointer?) -> Int32 {
    memory?.assumingMemoryBound(to: CaptureMemory.self).pointee.markFault()
    return 0
}
