import BarlineAnalysis
import BarlineDSP
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@Suite("Analyses that are kept")
struct AnalysisCacheTests {
    /// Six seconds of clicks at 120 BPM.
    private static let clicks: [Float] = (0..<288_000).map { frame in
        let within = frame % 24_000
        return within < 2_000 ? Float(exp(-Double(within) / 300) * sin(Double(within) * 0.3)) : 0
    }

    private func write(_ samples: [Float], to name: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(name, WaveFile(samples.map(Double.init)).bytes)
        return folder.path(name)
    }

    @Test("What was heard in a file is known under another name, and is heard anew after the content changed")
    func files() throws {
        let folder = try TemporaryFolder()
        let cache = AnalysisCache(folder: folder.path("cache"))
        let path = try write(Self.clicks, to: "a.wav", in: folder)
        let analysed = try cache.analysis(ofFile: path)
        let other = folder.path("b.wav")
        try FileManager.default.moveItem(atPath: path, toPath: other)
        let known = try cache.analysis(ofFile: other) { _ in Issue.record("it was listened to again") }
        #expect(known.path == other)
        #expect(
            known.tempo == analysed.tempo && known.frames == analysed.frames && known.sampleRate == analysed.sampleRate)
        #expect(known.integratedLoudness == analysed.integratedLoudness && known.truePeak == analysed.truePeak)
        _ = try write(Self.clicks.map { -0.5 * $0 }, to: "b.wav", in: folder)
        #expect(try cache.analysis(ofFile: other).truePeak < analysed.truePeak - 5)
    }

    @Test("What a file's name claims is part of the question")
    func hints() throws {
        let folder = try TemporaryFolder()
        let cache = AnalysisCache(folder: folder.path("cache"))
        let path = try write(Self.clicks, to: "a.wav", in: folder)
        _ = try cache.analysis(ofFile: path)
        let claimed = folder.path("loop 120 bpm.wav")
        try FileManager.default.moveItem(atPath: path, toPath: claimed)
        var wasHeard = false
        #expect(try cache.analysis(ofFile: claimed) { _ in wasHeard = true }.tempo.source == .name)
        #expect(wasHeard)
    }

    @Test("Silence is kept as what it is, and what is damaged is heard anew")
    func silence() throws {
        let folder = try TemporaryFolder()
        let cache = AnalysisCache(folder: folder.path("cache"))
        let path = try write([Float](repeating: 0, count: 96_000), to: "a.wav", in: folder)
        let analysed = try cache.analysis(ofFile: path)
        let known = try cache.analysis(ofFile: path) { _ in Issue.record("it was listened to again") }
        #expect(known.integratedLoudness == -.infinity && known.truePeak == -.infinity)
        #expect(known.tempo == analysed.tempo)
        let kept = folder.path("cache")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: kept).first)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(kept)/\(name)"))
        #expect(try cache.analysis(ofFile: path).tempo == analysed.tempo)
    }

    @Test("Samples are known by their content and the frames that count")
    func samples() throws {
        let folder = try TemporaryFolder()
        let cache = AnalysisCache(folder: folder.path("cache"))
        let buffer = SampleBuffer(left: Self.clicks, sampleRate: .standard)
        let copy = SampleBuffer(left: Self.clicks, sampleRate: .standard)
        var analysed = 0
        func ask(_ samples: SampleBuffer, _ range: Range<Int>) -> TempoEstimate {
            cache.estimate(samples, range: range, hints: []) {
                analysed += 1
                return TempoAnalysis.estimate(samples, range: range)
            }
        }
        let first = ask(buffer, 0..<288_000)
        #expect(ask(copy, 0..<288_000) == first)
        #expect(analysed == 1)
        _ = ask(buffer, 0..<240_000)
        #expect(analysed == 2)
    }

    @Test("Attacks are known by what is in the range, wherever that lies, and by whether it loops")
    func attacks() throws {
        let folder = try TemporaryFolder()
        let cache = AnalysisCache(folder: folder.path("cache"))
        let buffer = SampleBuffer(left: Self.clicks, sampleRate: .standard)
        let later = SampleBuffer(left: [Float](repeating: 0.5, count: 1_000) + Self.clicks, sampleRate: .standard)
        var analysed = 0
        func ask(_ samples: SampleBuffer, _ range: Range<Int>, loops: Bool = false) -> [Int] {
            cache.attacks(samples, range: range, loops: loops) {
                analysed += 1
                return AttackAnalysis.attacks(in: samples, range: range, loops: loops)
            }
        }
        let first = ask(buffer, 0..<288_000)
        #expect(first.count == 12 && first == AttackAnalysis.attacks(in: buffer, range: 0..<288_000, loops: false))
        #expect(ask(buffer, 0..<288_000) == first && analysed == 1)
        #expect(ask(later, 1_000..<289_000) == first.map { $0 + 1_000 } && analysed == 1)
        _ = ask(buffer, 0..<288_000, loops: true)
        #expect(analysed == 2)
        _ = ask(buffer, 0..<240_000)
        #expect(analysed == 3)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("cache")) {
            try Data("[-1, 288000]".utf8).write(to: URL(fileURLWithPath: folder.path("cache/\(name)")))
        }
        #expect(ask(buffer, 0..<288_000) == first && analysed == 4)
    }
}
