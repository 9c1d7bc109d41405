#if JACK
    import BarlineEngine
    import BarlineTime
    import CJack
    import Foundation
    import Synchronization

    /// The input ports of a client: one for each of the engine's input channels that the device should supply.
    struct JackInputs: ~Copyable, @unchecked Sendable {
        /// The port of each channel of the engine, as the bits of a pointer; 0 if it has none. A port is visible to the
        /// callback once it is complete.
        private let ports: UnsafeMutablePointer<Atomic<UInt>>
        private let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
        /// One more than the highest channel that has had a port.
        private let end = Atomic<Int>(0)
        /// The number of times the callback has read the ports.
        private let cycles = Atomic<Int>(0)
        private let known = Mutex<[DeviceInput]>([])

        /// The maximum number of input channels of the engine.
        private static var capacity: Int { @_noLocks get { 256 } }
        /// How long to wait for a callback that may still use a port to be removed, in milliseconds.
        private static let mostWaits = 500

        init() {
            ports = .allocate(capacity: JackInputs.capacity)
            for channel in 0..<JackInputs.capacity { (ports + channel).initialize(to: Atomic(0)) }
            buffers = .allocate(capacity: JackInputs.capacity)
            buffers.initialize(repeating: nil, count: JackInputs.capacity)
        }

        deinit {
            ports.deinitialize(count: JackInputs.capacity)
            ports.deallocate()
            buffers.deallocate()
        }

        /// Changes the ports to match `inputs`, also while the callback runs: ports of renamed inputs are renamed and
        /// stay connected, those of removed inputs are removed.
        ///
        /// - Parameters:
        ///   - inputs: the inputs that the device should supply.
        ///   - client: the client that owns the ports.
        ///   - isActive: whether the callback runs.
        /// - Returns: the new ports, with the device's channel, counted from 1.
        /// - Throws: ``OutputError`` if the server has no room for more.
        func set(
            _ inputs: [DeviceInput], of client: OpaquePointer, isActive: Bool
        ) throws(OutputError) -> [(port: OpaquePointer, channel: Int)] {
            let before = known.withLock { known in
                defer { known = inputs }
                return known
            }
            var gone: [OpaquePointer] = []
            var stay: Set<InputIndex> = []
            for old in before {
                guard let input = inputs.first(where: { $0.index == old.index && $0.channels == old.channels }) else {
                    gone += take(old)
                    continue
                }
                stay.insert(old.index)
                if input.name != old.name { rename(input, of: client) }
            }
            if isActive, !gone.isEmpty { awaitCycle() }
            for port in gone { jack_port_unregister(client, port) }
            var added: [(port: OpaquePointer, channel: Int)] = []
            for input in inputs where !stay.contains(input.index) {
                for (side, channel) in input.channels.prefix(2).enumerated() {
                    let (place, name) = (2 * input.index.rawValue + side, JackInputs.portName(input, side))
                    guard place < JackInputs.capacity,
                        let port = jack_port_register(
                            client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
                    else { throw .cannotStart(backend: "jack", reason: "the server has no room for port \"\(name)\"") }
                    ports[place].store(UInt(bitPattern: port), ordering: .releasing)
                    if end.load(ordering: .relaxed) <= place { end.store(place + 1, ordering: .releasing) }
                    added.append((port, channel))
                }
            }
            return added
        }

        private static func portName(_ input: DeviceInput, _ side: Int) -> String {
            input.channels.count == 1 ? input.name : "\(input.name)_\(side + 1)"
        }

        private func rename(_ input: DeviceInput, of client: OpaquePointer) {
            for (side, port) in places(input).enumerated() {
                if let port { jack_port_rename(client, port, JackInputs.portName(input, side)) }
            }
        }

        /// The ports of an input, the left one first.
        private func places(_ input: DeviceInput) -> [OpaquePointer?] {
            (0..<min(2, input.channels.count)).map { side in
                let place = 2 * input.index.rawValue + side
                guard place < JackInputs.capacity else { return nil }
                return OpaquePointer(bitPattern: ports[place].load(ordering: .acquiring))
            }
        }

        /// Hides the ports of an input from the callback, and returns them.
        private func take(_ input: DeviceInput) -> [OpaquePointer] {
            (0..<min(2, input.channels.count)).compactMap { side in
                let place = 2 * input.index.rawValue + side
                guard place < JackInputs.capacity else { return nil }
                return OpaquePointer(bitPattern: ports[place].exchange(0, ordering: .acquiringAndReleasing))
            }
        }

        /// Waits until no callback uses the hidden ports: until two more have begun.
        private func awaitCycle() {
            let since = cycles.load(ordering: .acquiring)
            for _ in 0..<JackInputs.mostWaits where cycles.load(ordering: .acquiring) < since + 2 {
                AudioThread.poll()
            }
        }

        /// Sets a block's inputs to the ports' buffers.
        @_noLocks func provide(_ block: inout AudioBlock) {
            cycles.wrappingAdd(1, ordering: .acquiringAndReleasing)
            for channel in 0..<end.load(ordering: .acquiring) {
                buffers[channel] = nil
                if let port = OpaquePointer(bitPattern: ports[channel].load(ordering: .acquiring)),
                    let buffer = jack_port_get_buffer(port, jack_nframes_t(block.frames))
                {
                    buffers[channel] = UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
                }
            }
            block.inputs = UnsafePointer(buffers)
            block.inputCount = JackInputs.capacity
        }

        /// The latency of each input.
        ///
        /// - Parameters:
        ///   - engine: the latency of the engine's own output, in frames.
        ///   - outputs: the devices that its output is connected to.
        ///   - sampleRate: the server's sample rate.
        ///   - client: the client that owns the ports.
        /// - Returns: the latency of each input.
        func latencies(
            engine: Int, outputs: [ConnectedDevice], sampleRate: Double, of client: OpaquePointer
        ) -> [InputLatency] {
            known.withLock { $0 }.map { input in
                let devices = places(input).compactMap(\.self).flatMap {
                    JackNames.devices(of: $0, client, JackCaptureLatency)
                }
                return input.latency(engine: engine, outputs: outputs, inputs: devices, sampleRate: sampleRate)
            }
        }
    }
#endif
