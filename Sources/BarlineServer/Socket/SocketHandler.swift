import BarlineSession
import Foundation
import NIOCore
import NIOWebSocket

/// One WebSocket connection: receives actions, and sends as much as its client keeps up with.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The purpose of a WebSocket.
    enum Kind {
        case control
        case listening
    }

    let kind: Kind
    let right: AccessKeys.Right
    /// The generation of the access keys that it was opened with.
    let generation: Int
    private let hub: SocketHub
    /// How long a client may be silent, in seconds.
    private let timeout: Double
    private var context: ChannelHandlerContext?
    /// How many messages a client may send.
    private static let messagesPerSecond = 400.0
    private var limit = RateLimit(perSecond: SocketHandler.messagesPerSecond, burst: 800)
    /// How many messages beyond the limit are ignored before the connection is closed.
    private var messageRate = RateLimit(perSecond: SocketHandler.messagesPerSecond, burst: 2_000)
    private var isWarned = false
    /// Whether messages were dropped because the client did not read: it is due the full state.
    private(set) var isStale = false
    /// What is sent after the state, which is being made; `nil` where the client has it.
    private var held: [ByteBuffer]?
    private var keepAlive: RepeatedTask?
    private var lastRead = NIODeadline.now()
    private var isClosing = false

    /// - Parameters:
    ///   - kind: what it is for.
    ///   - right: what its client may do.
    ///   - generation: that of the keys with which it came.
    ///   - hub: what it belongs to.
    ///   - timeout: how long the client may be silent, in seconds.
    init(_ kind: Kind, _ right: AccessKeys.Right, generation: Int, _ hub: SocketHub, timeout: Double) {
        self.kind = kind
        self.right = right
        self.generation = generation
        self.hub = hub
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let seconds = timeout
        let third = TimeAmount(seconds: seconds / 3)
        let here = NIOLoopBound(self, eventLoop: context.eventLoop)
        keepAlive = context.eventLoop.scheduleRepeatedTask(initialDelay: third, delay: third) { _ in
            here.value.schedulePing(seconds)
        }
        hub.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        keepAlive?.cancel()
        keepAlive = nil
        context = nil
        hub.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isClosing { return }
        isClosing = true
        if error is NIOWebSocketError || error is NIOWebSocketFrameAggregator.Error {
            let isLarge =
                (error as? NIOWebSocketError) == .invalidFrameLength
                || (error as? NIOWebSocketFrameAggregator.Error) == .accumulatedFrameSizeIsTooLarge
            context.closeSocket(isLarge ? .messageTooLarge : .protocolError)
        } else {
            context.close(promise: nil)
        }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isClosing { return }
        let frame = SocketHandler.unwrapInboundIn(data)
        lastRead = .now()
        switch frame.opcode {
        case .text: take(frame.unmaskedData, context)
        case .binary: close(.unacceptableData)
        case .ping:
            if isWithinRate() { send(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)) }
        case .connectionClose: close(.normalClosure)
        default: break
        }
    }

    private func take(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        guard isWithinRate() else { return }
        guard let text = String(validating: data.readableBytesView, as: UTF8.self) else {
            return close(.dataInconsistentWithMessage)
        }
        if kind == .control { hub.receive(text, from: self) }
    }

    /// Whether one more message is within the limit; a client that floods is closed.
    private func isWithinRate() -> Bool {
        if limit.take() { return true }
        if !messageRate.take() {
            close(.policyViolation)
        } else if !isWarned {
            isWarned = true
            hub.report("too many messages: at most 400 a second are taken", to: self)
        }
        return false
    }

    private func schedulePing(_ seconds: Double) {
        guard let context else { return }
        if Double((NIODeadline.now() - lastRead).nanoseconds) * 1e-9 >= seconds {
            context.close(promise: nil)
        } else {
            send(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
        }
    }

    func close(_ code: WebSocketErrorCode) {
        guard !isClosing, let context else { return }
        isClosing = true
        context.closeSocket(code)
    }

    // MARK: Writing

    /// Whether the client reads as fast as it is sent to.
    private var keepsUp: Bool { context?.channel.isWritable ?? false }

    /// What is held for a client at most.
    private static let mostHeld = 1_000

    /// From now on what is sent waits for ``release()``.
    func hold() { held = held ?? [] }

    /// Sends the state, and what came for the client while it was made.
    func release() {
        guard let texts = held else { return }
        held = nil
        hub.resynchronize(self)
        for text in texts { sendText(text) }
    }

    /// Sends a message that must not be missed. A client that does not read is sent the full state as soon as it reads
    /// again.
    func sendText(_ text: ByteBuffer) {
        if let held {
            if held.count < SocketHandler.mostHeld { self.held?.append(text) }
            return
        }
        guard keepsUp, !isStale else {
            isStale = true
            return
        }
        send(WebSocketFrame(fin: true, opcode: .text, data: text))
    }

    /// Sends a message that the next of its kind supersedes: dropped where the client does not keep up.
    func sendBinary(_ data: ByteBuffer) {
        if keepsUp, !isStale, held == nil { send(WebSocketFrame(fin: true, opcode: .binary, data: data)) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, isStale {
            isStale = false
            hub.resynchronize(self)
        }
        context.fireChannelWritabilityChanged()
    }

    private func send(_ frame: WebSocketFrame) {
        guard !isClosing else { return }
        context?.writeAndFlush(SocketHandler.wrapOutboundOut(frame), promise: nil)
    }
}
