import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// Files that are loaded once and shared.
@Suite("Loading clips")
struct LoaderTests {
    private func sound(_ value: Double, count: Int = 20_000) -> [UInt8] {
        WaveFile([Double](repeating: value, count: count)).bytes
    }

    @Test("Users of one file share its samples")
    func sharing() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("97bpm.wav", sound(0.5))
        let loader = AudioClipLoader()
        let first = try await loader.load(path)
        let second = try await loader.load(path)
        #expect(first.samples === second.samples)
        #expect(second.metadata.tempo == 97)
        let other = try await AudioClipLoader().load(path)
        #expect(other.samples !== first.samples)
    }

    @Test("Loads at the same time share one decoding")
    func concurrent() async throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<4).map { try folder.write("\($0).wav", sound(Double($0) / 10)) }
        let loader = AudioClipLoader()
        let clips = try await withThrowingTaskGroup(of: (Int, AudioClip).self) { group in
            for index in 0..<64 {
                group.addTask { (index % 4, try await loader.load(paths[index % 4])) }
            }
            var clips: [Int: [AudioClip]] = [:]
            for try await (index, clip) in group { clips[index, default: []].append(clip) }
            return clips
        }
        for index in 0..<4 {
            let loaded = try #require(clips[index])
            #expect(loaded.count == 16)
            #expect(Set(loaded.map { ObjectIdentifier($0.samples) }).count == 1)
            #expect(loaded[0].left[0] == Float(Double(index) / 10))
        }
    }

    @Test("A file that is written over with what is no sound while it is in use is refused, and taken once it is not")
    func overwritten() async throws {
        let folder = try TemporaryFolder()
        let loud = WaveFile([Double](repeating: 1e30, count: 20_000)).bytes
        let path = try folder.write("loop.wav", sound(0.5))
        let loader = AudioClipLoader()
        var clip: AudioClip? = try await loader.load(path)
        #expect(clip?.samples.frameCount == 20_000)
        try folder.write("loop.wav", loud)
        await #expect(throws: AudioFileError.self) { try await loader.load(path) }
        try folder.write("loop.wav", sound(0.25, count: 30_000))
        let quieter = try await loader.load(path)
        #expect(quieter.samples.frameCount == 30_000)
        clip = nil
        #expect(try await AudioClipLoader().load(folder.write("new.wav", loud)).samples.frameCount == 20_000)
    }

    @Test("A file that has changed is read again, of the same length too")
    func changed() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.wav", sound(0.5))
        let loader = AudioClipLoader()
        let first = try await loader.load(path)
        try await Task.sleep(for: .milliseconds(20))
        try folder.write("a.wav", sound(0.25))
        let second = try await loader.load(path)
        #expect(first.left[0] == 0.5 && second.left[0] == 0.25)
        try folder.write("a.wav", sound(0.125, count: 10))
        #expect(try await loader.load(path).samples.frameCount == 10)
    }

    @Test("A link whose target has changed is read again")
    func symlink() async throws {
        let folder = try TemporaryFolder()
        let target = try folder.write("a.wav", sound(0.5))
        let link = folder.path("link.wav")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let loader = AudioClipLoader()
        #expect(try await loader.load(link).left[0] == 0.5)
        let first = try await loader.load(link)
        try await Task.sleep(for: .milliseconds(20))
        try folder.write("a.wav", sound(0.25))
        #expect(try await loader.load(link).left[0] == 0.25)
        #expect(first.left[0] == 0.5)
    }

    @Test("Samples that nobody uses any more are let go")
    func release() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.wav", sound(0.5))
        let loader = AudioClipLoader()
        var clip: AudioClip? = try await loader.load(path)
        weak let samples = clip?.samples
        #expect(samples != nil)
        clip = nil
        #expect(samples == nil)
        #expect(try await loader.load(path).left[0] == 0.5)
    }

    @Test("A failure reaches everyone who waits, and a file that is mended can be loaded")
    func failure() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.wav", "no audio")
        let loader = AudioClipLoader()
        for _ in 0..<3 { await #expect(throws: AudioFileError.self) { try await loader.load(path) } }
        try folder.write("a.wav", sound(0.5))
        #expect(try await loader.load(path).left[0] == 0.5)
    }
}
