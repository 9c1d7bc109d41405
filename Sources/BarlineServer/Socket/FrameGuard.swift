import NIOCore
import NIOWebSocket

/// Closes a WebSocket on frames that the protocol forbids and the library accepts.
final class FrameGuard: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private var isClosing = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isClosing { return }
        let frame = FrameGuard.unwrapInboundIn(data)
        // No extension is agreed on, and what a browser sends is masked.
        guard frame.reservedBits.isEmpty, frame.maskKey != nil else { return close(context, .protocolError) }
        switch frame.opcode {
        case .ping, .pong, .connectionClose:
            guard frame.fin, frame.length <= 125 else { return close(context, .protocolError) }
        case .text, .binary, .continuation: break
        default: return close(context, .protocolError)
        }
        context.fireChannelRead(data)
    }

    private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
        isClosing = true
        context.closeSocket(code)
    }
}

extension ChannelHandlerContext {
    /// Sends the reason and closes the connection.
    func closeSocket(_ code: WebSocketErrorCode) {
        var data = channel.allocator.buffer(capacity: 2)
        data.write(webSocketErrorCode: code)
        let channel = channel
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
            .whenComplete { _ in channel.close(promise: nil) }
    }
}
