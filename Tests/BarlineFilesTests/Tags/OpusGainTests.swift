import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// The output gain in an Opus header belongs to the stream: whoever decodes applies it.
@Suite("Opus header gain")
struct OpusGainTests {
    @Test("The gain is applied, whatever the tags say", arguments: [-2048, -256, 0, 300])
    func headerGain(gain: Int) throws {
        let folder = try TemporaryFolder()
        let (wave, _) = try OtherFormatTests.tones(folder, rate: 48_000, frames: 48_000)
        let encoded = try Program.run(
            "opusenc", ["--quiet", "--comment", "R128_TRACK_GAIN=512", wave, folder.path("a.opus")])
        #expect(encoded.status == 0, "\(encoded.errors)")
        let plain = try AudioClip(path: folder.path("a.opus"))
        try folder.write("b.opus", OpusGainTests.withGain(gain, folder.bytes("a.opus")))
        let changed = try AudioClip(path: folder.path("b.opus"))
        let factor = Float(pow(10, Double(gain) / 256 / 20))
        #expect(changed.left.count == plain.left.count)
        for (before, after) in zip(plain.left, changed.left) { #expect(abs(before * factor - after) < 2e-4) }
    }

    /// The file with another gain in its header, and the page's checksum made to fit.
    private static func withGain(_ gain: Int, _ file: [UInt8]) -> [UInt8] {
        var file = file
        // The identification header is alone on the first page, behind 27 bytes and one segment's length.
        file.replaceSubrange(28 + 16..<28 + 18, with: Bytes.little(gain, 2))
        file.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        var sum: UInt32 = 0
        for byte in file[..<(28 + Int(file[27]))] {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum << 1 ^ (sum & 0x8000_0000 != 0 ? 0x04C1_1DB7 : 0) }
        }
        file.replaceSubrange(22..<26, with: Bytes.little(Int(sum), 4))
        return file
    }
}
