import CJack
import Foundation
import Synchronization

@testable import BarlineOutputs

/// A JACK client that keeps the messages of a MIDI clock, and the first frames of sounds that come with it.
final class JackClockCapture: @unchecked Sendable {
    /// Why there is no client.
    struct NoClient: Error {}

    /// A message, and the server's frame on which it came.
    struct Message: Hashable {
        let frame: UInt32
        let status: UInt8
    }

    private let client: OpaquePointer
    private let memory: UnsafeMutablePointer<ClockMemory>
    private var isClosed = false

    /// A capture of at most `capacity` messages and as many sounds.
    init(name: String, capacity: Int) throws {
        var status = jack_status_t(rawValue: 0)
        guard let client = barline_jack_client_open(name, JackNoStartServer, &status, nil) else { throw NoClient() }
        self.client = client
        memory = .allocate(capacity: 1)
        memory.initialize(to: ClockMemory(client, capacity: capacity))
        jack_set_process_callback(client, clockProcess, memory)
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

    /// Ends the client; what it has kept stays.
    func close() {
        if isClosed { return }
        isClosed = true
        jack_client_close(client)
    }

    /// Connects a port to the input for messages, or for sound.
    func connect(clock port: String) -> Bool { jack_connect(client, port, memory.pointee.clockName) == 0 }
    func connect(sound port: String) -> Bool { jack_connect(client, port, memory.pointee.soundName) == 0 }

    /// The messages so far.
    var messages: [Message] {
        (0..<memory.pointee.messageCount.load(ordering: .acquiring)).map { memory.pointee.messages[$0] }
    }

    /// The server's frames on which sound came after a hundred frames of silence.
    var onsets: [UInt32] {
        (0..<memory.pointee.onsetCount.load(ordering: .acquiring)).map { memory.pointee.onsets[$0] }
    }
}

/// What the callback of a ``JackClockCapture`` works with, allocated before it is called.
struct ClockMemory: ~Copyable, @unchecked Sendable {
    let messages: UnsafeMutablePointer<JackClockCapture.Message>
    let onsets: UnsafeMutablePointer<UInt32>
    let messageCount = Atomic<Int>(0)
    let onsetCount = Atomic<Int>(0)
    private let capacity: Int
    private let client: OpaquePointer
    private let clock: OpaquePointer?
    private let sound: OpaquePointer?
    private var silence = 100

    init(_ client: OpaquePointer, capacity: Int) {
        self.client = client
        self.capacity = capacity
        messages = .allocate(capacity: capacity)
        onsets = .allocate(capacity: capacity)
        let isInput = UInt(JackPortIsInput.rawValue)
        clock = jack_port_register(client, "clock", JACK_DEFAULT_MIDI_TYPE, isInput, 0)
        sound = jack_port_register(client, "sound", JACK_DEFAULT_AUDIO_TYPE, isInput, 0)
    }

    deinit {
        messages.deallocate()
        onsets.deallocate()
    }

    var hasPorts: Bool { clock != nil && sound != nil }
    var clockName: UnsafePointer<CChar>? { jack_port_name(clock) }
    var soundName: UnsafePointer<CChar>? { jack_port_name(sound) }

    mutating func process(_ frames: jack_nframes_t) {
        guard let clock, let sound, let events = jack_port_get_buffer(clock, frames),
            let samples = jack_port_get_buffer(sound, frames)?.assumingMemoryBound(to: Float.self)
        else { return }
        let start = jack_last_frame_time(client)
        var event = jack_midi_event_t()
        for index in 0..<jack_midi_get_event_count(events) where jack_midi_event_get(&event, events, index) == 0 {
            let count = messageCount.load(ordering: .relaxed)
            if count == capacity { break }
            messages[count] = JackClockCapture.Message(frame: start &+ event.time, status: event.buffer[0])
            messageCount.store(count + 1, ordering: .releasing)
        }
        for frame in 0..<Int(frames) {
            silence += 1
            if samples[frame] == 0 { continue }
            let count = onsetCount.load(ordering: .relaxed)
            if silence > 100, count < capacity {
                onsets[count] = start &+ jack_nframes_t(frame)
                onsetCount.store(count + 1, ordering: .releasing)
            }
            silence = 0
        }
    }
}

func clockProcess(_ frames: jack_nframes_t, _ memory: UnsafeMutableRawPointer?) -> Int32 {
    memory?.assumingMemoryBound(to: ClockMemory.self).pointee.process(frames)
    return 0
}
