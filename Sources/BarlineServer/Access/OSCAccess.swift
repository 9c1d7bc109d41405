import BarlineHost
import NIOCore
import Synchronization

/// The access control of OSC. A datagram carries no password and may lie about where it is from: this machine may do
/// everything, addresses of the network that were allowed may perform, and nobody else may do anything.
final class OSCAccess: Sendable {
    /// The rights of a sender.
    enum Right: Hashable, Sendable {
        case everything
        case performing
        case nothing
    }

    /// The senders that are known, for the page.
    struct Senders: Hashable, Sendable {
        /// The ranges that may perform.
        var allowed: [AddressRange] = []
        /// Those that were refused last, the latest first.
        var refused: [AddressRange] = []
    }

    /// Addresses that are remembered as refused, and that may be allowed besides those of the start.
    static let memory = 16

    private let senders: Mutex<Senders>

    init(allowed: [AddressRange]) {
        senders = Mutex(Senders(allowed: allowed))
    }

    /// What is known now.
    var known: Senders { senders.withLock { $0 } }

    func right(of sender: SocketAddress) -> Right {
        if AddressRange.isLoopback(sender) { return .everything }
        return senders.withLock { $0.allowed.contains { $0.contains(sender) } } ? .performing : .nothing
    }

    /// Remembers that a sender was refused.
    func refuse(_ sender: SocketAddress) {
        guard let address = AddressRange(sender) else { return }
        senders.withLock { senders in
            if senders.refused.first == address { return }
            senders.refused.removeAll { $0 == address }
            senders.refused.insert(address, at: 0)
            if senders.refused.count > OSCAccess.memory { senders.refused.removeLast() }
        }
    }

    /// Lets a range perform, or no longer.
    func set(_ range: AddressRange, isAllowed: Bool) throws(ControlRefusal) {
        try senders.withLock { senders throws(ControlRefusal) in
            senders.allowed.removeAll { $0 == range }
            guard isAllowed else { return }
            if senders.allowed.count >= 4 * OSCAccess.memory { throw ControlRefusal("too many addresses are allowed") }
            senders.allowed.append(range)
            senders.refused.removeAll { $0 == range }
        }
    }
}
