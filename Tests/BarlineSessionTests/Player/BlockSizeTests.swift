import BarlineTestSupport
import Testing

@testable import BarlineSession

/// The block size of a render shows nowhere.
@Suite("Block sizes of a render", .fewAtATime)
struct BlockSizeTests {
    @Test("Files are the same to the byte, whatever the block size", arguments: [1, 17, 64, 256, 8192, 65_536])
    func identicalFiles(blockFrames: Int) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(40_000, seed: 1))
        try folder.folder.write("b.wav", Sound.tone(50_000, cycles: 99))
        for (index, frames) in [1024, blockFrames].enumerated() {
            _ = try await folder.render(
                SeparateFileTests.session, script: SeparateFileTests.script, frames: 144_000, blockFrames: frames,
                events: "events\(index)", stems: "stems\(index)", name: "mix\(index).wav")
        }
        #expect(try folder.folder.bytes("mix0.wav") == folder.folder.bytes("mix1.wav"))
        #expect(try folder.folder.bytes("events0") == folder.folder.bytes("events1"))
        for name in ["bus-phones", "track-drums", "track-bass", "track-cue"] {
            let first = try folder.folder.bytes("stems0/\(name).wav")
            #expect(try folder.folder.bytes("stems1/\(name).wav") == first, "\(name)")
        }
    }
}
