#if PortAudio
    import BarlineEngine
    import BarlineTime
    import CPortAudio
    import Foundation
    import Synchronization

    /// An output through PortAudio: ALSA or Pulse on Linux, CoreAudio on macOS, WASAPI on Windows.
    public final class PortAudioDevice: OutputDevice, @unchecked Sendable {
        private let info: PortAudioDeviceInfo
        private let sampleRate: SampleRate
        private let requestedLatency: Double
        private let context: UnsafeMutablePointer<PortAudioContext>
        private let stream = Mutex<StreamHandle>(StreamHandle(pointer: nil))

        private struct StreamHandle: @unchecked Sendable {
            var pointer: UnsafeMutableRawPointer?
            var isReleased = false
            /// Whether a stream that can't be closed has the context.
            var isLeft = false
        }

        /// Opens a device.
        ///
        /// - Parameters:
        ///   - name: the device's name or a part of it, or its number; `nil` for the system's default.
        ///   - latency: the requested latency, in seconds; `nil` for the device's own low latency.
        /// - Throws: ``OutputError``.
        /// - Complexity: O(*n*) in the devices.
        public init(name: String? = nil, latency: Double? = nil) throws(OutputError) {
            let chosen = try PortAudioLibrary.acquire { devices throws(OutputError) in
                guard let name else {
                    if let device = devices.first(where: \.isDefault) { return device }
                    throw .noDevice(backend: "portaudio", name: "default", available: devices.map(\.name))
                }
                let found =
                    devices.first { "\($0.system): \($0.name)" == name } ?? devices.first { String($0.index) == name }
                    ?? devices.first { $0.name.localizedCaseInsensitiveContains(name) }
                if let found { return found }
                throw .noDevice(backend: "portaudio", name: name, available: devices.map(\.name))
            }
            guard let rate = SampleRate(chosen.sampleRate) else {
                PortAudioLibrary.release()
                throw .unsupportedSampleRate(backend: "portaudio", hertz: chosen.sampleRate)
            }
            info = chosen
            sampleRate = rate
            requestedLatency = latency ?? chosen.lowLatency
            context = .allocate(capacity: 1)
            context.initialize(to: PortAudioContext())
        }

        deinit {
            release()
            if stream.withLock(\.isLeft) { return }
            context.deinitialize(count: 1)
            context.deallocate()
        }

        /// The current format, as the device reports it.
        public var format: OutputFormat {
            let actual = stream.withLock { handle in
                handle.pointer.flatMap { Pa_GetStreamInfo($0) }?.pointee.outputLatency ?? requestedLatency
            }
            return OutputFormat(
                backend: .portaudio, name: "portaudio (\(info.system): \(info.name))", sampleRate: sampleRate,
                blockFrames: context.pointee.lastBlock.load(ordering: .relaxed), latency: actual)
        }

        /// Whether the device has reported that it is gone.
        public var isLost: Bool {
            context.pointee.hasFinished.load(ordering: .sequentiallyConsistent) || PortAudioLibrary.hasLost(info)
        }

        /// Starts requesting audio from `source`.
        public func start(_ source: RenderSource) throws(OutputError) {
            let channels = min(2 * source.busNames.count, info.channelCount)
            context.pointee.open(gate: source.realtimeGate, channels: channels, busCount: source.busNames.count)
            var parameters = PaStreamParameters(
                device: PaDeviceIndex(info.index), channelCount: Int32(channels),
                sampleFormat: PaSampleFormat(paFloat32) | PaSampleFormat(paNonInterleaved),
                suggestedLatency: requestedLatency, hostApiSpecificStreamInfo: nil)
            var opened: UnsafeMutableRawPointer?
            let flags = PaStreamFlags(paFramesPerBufferUnspecified)
            let code = StandardError.silenced {
                Pa_OpenStream(&opened, nil, &parameters, sampleRate.hertz, flags, 0, portAudioProcess, context)
            }
            guard code == paNoError.rawValue, let opened else {
                throw .cannotStart(backend: "portaudio", reason: String(cString: Pa_GetErrorText(code)))
            }
            Pa_SetStreamFinishedCallback(opened, portAudioFinished)
            let started = Pa_StartStream(opened)
            guard started == paNoError.rawValue else {
                Pa_CloseStream(opened)
                throw .cannotStart(backend: "portaudio", reason: String(cString: Pa_GetErrorText(started)))
            }
            stream.withLock { $0.pointer = opened }
        }

        /// Closes it. May block forever if the system's audio library hangs.
        public func close() {
            let handle = stream.withLock { handle in
                defer { handle.pointer = nil }
                return handle
            }
            if let pointer = handle.pointer {
                if PortAudioLibrary.hasLost(info) {
                    // PortAudio would wait for a server that is gone: the stream, and what it points to, is left.
                    stream.withLock { $0.isLeft = true }
                } else {
                    Pa_AbortStream(pointer)
                    Pa_CloseStream(pointer)
                }
            }
            release()
        }

        /// Lets PortAudio scan for devices again, once this one is closed.
        private func release() {
            let isFirst = stream.withLock { handle in
                defer { handle.isReleased = true }
                return !handle.isReleased
            }
            if isFirst { PortAudioLibrary.release() }
        }
    }

    /// The state of PortAudio's callback.
    struct PortAudioContext: ~Copyable, @unchecked Sendable {
        let hasFinished = Atomic<Bool>(false)
        let lastBlock = Atomic<Int>(0)
        private var gate: UnsafePointer<RenderGate>?
        private var buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
        private var channels = 0
        private var engineChannels = 0

        deinit { buffers?.deallocate() }

        mutating func open(gate: UnsafePointer<RenderGate>, channels: Int, busCount: Int) {
            self.gate = gate
            self.channels = channels
            engineChannels = 2 * busCount
            let buffers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: engineChannels)
            buffers.initialize(repeating: nil, count: engineChannels)
            self.buffers = buffers
        }

        @_noLocks func process(_ output: UnsafeMutableRawPointer?, frames: Int, flags: PaStreamCallbackFlags) {
            guard let gate, let buffers, let output else { return }
            let planes = output.assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
            for channel in 0..<channels { buffers[channel] = planes[channel] }
            gate.pointee.render(
                AudioBlock(outputs: UnsafePointer(buffers), outputCount: engineChannels, frames: frames))
            if flags & PaStreamCallbackFlags(paOutputUnderflow) != 0 { gate.pointee.countXrun() }
            lastBlock.store(frames, ordering: .relaxed)
        }
    }

    @_noLocks func portAudioProcess(
        _ input: UnsafeRawPointer?, _ output: UnsafeMutableRawPointer?, _ frames: UInt,
        _ time: UnsafePointer<PaStreamCallbackTimeInfo>?, _ flags: PaStreamCallbackFlags,
        _ context: UnsafeMutableRawPointer?
    ) -> Int32 {
        if let context {
            context.assumingMemoryBound(to: PortAudioContext.self).pointee.process(
                output, frames: Int(frames), flags: flags)
        }
        return Int32(paContinue.rawValue)
    }

    func portAudioFinished(_ context: UnsafeMutableRawPointer?) {
        context?.assumingMemoryBound(to: PortAudioContext.self).pointee.hasFinished
            .store(true, ordering: .sequentiallyConsistent)
    }
#endif
