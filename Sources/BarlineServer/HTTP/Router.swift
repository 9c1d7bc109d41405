import BarlineAnalysis
import BarlineDSP
import BarlineFiles
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation
import NIOCore
import NIOHTTP1

/// The routes: a fixed table. No path of a request is ever one of the file system.
struct Router: Sendable {
    /// The way in which the body of a request is received.
    enum Intake {
        case body(limit: Int)
        case upload
    }

    let dispatcher: RequestDispatcher
    let outputs: OutputRequests
    let page: PageFiles
    let analyses: AnalysisStore
    /// Gives the state as it is now, as JSON; `nil` where the server is ending.
    let state: @Sendable () async -> ByteBuffer?
    let waveforms = WaveformStore()

    private var session: LiveSession { dispatcher.session }

    /// The largest body of actions, in bytes.
    static let actionLimit = 1 << 20
    /// The most actions in one request.
    static let actionCount = 256
    /// The most files of the library that are listed.
    static let libraryLimit = 5_000
    /// The most points of a waveform.
    static let pointLimit = 8192

    /// Says how the body of a request is to be taken in, or why it is not.
    func intake(of request: Request, _ right: AccessKeys.Right) throws(RequestError) -> Intake {
        let method = request.head.method
        guard right == .playing || method == .GET || method == .HEAD else {
            throw RequestError(
                .forbidden, "this link is for watching",
                words: "This page only watches. Ask for the link of those who play.")
        }
        switch request.path {
        case "/api/actions":
            guard method == .POST else { throw RequestError(.methodNotAllowed, "actions are sent with POST") }
            let type = request.head.headers.first(name: "Content-Type") ?? ""
            guard type.lowercased().hasPrefix("application/json") else {
                throw RequestError(.unsupportedMediaType, "the body must be application/json")
            }
            return .body(limit: Router.actionLimit)
        case "/api/files":
            guard method == .PUT || method == .POST else {
                throw RequestError(.methodNotAllowed, "files are sent with PUT")
            }
            return .upload
        default:
            guard method == .GET || method == .HEAD else {
                throw RequestError(.methodNotAllowed, "there is only GET here")
            }
            return .body(limit: 0)
        }
    }

    func respond(to request: Request) async -> Response {
        do throws(RequestError) {
            switch request.path {
            case "/api/session":
                guard let state = await state() else {
                    throw RequestError(.serviceUnavailable, "the server is ending")
                }
                return .json(state)
            case "/api/actions": return try await actions(request)
            case "/api/waveform":
                // Reading a stem takes as long as the disk does: not on the threads that run every other task.
                return try await Blocking.run { Result { () throws(RequestError) in try waveform(request) } }.get()
            case "/api/analysis": return try await analysis(request)
            case "/api/cover":
                guard let path = CoverAnswer.path(request.query, session.player) else {
                    throw RequestError(.notFound, "expected \"clip\" or \"item\" with the name of one that is a file")
                }
                return await Blocking.run { CoverAnswer.response(path: path) }
            case "/api/library": return await library()
            case "/api/versions": return await versions()
            case "/api/outputs": return await outputsAnswer { () throws(ControlRefusal) in try outputs.choices() }
            case "/api/rooms": return await outputsAnswer { () throws(ControlRefusal) in try outputs.rooms() }
            case "/api/openapi.json":
                return Response(headers: [("Content-Type", "application/json; charset=utf-8")], body: OpenAPI.document)
            case "/api/socket", "/api/listen":
                return Response.error(.upgradeRequired, "a WebSocket is served here").with("Upgrade", "websocket")
            default: break
            }
            if let name = recordingName(request.path) { return try recording(name, request) }
            if let file = page.response(to: request) { return file }
            throw RequestError(.notFound, "there is nothing here")
        } catch {
            return .error(error.status, error.reason, words: error.words)
        }
    }

    // MARK: Actions

