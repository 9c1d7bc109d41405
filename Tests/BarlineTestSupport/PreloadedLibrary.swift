import Foundation

/// A library that is loaded before a program's others, built from C.
package final class PreloadedLibrary: Sendable {
    /// Where it is, for `LD_PRELOAD`.
    package let path: String
    private let folder: TemporaryFolder

    /// Whether there is a compiler for it.
    package static let canBeMade = (try? Program.run("cc", ["--version"]))?.status == 0

    /// - Throws: where it can't be built.
    package init(_ source: String) throws {
        folder = try TemporaryFolder()
        path = folder.path("fault.so")
        let outcome = try Program.run(
            "cc", ["-shared", "-fPIC", "-O1", "-o", path, try folder.write("fault.c", source)])
        if outcome.status != 0 { throw Refused(errors: outcome.errors) }
    }

    package struct Refused: Error {
        package let errors: String
    }
}
