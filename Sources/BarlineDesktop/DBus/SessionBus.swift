#if os(Linux)
    import CDBus
    import CRealtime
    import Foundation
    import Synchronization

    /// A call that came over the bus.
    struct DBusCall: Sendable {
        let path: String
        let interface: String
        let member: String
        let arguments: [DBusValue]
    }

    /// The answer to a call.
    enum DBusAnswer: Sendable {
        case values([DBusValue])
        case failure(name: String, message: String)
    }

    /// A signal for everybody.
    struct DBusSignal: Hashable, Sendable {
        let path: String
        let interface: String
        let member: String
        let values: [DBusValue]
    }

    /// A connection to the session bus, served by a thread of its own: only that one calls the library.
    final class SessionBus: @unchecked Sendable {
        /// The name that was given.
        let name: String

        private let connection: OpaquePointer
        private let answer: @Sendable (DBusCall) -> DBusAnswer?
        private let signals = Mutex<[DBusSignal]>([])
        private let shouldStop = Atomic<Bool>(false)
        private let isDisconnected = Atomic<Bool>(false)
        private let hasEnded = DispatchSemaphore(value: 0)
        /// Reading end and writing end: a byte wakes the thread.
        private let wake: (Int32, Int32)

        /// Connects, takes one of the names, and answers calls; `nil` where there is no bus.
        init?(names: [String], answer: @escaping @Sendable (DBusCall) -> DBusAnswer?) {
            var ends: [Int32] = [-1, -1]
            guard dbus_threads_init_default() != 0, pipe(&ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            guard let connection = SessionBus.connect() else {
                for end in ends { close(end) }
                return nil
            }
            let owned = names.first {
                dbus_bus_request_name(connection, $0, UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE), nil)
                    == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
            }
            guard let owned else {
                dbus_connection_close(connection)
                dbus_connection_unref(connection)
                for end in ends { close(end) }
                return nil
            }
            name = owned
            self.connection = connection
            self.answer = answer
            wake = (ends[0], ends[1])
            let thread = Thread { [self] in
                rt_thread_set_name("barline-dbus")
                serve()
                isDisconnected.store(true, ordering: .sequentiallyConsistent)
                hasEnded.signal()
            }
            thread.start()
        }

        /// The library itself would start a bus where there is none, and keep to the first one that it has seen.
        private static func connect() -> OpaquePointer? {
            let environment = ProcessInfo.processInfo.environment
            let socket = environment["XDG_RUNTIME_DIR"].map { $0 + "/bus" }
            let usual = socket.flatMap { FileManager.default.fileExists(atPath: $0) ? "unix:path=" + $0 : nil }
            guard let address = environment["DBUS_SESSION_BUS_ADDRESS"] ?? usual,
                let connection = dbus_connection_open_private(address, nil)
            else { return nil }
            guard dbus_bus_register(connection, nil) != 0 else {
                dbus_connection_close(connection)
                dbus_connection_unref(connection)
                return nil
            }
            dbus_connection_set_exit_on_disconnect(connection, 0)
            return connection
        }

        deinit {
            close(wake.0)
            close(wake.1)
        }

        /// Sends a signal, in the order of calls; where the bus is gone, to nobody.
        func send(_ signal: DBusSignal) {
            if isDisconnected.load(ordering: .sequentiallyConsistent) { return }
            signals.withLock { $0.append(signal) }
            wakeUp()
        }

        /// Leaves the bus; returns when the thread has ended.
        func end() {
            if shouldStop.exchange(true, ordering: .sequentiallyConsistent) { return }
            wakeUp()
            hasEnded.wait()
        }

        private func wakeUp() {
            var byte: UInt8 = 0
            write(wake.1, &byte, 1)
        }

        // MARK: The thread

        private func serve() {
            var descriptor: Int32 = -1
            dbus_connection_get_unix_fd(connection, &descriptor)
            while !shouldStop.load(ordering: .sequentiallyConsistent) {
                for signal in signals.withLock({ $0.taken() }) { transmit(signal) }
                dbus_connection_flush(connection)
                var requests = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
                requests.append(pollfd(fd: wake.0, events: Int16(POLLIN), revents: 0))
                poll(&requests, 2, -1)
                var bytes = [UInt8](repeating: 0, count: 64)
                while read(wake.0, &bytes, bytes.count) > 0 {}
                guard dbus_connection_read_write(connection, 0) != 0 else { break }
                while let message = dbus_connection_pop_message(connection) {
                    handle(message)
                    dbus_message_unref(message)
                }
            }
            dbus_connection_flush(connection)
            dbus_connection_close(connection)
            dbus_connection_unref(connection)
        }

        private func handle(_ message: OpaquePointer) {
            guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else { return }
            func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
            var arguments: [DBusValue] = []
            var iterator = DBusMessageIter()
            if dbus_message_iter_init(message, &iterator) != 0 {
                while let value = DBusValue.read(&iterator) {
                    arguments.append(value)
                    dbus_message_iter_next(&iterator)
                }
            }
            let call = DBusCall(
                path: text(dbus_message_get_path(message)), interface: text(dbus_message_get_interface(message)),
                member: text(dbus_message_get_member(message)), arguments: arguments)
            let unknown = DBusAnswer.failure(
                name: "org.freedesktop.DBus.Error.UnknownMethod",
                message: "there is no \(call.interface).\(call.member)")
            reply(to: message, answer(call) ?? unknown)
        }

        private func reply(to message: OpaquePointer, _ answer: DBusAnswer) {
            guard dbus_message_get_no_reply(message) == 0 else { return }
            let reply: OpaquePointer?
            switch answer {
            case .failure(let name, let text): reply = dbus_message_new_error(message, name, text)
            case .values(let values):
                reply = dbus_message_new_method_return(message)
                append(values, to: reply)
            }
            transmit(reply)
        }

        private func transmit(_ signal: DBusSignal) {
            let message = dbus_message_new_signal(signal.path, signal.interface, signal.member)
            append(signal.values, to: message)
            transmit(message)
        }

        private func append(_ values: [DBusValue], to message: OpaquePointer?) {
            guard let message else { return }
            var iterator = DBusMessageIter()
            dbus_message_iter_init_append(message, &iterator)
            for value in values { value.append(to: &iterator) }
        }

        private func transmit(_ message: OpaquePointer?) {
            guard let message else { return }
            dbus_connection_send(connection, message, nil)
            dbus_message_unref(message)
        }
    }

    extension Array {
        /// The elements, which are removed.
        fileprivate mutating func taken() -> [Element] {
            defer { removeAll() }
            return self
        }
    }
#endif
