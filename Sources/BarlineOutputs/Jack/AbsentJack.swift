#if !JACK
    import BarlineTime

    /// An output through a JACK server. This build has none: it was compiled without the package trait `JACK`.
    public final class JackDevice: OutputDevice {
        private let absence: @Sendable () -> Never

        /// Always throws.
        ///
        /// - Throws: ``OutputError/noServer(backend:reason:)``.
        public init(name: String = "barline", connection: JackConnection = .automatic) throws(OutputError) {
            throw .absent("jack", trait: "JACK")
        }

        /// The library's name and version: `nil` in this build.
        static var libraryVersion: String? { nil }

        /// The current format, as the device reports it.
        public var format: OutputFormat { absence() }
        /// Whether the device has reported that it is gone.
        public var isLost: Bool { absence() }
        /// Starts requesting audio from `source`.
        public func start(_ source: RenderSource) throws(OutputError) { absence() }
        /// Closes it.
        public func close() { absence() }
    }

    /// The probe that measures a round trip; not available in this build.
    package final class JackProbe: Sendable {
        private let absence: @Sendable () -> Never

        package init(name: String = "barline-latency") throws(OutputError) { throw .absent("jack", trait: "JACK") }

        package var hertz: Double { absence() }
        package var blockFrames: Int { absence() }
        package var outputs: [String] { absence() }
        package var inputs: [String] { absence() }
        package var count: Int { absence() }
        package var faults: [Int] { absence() }
        package var isLost: Bool { absence() }
        package var declared: (playback: Int, capture: Int) { absence() }
        package func has(_ port: String, thatPlays plays: Bool) -> Bool { absence() }
        package func device(of port: String) -> String { absence() }
        package func begin(
            _ signal: [Float], keeping frames: Int, to output: String, from input: String
        ) throws(OutputError) { absence() }
        package func recorded(_ range: Range<Int>) -> [Float] { absence() }
        package func close() { absence() }
    }

    /// Clients of a JACK server: this build has none, and so those of other libraries may be opened and closed.
    enum JackClients {
        static func checkMayOpen() throws(OutputError) {}
    }

    /// A watch for the end of a JACK server; not available in this build.
    final class JackWatch: Sendable {
        init?() { return nil }

        var isLost: Bool { false }
        func close() {}
    }

    /// MIDI on a JACK server; not available in this build.
    package final class JackMIDI: Sendable {
        private let absence: @Sendable () -> Never

        package init(name: String = "barline-midi") throws(OutputError) { throw .absent("jack", trait: "JACK") }

        package var inputName: String { absence() }
        package var outputName: String { absence() }
        package var isLost: Bool { absence() }
        package var droppedCount: Int { absence() }
        func wait(seconds: Double) { absence() }
        func wake() { absence() }
        func connectNew() { absence() }
        func takeReached() -> Bool { absence() }
        package func takeEvents(near now: FrameTime) -> [MIDIEvent] { absence() }
        package func send(_ bytes: [UInt8]) -> Bool { absence() }
        package func close() { absence() }
    }
#endif
