#if JACK
    import BarlineTime
    import CJack
    import Foundation
    import Synchronization

    /// The process's clients of JACK servers.
    ///
    /// The library maps one server's memory for all of them: if another client is opened before those of a dead server
    /// are closed, closing them crashes the process.
    enum JackClients {
        private struct Entry {
            let isLost: @Sendable () -> Bool
            var lostSince: Date?
        }

        private struct Table {
            var entries: [Int: Entry] = [:]
            var last = 0
        }

        /// How long to wait for a client to close, in seconds.
        private static let closingTimeout = 3.0
        private static let table = Mutex(Table())

        /// Throws if a client can't be opened now.
        static func checkMayOpen() throws(OutputError) {
            // Others would wait behind the one that waits.
            if abandoned.load(ordering: .relaxed) > 0 { throw silence }
            let isClosing = table.withLock { table in
                var isClosing = false
                for (number, entry) in table.entries where entry.isLost() {
                    let since = entry.lostSince ?? Date()
                    table.entries[number]?.lostSince = since
                    if -since.timeIntervalSinceNow < closingTimeout { isClosing = true }
                }
                return isClosing
            }
            if isClosing {
                throw .noServer(backend: "jack", reason: "clients of a server that is gone are being closed")
            }
        }

        /// How long a server that was joined before may take to let a client in, in seconds.
        private static let openingTimeout = 3.0
        /// How long the first one may take: a server that waits for its clients waits long for one that was killed.
        private static let firstTimeout = 30.0
        private static let hasOpened = Atomic<Bool>(false)
        /// Clients that nobody waits for any more, and that their server has not answered yet.
        private static let abandoned = Atomic<Int>(0)

        /// A client that is being opened: the library waits for its server for ever.
        private final class Opening: Sendable {
            private enum Answer {
                case client(OpaquePointer)
                case refusal(jack_status_t)
            }

            private struct State: @unchecked Sendable {
                var answer: Answer?
                var isAbandoned = false
            }

            private let state = Mutex(State())
            private let isAnswered = DispatchSemaphore(value: 0)

            func open(_ name: String) {
                var status = jack_status_t(rawValue: 0)
                let client = barline_jack_client_open(name, JackNoStartServer, &status, nil)
                let isAbandoned = state.withLock { state in
                    state.answer = client.map { .client($0) } ?? .refusal(status)
                    return state.isAbandoned
                }
                isAnswered.signal()
                if !isAbandoned { return }
                if let client { jack_client_close(client) }
                JackClients.abandoned.subtract(1, ordering: .relaxed)
            }

            func wait() throws(OutputError) -> OpaquePointer {
                let isFirst = !hasOpened.load(ordering: .relaxed)
                _ = isAnswered.wait(timeout: .now() + (isFirst ? firstTimeout : openingTimeout))
                let answer = state.withLock { state in
                    state.isAbandoned = state.answer == nil
                    if state.isAbandoned { JackClients.abandoned.add(1, ordering: .relaxed) }
                    return state.answer
                }
                switch answer {
                case .client(let client)?:
                    hasOpened.store(true, ordering: .relaxed)
                    return client
                case .refusal(let status)?: throw .noServer(backend: "jack", reason: JackDevice.describe(status))
                case nil: throw JackClients.silence
                }
            }
        }

        private static let silence = OutputError.noServer(backend: "jack", reason: "the JACK server does not answer")

        /// Opens a client of the server that `JACK_DEFAULT_SERVER` names, or of the default one; none is started.
        ///
        /// - Throws: ``OutputError/noServer(backend:reason:)`` where there is none, it refuses, or it does not answer,
        ///   as one that was stopped.
        static func open(_ name: String) throws(OutputError) -> OpaquePointer {
            JackDevice.silenceLibrary()
            let opening = Opening()
            NamedThread.start("barline-jack") { opening.open(name) }
            return try opening.wait()
        }

        /// Registers a client; returns its number.
        static func add(isLost: @escaping @Sendable () -> Bool) -> Int {
            table.withLock { table in
                table.last += 1
                table.entries[table.last] = Entry(isLost: isLost)
                return table.last
            }
        }

        /// Unregisters a client that is closed.
        static func remove(_ number: Int) { table.withLock { $0.entries[number] = nil } }
    }
#endif
