import CMpg123
import CSndFile

/// The libraries that files are read with.
package enum AudioLibraries {
    /// Their names and versions.
    package static var versions: [String] {
        var versions = [String(cString: sf_version_string()), "libmpg123 API \(MPG123_API_VERSION)"]
        #if LibAV
            do throws(AudioFileError) {
                let version = try LibAVLibrary.functions(for: "").avformat_version()
                versions.append("libavformat \(version >> 16).\(version >> 8 & 255).\(version & 255)")
            } catch {
                versions.append("libavformat can't be opened")
            }
        #endif
        return versions
    }
}
