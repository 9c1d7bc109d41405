import NIOCore

/// The first handler of a TLS port: a client that speaks plain HTTP there is answered so, and disconnected.
final class PlainRequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The first byte of a TLS connection: a record of the handshake (RFC 8446, 5.1).
    private static let handshake: UInt8 = 22

    private static let answer = """
        HTTP/1.1 400 Bad Request\r
        Content-Type: text/plain; charset=utf-8\r
        Connection: close\r
        \r
        The page is served over TLS: its address begins with https://.\n
        """

    private var isRejected = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRejected { return }
        let bytes = PlainRequestGuard.unwrapInboundIn(data)
        guard bytes.getInteger(at: bytes.readerIndex) != PlainRequestGuard.handshake else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            return
        }
        isRejected = true
        let channel = context.channel
        context.writeAndFlush(PlainRequestGuard.wrapOutboundOut(ByteBuffer(string: PlainRequestGuard.answer)))
            .whenComplete { _ in channel.close(promise: nil) }
    }
}
