import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

@Suite("Stems whose data comes late", .serialized)
struct StemSupplyTests {
    /// A stem whose reading waits while its tap is closed.
    private final class TappedStem: StemSource {
        let inner: SampleStem
        let isClosed = Atomic<Bool>(false)

        init(_ inner: SampleStem) { self.inner = inner }

        var sampleRate: SampleRate { inner.sampleRate }
        var frameCount: Int64 { inner.frameCount }
        func open() throws -> any StemReader { Reader(self, try inner.open()) }

        private final class Reader: StemReader, @unchecked Sendable {
            private let stem: TappedStem
            private let inner: any StemReader

            init(_ stem: TappedStem, _ inner: any StemReader) {
                self.stem = stem
                self.inner = inner
            }

            func seek(to frame: Int64) throws { try inner.seek(to: frame) }

            func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
                while stem.isClosed.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
                return try inner.read(left: left, right: right, count: count)
            }
        }
    }

    /// A stem that comes through a pipe, as fast as somebody writes into it, and can't be sought.
    private final class PipeStem: StemSource {
        let pipe = Pipe()
        let length: Int

        init(_ samples: [Float], framesPerSecond: Double) {
            length = samples.count
            // The reader may be gone before everything was written.
            signal(SIGPIPE, SIG_IGN)
            let handle = pipe.fileHandleForWriting
            let thread = Thread {
                var next = 0
                while next < samples.count {
                    let end = min(samples.count, next + 4_000)
                    let piece = samples[next..<end].withUnsafeBytes { Data($0) }
                    guard (try? handle.write(contentsOf: piece)) != nil else { return }
                    next = end
                    Thread.sleep(forTimeInterval: 4_000 / framesPerSecond)
                }
                try? handle.close()
            }
            thread.start()
        }

        var sampleRate: SampleRate { .standard }
        var frameCount: Int64 { Int64(length) }
        func open() throws -> any StemReader { Reader(pipe.fileHandleForReading) }

        private final class Reader: StemReader, @unchecked Sendable {
            private let handle: FileHandle
            private var next: Int64 = 0

            init(_ handle: FileHandle) { self.handle = handle }

            func seek(to frame: Int64) throws {
                while next < frame {
                    guard let data = try handle.read(upToCount: Int(min(8_192, frame - next)) * 4), !data.isEmpty else {
                        return
                    }
                    next += Int64(data.count / 4)
                }
            }

            func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
                var filled = 0
                while filled < count {
                    guard let data = try handle.read(upToCount: (count - filled) * 4), !data.isEmpty else { break }
                    data.withUnsafeBytes { bytes in
                        for (index, sample) in bytes.bindMemory(to: Float.self).enumerated() {
                            left[filled + index] = sample
                            right[filled + index] = sample
                        }
                    }
                    filled += data.count / 4
                }
                next += Int64(filled)
                return filled
            }
        }
    }

    /// Renders at five times the speed of real time until `isDone`, for a minute of the timeline at most.
    private func render(_ recorder: Recorder, until isDone: (Recorder) -> Bool) {
        while !isDone(recorder), recorder.frames + 480 <= recorder.capacity {
            recorder.render(480, .fixed(480))
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    @Test("Nothing starts before every stem has its first frames; then all start together")
    func startWaits() throws {
        let quick = SampleStem(noise: 1, frames: 48_000)
        let slow = TappedStem(SampleStem(noise: 2, frames: 48_000))
        slow.isClosed.store(true, ordering: .releasing)
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 48_000 * 60)
        let multitrack = try Multitrack([Stem(quick), Stem(slow)], on: engine)
        defer { multitrack.close() }
        multitrack.play()
        render(recorder) { $0.frames >= 24_000 }
        #expect(recorder.left().allSatisfy { $0 == 0 })
        #expect(multitrack.readiness < 1)
        slow.isClosed.store(false, ordering: .releasing)
        render(recorder) { $0.events.contains { $0.kind == .stemsStarted(position: 0) } }
        let start = try #require(recorder.events.last { $0.kind == .stemsStarted(position: 0) })
        recorder.render(9_600)
        let first = Int(start.frame.rawValue)
        for frame in first + 24..<first + 9_000 {
            #expect(recorder.left()[frame] == quick.left[frame - first] + slow.inner.left[frame - first])
            if recorder.left()[frame] != quick.left[frame - first] + slow.inner.left[frame - first] { return }
        }
    }

    @Test("Where a disk stalls, all stems fade out together, move on in step and fade in where they would be")
    func stall() throws {
        let sources = (0..<3).map { SampleStem(noise: UInt64($0), frames: 48_000 * 20) }
        let tapped = TappedStem(sources[1])
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 48_000 * 60)
        let multitrack = try Multitrack([Stem(sources[0]), Stem(tapped), Stem(sources[2])], on: engine)
        defer { multitrack.close() }
        multitrack.play()
        render(recorder) { $0.events.contains { $0.kind == .stemsStarted(position: 0) } }
        let start = Int(try #require(recorder.events.last).frame.rawValue)
        render(recorder) { $0.frames >= start + 48_000 }
        tapped.isClosed.store(true, ordering: .releasing)
        func isUnderrun(_ event: EngineEvent) -> Bool {
            if case .stemsUnderrun = event.kind { return true }
            return false
        }
        func isRecovery(_ event: EngineEvent) -> Bool {
            if case .stemsRecovered = event.kind { return true }
            return false
        }
        render(recorder) { $0.events.contains(where: isUnderrun) }
        let stopped = Int(try #require(recorder.events.first(where: isUnderrun)).frame.rawValue)
        render(recorder) { $0.frames >= stopped + 48_000 }
        #expect(engine.state.multitrack.phase == .starved)
        tapped.isClosed.store(false, ordering: .releasing)
        render(recorder) { $0.events.contains(where: isRecovery) }
        let resumed = Int(try #require(recorder.events.first(where: isRecovery)).frame.rawValue)
        recorder.render(12_000)
        #expect(engine.state.multitrack.underrunCount == 1)
        for frame in start + 24..<recorder.frames {
            let sum = sources.reduce(Float(0)) { $0 + $1.sample(frame - start).left }
            let heard = recorder.left()[frame]
            switch frame {
            case ..<stopped, (resumed + 240)...: #expect(heard == sum, "frame \(frame)")
            case (stopped + 240)..<resumed: #expect(heard == 0, "frame \(frame)")
            default: #expect(abs(heard) <= abs(sum) + 1e-6, "frame \(frame)")
            }
        }
    }

    @Test("A real pipe that is too slow for a while recovers in step")
    func slowPipe() throws {
        var random = TestRandom(seed: 9)
        let noise = (0..<48_000 * 12).map { _ in Float(random.int(-8_192...8_192)) / 65_536 }
        let pipe = PipeStem(noise, framesPerSecond: 100_000)
        let steady = SampleStem(noise: 4, frames: 48_000 * 12)
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 48_000 * 60)
        let multitrack = try Multitrack([Stem(pipe), Stem(steady)], on: engine)
        defer { multitrack.close() }
        multitrack.play()
        func isRecovery(_ event: EngineEvent) -> Bool {
            if case .stemsRecovered = event.kind { return true }
            return false
        }
        // Read at five times real time, the pipe gives twice.
        render(recorder) { $0.events.contains(where: isRecovery) }
        try #require(recorder.events.contains(where: isRecovery))
        try #require(recorder.frames + 4_800 <= recorder.capacity)
        recorder.render(4_800)
        let started = try #require(recorder.events.first { $0.kind == .stemsStarted(position: 0) })
        let start = Int(started.frame.rawValue)
        var heardFrames = 0
        for frame in start..<recorder.frames {
            let heard = recorder.left()[frame]
            let sum = noise[frame - start] + steady.left[frame - start]
            // Fades apart, what is heard is either nothing or what belongs there.
            if heard == sum { heardFrames += 1 } else { #expect(abs(heard) <= abs(sum) + 1e-6, "frame \(frame)") }
        }
        #expect(heardFrames > 20_000)
        #expect(
            recorder.left()[recorder.frames - 1] == noise[recorder.frames - 1 - start]
                + steady.left[recorder.frames - 1 - start])
    }
}
