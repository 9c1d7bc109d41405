import BarlineEngine
import BarlineTime
import Foundation
import Synchronization

/// A stem whose reading waits while its tap is closed.
final class TappedStem: StemSource {
    let inner: SampleStem
    let isClosed = Atomic<Bool>(false)

    init(_ inner: SampleStem) { self.inner = inner }

    var sampleRate: SampleRate { inner.sampleRate }
    var frameCount: Int64 { inner.frameCount }
    func open() throws -> sending any StemReader { Reader(self, try inner.open()) }

    private final class Reader: StemReader, @unchecked Sendable {
        private let stem: TappedStem
        private let inner: any StemReader

        init(_ stem: TappedStem, _ inner: any StemReader) {
            self.stem = stem
            self.inner = inner
        }

        func seek(to frame: Int64) throws { try inner.seek(to: frame) }

        func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
            while stem.isClosed.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
            return try inner.read(left: left, right: right, count: count)
        }
    }
}
