import BarlineEngine
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation
import NIOCore

/// Takes packets in, on the event loop that all control lives on.
final class OSCHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private struct Subscriber {
        let address: SocketAddress
        var until: NIODeadline
    }

    /// When a packet came, in seconds since 1970, and the frame from which seconds are counted.
    private struct Arrival {
        let seconds: Double
        let frame: FrameTime
    }

    /// Those who may subscribe at once.
    private static let subscriberLimit = 32
    /// Seconds that a subscription lasts, and may last, unless it is renewed.
    private static let lease = 30.0
    private static let longestLease = 300.0
    /// How far ahead a bundle's time may be, in seconds.
    private static let horizon = 60.0

    private let dispatcher: RequestDispatcher
    private let feedback: OSCSubscribers
    private let serverLoop: ServerLoop
    private let access: OSCAccess
    private let drops: DropBox
    private var limit = RateLimit(perSecond: 2_000, burst: 4_000)
    /// Answers that are sent to those who subscribed; with more of them the server could be abused for amplification
    /// attacks.
    private var answers = RateLimit(perSecond: 100, burst: 200)
    /// Subscriptions that are answered with the whole mixer: as many as all who may subscribe can want, and renew.
    private var mixers = RateLimit(perSecond: 4, burst: Double(subscriberLimit))
    private var subscribers: [Subscriber] = []
    private var context: ChannelHandlerContext?

    init(
        _ dispatcher: RequestDispatcher, _ feedback: OSCSubscribers, access: OSCAccess, serverLoop: ServerLoop,
        drops: DropBox
    ) {
        self.dispatcher = dispatcher
        self.feedback = feedback
        self.serverLoop = serverLoop
        self.access = access
        self.drops = drops
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        feedback.set(self) { [weak self] in self?.send($0) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        feedback.end(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A subscriber that has gone: its lease will run out.
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = OSCHandler.unwrapInboundIn(data)
        let right = access.right(of: envelope.remoteAddress)
        // Before the limit: datagrams of unknown senders must not delay those of the others.
        if right == .nothing {
            access.refuse(envelope.remoteAddress)
            return drops.count(\.unknownSenders)
        }
        guard limit.take() else { return drops.count(\.excess) }
        do throws(OSCPacket.SyntaxError) {
            let packet = try OSCPacket(Array(envelope.data.readableBytesView))
            // One for all that is in a bundle: what has one time tag is due on one frame.
            let arrival = Arrival(seconds: Date().timeIntervalSince1970, frame: dispatcher.session.presentFrame)
            for (index, (time, message)) in packet.messages.enumerated() {
                // A bundle counts as all that is in it.
                guard index == 0 || limit.take() else { return drops.count(\.excess) }
                take(message, time, arrival, from: envelope.remoteAddress, right)
            }
        } catch {
            drops.count(\.malformed)
            sendError(
                "a packet of \(envelope.data.readableBytes) bytes is no OSC: \(error.words)", to: envelope.remoteAddress
            )
        }
    }

    private func take(
        _ message: OSCMessage, _ time: OSCTime, _ arrival: Arrival, from sender: SocketAddress,
        _ right: OSCAccess.Right
    ) {
        if message.address == "/barline/subscribe" { return subscribe(message, sender) }
        if message.address == "/barline/unsubscribe" { return subscribers.removeAll { $0.address == sender } }
        guard case .object(var action)? = OSCAction.action(message) else {
            if OSCAction.isRelease(message) { return }
            drops.count(\.malformed)
            return sendError("\"\(message.address)\" means nothing with these arguments", to: sender)
        }
        if right == .performing, !PerformanceAction.includes(.object(action)) {
            drops.count(\.forbidden)
            return sendError("only playing is open to the network", to: sender)
        }
        if time != .now {
            let wait = time.seconds - arrival.seconds
            guard wait < OSCHandler.horizon else { return drops.count(\.farAhead) }
            if wait > 0 { action["at"] = .number(wait) }
        }
        let here = NIOLoopBound(self, eventLoop: serverLoop.loop)
        let serverLoop = serverLoop
        dispatcher.perform(.object(action), since: arrival.frame) { answer in
            guard case .object(let values) = answer, case .string(let reason)? = values["error"] else { return }
            serverLoop.execute { here.value.sendError(reason, to: sender) }
        }
    }

    /// Says why something was refused, to who has subscribed: nothing else is answered, whatever address it claims.
    private func sendError(_ reason: String, to sender: SocketAddress) {
        let now = NIODeadline.now()
        guard subscribers.contains(where: { $0.address == sender && $0.until >= now }), answers.take() else { return }
        answer(OSCMessage(address: "/barline/error", arguments: [.text(reason)]), to: sender)
    }

    /// Answers go to who has asked and nowhere else: nobody can make this machine send to a third one.
    private func subscribe(_ message: OSCMessage, _ sender: SocketAddress) {
        var seconds = OSCHandler.lease
        switch message.arguments.first {
        case .integer(let value)?: seconds = Double(value)
        case .number(let value)? where value.isFinite: seconds = value
        default: break
        }
        let lease = TimeAmount.milliseconds(Int64(max(1, min(OSCHandler.longestLease, seconds)) * 1000))
        subscribers.removeAll { $0.address == sender || $0.until < .now() }
        guard subscribers.count < OSCHandler.subscriberLimit, answers.take() else { return drops.count(\.excess) }
        subscribers.append(Subscriber(address: sender, until: .now() + lease))
        feedback.expect(seconds: Double(lease.nanoseconds) * 1e-9)
        answer(
            OSCMessage(address: "/barline/subscribed", arguments: [.number(Double(lease.nanoseconds) * 1e-9)]),
            to: sender)
        guard mixers.take() else { return }
        for message in feedback.mixer { answer(message, to: sender) }
    }

    private func answer(_ message: OSCMessage, to address: SocketAddress) {
        let envelope = AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: message.bytes))
        context?.writeAndFlush(OSCHandler.wrapOutboundOut(envelope), promise: nil)
    }

    private func send(_ messages: [OSCMessage]) {
        if subscribers.isEmpty { return }
        let now = NIODeadline.now()
        subscribers.removeAll { $0.until < now }
        // What the network does not take is lost, as with any datagram; nothing piles up.
        guard context?.channel.isWritable == true else { return }
        for subscriber in subscribers { for message in messages { answer(message, to: subscriber.address) } }
    }
}
