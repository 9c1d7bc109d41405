#if JACK
    import BarlineEngine
    import BarlineTime
    import CJack
    import Synchronization

    /// A port that was registered.
    struct PortArrival: Sendable {
        let port: jack_port_id_t
        /// How often it can still be tried to connect it: for ten seconds.
        var tries = 100
    }

    /// The state of the JACK callbacks.
    struct JackContext: ~Copyable, @unchecked Sendable {
        let isLost = Atomic<Bool>(false)
        var sampleRate: Double
        var rateChanged: (@Sendable (SampleRate) -> Void)?
        var outputLatency: (@Sendable () -> Int)?
        /// Called with the latency found for an input.
        var inputLatency: (@Sendable (InputLatency) -> Void)?
        let inputs = JackInputs()
        /// What is sent of the engine's MIDI clock, and where.
        private let clock: UnsafeMutablePointer<MIDIClockBuffer>
        private(set) var clockPort: OpaquePointer?
        /// The latencies found for the inputs.
        let inputLatencies = Mutex<[InputLatency]>([])
        /// The ports that were registered since somebody looked.
        let arrivals = Mutex<[PortArrival]>([])
        private var gate: UnsafePointer<RenderGate>?
        private var ports: UnsafeMutablePointer<OpaquePointer>?
        private var buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
        /// The number of ports that the callback uses; a port is visible to it once it is complete.
        private let portCount = Atomic<Int>(0)
        private var client: OpaquePointer?
        private var lastTime: jack_nframes_t = 0
        private var deviceFrame: Int64 = 0
        private let timeline = JackTimeline.shared

        init(sampleRate: Double) {
            self.sampleRate = sampleRate
            clock = .allocate(capacity: 1)
            clock.initialize(to: MIDIClockBuffer())
        }

        deinit {
            clock.deinitialize(count: 1)
            clock.deallocate()
            ports?.deallocate()
            buffers?.deallocate()
        }

        var firstPort: OpaquePointer? { hasPorts ? ports?[0] : nil }
        private var hasPorts: Bool { portCount.load(ordering: .acquiring) > 0 }

        /// The maximum number of buses with ports.
        private static let busCapacity = 64

        mutating func open(
            _ client: OpaquePointer, gate: UnsafePointer<RenderGate>, busNames: [String]
        ) throws(OutputError) {
            let capacity = 2 * JackContext.busCapacity
            let ports = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: capacity)
            let buffers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: capacity)
            buffers.initialize(repeating: nil, count: capacity)
            self.ports = ports
            self.buffers = buffers
            self.gate = gate
            self.client = client
            try addPorts(busNames)
            clockPort = jack_port_register(
                client, "clock_out", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue), 0)
        }

        /// Creates ports for the buses that have none, also while the callback runs.
        borrowing func addPorts(_ busNames: [String]) throws(OutputError) {
            guard let client, let ports else { return }
            let known = portCount.load(ordering: .acquiring)
            let names = busNames.prefix(JackContext.busCapacity).flatMap { ["\($0)_1", "\($0)_2"] }
            for (index, name) in names.enumerated().dropFirst(known) {
                guard
                    let port = jack_port_register(
                        client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
                else { throw .cannotStart(backend: "jack", reason: "the server has no room for port \"\(name)\"") }
                ports[index] = port
                portCount.store(index + 1, ordering: .releasing)
            }
        }

        func portNames() -> [String] {
            let count = portCount.load(ordering: .acquiring)
            return (0..<count).compactMap { index in ports.map { String(cString: jack_port_name($0[index])) } }
        }

        @_noLocks mutating func process(_ frames: Int) {
            guard let gate, let ports, let buffers, let client else { return }
            let count = portCount.load(ordering: .acquiring)
            for index in 0..<count {
                buffers[index] = nil
                if let buffer = jack_port_get_buffer(ports[index], jack_nframes_t(frames)) {
                    buffers[index] = buffer.assumingMemoryBound(to: Float.self)
                }
            }
            // The server's count wraps around every 2³² frames.
            let time = jack_last_frame_time(client)
            deviceFrame += Int64(time &- lastTime)
            lastTime = time
            var block = AudioBlock(outputs: UnsafePointer(buffers), outputCount: count, frames: frames)
            block.deviceFrame = deviceFrame
            if let _ = clockPort { block.clock = clock }
            inputs.provide(&block)
            let rendered = gate.pointee.renderedFrames
            gate.pointee.render(block)
            // Until the engine is handed over it is another clock that renders it.
            if gate.pointee.renderedFrames != rendered {
                timeline.set(time: time &+ jack_nframes_t(frames), frame: gate.pointee.nextFrame)
            }
            sendClock(frames)
        }

        /// Sends the messages of the MIDI clock that lie in the block.
        @_noLocks private func sendClock(_ frames: Int) {
            guard let clockPort, let buffer = jack_port_get_buffer(clockPort, jack_nframes_t(frames)) else { return }
            jack_midi_clear_buffer(buffer)
            while let message = clock.pointee.take(before: frames) {
                let time = jack_nframes_t(message.offset)
                guard let target = jack_midi_event_reserve(buffer, time, message.count) else { break }
                target[0] = message.status
                if message.count > 1 {
                    target[1] = message.second
                    target[2] = message.third
                }
            }
            clock.pointee.finish(frames: frames)
        }

        /// Reports the ports' latency to the server, which knows the latency downstream of them.
        func reportLatency(_ mode: jack_latency_callback_mode_t) {
            findInputLatency()
            guard mode == JackCaptureLatency, let ports, let outputLatency else { return }
            let frames = jack_nframes_t(outputLatency())
            var range = jack_latency_range_t(min: frames, max: frames)
            for index in 0..<portCount.load(ordering: .acquiring) {
                jack_port_set_latency_range(ports[index], mode, &range)
            }
            if let clockPort { jack_port_set_latency_range(clockPort, mode, &range) }
        }

        /// Computes the inputs' latency from that of the ports, as reported by the server, and from measurements, and
        /// reports it.
        func findInputLatency() {
            guard let client, let firstPort, let outputLatency, let inputLatency else { return }
            let found = inputs.latencies(
                engine: outputLatency(), outputs: JackNames.devices(of: firstPort, client, JackPlaybackLatency),
                sampleRate: sampleRate, of: client)
            inputLatencies.withLock { $0 = found }
            for latency in found { inputLatency(latency) }
        }

        @_noLocks func countXrun() {
            if let gate { gate.pointee.countXrun() }
        }
    }

    // The callbacks are global functions: a closure written in a main-actor context would trap on JACK's thread.

    @_noLocks func jackProcess(_ frames: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
        if let context { context.assumingMemoryBound(to: JackContext.self).pointee.process(Int(frames)) }
        return 0
    }

    func jackLatency(_ mode: jack_latency_callback_mode_t, _ context: UnsafeMutableRawPointer?) {
        context?.assumingMemoryBound(to: JackContext.self).pointee.reportLatency(mode)
    }

    @_noLocks func jackXrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
        if let context { context.assumingMemoryBound(to: JackContext.self).pointee.countXrun() }
        return 0
    }

    func jackSampleRate(_ hertz: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context = context?.assumingMemoryBound(to: JackContext.self), let rate = SampleRate(Double(hertz))
        else {
            return 0
        }
        if rate.hertz != context.pointee.sampleRate {
            context.pointee.sampleRate = rate.hertz
            context.pointee.rateChanged?(rate)
        }
        return 0
    }

    func jackPortsChanged(_ port: jack_port_id_t, _ isThere: Int32, _ context: UnsafeMutableRawPointer?) {
        guard isThere != 0, let context = context?.assumingMemoryBound(to: JackContext.self) else { return }
        context.pointee.arrivals.withLock { $0.append(PortArrival(port: port)) }
    }

    func jackShutdown(_ code: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) {
        context?.assumingMemoryBound(to: JackContext.self).pointee.isLost.store(true, ordering: .sequentiallyConsistent)
    }
#endif
