import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// A recording whose sound comes much faster than its disk takes it.
@Suite("Recordings on disks that are too slow", .fewAtATime)
struct SlowDiskTests {
    @Test(
        "More than two minutes that wait end the take with all that was taken, once, and whoever hands it over goes on")
    func stuck() throws {
        let folder = try TemporaryFolder()
        let rate = SampleRate.standard
        let recorder = try PerformanceRecorder(
            name: "Take", folder: URL(fileURLWithPath: folder.path, isDirectory: true), sampleRate: rate, audio: true)
        recorder.begin(at: .zero)
        let piece = 1 << 16
        let ramp = (0..<piece).map { Float($0) / Float(piece) }[...]
        // Handed over in no time: no disk takes three minutes of it meanwhile.
        var pieces = 0
        for index in 0..<1_000 {
            recorder.add(left: ramp, right: ramp, frame: FrameTime(Int64(index * piece)))
            if recorder.notices.withLock({ !$0.isEmpty }) { break }
            pieces += 1
        }
        #expect(Double(pieces * piece) / rate.hertz > 120 && pieces < 1_000)
        recorder.add(left: ramp, right: ramp, frame: FrameTime(Int64(2_000 * piece)))
        #expect(eventually { recorder.isBroken })
        let frames = pieces * piece
        #expect(recorder.end(by: FrameTime(Int64(4_000 * piece))) == FrameTime(Int64(frames)))
        let told = recorder.notices.withLock { $0 }.map(\.text)
        #expect(told.count == 2)
        #expect(told.first == "the disk takes nothing: the recording ends with what waits for it")
        #expect(told.last?.hasSuffix("Take.wav is on a disk that is too slow") == true)
        let bytes = try FileManager.default.attributesOfItem(atPath: folder.path("Take.wav"))[.size] as? Int
        let header = try #require(bytes) - 8 * frames
        #expect(header > 0 && header < 200)
        let file = try #require(FileHandle(forReadingAtPath: folder.path("Take.wav")))
        for place in [0, frames / 2, frames - 1] {
            try file.seek(toOffset: UInt64(header + 8 * place))
            let pair = try #require(try file.read(upToCount: 8))
            let left = pair.withUnsafeBytes { Float(bitPattern: $0.loadUnaligned(as: UInt32.self).littleEndian) }
            #expect(left == ramp[place % piece])
        }
    }
}
