import BarlineHost
import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One HTTP connection: takes requests in, bounded in size and time, and sends answers.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Progress {
        case waiting
        case collecting(Request, limit: Int)
        case uploading(Upload)
        /// The response is under way, or was sent before the body had arrived.
        case answering
    }

    private let service: HTTPService
    private var progress = Progress.waiting
    private var deadline: Scheduled<Void>?
    private var isKeptAlive = true
    /// Whether a request of this connection has passed the gate.
    private var isKnown = false
    private var refusals = 0
    private var pace: RepeatedTask?

    /// Requests that may be refused before the connection is closed.
    private static let refusalLimit = 3

    init(_ service: HTTPService) { self.service = service }

    func handlerAdded(context: ChannelHandlerContext) { setDeadline(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        pace?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .uploading(let upload) = progress { upload.cancel() }
        progress = .answering
        pace?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch HTTPHandler.unwrapInboundIn(data) {
        case .head(let head): begin(Request(head), context)
        case .body(let bytes): take(bytes, context)
        case .end: end(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A WebSocket that is refused continues as the request that it is.
        if error is NIOWebSocketUpgradeError || error is HTTPServerUpgradeErrors { return }
        context.close(promise: nil)
    }

    // MARK: Requests

    private func begin(_ request: Request, _ context: ChannelHandlerContext) {
        isKeptAlive = request.head.isKeepAlive
        // A refused request does not extend the deadline: nobody unauthenticated stays by repeating them.
        let right: AccessKeys.Right
        switch service.gate.decision(on: request) {
        case .passes(let granted): right = granted
        case .refused(let refusal): return reject(refusal, request, context)
        }
        guard service.places.recognize(context.channel) else {
            return reject(.error(.serviceUnavailable, "too many connections are open"), request, context)
        }
        isKnown = true
        refusals = 0
        setDeadline(context)
        do throws(RequestError) {
            switch try service.router.intake(of: request, right) {
            case .body(let limit):
                if let length = request.head.headers.first(name: "Content-Length").flatMap(Int.init), length > limit {
                    throw RequestError(.payloadTooLarge, "the body is larger than \(limit) bytes")
                }
                progress = .collecting(request, limit: limit)
            case .upload:
                let upload = try Upload(request, service: service, channel: context.channel)
                progress = .uploading(upload)
                deadline?.cancel()
                watch(upload, context)
            }
            invite(request, context)
        } catch {
            refuse(.error(error.status, error.reason, words: error.words), request, context)
        }
    }

    /// Lets a body come whose sender waits for leave, as curl does with large ones (RFC 9110, 10.1.1).
    private func invite(_ request: Request, _ context: ChannelHandlerContext) {
        guard request.head.version == .http1_1,
            request.head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" })
        else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(HTTPHandler.wrapOutboundOut(.head(head)), promise: nil)
    }

    private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        var bytes = bytes
        switch progress {
        case .collecting(var request, let limit):
            if request.body.readableBytes + bytes.readableBytes > limit {
                return refuse(.error(.payloadTooLarge, "the body is larger than \(limit) bytes"), request, context)
            }
            request.body.writeBuffer(&bytes)
            progress = .collecting(request, limit: limit)
        case .uploading(let upload):
            if let refusal = upload.take(bytes) {
                upload.cancel()
                pace?.cancel()
                refuse(refusal, upload.request, context)
            }
        case .waiting, .answering: break
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        let service = service
        switch progress {
        case .collecting(let request, _):
            progress = .answering
            answer(request, context) { await service.router.respond(to: request) }
        case .uploading(let upload):
            progress = .answering
            pace?.cancel()
            answer(upload.request, context) { await upload.finish() }
        case .waiting, .answering: break
        }
    }

    private func answer(
        _ request: Request, _ context: ChannelHandlerContext, with respond: @escaping @Sendable () async -> Response
    ) {
        deadline?.cancel()
        let serverLoop = service.serverLoop
        let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        Task {
            let response = await respond()
            serverLoop.execute {
                let (handler, context) = here.value
                handler.send(response, to: request, context)
            }
        }
    }

    /// Refuses what does not pass the gate.
    private func reject(_ response: Response, _ request: Request, _ context: ChannelHandlerContext) {
        refusals += 1
        if refusals >= HTTPHandler.refusalLimit { isKeptAlive = false }
        refuse(response, request, context)
    }

    /// Answers before the request has ended; what still comes is not read.
    private func refuse(_ response: Response, _ request: Request, _ context: ChannelHandlerContext) {
        progress = .answering
        isKeptAlive = isKeptAlive && (request.head.method == .GET || request.head.method == .HEAD)
        pace?.cancel()
        send(response, to: request, context)
    }

    private func send(_ response: Response, to request: Request, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        var headers = HTTPHeaders(response.headers)
        headers.add(
            contentsOf: HTTPHeaders(Response.safetyHeaders(host: safeHost(request), isSecure: service.gate.isSecure)))
        if response.headers.allSatisfy({ $0.name != "Cache-Control" }) {
            headers.add(name: "Cache-Control", value: "no-store")
        }
        let length = response.file.map(\.range.count) ?? response.body.readableBytes
        headers.add(name: "Content-Length", value: "\(length)")
        if !isKeptAlive { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
        context.write(HTTPHandler.wrapOutboundOut(.head(head)), promise: nil)
        if request.head.method != .HEAD {
            if let file = response.file { return stream(file, context) }
            context.write(HTTPHandler.wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
        finish(context, bytes: request.head.method == .HEAD ? 0 : response.body.readableBytes)
    }

    /// Sends a file, piece by piece as each is taken; who takes none for too long is left.
    private func stream(_ file: FileBody, _ context: ChannelHandlerContext, done: Int64 = 0) {
        if done == file.range.count { return finish(context, bytes: 0) }
        deadline?.cancel()
        let loop = context.eventLoop
        let here = NIOLoopBound((self, context), eventLoop: loop)
        Task {
            let piece = await Blocking.run { file.read(after: done) }
            loop.execute {
                let (handler, context) = here.value
                guard context.channel.isActive else { return }
                // What was promised can't be given any more.
                if piece.readableBytes == 0 { return context.close(promise: nil) }
                handler.setDeadline(context, bytes: piece.readableBytes)
                context.writeAndFlush(HTTPHandler.wrapOutboundOut(.body(.byteBuffer(piece)))).whenSuccess {
                    let (handler, context) = here.value
                    handler.stream(file, context, done: done + Int64(piece.readableBytes))
                }
            }
        }
    }

    /// Ends an answer of which so many bytes may have to be taken yet.
    private func finish(_ context: ChannelHandlerContext, bytes: Int) {
        let isKeptAlive = isKeptAlive
        let channel = context.channel
        let done = context.writeAndFlush(HTTPHandler.wrapOutboundOut(.end(nil)))
        if !isKeptAlive { done.whenComplete { _ in channel.close(promise: nil) } }
        if case .answering = progress { progress = .waiting }
        if isKnown { setDeadline(context, bytes: bytes) }
    }

    /// The host for the answer's policy: what was refused is not repeated.
    private func safeHost(_ request: Request) -> String {
        let host = request.head.headers.first(name: "Host") ?? ""
        let isPlain = host.utf8.allSatisfy { byte in
            (0x30...0x3a).contains(byte) || (0x41...0x5d).contains(byte) || (0x61...0x7a).contains(byte)
                || byte == 0x2d || byte == 0x2e
        }
        return isPlain && !host.isEmpty ? host : "localhost"
    }

    /// A connection that asks for nothing, or takes for ever to do so or to take its answer of `bytes`, is closed.
    private func setDeadline(_ context: ChannelHandlerContext, bytes: Int = 0) {
        deadline?.cancel()
        let channel = context.channel
        let seconds = service.configuration.requestTimeout + Double(bytes) / service.configuration.slowestTransfer
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(seconds: seconds)) {
            channel.close(promise: nil)
        }
    }

    /// Closes the connection of an upload that comes too slowly or takes too long.
    private func watch(_ upload: Upload, _ context: ChannelHandlerContext) {
        let configuration = service.configuration
        let window = TimeAmount(seconds: configuration.requestTimeout)
        let least = Int(configuration.slowestTransfer * configuration.requestTimeout)
        let end = NIODeadline.now() + TimeAmount(seconds: configuration.uploadTimeout)
        let channel = context.channel
        let before = NIOLoopBoundBox(0, eventLoop: context.eventLoop)
        pace = context.eventLoop.scheduleRepeatedTask(initialDelay: window, delay: window) { _ in
            let received = upload.receivedBytes
            let isSlow = received - before.value < least && !upload.isHeldUp
            before.value = received
            if isSlow || NIODeadline.now() > end { channel.close(promise: nil) }
        }
    }
}

extension HTTPHeaders {
    fileprivate init(_ pairs: [(name: String, value: String)]) {
        self.init(pairs.map { ($0.name, $0.value) })
    }
}
