import BarlineSession
import NIOCore
import NIOHTTP1

/// An answer with a body in memory.
struct Response: Sendable {
    var status = HTTPResponseStatus.ok
    var headers: [(name: String, value: String)] = []
    var body = ByteBuffer()
    /// What is sent in place of ``body``.
    var file: FileBody?

    static func json(_ value: JSONValue, status: HTTPResponseStatus = .ok) -> Response {
        json(ByteBuffer(string: value.line), status: status)
    }

    /// JSON that is written already.
    static func json(_ text: ByteBuffer, status: HTTPResponseStatus = .ok) -> Response {
        Response(status: status, headers: [("Content-Type", "application/json; charset=utf-8")], body: text)
    }

    static func text(_ text: String, type: String, status: HTTPResponseStatus = .ok) -> Response {
        Response(status: status, headers: [("Content-Type", type)], body: ByteBuffer(string: text))
    }

    /// A refusal; `words` say it to people who make music, where the reason is for programs.
    static func error(_ status: HTTPResponseStatus, _ reason: String, words: String? = nil) -> Response {
        json(["error": .string(reason), "message": .string(words ?? SessionError.sentence(reason))], status: status)
    }

    func with(_ name: String, _ value: String) -> Response {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// What every answer carries: nothing is guessed, framed, or loaded from anywhere else.
    static func safetyHeaders(host: String, isSecure: Bool) -> [(String, String)] {
        // A host that passed the gate is made of harmless characters; older browsers do not count WebSockets as 'self'.
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self';"
            + " connect-src 'self' \(isSecure ? "wss" : "ws")://\(host); manifest-src 'self'; worker-src 'self'; media-src 'self' blob:;"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
    }
}
