/// A notice about a session for all users, whoever made the request.
package struct SessionNotice: Hashable, Sendable {
    /// For terminals: with paths.
    package let text: String
    /// For people who make music.
    package let words: String

    init(_ text: String, words: String? = nil) {
        self.text = text
        self.words = words ?? SessionError.sentence(text)
    }

    init(_ error: SessionError) { self.init("\(error)", words: error.words) }

    /// A length of time as minutes and seconds.
    package static func time(_ seconds: Double) -> String {
        let seconds = Int(max(0, seconds))
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
