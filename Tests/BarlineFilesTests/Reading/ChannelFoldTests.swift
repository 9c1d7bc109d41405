import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// More channels than two, folded by ITU-R BS.775.
@Suite("Folding channels")
struct ChannelFoldTests {
    /// What every channel adds to the left and to the right, by the order of channels that WAV prescribes.
    static let half: Float = 0.70710678
    static let matrices: [(left: [Float], right: [Float])] = [
        // Left, right, centre.
        (left: [1, 0, half], right: [0, 1, half]),
        // Left, right, back left, back right.
        (left: [1, 0, half, 0], right: [0, 1, 0, half]),
        // Left, right, centre, back left, back right.
        (left: [1, 0, half, half, 0], right: [0, 1, half, 0, half]),
        // Left, right, centre, low frequencies, back left, back right.
        (left: [1, 0, half, 0, half, 0], right: [0, 1, half, 0, 0, half]),
        // Left, right, centre, low frequencies, back centre, side left, side right.
        (left: [1, 0, half, 0, half, half, 0], right: [0, 1, half, 0, half, 0, half]),
        // Left, right, centre, low frequencies, back left, back right, side left, side right.
        (left: [1, 0, half, 0, half, 0, half, 0], right: [0, 1, half, 0, 0, half, 0, half]),
    ]

    @Test("Each channel goes where it belongs", arguments: 3...8)
    func channels(count: Int) throws {
        // Frame k has channel k alone.
        let samples = (0..<count * count).map { $0 / count == $0 % count ? 1.0 : 0.0 }
        let folder = try TemporaryFolder()
        let clip = try AudioClip(path: try folder.write("a.wav", WaveFile(samples, channels: count).bytes))
        #expect(clip.samples.channelCount == 2)
        #expect(clip.left == ChannelFoldTests.matrices[count - 3].left)
        #expect(clip.right == ChannelFoldTests.matrices[count - 3].right)
    }

    @Test(
        "Ogg Vorbis and Opus fold like the WAV that they were made of, whose channels they have in another order",
        arguments: 3...8, ["ogg", "opus"])
    func ogg(count: Int, ending: String) throws {
        // Each channel has a second of its own.
        let (second, folder) = (48_000, try TemporaryFolder())
        var samples = [Double](repeating: 0, count: count * count * second)
        for channel in 0..<count {
            for frame in 0..<second {
                samples[(channel * second + frame) * count + channel] = 0.5 * sin(2 * .pi * 70 * Double(frame) / 48_000)
            }
        }
        let path = try folder.write("a.wav", WaveFile(samples, channels: count).bytes)
        let encoded = folder.path("a.\(ending)")
        let outcome =
            ending == "ogg"
            ? try Program.run("oggenc", ["-Q", "-q", "9", path, "-o", encoded])
            : try Program.run("opusenc", ["--quiet", "--bitrate", "\(64 * count)", path, encoded])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let clip = try AudioClip(path: encoded)
        for (side, matrix) in [
            (clip.left, ChannelFoldTests.matrices[count - 3].left),
            (clip.right, ChannelFoldTests.matrices[count - 3].right),
        ] {
            for channel in 0..<count {
                let middle = side[channel * second + 12_000..<channel * second + 36_000]
                let peak = middle.reduce(0) { max($0, abs($1)) }
                #expect(abs(peak - 0.5 * matrix[channel]) < 0.04, "channel \(channel): \(peak)")
            }
        }
    }

    @Test("FLAC of six channels folds like WAV")
    func flac() throws {
        let folder = try TemporaryFolder()
        let codes = (0..<6 * 600).map { frame -> Double in Double((frame * 7919) % 20_000 - 10_000) }
        let path = try folder.write("a.wav", WaveFile(codes, encoding: .signed16, channels: 6).bytes)
        let encoded = try Program.run("flac", ["-s", "--channel-map=none", path, "-o", folder.path("a.flac")])
        #expect(encoded.status == 0, "\(encoded.errors)")
        let wave = try AudioClip(path: path)
        let flac = try AudioClip(path: folder.path("a.flac"))
        #expect(flac.left == wave.left && flac.right == wave.right)
    }
}
