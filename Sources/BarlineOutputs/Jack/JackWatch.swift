#if JACK
    import CJack
    import Synchronization

    /// A client that does nothing but tell whether its server is gone, for a library that is a client of the same one
    /// and does not say.
    final class JackWatch: @unchecked Sendable {
        private let client: OpaquePointer
        private let memory: UnsafeMutablePointer<Atomic<Bool>>

        /// Connects to the server; `nil` where that is not possible.
        init?() {
            guard let client = try? JackClients.open("barline-watch") else { return nil }
            self.client = client
            memory = .allocate(capacity: 1)
            memory.initialize(to: Atomic(false))
            jack_on_info_shutdown(client, watchShutdown, memory)
            guard jack_activate(client) == 0 else {
                close()
                return nil
            }
        }

        /// Whether the server is gone.
        var isLost: Bool { memory.pointee.load(ordering: .sequentiallyConsistent) }

        /// Closes the client, once. Not that of a server that is gone: others may have been opened since.
        func close() {
            if isLost { return }
            jack_client_close(client)
            memory.deinitialize(count: 1)
            memory.deallocate()
        }
    }

    func watchShutdown(_ code: jack_status_t, _ reason: UnsafePointer<CChar>?, _ memory: UnsafeMutableRawPointer?) {
        memory?.assumingMemoryBound(to: Atomic<Bool>.self).pointee.store(true, ordering: .sequentiallyConsistent)
    }
#endif
