import BarlineTime
import Foundation

extension TakeFile {
    /// Reads where sound is missing in a file of a recording, as ``TakeChunks`` says it.
    ///
    /// - Parameter path: the file.
    /// - Returns: the frames; none where it is no file that a ``TakeFile`` has written.
    package static func gaps(of path: String) -> [Range<Int64>] {
        trailer(of: path).map { gaps(inChunks: $0.bytes) } ?? []
    }

    /// Reads the frame of the timeline that a recording's first frame belongs at, as ``TakeChunks`` says it.
    ///
    /// - Parameter path: the file.
    /// - Returns: the frame; `nil` where the file says nothing of it.
    package static func timeReference(of path: String) -> Int64? {
        guard let trailer = trailer(of: path) else { return nil }
        var reference: Int64?
        forEachChunk(of: trailer.bytes[...]) { name, body in
            if name == "bext", body.count >= 346 { reference = Int64(clamping: number(body, at: 338, bytes: 8)) }
        }
        return reference
    }

    /// Reads by how many frames what is in the file of an input was played before its delivery, as ``TakeChunks`` says
    /// it.
    ///
    /// - Parameter path: the file.
    /// - Returns: the latency that was taken off; `nil` where the file says nothing of it.
    package static func latency(of path: String) -> Int? {
        guard let trailer = trailer(of: path) else { return nil }
        var latency: Int?
        forEachChunk(of: trailer.bytes[...]) { name, body in
            guard name == "bext" else { return }
            let text = String(decoding: body.prefix(256).prefix { $0 != 0 }, as: UTF8.self)
            if text.hasPrefix(TakeChunks.latencyWords) { latency = Int(text.dropFirst(TakeChunks.latencyWords.count)) }
        }
        return latency
    }

    /// Reads where a recording loops and how long that is in quarter notes, as ``TakeChunks`` says it.
    ///
    /// - Parameter path: the file.
    /// - Returns: the frames of the file and their beats; `nil` where the file says nothing of it, or all of it loops.
    package static func loop(of path: String) -> (frames: Range<Int>, beats: Double)? {
        guard let trailer = trailer(of: path) else { return nil }
        var frames: Range<Int>?
        var tempo = 0.0
        var whole = 0.0
        forEachChunk(of: trailer.bytes[...]) { name, body in
            if name == "smpl", body.count >= 52 {
                let (first, last) = (Int(number(body, at: 44, bytes: 4)), Int(number(body, at: 48, bytes: 4)))
                if first <= last, last < trailer.frames { frames = first..<last + 1 }
            } else if name == "acid", body.count >= 24 {
                whole = Double(number(body, at: 12, bytes: 4))
                tempo = Double(Float(bitPattern: UInt32(number(body, at: 20, bytes: 4))))
            }
        }
        guard let frames, frames.count < trailer.frames, tempo.isFinite, trailer.sampleRate > 0 else { return nil }
        let beats = Tempo.beats(in: Double(frames.count) / trailer.sampleRate, at: tempo)
        // The whole number says less, and the tempo is rounded: bars of 7/8 have halves of beats.
        guard beats > 0, beats.rounded() == whole else { return nil }
        let eighths = (8 * beats).rounded() / 8
        return (frames, abs(beats - eighths) < tempoTolerance * beats ? eighths : beats)
    }

    /// By how much a tempo of 24 bits may be wrong, and more.
    private static let tempoTolerance = 1e-6

    /// What follows the samples of a file that a ``TakeFile`` has written, and how many there are.
    private static func trailer(of path: String) -> (bytes: [UInt8], frames: Int, sampleRate: Double)? {
        // What is no file, as a pipe, is not waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard let header = (try? file.read(upToCount: headerBytes)).map({ [UInt8]($0) }), header.count == headerBytes,
            name(header, at: 48) == "fmt ", name(header, at: 86) == "data"
        else { return nil }
        var data = number(header, at: 90, bytes: 4)
        if data == UInt64(UInt32.max) { data = number(header, at: 28, bytes: 8) }
        guard data < UInt64(Int64.max), (try? file.seek(toOffset: UInt64(headerBytes) + data)) != nil else {
            return nil
        }
        return (try? file.read(upToCount: longestTrailer)).map {
            ([UInt8]($0), Int(data) / frameBytes, Double(number(header, at: 60, bytes: 4)))
        }
    }

    private static func gaps(inChunks bytes: [UInt8]) -> [Range<Int64>] {
        var starts: [UInt64: Int64] = [:]
        var lengths: [UInt64: Int64] = [:]
        forEachChunk(of: bytes[...]) { name, body in
            switch name {
            case "cue ":
                for place in stride(from: 4, to: body.count - 23, by: 24) {
                    starts[number(body, at: place, bytes: 4)] = Int64(number(body, at: place + 20, bytes: 4))
                }
            case "LIST" where body.count >= 4 && self.name(body, at: 0) == "adtl":
                forEachChunk(of: body[4...]) { name, body in
                    guard name == "ltxt", body.count >= 8 else { return }
                    lengths[number(body, at: 0, bytes: 4)] = Int64(number(body, at: 4, bytes: 4))
                }
            default: break
            }
        }
        return starts.compactMap { cue, start in lengths[cue].map { start..<start + $0 } }
            .sorted { $0.lowerBound < $1.lowerBound }
    }

    private static func forEachChunk(of bytes: ArraySlice<UInt8>, _ body: (String, [UInt8]) -> Void) {
        var rest = bytes
        while rest.count >= 8 {
            let head = Array(rest.prefix(8))
            let length = Int(number(head, at: 4, bytes: 4))
            body(name(head, at: 0), Array(rest.dropFirst(8).prefix(length)))
            rest = rest.dropFirst(8 + length + length % 2)
        }
    }

    private static func name(_ bytes: [UInt8], at place: Int) -> String {
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    private static func number(_ bytes: [UInt8], at place: Int, bytes count: Int) -> UInt64 {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
