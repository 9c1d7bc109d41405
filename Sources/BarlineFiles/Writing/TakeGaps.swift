import Foundation

extension TakeFile {
    /// Reads where sound is missing in a file of a recording, as ``TakeChunks`` says it.
    ///
    /// - Parameter path: the file.
    /// - Returns: the frames; none where it is no file that a ``TakeFile`` has written.
    package static func gaps(of path: String) -> [Range<Int64>] { trailer(of: path).map(gaps(inChunks:)) ?? [] }

    /// Reads the frame of the timeline that a recording's first frame belongs at, as ``TakeChunks`` says it.
    ///
    /// - Parameter path: the file.
    /// - Returns: the frame; `nil` where the file says nothing of it.
    package static func timeReference(of path: String) -> Int64? {
        guard let trailer = trailer(of: path) else { return nil }
        var reference: Int64?
        forEachChunk(of: trailer[...]) { name, body in
            if name == "bext", body.count >= 346 { reference = Int64(clamping: number(body, at: 338, bytes: 8)) }
        }
        return reference
    }

    /// What follows the samples of a file that a ``TakeFile`` has written.
    private static func trailer(of path: String) -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let header = (try? file.read(upToCount: headerBytes)).map({ [UInt8]($0) }), header.count == headerBytes,
            name(header, at: 48) == "fmt ", name(header, at: 86) == "data"
        else { return nil }
        var data = number(header, at: 90, bytes: 4)
        if data == UInt64(UInt32.max) { data = number(header, at: 28, bytes: 8) }
        guard data < UInt64(Int64.max), (try? file.seek(toOffset: UInt64(headerBytes) + data)) != nil else {
            return nil
        }
        return (try? file.read(upToCount: longestTrailer)).map { [UInt8]($0) }
    }

    private static let longestTrailer = 1 << 20

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
