import BarlineFiles
import Foundation

/// A file that a recording has become.
package struct RecordedFile: Hashable, Sendable {
    /// The name by which it is fetched.
    package let name: String
    /// Where it is.
    package let path: String
    /// Its size.
    package let bytes: Int
    /// How long the recording is.
    package let seconds: Double
}

extension RecordedFile {
    init(path: String, seconds: Double) {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
        self.init(name: path.lastPathName, path: path, bytes: size ?? 0, seconds: seconds)
    }
}
