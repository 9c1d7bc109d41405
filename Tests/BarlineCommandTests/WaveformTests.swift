import BarlineTestSupport
import Foundation
import Testing

/// `barline waveform`.
@Suite("Waveforms from the command line")
struct WaveformTests {
    /// A second whose first half is loud.
    private func sound() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let samples = (0..<8000).map { $0 < 4000 ? ($0 % 2 == 0 ? 0.5 : -0.25) : 0.0 }
        try folder.write("a.wav", WaveFile(samples, sampleRate: 8000).bytes)
        return folder
    }

    @Test("There are exactly as many bars as asked for", arguments: [1, 2, 10, 999, 20_000])
    func points(count: Int) throws {
        let folder = try sound()
        let outcome = try Barline.run(["waveform", folder.path("a.wav"), "--points", "\(count)", "--json"])
        #expect(outcome.status == 0)
        let object = try #require(try JSONLines.objects(outcome.output).first)
        #expect(object.text("file") == folder.path("a.wav"))
        let points = try #require(object["points"] as? [[String: Any]])
        #expect(points.count == count)
        guard count == 2 else { return }
        #expect(points[0].number("max") == 0.5 && points[0].number("min") == -0.25)
        #expect(abs((points[0].number("rms") ?? 0) - (0.3125 / 2).squareRoot()) < 1e-6)
        #expect(points[1].number("max") == 0 && points[1].number("rms") == 0)
    }

    @Test("A picture is a PNG as wide as it has bars, 960 where nobody says how many", arguments: [300, nil])
    func picture(points: Int?) throws {
        let folder = try sound()
        let wanted = points.map { ["--points", "\($0)"] } ?? []
        let outcome = try Barline.run(["waveform", folder.path("a.wav"), "--png", folder.path("a.png")] + wanted)
        #expect(outcome.status == 0)
        let bytes = try folder.bytes("a.png")
        #expect(Array(bytes[..<8]) == [137, 80, 78, 71, 13, 10, 26, 10])
        #expect(Array(bytes[16..<20]) == Bytes.big(points ?? 960, 4))
    }

    @Test("On paper it is drawn in block characters")
    func text() throws {
        let folder = try sound()
        let outcome = try Barline.run(["waveform", folder.path("a.wav"), "--points", "40"])
        #expect(outcome.status == 0)
        let rows = outcome.output.split(separator: "\n")
        #expect(rows.count == 8)
        #expect(rows.allSatisfy { $0.count == 40 })
        #expect(rows.last?.hasPrefix("████") == true && rows.last?.hasSuffix("    ") == true)
    }
}
