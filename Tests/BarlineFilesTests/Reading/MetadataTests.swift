import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineFiles

/// What files say of their own tempo, written into them byte by byte.
@Suite("Tempo and loops in files")
struct MetadataTests {
    private func metadata(_ name: String, _ bytes: [UInt8]) throws -> AudioMetadata {
        let folder = try TemporaryFolder()
        return try AudioClip(path: try folder.write(name, bytes)).metadata
    }

    private func second(with chunk: [UInt8]) -> [UInt8] {
        var file = WaveFile([Double](repeating: 0, count: 48_000), encoding: .signed16)
        file.chunks = chunk
        return file.bytes
    }

    @Test("An ACID chunk gives tempo, beats and metre")
    func acid() throws {
        let body =
            Bytes.little(0, 4) + Bytes.little(60, 2) + Bytes.little(0x8000, 2) + Bytes.little(0, 4) + Bytes.little(3, 4)
            + Bytes.little(4, 2) + Bytes.little(3, 2) + Bytes.little(Int(Float(180).bitPattern), 4)
        let metadata = try metadata("a.wav", second(with: Bytes.chunk("acid", body)))
        #expect(metadata.tempo == 180)
        #expect(metadata.beats == 3)
        #expect(metadata.timeSignature == TimeSignature(3, 4))
    }

    @Test("A smpl chunk gives the loop, its last frame included")
    func smpl() throws {
        let loop =
            Bytes.little(0, 4) + Bytes.little(0, 4) + Bytes.little(100, 4) + Bytes.little(899, 4) + Bytes.little(0, 8)
        let body =
            Bytes.little(0, 8) + Bytes.little(20_833, 4) + Bytes.little(60, 4) + Bytes.little(0, 12)
            + Bytes.little(1, 4) + Bytes.little(0, 4) + loop
        let metadata = try metadata("a.wav", second(with: Bytes.chunk("smpl", body)))
        #expect(metadata.loop == 100..<900)
    }

    @Test("A smpl chunk whose loop lies outside the file gives none")
    func wrongSmpl() throws {
        let loop =
            Bytes.little(0, 8) + Bytes.little(40_000, 4) + Bytes.little(48_001, 4) + Bytes.little(0, 8)
        let body =
            Bytes.little(0, 8) + Bytes.little(20_833, 4) + Bytes.little(60, 4) + Bytes.little(0, 12)
            + Bytes.little(1, 4) + Bytes.little(0, 4) + loop
        #expect(try metadata("a.wav", second(with: Bytes.chunk("smpl", body))).loop == nil)
    }

    @Test("An Apple loop chunk gives beats, metre, and the tempo that follows")
    func basc() throws {
        // Version, beats, root note, scale, metre, whether it loops, and what is reserved.
        let body =
            Bytes.big(1, 4) + Bytes.big(8, 4) + Bytes.big(60, 2) + Bytes.big(1, 2) + Bytes.big(4, 2) + Bytes.big(4, 2)
            + Bytes.big(2, 2) + [UInt8](repeating: 0, count: 66)
        var file = AiffFile([Int](repeating: 0, count: 4 * 44_100))
        file.chunks = Bytes.bigChunk("basc", body)
        let metadata = try metadata("a.aiff", file.bytes)
        #expect(metadata.beats == 8)
        #expect(metadata.timeSignature == TimeSignature(4, 4))
        #expect(abs((metadata.tempo ?? 0) - 120) < 0.01)
    }

    @Test(
        "A number beside \"bpm\" in the name is the tempo",
        arguments: [
            ("funk_97bpm.wav", 97), ("BPM 120.5 pad.flac", 120.5), ("140-BPM-break.aif", 140), ("x_bpm174_y.ogg", 174),
            ("120 bpm", 120), ("drums 88.25bpm v2.wav", 88.25), ("a.wav", nil), ("loop120.wav", nil),
            ("bpm.wav", nil), ("5bpm.wav", nil), ("12bpm.wav", nil), ("1120bpm.wav", nil), ("bpm_12000.wav", nil),
        ] as [(String, Double?)])
    func name(name: String, tempo: Double?) {
        #expect(AudioMetadata.tempo(inName: name) == tempo)
    }

    @Test("What the file itself says counts more than its name")
    func order() throws {
        let body =
            Bytes.little(0, 12) + Bytes.little(2, 4) + Bytes.little(4, 2) + Bytes.little(4, 2)
            + Bytes.little(Int(Float(120).bitPattern), 4)
        #expect(try metadata("99bpm.wav", second(with: Bytes.chunk("acid", body))).tempo == 120)
        #expect(try metadata("99bpm.wav", second(with: [])).tempo == 99)
    }

    @Test("A length near a whole number of beats is that number")
    func beats() {
        var metadata = AudioMetadata()
        #expect(metadata.beats(inFrames: 48_000, sampleRate: .standard) == nil)
        metadata.tempo = 119.9
        #expect(metadata.beats(inFrames: 8 * 24_000, sampleRate: .standard) == 8)
        metadata.tempo = 100
        #expect(metadata.beats(inFrames: 48_000, sampleRate: .standard) == 100.0 / 60)
        metadata.beats = 7
        #expect(metadata.beats(inFrames: 48_000, sampleRate: .standard) == 7)
    }
}
