import Foundation

/// Small results kept in a folder, each in a file under a name that follows from the content it was made of.
///
/// What was not used for longest is removed where the folder grows beyond its limit. A folder that can't be written to
/// is no error: then nothing is kept.
struct ContentCache: Sendable {
    /// Where the files are.
    let folder: String
    /// The ending of their names.
    let ending: String
    /// The most bytes that are kept.
    let limit: Int

    private func place(_ name: String) -> String { "\(folder)/\(name).\(ending)" }

    /// What is kept under a name.
    func data(_ name: String) -> Data? {
        let place = place(name)
        guard let data = FileManager.default.contents(atPath: place) else { return nil }
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: place)
        return data
    }

    /// Keeps something under a name.
    func keep(_ data: Data, _ name: String) {
        guard data.count <= limit else { return }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let place = place(name)
        guard (try? data.write(to: URL(fileURLWithPath: place), options: .atomic)) != nil else { return }
        trim(keeping: place)
    }

    private func trim(keeping place: String) {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let urls = try? FileManager.default.contentsOfDirectory(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: Array(keys))
        let files = (urls ?? []).filter { $0.pathExtension == ending }.compactMap { url in
            (try? url.resourceValues(forKeys: keys)).map { values in
                (url: url, bytes: values.fileSize ?? 0, used: values.contentModificationDate ?? .distantPast)
            }
        }
        var sum = files.reduce(0) { $0 + $1.bytes }
        for file in files.sorted(by: { $0.used < $1.used }) where sum > limit && file.url.path != place {
            if (try? FileManager.default.removeItem(at: file.url)) != nil { sum -= file.bytes }
        }
    }
}
