/// A place where Barline takes in what others have made, for a fuzzer that tries everything there, and for the test
/// that tries again what has been found.
package struct FuzzBoundary: Sendable {
    /// What it is called, as its folder of inputs is.
    package let name: String
    /// The longest input that is worth trying, in bytes.
    package let limit: Int
    /// Words that inputs are made of, where they are text.
    package let words: [String]
    /// Takes an input in by the code that takes it in elsewhere.
    private let take: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, limit: Int, words: [String] = [], take: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.limit = limit
        self.words = words
        self.take = take
    }

    /// Takes an input in.
    ///
    /// - Throws: what is promised of every input and does not hold of this one.
    package func callAsFunction(_ input: [UInt8]) throws { try take(input) }

    /// All of them; those on a network are served by a real server from then on.
    ///
    /// - Throws: what keeps the session of the server from being made.
    package static func all() async throws -> [FuzzBoundary] {
        let stage = try await FuzzStage()
        return texts + lists + files + controls(stage) + network(stage)
    }
}

/// What is promised of every input, and does not hold.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static func check(_ holds: Bool, _ promise: @autoclosure () -> String) throws(BrokenPromise) {
        if !holds { throw BrokenPromise(promise()) }
    }
}
