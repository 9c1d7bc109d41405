#if JACK
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
