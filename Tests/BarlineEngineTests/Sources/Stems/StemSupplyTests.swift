import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

@Suite("Stems whose data comes late", .serialized)
struct StemSupplyTests {
    /// A stem that comes through a pipe, as far as it is allowed to, and can't be sought.
    private final class PipeStem: StemSource {
        let pipe = Pipe()
        let length: Int
        private let allowed = Atomic<Int>(0)
        private let read = Atomic<Int>(0)

        init(_ samples: [Float]) {
            length = samples.count
            // The reader may be gone before everything was written.
            signal(SIGPIPE, SIG_IGN)
            let handle = pipe.fileHandleForWriting
            let thread = Thread { [weak self] in
                var next = 0
                while next < samples.count {
                    guard let allowed = self?.allowed.load(ordering: .acquiring) else { return }
                    let end = min(samples.count, next + 4_000, allowed)
                    if end <= next {
                        Thread.sleep(forTimeInterval: 0.001)
                        continue
                    }
                    let piece = samples[next..<end].withUnsafeBytes { Data($0) }
                    guard (try? handle.write(contentsOf: piece)) != nil else { return }
                    next = end
                }
                try? handle.close()
            }
            thread.start()
        }

        /// Lets so many frames through, counted from the first.
        func allow(_ frames: Int) { allowed.store(frames, ordering: .releasing) }

        /// Frames that have come out of the pipe.
        var delivered: Int { read.load(ordering: .acquiring) }

        var sampleRate: SampleRate { .standard }
        var frameCount: Int64 { Int64(length) }
        func open() throws -> sending any StemReader { Reader(self) }

        private final class Reader: StemReader, @unchecked Sendable {
            private let stem: PipeStem
            private var next: Int64 = 0

            init(_ stem: PipeStem) { self.stem = stem }

            private func take(_ frames: Int) throws -> Data? {
                let data = try stem.pipe.fileHandleForReading.read(upToCount: frames * 4)
                guard let data, !data.isEmpty else { return nil }
                next += Int64(data.count / 4)
                stem.read.store(Int(next), ordering: .releasing)
                return data
            }

            func seek(to frame: Int64) throws {
                while next < frame { guard try take(Int(min(8_192, frame - next))) != nil else { return } }
            }

            func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
                var filled = 0
                while filled < count {
                    guard let data = try take(count - filled) else { break }
                    data.withUnsafeBytes { bytes in
                        for (index, sample) in bytes.bindMemory(to: Float.self).enumerated() {
                            left[filled + index] = sample
                            right[filled + index] = sample
                        }
                    }
                    filled += data.count / 4
                }
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
        render(recorder) { $0.events.contains { $0.kind == .stems(.started(position: 0)) } }
        let start = try #require(recorder.events.last { $0.kind == .stems(.started(position: 0)) })
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
        render(recorder) { $0.events.contains { $0.kind == .stems(.started(position: 0)) } }
        let start = Int(try #require(recorder.events.last).frame.rawValue)
        render(recorder) { $0.frames >= start + 48_000 }
        tapped.isClosed.store(true, ordering: .releasing)
        func isUnderrun(_ event: EngineEvent) -> Bool {
            if case .stems(.underrun) = event.kind { return true }
            return false
        }
        func isRecovery(_ event: EngineEvent) -> Bool {
            if case .stems(.recovered) = event.kind { return true }
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
        let pipe = PipeStem(noise)
        let steady = SampleStem(noise: 4, frames: 48_000 * 12)
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 48_000 * 60)
        let multitrack = try Multitrack([Stem(pipe), Stem(steady)], on: engine)
        defer { multitrack.close() }
        multitrack.play()
        // Of every five frames that are played, the pipe gives two.
        pipe.allow(30_000)
        render(recorder) { $0.events.contains { $0.kind == .stems(.started(position: 0)) } }
        let started = try #require(recorder.events.first { $0.kind == .stems(.started(position: 0)) })
        let start = Int(started.frame.rawValue)
        func isUnderrun(_ event: EngineEvent) -> Bool {
            if case .stems(.underrun) = event.kind { return true }
            return false
        }
        render(recorder) { recorder in
            pipe.allow(30_000 + (recorder.frames - start) * 2 / 5)
            return recorder.events.contains(where: isUnderrun)
        }
        try #require(recorder.events.contains(where: isUnderrun))
        // From here on it gives all that it has; it is waited for, so that nothing depends on the machine's speed.
        pipe.allow(.max)
        func isRecovery(_ event: EngineEvent) -> Bool {
            if case .stems(.recovered) = event.kind { return true }
            return false
        }
        let deadline = Date(timeIntervalSinceNow: 60)
        while !recorder.events.contains(where: isRecovery), recorder.frames - start < noise.count - 60_000 {
            while pipe.delivered < recorder.frames - start + 16_384, deadline.timeIntervalSinceNow > 0 {
                Thread.sleep(forTimeInterval: 0.001)
            }
            recorder.render(480, .fixed(480))
        }
        try #require(recorder.events.contains(where: isRecovery))
        recorder.render(4_800)
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

    @Test("Quick stems come round without running dry, wherever between two frames a loop ends")
    func quickLoops() throws {
        let stems = [SampleStem(noise: 1, frames: 300_000), SampleStem(noise: 2, frames: 300_000)]
        for (number, end) in stride(from: 30_001, to: 30_400, by: 7).enumerated() {
            let stage = try StemStage(stems.map { Stem($0) }, frames: 40_000, recordedTempo: Tempo(clamping: 61))
            try stage.engine.transport.setTempo(Tempo(clamping: 333 + Double(number)))
            try stage.perform([(0, .loop(1_000..<end)), (0, .play)], frames: 40_000)
            let events = stage.recorder.events.map(\.kind)
            #expect(events.contains { if case .stems(.looped) = $0 { true } else { false } })
            #expect(!events.contains { if case .stems(.underrun) = $0 { true } else { false } }, "loop to \(end)")
        }
    }
}
