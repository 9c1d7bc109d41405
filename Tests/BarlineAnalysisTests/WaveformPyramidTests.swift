import BarlineDSP
import BarlineFiles
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineAnalysis

/// A sound's shape at every zoom, and the folder in which shapes are kept.
@Suite("Waveform pyramid")
struct WaveformPyramidTests {
    private func noise(_ frames: Int, seed: UInt64) -> [Float] {
        var random = TestRandom(seed: seed)
        return (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
    }

    private func write(_ samples: [Float], to name: String, in folder: TemporaryFolder) throws {
        try folder.write(name, WaveFile(samples.map(Double.init)).bytes)
    }

    private func pyramid(_ left: [Float], _ right: [Float] = [], pieces: Int = 1) -> WaveformPyramid {
        var builder = WaveformPyramidBuilder()
        let length = max(1, left.count / pieces)
        for start in stride(from: 0, to: left.count, by: length) {
            let range = start..<min(left.count, start + length)
            builder.add(left: Array(left[range]), right: right.isEmpty ? [] : Array(right[range]))
        }
        return builder.finish(sampleRate: .standard)
    }

    @Test("On cells' edges the points are those of the samples, over any part and at any zoom")
    func exactOnEdges() {
        let left = noise(256 * 333 + 77, seed: 1)
        let right = noise(left.count, seed: 2)
        let pyramid = pyramid(left, right, pieces: 7)
        var random = TestRandom(seed: 3)
        for _ in 0..<300 {
            let width = 256 * Int.random(in: 1...40, using: &random)
            let count = Int.random(in: 1...(left.count / width), using: &random)
            let first = 256 * Int.random(in: 0...((left.count - count * width) / 256), using: &random)
            let points = pyramid.points(count, in: first..<first + count * width)
            #expect(points.count == count)
            for (index, point) in points.enumerated() {
                let range = first + index * width..<first + (index + 1) * width
                let samples = left[range] + right[range]
                let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
                let low = samples.min() ?? 0
                let high = samples.max() ?? 0
                #expect(point.min == low && point.max == high, "\(index) of \(count) from \(first)")
                #expect(abs(Double(point.rms) - (energy / Double(samples.count)).squareRoot()) < 1e-6)
            }
        }
    }

    @Test("The whole sound's single point has its extremes, the last odd frames included")
    func whole() {
        var samples = noise(256 * 21 + 5, seed: 4).map { 0.5 * $0 }
        samples[samples.count - 1] = 0.9
        samples[300] = -0.8
        let point = pyramid(samples).points(1)[0]
        #expect(point.max == 0.9 && point.min == -0.8)
    }

    @Test("There are as many points as asked for, even of less than a cell each", arguments: [1, 3, 50, 1000])
    func count(count: Int) {
        let samples = noise(700, seed: 5)
        let points = pyramid(samples).points(count)
        #expect(points.count == count)
        #expect(points.allSatisfy { $0.min >= -1 && $0.max <= 1 && $0.min <= $0.max && $0.rms > 0 })
    }

    @Test("A kept waveform is found under another name, and is not found after the content changed")
    func cache() throws {
        let folder = try TemporaryFolder()
        let cache = WaveformCache(folder: folder.path("cache"))
        let path = folder.path("a.wav")
        try write(noise(10_000, seed: 6), to: "a.wav", in: folder)
        let computed = try cache.pyramid(ofFile: path)
        let kept = try FileManager.default.contentsOfDirectory(atPath: cache.folder)
        #expect(kept.count == 1)
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("b.wav"))
        let again = try cache.pyramid(ofFile: folder.path("b.wav")) { _ in Issue.record("it was read again") }
        #expect(again.frameCount == 10_000 && again.sampleRate == computed.sampleRate)
        for (one, other) in zip(again.points(17), computed.points(17)) {
            #expect(one.min == other.min && one.max == other.max && abs(one.rms - other.rms) < 1e-6)
        }
        try write(noise(10_000, seed: 7), to: "b.wav", in: folder)
        #expect(try cache.pyramid(ofFile: folder.path("b.wav")).points(17) != computed.points(17))
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder).count == 2)
    }

    @Test("A damaged file in the cache is computed anew", arguments: [0, 10, 43, 60])
    func damaged(length: Int) throws {
        let folder = try TemporaryFolder()
        let cache = WaveformCache(folder: folder.path("cache"))
        try write(noise(3000, seed: 8), to: "a.wav", in: folder)
        let computed = try cache.pyramid(ofFile: folder.path("a.wav"))
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache.folder).first)
        let place = URL(fileURLWithPath: cache.folder + "/" + name)
        try Data(contentsOf: place).prefix(length).write(to: place)
        #expect(try cache.pyramid(ofFile: folder.path("a.wav")) == computed)
    }

    @Test("The folder stays within its limit: what was not used for longest goes first")
    func bounded() throws {
        let folder = try TemporaryFolder()
        let size = pyramid(noise(25_600, seed: 0)).stored.count
        let cache = WaveformCache(folder: folder.path("cache"), limit: 3 * size)
        for index in 0..<5 {
            try write(noise(25_600, seed: UInt64(index)), to: "\(index).wav", in: folder)
            _ = try cache.pyramid(ofFile: folder.path("\(index).wav"))
            // The times of files are not finer than this everywhere.
            Thread.sleep(forTimeInterval: 0.02)
            if index == 2 { _ = try cache.pyramid(ofFile: folder.path("0.wav")) }
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder).count == 3)
        var wasRead: [Bool] = []
        for index in [0, 4, 1] {
            var read = false
            _ = try cache.pyramid(ofFile: folder.path("\(index).wav")) { _ in read = true }
            wasRead.append(read)
        }
        #expect(wasRead == [false, false, true])
    }
}
