import Foundation

/// The folders of a user's files, by the XDG base directory specification: each a folder `barline`, which may not exist
/// yet.
package enum UserFolders {
    /// Caches: in `$XDG_CACHE_HOME`.
    package static var cache: URL { folder("XDG_CACHE_HOME", "/.cache") }
    /// The user's data: in `$XDG_DATA_HOME`.
    package static var data: URL { folder("XDG_DATA_HOME", "/.local/share") }
    /// State that outlives the program: in `$XDG_STATE_HOME`.
    package static var state: URL { folder("XDG_STATE_HOME", "/.local/state") }

    /// A path that is not absolute is to be ignored.
    private static func folder(_ variable: String, _ fallback: String) -> URL {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? NSTemporaryDirectory()
        let path = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + fallback
        return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("barline", isDirectory: true)
    }
}
