#if PortAudio
    import BarlineTime
    import CPortAudio
    import Foundation
    import Synchronization

    /// PortAudio's initialisation and termination, which are global to the process.
    ///
    /// PortAudio scans for devices only when it is initialised. So it is terminated and reinitialised whenever devices
    /// are requested while none of them is open.
    enum PortAudioLibrary {
        private struct State {
            var isStarted = false
            /// The number of open devices, which depend on the indices that PortAudio gave them.
            var users = 0
        }

        private static let state = Mutex(State())

        /// Whether a device is open, so that devices plugged in since are unknown.
        static var isInUse: Bool { state.withLock { $0.users > 0 } }

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
                try refresh(&state)
                let chosen = try choose(listed())
                state.users += 1
                return chosen
            }
        }

        /// Releases a device.
        static func release() { state.withLock { $0.users -= 1 } }

        /// The devices that have outputs: those present now, or, while one is open, those present before it was opened.
        static func devices() -> [PortAudioDeviceInfo] {
            state.withLock { state in
                guard (try? refresh(&state)) != nil else { return [] }
                return listed()
            }
        }

        /// Terminates PortAudio if no device is open, before the process ends.
        ///
        /// It is a client of a JACK server for as long as it is initialised: a client whose process ends without
        /// disconnecting blocks a server that waits for its clients.
        static func end() {
            state.withLock { state in
                guard state.isStarted, state.users == 0 else { return }
                _ = StandardError.silenced { Pa_Terminate() }
                state.isStarted = false
            }
        }

        private static func refresh(_ state: inout State) throws(OutputError) {
            if state.users > 0 { return }
            let code = StandardError.silenced {
                if state.isStarted { Pa_Terminate() }
                return Pa_Initialize()
            }
            state.isStarted = code == paNoError.rawValue
            guard state.isStarted else {
                throw .cannotStart(backend: "portaudio", reason: String(cString: Pa_GetErrorText(code)))
            }
        }

        private static func listed() -> [PortAudioDeviceInfo] {
            let chosen = Int(Pa_GetDefaultOutputDevice())
            return (0..<max(0, Int(Pa_GetDeviceCount()))).compactMap { index in
                guard let info = Pa_GetDeviceInfo(PaDeviceIndex(index)), info.pointee.maxOutputChannels > 0 else {
                    return nil
                }
                let system = Pa_GetHostApiInfo(info.pointee.hostApi).map { String(cString: $0.pointee.name) } ?? ""
                return PortAudioDeviceInfo(
                    index: index, name: String(cString: info.pointee.name), system: system,
                    channelCount: Int(info.pointee.maxOutputChannels), sampleRate: info.pointee.defaultSampleRate,
                    lowLatency: info.pointee.defaultLowOutputLatency, isDefault: index == chosen)
            }
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