    private func actions(_ request: Request) async throws(RequestError) -> Response {
        guard let value = try? JSONValue(parsing: Data(request.body.readableBytesView)),
            case .object(let values) = value
        else { throw RequestError(.badRequest, "expected an object in JSON") }
        guard let list = values["actions"] else {
            return .json(["results": .array([await perform(value, since: nil)])])
        }
        guard case .array(let actions) = list, actions.count <= Router.actionCount else {
            throw RequestError(.badRequest, "actions: expected a list of at most \(Router.actionCount) objects")
        }
        var results: [JSONValue] = []
        // One for all that have a time and follow each other: they are not waited for, and those with one time are due on
        // one frame.
        var present: FrameTime?
        for action in actions {
            present = Router.hasTime(action) ? present ?? session.presentFrame : nil
            results.append(await perform(action, since: present))
        }
        return .json(["results": .array(results)])
    }

    private static func hasTime(_ action: JSONValue) -> Bool {
        guard case .object(let values) = action else { return false }
        return ["at", "frame", "beat", "bar"].contains { values[$0] != nil }
    }

    private func perform(_ action: JSONValue, since present: FrameTime?) async -> JSONValue {
        await withCheckedContinuation { continuation in
            dispatcher.perform(action, since: present) { continuation.resume(returning: $0) }
        }
    }

    // MARK: Audio

    private func waveform(_ request: Request) throws(RequestError) -> Response {
        let points = try request.integer("points", in: 1...Router.pointLimit) ?? 512
        let last = 1 << 40
        let from = try request.integer("from", in: 0...last)
        let to = try request.integer("to", in: 0...last)
        if let named = named(request) {
            guard let audio = named.audio else {
                throw RequestError(.notFound, "there is no \(named.kind) \"\(named.id)\" with audio")
            }
            let version = AnalysisStore.version(audio)
            return try cached(request, tag: "\"\(version)-\(points)-\(from ?? 0)-\(to ?? -1)\"") {
                () throws(RequestError) in
                if audio.samples.partial != nil, let file = try? StemFile(path: audio.path) {
                    return try WaveformAnswer(file, waveforms: waveforms, points: points, from: from, to: to).json
                }
                return try WaveformAnswer(audio.samples, points: points, from: from, to: to).json
            }
        }
        guard let id = request.query["stem"], let index = session.player.stemIndex(of: id),
            let file = session.player.multitrack?.stem(at: index)?.source.file
        else {
            let kinds = (["clip"] + SessionParts.drawn.map { $0.waveformKey }).map { "\"\($0)\"" }
            let words = kinds.joined(separator: ", ")
            throw RequestError(.notFound, "expected \(words) or \"stem\" with the name of one")
        }
        let tag = "\"\(String(file.version, radix: 36))-\(points)-\(from ?? 0)-\(to ?? -1)\""
        return try cached(request, tag: tag) { () throws(RequestError) in
            try WaveformAnswer(file, waveforms: waveforms, points: points, from: from, to: to).json
        }
    }

    /// The file of a clip, or of something of a part, that a request names; `nil` where it names neither.
    private func named(_ request: Request) -> (kind: String, id: String, audio: AudioClip?)? {
        let player = session.player
        if let id = request.query["clip"] { return ("clip", id, player.clipTable[id]?.audio) }
        for part in SessionParts.drawn {
            if let id = request.query[part.waveformKey] { return (part.waveformKey, id, part.audio(id, player)) }
        }
        return nil
    }

    private func analysis(_ request: Request) async throws(RequestError) -> Response {
        if request.query["stems"] != nil { return try await stemAnalysis() }
        guard let id = request.query["clip"], let audio = session.player.clipTable[id]?.audio else {
            throw RequestError(.notFound, "expected \"clip\" with the name of one that has audio, or \"stems\"")
        }
        let estimate = await analyses.estimate(audio)
        let rate = audio.samples.sampleRate.hertz
        return try cached(request, tag: "\"\(AnalysisStore.version(audio))\"") { () throws(RequestError) in
            guard case .object(var values) = AnalysisStore.summary(estimate) else { return .null }
            values["frames"] = .number(Double(audio.samples.frameCount))
            values["sampleRate"] = .number(rate)
            values["beats"] = .array(estimate.beats.map { .number(($0 * rate).rounded()) })
            values["downbeats"] = .array(estimate.downbeats.map { .number(($0 * rate).rounded()) })
            return .object(values)
        }
    }

