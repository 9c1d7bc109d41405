#if PortAudio
    import BarlineEngine
    import BarlineTime
    import CPortAudio
    import Foundation
    import Synchronization

    /// An output through PortAudio: ALSA or Pulse on Linux, CoreAudio on macOS, WASAPI on Windows.
    ///
    /// Where inputs are wanted of it, its stream has both ways, so that they are on one clock: the device's own inputs,
    /// or those of the default one of its host API. A device that gives none, or may not be captured from, plays on
    /// without.
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
            /// What the stream plays, once it was started.
            var source: RenderSource?
            /// The number of channels that it captures; 0 for none.
            var captured = 0
        }

        /// The most channels that are captured.
        private static let mostInputs = 64

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
            context.pointee.inputs.set(source.inputs)
            try stream.withLock { handle throws(OutputError) in
                handle.source = source
                try open(&handle, isCapturing: !source.inputs.isEmpty)
            }
            reportLatencies()
        }

        /// Opens the stream, with inputs where they are wanted and can be had.
        private func open(_ handle: inout StreamHandle, isCapturing: Bool) throws(OutputError) {
            if isCapturing, let capture = info.capture {
                do throws(OutputError) {
                    try open(&handle, capture)
                    return
                } catch {
                    context.pointee.setCaptured(0)
                }
            }
            try open(&handle, nil)
        }

        private func open(_ handle: inout StreamHandle, _ capture: PortAudioCaptureInfo?) throws(OutputError) {
            let format = PaSampleFormat(paFloat32) | PaSampleFormat(paNonInterleaved)
            var parameters = PaStreamParameters(
                device: PaDeviceIndex(info.index), channelCount: Int32(context.pointee.outputChannels),
                sampleFormat: format, suggestedLatency: requestedLatency, hostApiSpecificStreamInfo: nil)
            let captured = min(capture?.channelCount ?? 0, PortAudioDevice.mostInputs)
            var inputs = PaStreamParameters(
                device: PaDeviceIndex(capture?.index ?? 0), channelCount: Int32(captured), sampleFormat: format,
                suggestedLatency: max(requestedLatency, capture?.lowLatency ?? 0), hostApiSpecificStreamInfo: nil)
            context.pointee.setCaptured(captured)
            var opened: UnsafeMutableRawPointer?
            let flags = PaStreamFlags(paFramesPerBufferUnspecified)
            let code = StandardError.silenced {
                captured > 0
                    ? Pa_OpenStream(
                        &opened, &inputs, &parameters, sampleRate.hertz, flags, 0, portAudioProcess, context)
                    : Pa_OpenStream(&opened, nil, &parameters, sampleRate.hertz, flags, 0, portAudioProcess, context)
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
            (handle.pointer, handle.captured) = (opened, captured)
        }

        // MARK: Inputs

        /// Whether it supplies the engine's inputs: it has some, and those that are wanted could be opened.
        public var givesInputs: Bool {
            guard info.capture != nil else { return false }
            return stream.withLock { $0.source == nil || $0.captured > 0 || context.pointee.inputs.isEmpty }
        }

        /// Captures what `inputs` ask for. The first ones have the stream reopened, with both ways.
        ///
        /// - Complexity: O(*n*) in the channels of the inputs.
        public func setInputs(_ inputs: [DeviceInput]) {
            context.pointee.inputs.set(inputs)
            stream.withLock { handle in
                let isMissing = !inputs.isEmpty && info.capture != nil && handle.captured == 0
                guard isMissing, !isLost, let old = handle.pointer else { return }
                context.pointee.isReopening.store(true, ordering: .sequentiallyConsistent)
                handle.pointer = nil
                Pa_AbortStream(old)
                Pa_CloseStream(old)
                context.pointee.isReopening.store(false, ordering: .sequentiallyConsistent)
                do throws(OutputError) {
                    try open(&handle, isCapturing: true)
                } catch {
                    context.pointee.hasFinished.store(true, ordering: .sequentiallyConsistent)
                }
            }
            reportLatencies()
        }

        /// The latencies of the inputs.
        public var inputLatencies: [InputLatency] {
            guard let capture = info.capture else { return [] }
            let latencies = stream.withLock { handle -> (output: Double, input: Double)? in
                guard handle.captured > 0, let pointer = handle.pointer, let info = Pa_GetStreamInfo(pointer) else {
                    return nil
                }
                return (info.pointee.outputLatency, info.pointee.inputLatency)
            }
            guard let latencies else { return [] }
            let rate = sampleRate.hertz
            return context.pointee.inputs.latencies(
                playback: Int((latencies.output * rate).rounded()) + engineLatency,
                capture: Int((latencies.input * rate).rounded()), output: "\(info.system): \(info.name)",
                input: "\(info.system): \(capture.name)", sampleRate: sampleRate)
        }

        private var engineLatency: Int { stream.withLock { $0.source?.engine.outputLatency } ?? 0 }

        /// Tells the engine of the inputs' latencies.
        private func reportLatencies() {
            let engine = stream.withLock { $0.source?.engine }
            for latency in inputLatencies {
                // A latency out of range is ignored.
                _ = try? engine?.inputs.setLatency(latency.frames, of: latency.input)
            }
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
        /// Whether the stream ends because another one takes its place.
        let isReopening = Atomic<Bool>(false)
        let inputs = PortAudioInputs()
        private var captured = 0
        let lastBlock = Atomic<Int>(0)
        private var gate: UnsafePointer<RenderGate>?
        private var buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
        private var channels = 0
        /// The number of the device's channels that are played to.
        var outputChannels: Int { channels }
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

        /// Says how many channels are captured, before the stream is opened.
        mutating func setCaptured(_ count: Int) { captured = count }

        @_noLocks func process(
            _ input: UnsafeRawPointer?, _ output: UnsafeMutableRawPointer?, frames: Int, flags: PaStreamCallbackFlags
        ) {
            guard let gate, let buffers, let output else { return }
            let planes = output.assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
            for channel in 0..<channels { buffers[channel] = planes[channel] }
            var block = AudioBlock(outputs: UnsafePointer(buffers), outputCount: engineChannels, frames: frames)
            if let input { inputs.provide(input, channelCount: captured, &block) }
            gate.pointee.render(block)
            let xruns = PaStreamCallbackFlags(paOutputUnderflow) | PaStreamCallbackFlags(paInputOverflow)
            if flags & xruns != 0 { gate.pointee.countXrun() }
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
                input, output, frames: Int(frames), flags: flags)
        }
        return Int32(paContinue.rawValue)
    }

    func portAudioFinished(_ context: UnsafeMutableRawPointer?) {
        guard let context = context?.assumingMemoryBound(to: PortAudioContext.self),
            !context.pointee.isReopening.load(ordering: .sequentiallyConsistent)
        else { return }
        context.pointee.hasFinished.store(true, ordering: .sequentiallyConsistent)
    }
#endif
