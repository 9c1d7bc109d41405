#if JACK
    import BarlineEngine
    import CJack
    import Synchronization

    /// The ports of a client that what is recorded comes in by.
    struct JackInputs: ~Copyable, @unchecked Sendable {
        /// One port.
        struct Port: BitwiseCopyable {
            let handle: OpaquePointer
            /// The engine's channel.
            let channel: Int
        }

        private let ports: UnsafeMutablePointer<Port>
        private let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
        /// Ports that the callback uses; it sees a port when it is whole.
        private let count = Atomic<Int>(0)
        private var known: [DeviceInput] = []

        /// The most ports, and the most channels that the engine's inputs have.
        private static let capacity = 256

        init() {
            ports = .allocate(capacity: JackInputs.capacity)
            buffers = .allocate(capacity: JackInputs.capacity)
            buffers.initialize(repeating: nil, count: JackInputs.capacity)
        }

        deinit {
            ports.deallocate()
            buffers.deallocate()
        }

        /// Makes ports for inputs that have none, also while the callback runs, and returns those that are new with the device's channel, counted from 1.
        mutating func add(
            _ inputs: [DeviceInput], to client: OpaquePointer
        ) throws(OutputError) -> [(port: OpaquePointer, channel: Int)] {
            var added: [(port: OpaquePointer, channel: Int)] = []
            for input in inputs where !known.contains(where: { $0.name == input.name && $0.index == input.index }) {
                for (side, channel) in input.channels.prefix(2).enumerated() {
                    let (place, number) = (2 * input.index.rawValue + side, count.load(ordering: .acquiring))
                    let name = input.channels.count == 1 ? input.name : "\(input.name)_\(side + 1)"
                    guard place < JackInputs.capacity, number < JackInputs.capacity,
                        let port = jack_port_register(
                            client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
                    else { throw .cannotStart(backend: "jack", reason: "the server has no room for port \"\(name)\"") }
                    ports[number] = Port(handle: port, channel: place)
                    count.store(number + 1, ordering: .releasing)
                    added.append((port, channel))
                }
                known.append(input)
            }
            return added
        }

        /// Gives a block what the ports have.
        func give(_ block: inout AudioBlock) {
            for index in 0..<count.load(ordering: .acquiring) {
                buffers[ports[index].channel] = jack_port_get_buffer(ports[index].handle, UInt32(block.frames))
                    .map { UnsafePointer($0.assumingMemoryBound(to: Float.self)) }
            }
            block.inputs = UnsafePointer(buffers)
            block.inputCount = JackInputs.capacity
        }

        /// How many frames later than it belongs what each input gives comes, where what it plays to is heard `playback` frames late.
        func latencies(playback: Int) -> [(input: InputIndex, frames: Int)] {
            known.map { input in
                var latest = 0
                for index in 0..<count.load(ordering: .acquiring)
                where ports[index].channel / 2 == input.index.rawValue {
                    var range = jack_latency_range_t()
                    jack_port_get_latency_range(ports[index].handle, JackCaptureLatency, &range)
                    latest = max(latest, Int(range.max))
                }
                return (input.index, playback + latest + input.correction)
            }
        }
    }
#endif
