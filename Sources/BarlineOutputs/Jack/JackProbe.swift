#if JACK
    import BarlineTime
    import CJack
    import Foundation
    import Synchronization

    /// A client that measures a round trip: plays a signal in a loop through one port and records the input of another,
    /// frame by frame of the server's clock.
    package final class JackProbe: @unchecked Sendable {
        private let client: OpaquePointer
        private let memory: UnsafeMutablePointer<ProbeMemory>
        private let isClosed = Atomic<Bool>(false)
        private let number = Atomic<Int>(0)

        /// Connects to the server.
        ///
        /// - Throws: ``OutputError``.
        package init(name: String = "barline-latency") throws(OutputError) {
            try JackClients.checkMayOpen()
            client = try JackClients.open(name)
            memory = .allocate(capacity: 1)
            memory.initialize(to: ProbeMemory(client))
            number.store(JackClients.add { [weak self] in self?.isLost ?? false }, ordering: .relaxed)
        }

        deinit {
            close()
            memory.deinitialize(count: 1)
            memory.deallocate()
        }

        /// The server's sample rate in hertz.
        package var hertz: Double { Double(jack_get_sample_rate(client)) }
        /// The block size in frames.
        package var blockFrames: Int { Int(jack_get_buffer_size(client)) }
        /// The hardware's playback ports, in order.
        package var outputs: [String] { ports(UInt(JackPortIsInput.rawValue | JackPortIsPhysical.rawValue)) }
        /// The hardware's capture ports, in order.
        package var inputs: [String] { ports(UInt(JackPortIsOutput.rawValue | JackPortIsPhysical.rawValue)) }

        /// Whether a port exists that can be played to, or captured from.
        package func has(_ port: String, thatPlays plays: Bool) -> Bool {
            ports(UInt(plays ? JackPortIsInput.rawValue : JackPortIsOutput.rawValue)).contains(port)
        }

        /// The device of a port.
        package func device(of port: String) -> String { JackNames.device(of: port, client) }

        private func ports(_ flags: UInt) -> [String] {
            JackNames.take(jack_get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, flags))
        }

        /// Starts playing and recording.
        ///
        /// - Parameters:
        ///   - signal: the signal to loop.
        ///   - frames: the length of the recording.
        ///   - output: the port to play to.
        ///   - input: the port to record from.
        /// - Throws: ``OutputError`` if the server refuses.
        package func begin(
            _ signal: [Float], keeping frames: Int, to output: String, from input: String
        ) throws(OutputError) {
            let isReady = memory.pointee.open(signal, frames: frames)
            jack_on_info_shutdown(client, probeShutdown, memory)
            jack_set_xrun_callback(client, probeXrun, memory)
            jack_set_process_callback(client, probeProcess, memory)
            guard isReady, let names = memory.pointee.portNames, jack_activate(client) == 0,
                jack_connect(client, names.output, output) == 0, jack_connect(client, input, names.input) == 0
            else {
                throw .cannotStart(
                    backend: "jack", reason: "the server did not let \(output) and \(input) be connected")
            }
            memory.pointee.isOpen.store(true, ordering: .releasing)
        }

        /// The number of frames recorded so far, including those skipped by the server.
        package var count: Int { memory.pointee.count.load(ordering: .acquiring) }
        /// The frames at which the server was late, or skipped frames.
        package var faults: [Int] { memory.pointee.noted }
        /// Whether the server is gone.
        package var isLost: Bool { memory.pointee.isLost.load(ordering: .acquiring) }
        /// A range of the recorded frames.
        package func recorded(_ range: Range<Int>) -> [Float] {
            Array(UnsafeBufferPointer(rebasing: memory.pointee.kept[range]))
        }

        /// The latencies reported by the server, in frames: of the playback and of the capture.
        package var declared: (playback: Int, capture: Int) { memory.pointee.declared }

        /// Closes the client.
        package func close() {
            if isClosed.exchange(true, ordering: .sequentiallyConsistent) { return }
            jack_client_close(client)
            JackClients.remove(number.load(ordering: .relaxed))
        }
    }

    /// The state of a ``JackProbe``'s callbacks.
    struct ProbeMemory: ~Copyable, @unchecked Sendable {
        let isLost = Atomic<Bool>(false)
        /// Whether the ports are connected: frames are counted from then on.
        let isOpen = Atomic<Bool>(false)
        let count = Atomic<Int>(0)
        private let faults = UnsafeMutablePointer<Int>.allocate(capacity: ProbeMemory.faultCapacity)
        private let faultCount = Atomic<Int>(0)
        private static var faultCapacity: Int { @_noLocks get { 1024 } }
        private(set) var kept = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
        private let client: OpaquePointer
        private var signal = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
        private var output: OpaquePointer?
        private var input: OpaquePointer?
        private var nextTime: jack_nframes_t = 0
        private let hasXrun = Atomic<Bool>(false)

        init(_ client: OpaquePointer) { self.client = client }

        deinit {
            kept.deallocate()
            signal.deallocate()
            faults.deallocate()
        }

        /// The frames at which the server was late, as far as they fit.
        var noted: [Int] { (0..<faultCount.load(ordering: .acquiring)).map { faults[$0] } }

        @_noLocks private func note(_ place: Int) {
            let number = faultCount.load(ordering: .relaxed)
            guard number < ProbeMemory.faultCapacity else { return }
            faults[number] = place
            faultCount.store(number + 1, ordering: .releasing)
        }

        mutating func open(_ samples: [Float], frames: Int) -> Bool {
            kept = .allocate(capacity: frames)
            kept.initialize(repeating: 0)
            signal = .allocate(capacity: samples.count)
            _ = signal.initialize(from: samples)
            output = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
            input = jack_port_register(client, "in", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
            return output != nil && input != nil && !samples.isEmpty
        }

        var portNames: (output: String, input: String)? {
            guard let output, let input else { return nil }
            return (String(cString: jack_port_name(output)), String(cString: jack_port_name(input)))
        }

        var declared: (playback: Int, capture: Int) {
            guard let output, let input else { return (0, 0) }
            var (playback, capture) = (jack_latency_range_t(), jack_latency_range_t())
            jack_port_get_latency_range(output, JackPlaybackLatency, &playback)
            jack_port_get_latency_range(input, JackCaptureLatency, &capture)
            return (Int(playback.max), Int(capture.max))
        }

        @_noLocks mutating func process(_ frames: Int) {
            guard let output, let input,
                let outputBuffer = jack_port_get_buffer(output, jack_nframes_t(frames)),
                let inputBuffer = jack_port_get_buffer(input, jack_nframes_t(frames))
            else { return }
            let played = outputBuffer.assumingMemoryBound(to: Float.self)
            let captured = inputBuffer.assumingMemoryBound(to: Float.self)
            guard isOpen.load(ordering: .acquiring) else {
                for frame in 0..<frames { played[frame] = 0 }
                return
            }
            let time = jack_last_frame_time(client)
            var place = count.load(ordering: .relaxed)
            if place == 0 { nextTime = time }
            // Frames skipped by the server stay silent.
            let missing = Int(time &- nextTime)
            if missing > 0 { place += missing }
            if missing > 0 || hasXrun.exchange(false, ordering: .relaxed) { note(place) }
            nextTime = time &+ jack_nframes_t(frames)
            for frame in 0..<frames {
                played[frame] = signal[(place + frame) % signal.count]
                if place + frame < kept.count { kept[place + frame] = captured[frame] }
            }
            count.store(place + frames, ordering: .releasing)
        }

        @_noLocks func noteXrun() { hasXrun.store(true, ordering: .relaxed) }
    }

    @_noLocks func probeProcess(_ frames: jack_nframes_t, _ memory: UnsafeMutableRawPointer?) -> Int32 {
        if let memory { memory.assumingMemoryBound(to: ProbeMemory.self).pointee.process(Int(frames)) }
        return 0
    }

    @_noLocks func probeXrun(_ memory: UnsafeMutableRawPointer?) -> Int32 {
        if let memory { memory.assumingMemoryBound(to: ProbeMemory.self).pointee.noteXrun() }
        return 0
    }

    func probeShutdown(_ code: jack_status_t, _ reason: UnsafePointer<CChar>?, _ memory: UnsafeMutableRawPointer?) {
        memory?.assumingMemoryBound(to: ProbeMemory.self).pointee.isLost.store(true, ordering: .releasing)
    }
#endif
