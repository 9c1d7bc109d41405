import CJack
import Foundation
import Synchronization

@testable import BarlineOutputs

/// A sound device with a cable from its output to its input: what is played comes back `delay` frames and a block
/// later. Its driver says that it is `declared` frames and a block.
final class JackRoom: @unchecked Sendable {
    /// Why there is no client.
    struct NoClient: Error {}

    private let client: OpaquePointer
    private let memory: UnsafeMutablePointer<RoomMemory>

    /// Where it is not `isPhysical` it is a program that says nothing of where its sound goes.
    init(name: String = "room", delay: Int, declared: Int, isPhysical: Bool = true) throws {
        var status = jack_status_t(rawValue: 0)
        guard let client = barline_jack_client_open(name, JackNoStartServer, &status, nil) else { throw NoClient() }
        self.client = client
        memory = .allocate(capacity: 1)
        memory.initialize(to: RoomMemory(client, delay: delay, declared: declared, isPhysical: isPhysical))
        jack_set_process_callback(client, roomProcess, memory)
        jack_set_latency_callback(client, roomLatency, memory)
        guard memory.pointee.hasPorts, jack_activate(client) == 0 else {
            jack_client_close(client)
            throw NoClient()
        }
        jack_recompute_total_latencies(client)
    }

    deinit {
        jack_client_close(client)
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    /// The server's block size.
    var blockFrames: Int { Int(jack_get_buffer_size(client)) }

    /// Changes it.
    func setBlockFrames(_ frames: Int) -> Bool { jack_set_buffer_size(client, jack_nframes_t(frames)) == 0 }

    /// Pulls the cable, or plugs it in.
    func setConnected(_ isConnected: Bool) { memory.pointee.isConnected.store(isConnected, ordering: .relaxed) }
}

/// What the callbacks of a ``JackRoom`` work with: what was played, each frame at the place of its time.
struct RoomMemory: ~Copyable, @unchecked Sendable {
    let isConnected = Atomic<Bool>(true)
    private let client: OpaquePointer
    private let delay: Int
    private let declared: Int
    private let played: OpaquePointer?
    private let captured: OpaquePointer?
    private let line: UnsafeMutablePointer<Float>
    private static let capacity = 1 << 17
    private var next: jack_nframes_t = 0

    init(_ client: OpaquePointer, delay: Int, declared: Int, isPhysical: Bool) {
        self.client = client
        self.delay = delay
        self.declared = declared
        let kind = isPhysical ? JackPortIsPhysical.rawValue | JackPortIsTerminal.rawValue : 0
        played = jack_port_register(
            client, "playback_1", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue | kind), 0)
        captured = jack_port_register(
            client, "capture_1", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue | kind), 0)
        line = .allocate(capacity: RoomMemory.capacity)
        line.initialize(repeating: 0, count: RoomMemory.capacity)
    }

    deinit { line.deallocate() }

    var hasPorts: Bool { played != nil && captured != nil }

    mutating func process(_ frames: Int) {
        guard let played, let captured, let heard = buffer(played, frames), let given = buffer(captured, frames) else {
            return
        }
        let time = jack_last_frame_time(client)
        // What the server passed over was not played.
        while next != time, time &- next < UInt32(RoomMemory.capacity) {
            line[Int(next) % RoomMemory.capacity] = 0
            next &+= 1
        }
        next = time &+ jack_nframes_t(frames)
        let connects = isConnected.load(ordering: .relaxed)
        for frame in 0..<frames {
            let place = Int(time) + frame
            line[place % RoomMemory.capacity] = connects ? heard[frame] : 0
            given[frame] = place < delay ? 0 : line[(place - delay) % RoomMemory.capacity]
        }
    }

    private func buffer(_ port: OpaquePointer, _ frames: Int) -> UnsafeMutablePointer<Float>? {
        jack_port_get_buffer(port, jack_nframes_t(frames))?.assumingMemoryBound(to: Float.self)
    }

    /// Says all of the latency of the way in, and of the way out a block.
    func tellLatency(_ mode: jack_latency_callback_mode_t) {
        let isCapture = mode == JackCaptureLatency
        let frames = isCapture ? jack_nframes_t(declared) : jack_get_buffer_size(client)
        var range = jack_latency_range_t(min: frames, max: frames)
        jack_port_set_latency_range(isCapture ? captured : played, mode, &range)
    }
}

func roomProcess(_ frames: jack_nframes_t, _ memory: UnsafeMutableRawPointer?) -> Int32 {
    memory?.assumingMemoryBound(to: RoomMemory.self).pointee.process(Int(frames))
    return 0
}

func roomLatency(_ mode: jack_latency_callback_mode_t, _ memory: UnsafeMutableRawPointer?) {
    memory?.assumingMemoryBound(to: RoomMemory.self).pointee.tellLatency(mode)
}
