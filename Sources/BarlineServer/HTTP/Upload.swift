import BarlineFiles
import BarlineHost
import BarlineSession
import Foundation
import NIOCore
import Synchronization

/// A file that is being sent: written beside its place, decoded as a check, and then put there.
final class Upload: Sendable {
    let request: Request
    private let service: HTTPService
    private let name: String
    private let temporary: String
    private let received = Mutex(0)
    private let queued = Atomic<Int>(0)
    // Writing waits for the disk: not on the event loop.
    private let queue = DispatchQueue(label: "barline-upload")
    private let file: Mutex<FileHandle?>
    private let problem = Mutex("")
    private let channel: any Channel

    /// Bytes that may wait for the disk before the sender is made to wait.
    private static let waitingLimit = 8 << 20

    init(_ request: Request, service: HTTPService, channel: any Channel) throws(RequestError) {
        guard let name = request.query["name"], SessionLibrary.isFileName(name) else {
            throw RequestError(
                .badRequest, "name: expected the file's name, without a folder",
                words: "A file of that name can't be taken.")
        }
        guard MediaFolders.isAudio(name) else {
            throw RequestError(.unsupportedMediaType, "\"\(name)\" is not called like an audio file")
        }
        if let length = request.head.headers.first(name: "Content-Length").flatMap(Int.init),
            length > service.configuration.uploadLimit
        {
            throw RequestError(.payloadTooLarge, Upload.tooLarge(service))
        }
        self.request = request
        self.service = service
        self.name = name
        self.channel = channel
        let folder = service.session.uploadFolder
        temporary =
            folder.appendingPathComponent("\(Upload.prefix)\(UInt64.random(in: .min ... .max))")
            .appendingPathExtension(name.pathEnding).path
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw RequestError(
                .internalServerError, "\(folder.path) can't be made: \(systemReason(of: error))",
                words: Upload.noPlace)
        }
        Upload.removeLeftovers(in: folder.path)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw RequestError(
                .internalServerError, "\(folder.path) can't be written to: \(reason)", words: Upload.noPlace)
        }
        file = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Removes what was being sent to programs that were killed.
    private static func removeLeftovers(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            let modified = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let modified, -modified.timeIntervalSinceNow > longestPause { unlink(path) }
        }
    }

    private static let prefix = ".upload-"
    /// Seconds after which nothing more comes: who does not send is shut out much sooner.
    private static let longestPause = 3_600.0

    /// Bytes that have come so far.
    var receivedBytes: Int { received.withLock { $0 } }

    /// Whether it is the disk that the sender waits for.
    var isHeldUp: Bool { queued.load(ordering: .relaxed) >= Upload.waitingLimit / 2 }

    private static let noPlace = "There is no place where it could be kept."

    private static func tooLarge(_ service: HTTPService) -> String {
        "the file is larger than \(service.configuration.uploadLimit >> 20) MiB"
    }

    /// Takes in a part; returns why the rest is not wanted.
    func take(_ bytes: ByteBuffer) -> Response? {
        let total = received.withLock { received in
            received += bytes.readableBytes
            return received
        }
        if total > service.configuration.uploadLimit { return .error(.payloadTooLarge, Upload.tooLarge(service)) }
        let count = bytes.readableBytes
        if queued.wrappingAdd(count, ordering: .relaxed).newValue > Upload.waitingLimit {
            channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }
        queue.async { [self] in
            file.withLock { file in
                do {
                    try file?.write(contentsOf: Data(bytes.readableBytesView))
                } catch {
                    file = nil
                    problem.withLock { $0 = systemReason(of: error) }
                }
            }
            if queued.wrappingSubtract(count, ordering: .relaxed).newValue < Upload.waitingLimit / 2 {
                channel.setOption(.autoRead, value: true).whenFailure { _ in }
            }
        }
        return nil
    }

    func cancel() {
        queue.async { [self] in
            file.withLock { $0 = nil }
            unlink(temporary)
        }
    }

    /// Checks the file, and puts it where it belongs.
    func finish() async -> Response {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        let isWhole = file.withLock { file in
            defer { file = nil }
            return file != nil
        }
        defer { unlink(temporary) }
        guard isWhole else {
            let reason = problem.withLock { $0 }
            return .error(.insufficientStorage, "the file could not be written: \(reason)")
        }
        switch await Blocking.run({ self.stored() }) {
        case .success(let facts): return await add(facts)
        // The sender knows the file by its own name.
        case .failure(let error):
            let problem = error.problem.replacing(temporary, with: name)
            return .error(.unprocessableEntity, "\(error)".replacing(temporary, with: name), words: "\(problem).")
        }
    }

    /// Decodes the file as a check, and puts it in its place.
    private func stored() -> Result<JSONValue, AudioFileError> {
        Result { () throws(AudioFileError) in
            let stream = try AudioFileStream(path: temporary)
            let frames = try Upload.decode(stream)
            let path = try service.session.store(temporary, as: name)
            return [
                "file": .string(service.session.media.relative(path)), "frames": .number(Double(frames)),
                "sampleRate": .number(stream.sampleRate.hertz), "channels": .number(Double(stream.channelCount)),
            ]
        }
    }

    private static func decode(_ stream: AudioFileStream) throws(AudioFileError) -> Int {
        let capacity = AudioFileStream.pieceFrames
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity)
        defer { storage.deallocate() }
        var frames = 0
        while true {
            let count = try stream.read(left: storage, right: storage + capacity, count: capacity)
            if count == 0 { break }
            frames += count
        }
        if frames == 0 { throw .cannotOpen(path: stream.path, reason: "it has no audio") }
        return frames
    }

    /// Makes a clip, a stem or an item of it, where that was asked for.
    private func add(_ facts: JSONValue) async -> Response {
        guard case .object(var values) = facts else { return .json(facts) }
        guard let action = action(for: values["file"] ?? .null) else { return .json(facts, status: .created) }
        do throws(SessionError) {
            let outcome = try await service.session.perform(ControlAction(action, source: "files"))
            values.merge(Upload.flat(outcome.result)) { $1 }
            return .json(.object(values), status: .created)
        } catch {
            return .error(.conflict, "\(error)", words: error.words)
        }
    }

    private func action(for file: JSONValue) -> JSONValue? {
        let title = name.withoutPathEnding
        let files = JSONValue.array([["file": file, "name": .string(title)]])
        if let track = request.query["track"] {
            var edit: [String: JSONValue] = ["do": "importFiles", "track": .string(track), "files": files]
            if let slot = request.query["slot"] { edit["slot"] = Upload.place(slot) }
            if let replace = request.query["replace"] { edit["replace"] = .bool(replace == "1" || replace == "true") }
            return .object(edit)
        }
        if request.query["stem"] != nil { return ["do": "importFiles", "to": "stems", "files": files] }
        guard let place = request.query["playlist"] else { return nil }
        var insert: [String: JSONValue] = [
            "do": "playlist", "action": "insert", "index": Upload.place(place), "file": file,
        ]
        // Its content may be stored under another name.
        if case .string(let stored) = file, stored.lastPathName != name {
            insert["title"] = .string(title)
        }
        return .object(insert)
    }

    /// A place in a row or in the list; what is no number is refused as the action refuses it.
    private static func place(_ text: String) -> JSONValue { Int(text).map { .number(Double($0)) } ?? .string(text) }

    /// What became of the only file of an import.
    private static func flat(_ result: [String: JSONValue]) -> [String: JSONValue] {
        if case .array(let placed)? = result["placed"], case .object(let values)? = placed.first { return values }
        if case .array(let stems)? = result["stems"], let stem = stems.first { return ["stem": stem] }
        return result
    }
}
