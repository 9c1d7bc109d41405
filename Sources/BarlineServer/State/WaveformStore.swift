import BarlineAnalysis
import Foundation
import Synchronization

/// The waveforms of files that are played from disk: the last ones in memory, all of them in the user's cache.
final class WaveformStore: Sendable {
    private struct Key: Hashable {
        let path: String
        let bytes: Int
        let modified: Date

        init(_ path: String) {
            self.path = path
            let values = try? FileManager.default.attributesOfItem(atPath: path)
            bytes = values?[.size] as? Int ?? 0
            modified = values?[.modificationDate] as? Date ?? .distantPast
        }
    }

    private static let limit = 64

    private let cache: WaveformCache
    /// Last used last.
    private let kept = Mutex<[(key: Key, pyramid: WaveformPyramid)]>([])

    init(_ cache: WaveformCache = .standard) { self.cache = cache }

    /// The waveform of a file; reads it, on the calling thread, where nobody has.
    func pyramid(ofFile path: String) throws -> WaveformPyramid {
        let key = Key(path)
        let known = kept.withLock { kept -> WaveformPyramid? in
            guard let index = kept.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = kept.remove(at: index)
            kept.append(entry)
            return entry.pyramid
        }
        if let known { return known }
        let pyramid = try cache.pyramid(ofFile: path)
        kept.withLock { kept in
            kept.append((key, pyramid))
            if kept.count > WaveformStore.limit { kept.removeFirst() }
        }
        return pyramid
    }
}
