#if PortAudio
    import BarlineTime
    import CPortAudio
    import Foundation
    import Synchronization

    /// PortAudio's initialisation and termination, which are global to the process.
    ///
    /// PortAudio scans for devices only when it is initialised. So it is initialised when devices are requested, and
    /// terminated once none of them is open. While it is initialised it is a client of a JACK server, where one runs,
    /// whatever device is played to: terminating it when that server is gone and the process has become a client of
    /// another one ends the process in libjack. Then it stays as it is, without its devices on JACK.
    enum PortAudioLibrary {
        private struct State {
            var isStarted = false
            /// The number of open devices, which depend on the indices that PortAudio gave them.
            var users = 0
        }

        private static let state = Mutex(State())
        /// What tells whether PortAudio's JACK server is gone; `nil` where it has none. Asked of while the library
        /// looks for devices, which may take long.
        private static let watch = Mutex<JackWatch?>(nil)

        /// Whether devices plugged in since it was initialised are unknown.
        static var isInUse: Bool { state.withLock(\.isStarted) }

        /// The library's name and version.
        static var version: String? {
            String(cString: Pa_GetVersionText()).split(separator: ",").first.map(String.init)
        }

        /// Finds a device, whose index stays valid until ``release()``.
        ///
        /// - Throws: ``OutputError`` if PortAudio can't be initialised, or the error of `choose`.
        static func acquire(
            _ choose: ([PortAudioDeviceInfo]) throws(OutputError) -> PortAudioDeviceInfo
        ) throws(OutputError) -> PortAudioDeviceInfo {
            try state.withLock { state throws(OutputError) in
                try begin(&state)
                defer { end(&state) }
                let chosen = try choose(listed())
                state.users += 1
                return chosen
            }
        }

        /// Releases a device.
        static func release() {
            state.withLock { state in
                state.users -= 1
                end(&state)
            }
        }

        /// The devices that have outputs: those present now, or, while one is open, those present before it was opened.
        static func devices() -> [PortAudioDeviceInfo] {
            state.withLock { state in
                guard (try? begin(&state)) != nil else { return [] }
                defer { end(&state) }
                return listed()
            }
        }

        /// Whether a device is on a JACK server that is gone: its stream never ends.
        static func hasLost(_ device: PortAudioDeviceInfo) -> Bool {
            device.isJack && hasLostJack
        }

        private static var hasLostJack: Bool { watch.withLock { $0?.isLost ?? false } }

        private static func begin(_ state: inout State) throws(OutputError) {
            if state.isStarted { return }
            try JackClients.checkMayOpen()
            let code = StandardError.silenced { Pa_Initialize() }
            guard code == paNoError.rawValue else {
                throw .cannotStart(backend: "portaudio", reason: String(cString: Pa_GetErrorText(code)))
            }
            if Pa_HostApiTypeIdToHostApiIndex(paJACK) >= 0 {
                let opened = JackWatch()
                watch.withLock { $0 = opened }
            }
            state.isStarted = true
        }

        /// Terminates PortAudio once no device is open.
        ///
        /// Not when the process ends: a client that goes without disconnecting blocks a server that waits for its
        /// clients.
        private static func end(_ state: inout State) {
            if state.users > 0 || hasLostJack { return }
            _ = StandardError.silenced { Pa_Terminate() }
            let closed = watch.withLock { watch in
                defer { watch = nil }
                return watch
            }
            closed?.close()
            state.isStarted = false
        }

        private static func listed() -> [PortAudioDeviceInfo] {
            let hasLostJack = hasLostJack
            let chosen = Int(Pa_GetDefaultOutputDevice())
            return (0..<max(0, Int(Pa_GetDeviceCount()))).compactMap { index in
                guard let info = Pa_GetDeviceInfo(PaDeviceIndex(index)), info.pointee.maxOutputChannels > 0 else {
                    return nil
                }
                let host = Pa_GetHostApiInfo(info.pointee.hostApi)
                let isJack = host?.pointee.type == paJACK
                if isJack, hasLostJack { return nil }
                let system = host.map { String(cString: $0.pointee.name) } ?? ""
                let inputs = info.pointee.maxInputChannels > 0 ? index : host.map { Int($0.pointee.defaultInputDevice) }
                return PortAudioDeviceInfo(
                    index: index, name: String(cString: info.pointee.name), system: system,
                    channelCount: Int(info.pointee.maxOutputChannels), sampleRate: info.pointee.defaultSampleRate,
                    lowLatency: info.pointee.defaultLowOutputLatency, isDefault: index == chosen, isJack: isJack,
                    capture: inputs.flatMap(capture))
            }
        }

        private static func capture(_ index: Int) -> PortAudioCaptureInfo? {
            guard index >= 0, let info = Pa_GetDeviceInfo(PaDeviceIndex(index)), info.pointee.maxInputChannels > 0
            else { return nil }
            return PortAudioCaptureInfo(
                index: index, name: String(cString: info.pointee.name),
                channelCount: Int(info.pointee.maxInputChannels), lowLatency: info.pointee.defaultLowInputLatency)
        }
    }

    /// The process's standard error.
    enum StandardError {
        /// One at a time: a second caller would save the silenced descriptor as the one to restore.
        private static let access = NSLock()

        /// Runs `body` with standard error silenced: ALSA reports there every device that it does not find.
        static func silenced<Result>(_ body: () -> Result) -> Result {
            access.lock()
            defer { access.unlock() }
            return redirected(body)
        }

        private static func redirected<Result>(_ body: () -> Result) -> Result {
            let saved = dup(STDERR_FILENO)
            let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
            guard saved >= 0, null >= 0 else { return body() }
            dup2(null, STDERR_FILENO)
            close(null)
            defer {
                dup2(saved, STDERR_FILENO)
                close(saved)
            }
            return body()
        }
    }
#endif
