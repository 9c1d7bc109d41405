#if !PortAudio
    /// An output through PortAudio. This build has none: it was made without the package trait `PortAudio`.
    public final class PortAudioDevice: OutputDevice {
        private let absence: @Sendable () -> Never

        /// Fails.
        ///
        /// - Throws: ``OutputError/noServer(backend:reason:)``.
        public init(name: String? = nil, latency: Double? = nil) throws(OutputError) {
            throw .absent("portaudio", trait: "PortAudio")
        }

        /// What the device says of itself.
        public var format: OutputFormat { absence() }
        /// Whether the device has said that it is gone.
        public var isLost: Bool { absence() }
        /// Begins to ask `source` for audio.
        public func start(_ source: RenderSource) throws(OutputError) { absence() }
        /// Ends.
        public func close() { absence() }
    }

    /// PortAudio's devices, of which there are none in this build.
    enum PortAudioLibrary {
        static var isInUse: Bool { false }
        static var version: String? { nil }
        static func devices() -> [PortAudioDeviceInfo] { [] }
        static func end() {}
    }
#endif
