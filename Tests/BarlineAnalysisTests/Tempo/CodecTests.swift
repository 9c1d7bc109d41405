import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineAnalysis

/// What a file went through changes nothing that matters.
@Suite("Tempo of coded files")
struct CodecTests {
    private static let encoders: [[String]] = [
        ["flac", "--silent", "IN", "-o", "OUT.flac"], ["oggenc", "-Q", "-q", "1", "IN", "-o", "OUT.ogg"],
        ["opusenc", "--quiet", "--bitrate", "48", "IN", "OUT.opus"], ["lame", "--quiet", "-b", "96", "IN", "OUT.mp3"],
        ["ffmpeg", "-v", "error", "-i", "IN", "-b:a", "96k", "OUT.m4a"],
    ]

    @Test("A loop's tempo is that of the original to 0.01 %, and its beats are where they were", arguments: encoders)
    func loops(encoder: [String]) throws {
        let folder = try TemporaryFolder()
        // At 44.1 kHz, where every encoder writes whole frames and their decoders give them back exactly.
        let machine = DrumMachine.loop("bhnhbbnh", bpm: 117.3, bars: 4)
        let wave = try folder.write(
            "in.wav",
            WaveFile(
                machine.samples.map { ($0 * 20_000).rounded() }.map(Double.init), encoding: .signed16,
                sampleRate: 44_100
            ).bytes)
        let suffix = encoder.last.map { ($0 as NSString).pathExtension } ?? ""
        let path = folder.path("out." + suffix)
        let arguments = encoder.dropFirst().map { word in
            word == "IN" ? wave : word.hasPrefix("OUT") ? path : word
        }
        try #require(try Program.run(encoder[0], arguments).status == 0)
        let original = try FileAnalysis(path: wave).tempo
        let coded = try FileAnalysis(path: path).tempo
        let (bpm, truth) = (try #require(coded.bpm), try #require(original.bpm))
        #expect(abs(bpm / truth - 1) < 1e-4, "\(bpm) and \(truth)")
        #expect(coded.loopBeats == original.loopBeats)
        #expect(coded.beats.count == original.beats.count)
        for (beat, other) in zip(coded.beats, original.beats) { #expect(abs(beat - other) < 0.005) }
    }
}
