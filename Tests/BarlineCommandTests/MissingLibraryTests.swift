import BarlineTestSupport
import Foundation
import Testing

/// Libraries that are opened when a file needs them.
@Suite("A machine without libav")
struct MissingLibraryTests {
    /// A folder in which the dynamic linker finds, under every name that libavformat has had, a file that is no
    /// library.
    private func brokenLibraries(_ folder: TemporaryFolder) throws -> [String: String] {
        for version in 57...70 { try folder.write("libraries/libavformat.so.\(version)", "no library") }
        return ["LD_LIBRARY_PATH": folder.path("libraries")]
    }

    @Test("A file that needs it is refused in words that name the library; others are read, and help is given")
    func refused() throws {
        let folder = try TemporaryFolder()
        let environment = try brokenLibraries(folder)
        let box = [0, 0, 0, 24] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 64)
        let needing = try folder.write("a.m4a", box)
        let refused = try Barline.run(["waveform", needing], environment: environment)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("a.m4a") && refused.errors.contains("libavformat.so."), "\(refused.errors)")
        let plain = try folder.write("a.wav", WaveFile([Double](repeating: 0.5, count: 4_800)).bytes)
        #expect(try Barline.run(["waveform", plain], environment: environment).status == 0)
        #expect(try Barline.run(["--help"], environment: environment).status == 0)
    }
}
