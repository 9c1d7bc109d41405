/// Why the machine's output or rooms are not changed, in words.
package struct OutputRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// A refusal.
    package init(_ description: String) { self.description = description }
}
