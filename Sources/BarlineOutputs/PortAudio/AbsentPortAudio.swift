#if !PortAudio
    /// An output through PortAudio. This build has none: it was compiled without the package trait `PortAudio`.
    public final class PortAudioDevice: OutputDevice {
        private let absence: @Sendable () -> Never

        /// Always throws.
        ///
        /// - Throws: ``OutputError/noServer(backend:reason:)``.
        public init(name: String? = nil, latency: Double? = nil) throws(OutputError) {
            throw .absent("portaudio", trait: "PortAudio")
        }

        /// The current format, as the device reports it.
        public var format: OutputFormat { absence() }
        /// Whether the device has reported that it is gone.
        public var isLost: Bool { absence() }
        /// Starts requesting audio from `source`.
        public func start(_ source: RenderSource) throws(OutputError) { absence() }
        /// Closes it.
        public func close() { absence() }
    }

    /// PortAudio's devices: none in this build.
    enum PortAudioLibrary {
        static var isInUse: Bool { false }
        static var version: String? { nil }
        static func devices() -> [PortAudioDeviceInfo] { [] }
    }
#endif
