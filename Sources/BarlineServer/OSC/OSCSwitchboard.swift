import BarlineHost
import Synchronization

/// Turns control over UDP on and off.
final class OSCSwitchboard: OSCSwitch {
    let host: String
    private let access: OSCAccess
    private let serverLoop: ServerLoop
    private let subscribers: OSCSubscribers
    // Set before anybody can ask to listen: the door leads here too.
    private let dispatcher = Mutex<RequestDispatcher?>(nil)
    private let current = Mutex<OSCServer?>(nil)

    init(host: String, access: OSCAccess, serverLoop: ServerLoop, subscribers: OSCSubscribers) {
        self.host = host
        self.access = access
        self.serverLoop = serverLoop
        self.subscribers = subscribers
    }

    /// Says who does what packets ask for.
    func route(to dispatcher: RequestDispatcher?) { self.dispatcher.withLock { $0 = dispatcher } }

    /// Control over UDP; `nil` where it is off.
    var server: OSCServer? { current.withLock { $0 } }

    var port: Int? { server?.port }

    func listen(on port: Int?) throws(ServerError) {
        guard let dispatcher = dispatcher.withLock({ $0 }) else { return }
        try current.withLock { current throws(ServerError) in
            if let port, current?.port == port { return }
            let next = try port.map { port throws(ServerError) in
                try OSCServer(
                    host: host, port: port, access: access, dispatcher: dispatcher, subscribers: subscribers,
                    serverLoop: serverLoop
                )
            }
            current?.close()
            current = next
        }
    }

    func close() {
        route(to: nil)
        current.withLock { current in
            current?.close()
            current = nil
        }
    }
}
