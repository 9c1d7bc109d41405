import BarlineEngine
import BarlineHost
import BarlineSession
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Control over UDP: actions in, and what happens out to those who subscribe.
package final class OSCServer: Sendable {
    /// Packets that were thrown away, by reason.
    package struct Drops: Hashable, Sendable {
        /// Not OSC, or with values that an address does not have.
        package var malformed = 0
        /// Beyond the rate that is taken.
        package var excess = 0
        /// For a time too far ahead.
        package var farAhead = 0
        /// From addresses of the network that were not allowed.
        package var unknownSenders = 0
        /// From the network, and not about playing.
        package var forbidden = 0

        /// Nothing thrown away.
        package init() {}
    }

    /// The port that is listened on.
    package let port: Int
    private let channel: any NIOCore.Channel
    private let counters: DropBox

    /// What was thrown away so far.
    package var drops: Drops { counters.drops.withLock { $0 } }

    init(
        host: String, port: Int, access: OSCAccess, dispatcher: RequestDispatcher, subscribers: OSCSubscribers,
        serverLoop: ServerLoop
    ) throws(ServerError) {
        let box = DropBox()
        do {
            channel = try DatagramBootstrap(group: serverLoop.loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            OSCHandler(dispatcher, subscribers, access: access, serverLoop: serverLoop, drops: box))
                    }
                }.bind(host: host, port: port).wait()
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw .cannotListen(host: host, port: port, reason: reason, option: "--osc")
        }
        self.port = channel.localAddress?.port ?? port
        counters = box
    }

    func close() { channel.close(promise: nil) }
}

/// The counters that a server and its handler share.
final class DropBox: Sendable {
    let drops = Mutex(OSCServer.Drops())

    func count(_ kind: WritableKeyPath<OSCServer.Drops, Int>) { drops.withLock { $0[keyPath: kind] += 1 } }
}
