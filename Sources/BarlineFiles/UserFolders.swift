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

    /// A folder for what is made again where it is gone, which is the user's alone, beside those of others; `nil` where there
    /// can be none.
    package static var temporary: URL? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "barline-\(getuid())", isDirectory: true)
        mkdir(folder.path, 0o700)
        var status = stat()
        guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
            status.st_mode & 0o077 == 0
        else { return nil }
        return folder
    }

    /// The home that the system knows the user by, or else somewhere that is the user's alone; where there is neither,
    /// what can't be written is said to be so.
    private static let homeOfRecord: String = {
        if let folder = getpwuid(getuid()).flatMap({ $0.pointee.pw_dir }) {
            let home = String(cString: folder)
            if FileManager.default.isWritableFile(atPath: home) { return home }
        }
        return temporary?.path ?? "/nonexistent"
    }()

    /// A path that is not absolute is to be ignored.
    private static func folder(_ variable: String, _ fallback: String) -> URL {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfRecord
        let path = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + fallback
        return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("barline", isDirectory: true)
    }
}
