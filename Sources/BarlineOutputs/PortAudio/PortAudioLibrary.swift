#if PortAudio
    import BarlineTime
    import CPortAudio
    import Foundation
    import Synchronization

    /// PortAudio's start and end, which are global to the process.
    ///
    /// PortAudio looks for devices when it starts, and only then. So it is ended and started anew whenever devices are asked
    /// for while none of them is open.
    enum PortAudioLibrary {
        private struct State {
            var isStarted = false
            /// Devices that hold the numbers that PortAudio gave them.
            var users = 0
        }

        private static let state = Mutex(State())

        /// Whether a device is open, so that those that were plugged in since are not known.
        static var isInUse: Bool { state.withLock { $0.users > 0 } }

        /// The library's name and version.
        static var version: String? {
            String(cString: Pa_GetVersionText()).split(separator: ",").first.map(String.init)
        }

        /// Finds a device, which stays what it is until ``release()``.
        ///
        /// - Throws: ``OutputError`` where PortAudio does not start, or what `choose` throws.
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

        /// The devices that have outputs: those there are now, or, while one is open, those that there were before.
        static func devices() -> [PortAudioDeviceInfo] {
            state.withLock { state in
                guard (try? refresh(&state)) != nil else { return [] }
                return listed()
            }
        }

        /// Ends PortAudio where no device is open, before the process ends.
        ///
        /// It is a client of a JACK server for as long as it is started: one that ends with its process, without having left,
        /// holds up a server that waits for its clients.
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
        /// One at a time: whoever came second would take the silence for what is to be restored.
        private static let turn = NSLock()

        /// Runs `body` while nothing reaches standard error: ALSA reports there every device that it does not find.
        static func silenced<Result>(_ body: () -> Result) -> Result {
            turn.lock()
            defer { turn.unlock() }
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
