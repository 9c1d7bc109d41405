import BarlineDSP
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineEngine

/// Threads that record, record over, keep, undo and read takes and strips while another one renders. What matters most
/// is what ThreadSanitizer says.
@Suite("Recording from many threads")
struct CaptureThreadTests {
    /// What the threads share.
    private final class Storm: Sendable {
        let engine: Engine
        let isOver = Atomic<Bool>(false)
        let calls = Atomic<Int>(0)
        /// Whether all samples that were read of takes are ones that an input gave.
        let isSound = Atomic<Bool>(true)

        init(_ engine: Engine) { self.engine = engine }

        /// Records into slots of a track of its own, over them, and lets go of them.
        func drive(_ track: Int) {
            var random = TestRandom(seed: UInt64(track + 1))
            var clips: [ClipHandle] = []
            while !isOver.load(ordering: .relaxed) {
                do {
                    try act(&random, TrackIndex(track), &clips)
                } catch {
                    // A full queue, or a loop that can't be recorded over.
                    Thread.sleep(forTimeInterval: 0.0005)
                }
                calls.add(1, ordering: .relaxed)
            }
        }

        private func act(_ random: inout TestRandom, _ track: TrackIndex, _ clips: inout [ClipHandle]) throws {
            let input = InputIndex(random.int(0...2))
            guard let clip = clips.isEmpty ? nil : random.pick(clips), clips.count > 1 || !random.chance(0.1) else {
                var settings = TakeSettings(track: track, input: input, bars: random.chance(0.5) ? 1 : nil)
                settings.longestSeconds = 3
                clips.append(try engine.launcher.arm(settings))
                return
            }
            switch random.int(0...11) {
            case 0...3: try engine.launcher.launch(clip)
            case 4: try engine.launcher.keepLast(bars: random.int(1...3), as: clip)
            case 5:
                try engine.launcher.overdub(clip, OverdubSettings(input: input, feedback: random.double(0...1)))
            case 6: try engine.launcher.undoLayer(of: clip)
            case 7: try engine.launcher.redoLayer(of: clip)
            case 8: try engine.launcher.prepareLayers(of: clip)
            case 9: try engine.launcher.changeLoop(of: clip, random.pick([.reverse, .multiply, .insert]))
            case 10: try engine.inputs.setLatency(random.int(-500...2_000), of: input)
            default:
                if !random.chance(0.2) { break }
                try engine.launcher.unload(clip)
                clips.removeAll { $0 == clip }
                return
            }
            for take in [engine.launcher.take(of: clip)] + engine.launcher.layers(of: clip).map(\.take) {
                guard let take, take.start != nil else { continue }
                _ = (take.result, take.gaps, take.isFinished)
                take.withSamples(from: 0) { left, _ in
                    if left.contains(where: { !$0.isFinite }) { isSound.store(false, ordering: .relaxed) }
                }
            }
        }

        /// Opens inputs anew and records strips, again and again.
        func record() {
            var random = TestRandom(seed: 99)
            while !isOver.load(ordering: .relaxed) {
                do {
                    let input = InputIndex(random.int(0...2))
                    try engine.inputs.open(
                        input, channels: random.int(1...2), of: input.rawValue == 2 ? .bus(BusIndex(1)) : .device,
                        keeping: 1)
                    let strips = try engine.mixer.record(
                        [.channel(.track(0)), .channel(.metronome), .bus(.main), .input(InputIndex(0))],
                        frames: random.pick([2_048, 65_536]))
                    for _ in 0..<random.int(1...20) {
                        let pieces = strips.take(before: FrameTime(.max))
                        if pieces.contains(where: { $0.left.contains { !$0.isFinite } }) {
                            isSound.store(false, ordering: .relaxed)
                        }
                        Thread.sleep(forTimeInterval: 0.001)
                    }
                    if random.chance(0.3) { try engine.mixer.endRecording() }
                } catch {
                    Thread.sleep(forTimeInterval: 0.0005)
                }
                calls.add(1, ordering: .relaxed)
            }
        }
    }

    @Test("Four threads record loops and one strips while the engine renders, and what they read is sound")
    func storm() throws {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 4, busCount: 2, clipCapacity: 48, inputCapacity: 3, commandCapacity: 512,
                tempo: Tempo(clamping: 960)))
        engine.metronome.isOn = true
        try engine.transport.start()
        let storm = Storm(engine)
        let group = DispatchGroup()
        func start(_ body: @escaping @Sendable () -> Void) {
            group.enter()
            Thread.detachNewThread {
                body()
                group.leave()
            }
        }
        for track in 0..<4 { start { storm.drive(track) } }
        start { storm.record() }
        let largest = 1_024
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 6 * largest)
        samples.initialize(repeating: 0.25, count: 6 * largest)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
        let inputs = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: 4)
        defer {
            samples.deallocate()
            outputs.deallocate()
            inputs.deallocate()
        }
        for channel in 0..<2 { (outputs + channel).initialize(to: samples + largest * channel) }
        for channel in 0..<4 { (inputs + channel).initialize(to: UnsafePointer(samples + largest * (2 + channel))) }
        var random = TestRandom(seed: 0)
        let end = Date().addingTimeInterval(ThreadStormTests.seconds)
        while Date() < end {
            var block = AudioBlock(
                outputs: UnsafePointer(outputs), outputCount: 2, frames: random.int(0...largest))
            block.inputs = UnsafePointer(inputs)
            block.inputCount = 4
            engine.render(block)
        }
        storm.isOver.store(true, ordering: .relaxed)
        group.wait()
        let isSound = storm.isSound.load(ordering: .relaxed)
        #expect(isSound)
        #expect(storm.calls.load(ordering: .relaxed) > 100)
    }
}