    /// What is heard in the stems together, in frames of the first one's file.
    private func stemAnalysis() async throws(RequestError) -> Response {
        let document = session.player.document
        guard let multitrack = session.player.multitrack, let first = document.stems.first,
            let place = session.player.stemIndex(of: first.id), let stem = multitrack.stem(at: place)
        else { throw RequestError(.notFound, "the session has no stems") }
        let rate = stem.source.recorded.sampleRate.hertz
        func frame(_ seconds: Double) -> JSONValue { .number((seconds * rate).rounded() + Double(first.offset)) }
        do {
            let rhythm = try await BackgroundQueue.shared.run { flag in
                try StemAnalysis(multitrack.stems) { try flag.check() }
            }
            guard case .object(var values) = AnalysisStore.summary(rhythm.estimate) else { return .json(.null) }
            values["bpm"] = .optional(rhythm.bpm)
            values["firstBeat"] = rhythm.barLine.map(frame) ?? .null
            values["frames"] = .number(Double(stem.source.recorded.frameCount))
            values["sampleRate"] = .number(rate)
            values["beats"] = .array(rhythm.estimate.beats.map(frame))
            values["downbeats"] = .array(rhythm.estimate.downbeats.map(frame))
            return .json(.object(values))
        } catch {
            throw RequestError(.internalServerError, "the stems can't be listened to: \(error)")
        }
    }

    /// An answer that may be kept: for ever where the request names the version, else as long as its tag is the same.
    private func cached(
        _ request: Request, tag: String, _ body: () throws(RequestError) -> JSONValue
    ) throws(RequestError) -> Response {
        let control = request.query["v"] == nil ? "no-cache" : "private, max-age=31536000, immutable"
        if request.has(tag) {
            return Response(status: .notModified).with("ETag", tag).with("Cache-Control", control)
        }
        return Response.json(try body()).with("ETag", tag).with("Cache-Control", control)
    }

    private func outputsAnswer(_ body: @escaping @Sendable () throws(ControlRefusal) -> JSONValue) async -> Response {
        await Blocking.run {
            do throws(ControlRefusal) {
                return .json(try body())
            } catch {
                return .error(.serviceUnavailable, "\(error)", words: error.words)
            }
        }
    }

    private func library() async -> Response {
        let media = session.media
        let files = await Blocking.run { media.allAudio(limit: Router.libraryLimit) }
        return .json(["files": .array(files.map(JSONValue.string))])
    }

    private func versions() async -> Response {
        let session = session
        let versions = await Blocking.run { session.versions }
        return .json([
            "versions": .array(
                versions.map {
                    [
                        "version": .string($0.name), "modified": .number($0.modified),
                        "bytes": .number(Double($0.bytes)),
                    ]
                })
        ])
    }

    // MARK: Recordings

    private func recordingName(_ path: String) -> String? {
        let prefix = "/api/recordings/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)).removingPercentEncoding : nil
    }

    private func recording(_ name: String, _ request: Request) throws(RequestError) -> Response {
        let known = session.recordings + session.recoveredTakes.flatMap(\.files)
        guard let entry = known.first(where: { $0.name == name }) else {
            throw RequestError(.notFound, "there is no recording \"\(name)\"")
        }
        guard let file = FileBody(path: entry.path, range: request.head.headers.first(name: "Range")) else {
            throw RequestError(.notFound, "the recording \"\(name)\" is gone")
        }
        let type = name.hasSuffix(".jsonl") ? "application/jsonl; charset=utf-8" : "audio/wav"
        let plain = name.filter { $0.isASCII && $0 != "\"" && $0 != "\\" }.replacing("/", with: " ")
        var response = Response(status: file.isPart ? .partialContent : .ok, headers: [("Content-Type", type)])
        response.file = file
        if file.isPart {
            let (first, last) = (file.range.lowerBound, file.range.upperBound - 1)
            response = response.with("Content-Range", "bytes \(first)-\(last)/\(file.fileBytes)")
        }
        return response.with("Accept-Ranges", "bytes")
            .with("Content-Disposition", "attachment; filename=\"\(plain)\"")
    }
}
