import Foundation
import NIOCore
import NIOHTTP1

/// A request whose body is in memory, or is none.
struct Request: Sendable {
    let head: HTTPRequestHead
    let path: String
    let query: [String: String]
    var body = ByteBuffer()

    init(_ head: HTTPRequestHead) {
        self.head = head
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? "/"
        var query: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&").prefix(32) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(sides[0]) else { continue }
            query[name] = sides.count > 1 ? PercentEncoding.decode(sides[1]) : ""
        }
        self.query = query
    }

    /// Whether who asks has the answer with this tag: one of a list, weak or not (RFC 9110, 13.1.2), or any.
    func has(_ tag: String) -> Bool {
        head.headers[canonicalForm: "If-None-Match"].contains {
            $0 == "*" || ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...]) == tag
        }
    }

    /// A whole number of the query within a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(RequestError) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw RequestError(
                .badRequest, "\(name): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// Why a request is refused.
struct RequestError: Error {
    let status: HTTPResponseStatus
    let reason: String
    /// The reason for people who make music, where it is for programs.
    let words: String?

    init(_ status: HTTPResponseStatus, _ reason: String, words: String? = nil) {
        self.status = status
        self.reason = reason
        self.words = words
    }
}
