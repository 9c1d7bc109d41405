#if JACK
    import BarlineEngine
    import BarlineTime
    import CJack
    import Foundation
    import Synchronization

    /// An output through a JACK server, or PipeWire's: a client with a port for every channel of every bus.
    public final class JackDevice: OutputDevice, @unchecked Sendable {
        private let client: OpaquePointer
        private let connection: JackConnection
        private let context: UnsafeMutablePointer<JackContext>
        private let isClosed = Atomic<Bool>(false)
        private let number = Atomic<Int>(0)

        /// Connects to the server that `JACK_DEFAULT_SERVER` names, or the default one; none is started.
        ///
        /// - Throws: ``OutputError``.
        public init(name: String = "barline", connection: JackConnection = .automatic) throws(OutputError) {
            if case .matching(let pattern) = connection, (try? Regex(pattern)) == nil { throw .invalidPattern(pattern) }
            try JackClients.checkMayOpen()
            let client = try JackClients.open(name)
            let hertz = Double(jack_get_sample_rate(client))
            guard SampleRate(hertz) != nil else {
                jack_client_close(client)
                throw .unsupportedSampleRate(backend: "jack", hertz: hertz)
            }
            self.client = client
            self.connection = connection
            context = .allocate(capacity: 1)
            context.initialize(to: JackContext(sampleRate: hertz))
            number.store(JackClients.add { [weak self] in self?.isLost ?? false }, ordering: .relaxed)
        }

        deinit {
            close()
            context.deinitialize(count: 1)
            context.deallocate()
        }

        /// The library's name and version.
        static var libraryVersion: String? { "JACK \(String(cString: jack_get_version_string()))" }

        /// The current format, as the device reports it.
        public var format: OutputFormat {
            let isOpen = !isLost && !isClosed.load(ordering: .sequentiallyConsistent)
            let hertz = context.pointee.sampleRate
            let frames = isOpen ? Int(jack_get_buffer_size(client)) : 0
            return OutputFormat(
                backend: .jack,
                name: isOpen ? "jack (\(String(cString: jack_get_client_name(client))))\(lack)" : "jack",
                sampleRate: SampleRate(hertz) ?? .standard, blockFrames: frames, latency: isOpen ? latency / hertz : 0)
        }

        /// What is said of ports whose pattern chooses none: nothing is heard of them.
        private var lack: String {
            guard case .matching = connection, let port = context.pointee.firstPort, jack_port_connected(port) == 0
            else {
                return ""
            }
            return ", connected to nothing"
        }

        /// The latency from the main port to the speaker, as reported by the server.
        private var latency: Double {
            guard let port = context.pointee.firstPort else { return Double(jack_get_buffer_size(client)) }
            var range = jack_latency_range_t()
            jack_port_get_latency_range(port, JackPlaybackLatency, &range)
            return Double(range.max)
        }

        /// Whether the device has reported that it is gone.
        public var isLost: Bool { context.pointee.isLost.load(ordering: .sequentiallyConsistent) }

        /// The port that sends the engine's MIDI clock. Connecting it is up to the user.
        public var clockPort: String? {
            guard !isLost, !isClosed.load(ordering: .sequentiallyConsistent), let port = context.pointee.clockPort,
                let name = jack_port_name(port)
            else { return nil }
            return String(cString: name)
        }

        /// Starts requesting audio from `source`.
        public func start(_ source: RenderSource) throws(OutputError) {
            try context.pointee.open(client, gate: source.realtimeGate, busNames: source.busNames)
            let engine = source.engine
            context.pointee.rateChanged = { rate in engine.setSampleRate(rate) }
            context.pointee.outputLatency = { engine.outputLatency }
            context.pointee.inputLatency = { latency in
                // A latency out of range is ignored.
                _ = try? engine.inputs.setLatency(latency.frames, of: latency.input)
            }
            let captured = try context.pointee.inputs.set(source.inputs, of: client, isActive: false)
            jack_on_info_shutdown(client, jackShutdown, context)
            jack_set_xrun_callback(client, jackXrun, context)
            jack_set_sample_rate_callback(client, jackSampleRate, context)
            jack_set_latency_callback(client, jackLatency, context)
            jack_set_process_callback(client, jackProcess, context)
            jack_set_port_registration_callback(client, jackPortsChanged, context)
            guard jack_activate(client) == 0 else {
                throw .cannotStart(backend: "jack", reason: "the server refused to activate the client")
            }
            connect()
            connect(captured)
            context.pointee.findInputLatency()
        }

        /// Whether it supplies the engine's inputs.
        public var givesInputs: Bool { true }

        /// The latencies of the inputs.
        public var inputLatencies: [InputLatency] { context.pointee.inputLatencies.withLock { $0 } }

        /// Creates, removes and renames input ports to match `inputs`.
        ///
        /// - Complexity: O(*n*) in the channels of the inputs.
        public func setInputs(_ inputs: [DeviceInput]) {
            // If the server has no room for more ports, the existing ones stay unchanged.
            guard !isLost,
                let captured = try? context.pointee.inputs.set(inputs, of: client, isActive: true)
            else { return }
            connect(captured)
            context.pointee.findInputLatency()
        }

        /// Connects input ports to the hardware's channels, if the outputs are connected automatically too.
        private func connect(_ captured: [(port: OpaquePointer, channel: Int)]) {
            guard case .automatic = connection else { return }
            let sources = ports(flags: UInt(JackPortIsOutput.rawValue | JackPortIsPhysical.rawValue))
            for (port, channel) in captured where channel <= sources.count {
                jack_connect(client, sources[channel - 1], jack_port_name(port))
            }
        }

        /// Creates ports for buses that have none yet. Connecting them is up to the user.
        ///
        /// - Complexity: O(*n*) in the buses.
        public func addOutputs(_ busNames: [String]) {
            // If the server has no room for more ports, the existing ones stay unchanged.
            if !isLost { try? context.pointee.addPorts(busNames) }
        }

        /// Connects the main ports to ports that have come since the last call. What somebody has disconnected stays so.
        public func attend() {
            let arrivals = context.pointee.arrivals.withLock { arrivals in
                defer { arrivals = [] }
                return arrivals
            }
            if arrivals.isEmpty || connection == .none { return }
            var coming: [String: PortArrival] = [:]
            for arrival in arrivals {
                guard let port = jack_port_by_id(client, arrival.port), let name = jack_port_name(port) else {
                    continue
                }
                coming[String(cString: name)] = arrival
            }
            for (port, target) in wanted() {
                guard var arrival = coming[target], arrival.tries > 0,
                    ![0, EEXIST].contains(jack_connect(client, port, target))
                else { continue }
                // A client is not connected before it is active.
                arrival.tries -= 1
                context.pointee.arrivals.withLock { [arrival] in $0.append(arrival) }
            }
        }

        private func connect() { for (port, target) in wanted() { jack_connect(client, port, target) } }

        /// The main ports, and what each is to be connected to.
        private func wanted() -> [(port: String, target: String)] {
            let targets: [String]
            switch connection {
            case .none: return []
            case .automatic: targets = ports(flags: UInt(JackPortIsInput.rawValue | JackPortIsPhysical.rawValue))
            case .matching(let pattern):
                guard let expression = try? Regex(pattern) else { return [] }
                let own = "\(String(cString: jack_get_client_name(client))):"
                targets = ports(flags: UInt(JackPortIsInput.rawValue)).filter {
                    !$0.hasPrefix(own) && $0.firstMatch(of: expression) != nil
                }
            }
            return zip(context.pointee.portNames(), targets).map { ($0, $1) }
        }

        // Audio ports only: a physical MIDI port would be a target otherwise.
        private func ports(flags: UInt) -> [String] {
            JackNames.take(jack_get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, flags))
        }

        /// Closes it. May block forever if the system's audio library hangs.
        public func close() {
            if isClosed.exchange(true, ordering: .sequentiallyConsistent) { return }
            jack_client_close(client)
            JackClients.remove(number.load(ordering: .relaxed))
        }

        // MARK: Library messages

        // libjack writes to standard error whenever no server runs, which is not an error here.
        static func silenceLibrary() {
            jack_set_error_function { _ in }
            jack_set_info_function { _ in }
        }

        static func describe(_ status: jack_status_t) -> String {
            if status.rawValue & JackServerFailed.rawValue != 0 { return "no JACK server is running" }
            if status.rawValue & JackVersionError.rawValue != 0 { return "the server speaks another version" }
            return "status \(status.rawValue)"
        }
    }
#endif
