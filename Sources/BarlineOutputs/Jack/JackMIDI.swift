#if JACK
    import BarlineDSP
    import BarlineTime
    import CJack
    import CRealtime
    import Foundation
    import Synchronization

    /// A MIDI input and an output on a JACK server, for controllers.
    ///
    /// The callback only moves bytes between JACK's buffers and two rings; messages that don't fit are dropped and
    /// counted.
    package final class JackMIDI: @unchecked Sendable {
        let client: OpaquePointer
        let context: UnsafeMutablePointer<MIDIContext>
        private let clientName: String
        private let isClosed = Atomic<Bool>(false)
        private let number = Atomic<Int>(0)

        /// Connects to the server that `JACK_DEFAULT_SERVER` names, or the default one; none is started.
        ///
        /// - Throws: ``OutputError``.
        init(name: String = "barline-midi") throws(OutputError) {
            try JackClients.checkMayOpen()
            let client = try JackClients.open(name)
            guard
                let input = jack_port_register(
                    client, "control_in", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0),
                let output = jack_port_register(
                    client, "control_out", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue), 0)
            else {
                jack_client_close(client)
                throw .cannotStart(backend: "jack", reason: "the server has no room for MIDI ports")
            }
            self.client = client
            clientName = String(cString: jack_get_client_name(client))
            context = .allocate(capacity: 1)
            context.initialize(to: MIDIContext(client: client, input: input, output: output))
            jack_on_info_shutdown(client, midiShutdown, context)
            jack_set_process_callback(client, midiProcess, context)
            jack_set_port_registration_callback(client, midiPortsChanged, context)
            jack_set_port_connect_callback(client, midiPortConnected, context)
            guard jack_activate(client) == 0 else {
                // `deinit` cleans up: the object is fully initialised by now.
                throw .cannotStart(backend: "jack", reason: "the server refused to activate the MIDI client")
            }
            number.store(JackClients.add { [weak self] in self?.isLost ?? false }, ordering: .relaxed)
            connect()
        }

        deinit {
            close()
            context.deinitialize(count: 1)
            context.deallocate()
        }

        /// Closes the client.
        package func close() {
            if isClosed.exchange(true, ordering: .sequentiallyConsistent) { return }
            jack_client_close(client)
            JackClients.remove(number.load(ordering: .relaxed))
        }

        /// The full name of the input port.
        var inputName: String { "\(clientName):control_in" }
        /// The full name of the output port.
        var outputName: String { "\(clientName):control_out" }
        /// Waits until messages arrive, or the server is gone, for `seconds` at most. Used by one thread at a time.
        func wait(seconds: Double) { _ = rt_signal_wait(context.pointee.arrival, seconds) }
        /// Ends ``wait(seconds:)``.
        func wake() { rt_signal_give(context.pointee.arrival) }
        /// Whether the server is gone.
        package var isLost: Bool { context.pointee.isLost.load(ordering: .sequentiallyConsistent) }
        /// The number of messages that did not fit.
        var droppedCount: Int { context.pointee.dropped.load(ordering: .relaxed) }

        /// Takes the messages that have arrived since the last call. Used by one thread at a time.
        ///
        /// - Parameter now: the approximate current frame of the engine.
        /// - Returns: the messages, each with the exact frame on which it arrived.
        func takeEvents(near now: FrameTime) -> [MIDIEvent] {
            var events: [MIDIEvent] = []
            while let packed = context.pointee.incoming.consumer.pop() {
                events.append(
                    MIDIEvent(
                        bytes: packed.bytes,
                        frame: FrameTime(JackTimeline.shared.frame(at: packed.time, near: now.rawValue))))
            }
            return events
        }

        /// Sends a message with the next block; returns `false` if too many are pending. Used by one thread at a time.
        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            guard (1...3).contains(bytes.count) else { return false }
            return context.pointee.outgoing.producer.push(PackedMIDI(bytes))
        }
    }

    /// A short message in the form that the rings carry.
    struct PackedMIDI: BitwiseCopyable, Sendable {
        var time: jack_nframes_t = 0
        var count: UInt8 = 0
        var first: UInt8 = 0
        var second: UInt8 = 0
        var third: UInt8 = 0

        init(_ bytes: [UInt8]) {
            count = UInt8(bytes.count)
            first = bytes[0]
            if bytes.count > 1 { second = bytes[1] }
            if bytes.count > 2 { third = bytes[2] }
        }

        @_noLocks init(_ event: jack_midi_event_t, time: jack_nframes_t) {
            self.time = time
            count = UInt8(truncatingIfNeeded: event.size)
            first = event.buffer[0]
            second = 0
            third = 0
            if event.size > 1 { second = event.buffer[1] }
            if event.size > 2 { third = event.buffer[2] }
        }

        var bytes: [UInt8] { Array([first, second, third].prefix(Int(count))) }
    }

    /// The state of the MIDI callback.
    struct MIDIContext: ~Copyable, @unchecked Sendable {
        let isLost = Atomic<Bool>(false)
        let dropped = Atomic<Int>(0)
        let incoming = SPSCRing<PackedMIDI>(minimumCapacity: MIDIContext.capacity)
        let outgoing = SPSCRing<PackedMIDI>(minimumCapacity: MIDIContext.capacity)
        /// Signalled when messages arrive: the reader sleeps until then.
        let arrival: OpaquePointer?
        /// The ports that were registered since ``JackMIDI/connectNew()`` last looked. Not used by the audio thread.
        let registered = Mutex<[jack_port_id_t]>([])
        /// Whether something was connected to the output since it was last asked.
        let isReached = Atomic<Bool>(false)
        let client: OpaquePointer
        let output: OpaquePointer
        private let input: OpaquePointer

        /// The maximum number of messages sent per block; more than a controller's cable carries.
        private static var perBlock: Int { @_noLocks get { 64 } }
        /// The number of messages that each ring holds.
        private static let capacity = 4096

        init(client: OpaquePointer, input: OpaquePointer, output: OpaquePointer) {
            self.client = client
            self.input = input
            self.output = output
            arrival = rt_signal_create()
        }

        deinit {
            incoming.deallocate()
            outgoing.deallocate()
            rt_signal_destroy(arrival)
        }

        @_noLocks borrowing func process(_ frames: jack_nframes_t) {
            let start = jack_last_frame_time(client)
            if let buffer = jack_port_get_buffer(input, frames) {
                var event = jack_midi_event_t()
                let count = jack_midi_get_event_count(buffer)
                for index in 0..<count {
                    guard jack_midi_event_get(&event, buffer, index) == 0, event.size >= 1, event.size <= 3 else {
                        continue
                    }
                    if !incoming.producer.push(PackedMIDI(event, time: start &+ event.time)) {
                        dropped.wrappingAdd(1, ordering: .relaxed)
                    }
                }
                if count > 0 { rt_signal_give(arrival) }
            }
            guard let buffer = jack_port_get_buffer(output, frames) else { return }
            jack_midi_clear_buffer(buffer)
            for _ in 0..<MIDIContext.perBlock {
                guard let message = outgoing.consumer.pop() else { break }
                guard let target = jack_midi_event_reserve(buffer, 0, Int(message.count)) else {
                    dropped.wrappingAdd(1, ordering: .relaxed)
                    break
                }
                target[0] = message.first
                if message.count > 1 { target[1] = message.second }
                if message.count > 2 { target[2] = message.third }
            }
        }
    }

    @_noLocks func midiProcess(_ frames: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
        if let context { context.assumingMemoryBound(to: MIDIContext.self).pointee.process(frames) }
        return 0
    }

    func midiShutdown(_ code: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) {
        guard let context = context?.assumingMemoryBound(to: MIDIContext.self) else { return }
        context.pointee.isLost.store(true, ordering: .sequentiallyConsistent)
        rt_signal_give(context.pointee.arrival)
    }
#endif
