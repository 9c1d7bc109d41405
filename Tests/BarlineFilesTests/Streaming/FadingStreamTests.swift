import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// How what is streamed ends: as the file does, and without a step where it breaks off.
@Suite("Ends of what is streamed from files")
struct FadingStreamTests {
    private static let frames = 60_000
    private static let header = 94
    /// 5 ms.
    private static let fade = 240

    private let folder: TemporaryFolder
    private var path: String { folder.path("a.wav") }
    private let left: [Float]
    private let right: [Float]

    init() throws {
        folder = try TemporaryFolder()
        // Never near 0: whatever sample is the last one, an end there is a step.
        left = (0..<FadingStreamTests.frames).map { 0.6 + 0.1 * Float(sin(Double($0) * 0.03)) }
        right = left.map { -0.5 * $0 }
        let file = try TakeFile(path: path, sampleRate: .standard)
        try left.withUnsafeBufferPointer { left in
            try right.withUnsafeBufferPointer { try file.write(left: left, right: $0) }
        }
        try file.close()
        // A change within a clock tick of the file system is none.
        Thread.sleep(forTimeInterval: 0.03)
    }

    /// Reads to the end, or to where reading fails; `count` gives how many frames are asked for next.
    private func read(
        _ reader: any StreamReader, from frame: Int64 = 0, count: () -> Int, then: (Int) throws -> Void = { _ in }
    ) throws -> (left: [Float], right: [Float], error: (any Error)?) {
        try reader.seek(to: frame)
        var sound: ([Float], [Float]) = ([], [])
        while true {
            let wanted = count()
            var (left, right) = ([Float](repeating: 9, count: wanted), [Float](repeating: 9, count: wanted))
            let given: Int
            do {
                given = try left.withUnsafeMutableBufferPointer { left in
                    try right.withUnsafeMutableBufferPointer { right in
                        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                        return try reader.read(left: left, right: right, count: wanted)
                    }
                }
            } catch {
                #expect(throws: (any Error).self, "it stays so") {
                    try reader.read(left: &left, right: &right, count: wanted)
                }
                return (sound.0, sound.1, error)
            }
            if given == 0 { return (sound.0, sound.1, nil) }
            sound.0 += left[..<given]
            sound.1 += right[..<given]
            try then(sound.0.count)
        }
    }

    @Test("A whole file is read as it is, however many frames are asked for", arguments: UInt64(0)..<6)
    func whole(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let reader = try StemFile(path: path).open()
        let most = random.pick([3, 300, 600, 5_000])
        for start in [0, 17_001, 59_900, 59_999, 60_000, 100] as [Int64] {
            let sound = try read(reader, from: start, count: { random.int(1...most) })
            #expect(sound.left == Array(left[Int(start)...]) && sound.right == Array(right[Int(start)...]))
            #expect(sound.error == nil)
        }
    }

    @Test("Where a file is cut off while it is read, the sound fades out over 5 ms", arguments: [100, 4_096, 16_384])
    func cutOff(count: Int) throws {
        let reader = try StemFile(path: path).open()
        for end in [40_001, 36_864] {
            let sound = try read(reader, count: { count }) { done in
                guard done >= 20_000, done < 20_000 + count else { return }
                truncate(path, off_t(FadingStreamTests.header + end * 8))
            }
            try expectFade(sound.left, left)
            try expectFade(sound.right, right)
            #expect(sound.error.map { "\($0)" }?.contains("ends after") == true)
        }
    }

    private func expectFade(_ sound: [Float], _ source: [Float]) throws {
        let fade = FadingStreamTests.fade
        #expect(sound.count > 20_000 && sound.count <= 40_001)
        let whole = sound.count - fade
        #expect(Array(sound[..<whole]) == Array(source[..<whole]))
        for frame in whole..<sound.count {
            let share = Float(sound.count - frame) / Float(fade + 1)
            #expect(abs(sound[frame] - share * source[frame]) < 1e-6)
        }
    }

    @Test("An item of a list that is cut off fades out too, and one that is not ends as it is")
    func items() throws {
        for cuts in [false, true] {
            let reader = try PlaylistItemFile(path: path).open()
            var sound: [Float] = []
            var problem: (any Error)?
            do {
                while let buffer = try reader.nextBuffer() {
                    sound += buffer.left
                    if cuts, sound.count > 20_000 { truncate(path, off_t(FadingStreamTests.header + 30_000 * 8)) }
                }
            } catch {
                problem = error
            }
            #expect((problem != nil) == cuts)
            if cuts { try expectFade(sound, left) } else { #expect(sound == left) }
        }
    }
}
