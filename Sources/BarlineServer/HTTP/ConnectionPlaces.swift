import NIOCore
import Synchronization

/// The places that a server has for connections.
///
/// Connections without a valid token are unauthenticated, and those have few places, fewer still from one address;
/// those of this machine are counted apart. Where one more comes, the one that waits longest makes room, so that nobody
/// keeps the owner out by holding connections open.
final class ConnectionPlaces: Sendable {
    /// Unauthenticated connections from the network, and as many from this machine, at once.
    static let unauthenticated = 32
    /// Of them, those from one address.
    static let unauthenticatedPerAddress = 8

    private struct UnauthenticatedConnection {
        let channel: any Channel
        let address: AddressRange?
        let isLocal: Bool
    }

    private struct Places {
        /// In the order in which they came.
        var unauthenticated: [UnauthenticatedConnection] = []
        var known: Set<ObjectIdentifier> = []

        /// Of some unauthenticated connections, the oldest of the address that has most of them.
        func oldestOfMostFrequent(_ indices: [Int]) -> Int {
            var counts: [AddressRange?: Int] = [:]
            for index in indices { counts[unauthenticated[index].address, default: 0] += 1 }
            let most = counts.values.max() ?? 0
            return indices.first { counts[unauthenticated[$0].address] == most } ?? 0
        }
    }

    private let limit: Int
    private let places = Mutex(Places())

    /// - Parameter limit: those who have shown that they may, at once.
    init(limit: Int) { self.limit = limit }

    /// Registers a connection as unauthenticated, until it is closed.
    func admit(_ channel: any Channel) {
        let peer = channel.remoteAddress
        let added = UnauthenticatedConnection(
            channel: channel, address: peer.flatMap(AddressRange.init),
            isLocal: peer.map(AddressRange.isLoopback) ?? true)
        let leaving = places.withLock { places -> (any Channel)? in
            defer { places.unauthenticated.append(added) }
            let alike = places.unauthenticated.indices.filter { places.unauthenticated[$0].isLocal == added.isLocal }
            // Whoever shares this machine's address may be the owner's own browser: the places of all suffice.
            let same = added.isLocal ? [] : alike.filter { places.unauthenticated[$0].address == added.address }
            if same.count >= ConnectionPlaces.unauthenticatedPerAddress {
                return places.unauthenticated.remove(at: same[0]).channel
            }
            guard alike.count >= ConnectionPlaces.unauthenticated else { return nil }
            return places.unauthenticated.remove(at: places.oldestOfMostFrequent(alike)).channel
        }
        leaving?.close(promise: nil)
        channel.closeFuture.whenComplete { [self] _ in
            places.withLock { places in
                places.unauthenticated.removeAll { $0.channel === channel }
                places.known.remove(ObjectIdentifier(channel))
            }
        }
    }

    /// Gives a connection that has shown that it may a place among those; `false` where there is none left.
    func recognize(_ channel: any Channel) -> Bool {
        places.withLock { places in
            if places.known.contains(ObjectIdentifier(channel)) { return true }
            guard channel.isActive, places.known.count < limit else { return false }
            places.unauthenticated.removeAll { $0.channel === channel }
            places.known.insert(ObjectIdentifier(channel))
            return true
        }
    }
}
