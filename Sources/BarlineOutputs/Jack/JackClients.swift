#if JACK
    import Foundation
    import Synchronization

    /// The process's clients of JACK servers.
    ///
    /// The library maps one server's memory for all of them: where another client is opened before those of a server that has
    /// died are closed, closing them ends the process.
    enum JackClients {
        private struct Entry {
            let isLost: @Sendable () -> Bool
            var lostSince: Date?
        }

        private struct Table {
            var entries: [Int: Entry] = [:]
            var last = 0
        }

        /// A closing that takes longer is given up on, in seconds.
        private static let patience = 3.0
        private static let table = Mutex(Table())

        /// Fails where a client can't be opened now.
        static func checkMayOpen() throws(OutputError) {
            let isClosing = table.withLock { table in
                var isClosing = false
                for (number, entry) in table.entries where entry.isLost() {
                    let since = entry.lostSince ?? Date()
                    table.entries[number]?.lostSince = since
                    if -since.timeIntervalSinceNow < patience { isClosing = true }
                }
                return isClosing
            }
            if isClosing {
                throw .noServer(backend: "jack", reason: "clients of a server that is gone are being closed")
            }
        }

        /// Takes a client in; returns its number.
        static func add(isLost: @escaping @Sendable () -> Bool) -> Int {
            table.withLock { table in
                table.last += 1
                table.entries[table.last] = Entry(isLost: isLost)
                return table.last
            }
        }

        /// Forgets a client that is closed.
        static func remove(_ number: Int) { table.withLock { $0.entries[number] = nil } }
    }
#endif
