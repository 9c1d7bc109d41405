import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// A device whose clock jumps: what plays goes on, or is where the clock says across a short blend.
@Suite("Jumps of the device's clock")
struct ClockJumpTests {
    static let length = 40_000.0

    /// An engine whose blocks come from a device that counts.
    private final class Device {
        let engine: Engine
        private(set) var left: [Float] = []
        private(set) var right: [Float] = []
        private(set) var events: [EngineEvent] = []
        /// The device's count, from anywhere.
        var clock: Int64 = 77_777

        private let queue: EventQueue

        init(_ engine: Engine) {
            self.engine = engine
            queue = engine.events.queue()
        }

        func play(_ frames: Int, blockFrames: Int = 480) {
            var done = 0
            while done < frames {
                let count = min(blockFrames, frames - done)
                let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
                samples.initialize(repeating: 0, count: 2 * count)
                let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
                outputs.initialize(to: samples)
                (outputs + 1).initialize(to: samples + count)
                var block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: count)
                block.deviceFrame = clock
                engine.render(block)
                left += UnsafeBufferPointer(start: samples, count: count)
                right += UnsafeBufferPointer(start: samples + count, count: count)
                events += queue.take()
                samples.deallocate()
                outputs.deallocate()
                clock += Int64(count)
                done += count
            }
        }

        func position(_ frame: Int) -> Double {
            Quadrature.decode(left[frame], right[frame], length: ClockJumpTests.length).position
        }

        var pulses: [(frame: Int, number: Int)] {
            events.compactMap { event in
                guard case .metronome(.pulse(let bar, let pulse, _)) = event.kind else { return nil }
                return (Int(event.frame.rawValue), (Int(bar) - 1) * 4 + pulse - 1)
            }
        }
    }

    private func engine(
        beats: Double? = 5, start: StartPosition = .fromStart, threshold: Double = 0.01
    ) throws -> (Engine, ClipHandle) {
        var plan = ClipPlan(frames: 40_000, beats: beats)
        plan.start = start
        let engine = Engine(
            EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 133), resyncThreshold: threshold))
        let clip = try engine.launcher.load(try Quadrature.buffer(plan), settings: Quadrature.settings(plan))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        return (engine, clip)
    }

    private func beat(_ frame: Double) -> Double { frame * 133 / (60 * 48_000) }

    @Test("Below the threshold playing goes on bit for bit", arguments: [480, -480, 100])
    func small(frames: Int64) throws {
        let plain = Device(try engine().0)
        plain.play(192_000)
        let device = Device(try engine().0)
        device.play(96_000)
        device.clock += frames
        device.play(96_000)
        #expect(device.left.elementsEqual(plain.left) { $0.bitPattern == $1.bitPattern })
        #expect(device.events == plain.events)
    }

    @Test("Small slips add up until they matter")
    func slips() throws {
        let device = Device(try engine().0)
        for _ in 0..<5 {
            device.play(9_600)
            device.clock += 200
        }
        device.play(9_600)
        let jumps = device.events.compactMap { event -> (Int, Int64)? in
            if case .transport(.clockJumped(let frames)) = event.kind {
                return (Int(event.frame.rawValue), frames)
            }
            return nil
        }
        #expect(jumps.count == 1 && jumps[0] == (28_800, 600))
    }

    @Test(
        "Beyond it what plays is where the device's clock says, across 5 ms",
        arguments: [481, 5_000, 300_001, -481, -20_000], [5.0, nil])
    func large(frames: Int64, beats: Double?) throws {
        let device = Device(try engine(beats: beats).0)
        device.play(96_000)
        device.clock += frames
        device.play(96_000)
        for frame in stride(from: 1_000, to: 192_000, by: 111) where frame < 96_000 || frame >= 96_240 {
            let time = Double(frame) + (frame < 96_000 ? 0 : Double(frames))
            let expected = beats.map { beat(time) / $0 * ClockJumpTests.length } ?? time
            #expect(
                Quadrature.distance(device.position(frame), expected, length: ClockJumpTests.length) < 0.01,
                "frame \(frame)")
        }
        let wave = 0.5 * 2 * Double.pi / ClockJumpTests.length * 1.2
        let steps = (1..<192_000).map { abs(Double(device.left[$0] - device.left[$0 - 1])) }
        #expect((steps.max() ?? 1) < wave + 2 * 0.5 / 240 + 1e-5)
        #expect(
            device.events.contains {
                $0.kind == .transport(.clockJumped(frames: frames)) && $0.frame.rawValue == 96_000
            })
    }

    @Test(
        "Beats are where the clock says; missed ones are left out, and none is played twice",
        arguments: [90_000, -30_000])
    func beats(frames: Int64) throws {
        let device = Device(try engine().0)
        device.play(100_000)
        device.clock += frames
        device.play(200_000)
        let period = 60 * 48_000 / 133.0
        for (frame, number) in device.pulses {
            let shift = frame < 100_000 ? 0 : Double(frames)
            #expect(abs(Double(frame) - (Double(number) * period - shift)) <= 0.51)
        }
        let numbers = device.pulses.map(\.number)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(frames < 0 ? numbers == Array(0...numbers[numbers.count - 1]) : numbers[5] > 8)
        let wraps = device.events.compactMap { event -> Int64? in
            if case .launcher(.looped(_, _, let iteration)) = event.kind { return iteration }
            return nil
        }
        #expect(zip(wraps, wraps.dropFirst()).allSatisfy { $0 < $1 } && !wraps.isEmpty)
    }

    @Test("A launch whose boundary was skipped starts at once, in phase")
    func skippedLaunch() throws {
        let (engine, clip) = try engine()
        let device = Device(engine)
        device.play(96_000)
        try engine.launcher.launch(clip)
        device.play(4_800)
        // The next bar line is at frame 173 233.
        device.clock += 100_000
        device.play(96_000)
        let start = try #require(
            device.events.last { event in
                if case .launcher(.started) = event.kind { return true }
                return false
            })
        #expect(start.frame.rawValue == 100_800)
        for frame in [101_100, 150_000, 190_000] {
            let expected = (beat(Double(frame) + 100_000) - 8) / 5 * ClockJumpTests.length
            #expect(Quadrature.distance(device.position(frame), expected, length: ClockJumpTests.length) < 0.01)
        }
    }

    @Test("The threshold can be set, and the timeline never moves where it is infinite")
    func threshold() throws {
        for (threshold, jumps) in [(0.1, 0), (0.02, 1), (Double.infinity, 0)] {
            let device = Device(try engine(threshold: threshold).0)
            device.play(9_600)
            device.clock += 2_000
            device.play(9_600)
            let count = device.events.count { event in
                if case .transport(.clockJumped) = event.kind { return true }
                return false
            }
            #expect(count == jumps, "\(threshold)")
        }
    }

    @Test("Another device, another rate or a count that begins anew is no jump")
    func newCounts() throws {
        let (engine, _) = try engine()
        let device = Device(engine)
        device.play(9_600)
        engine.rejoin()
        device.clock += 1_000_000
        device.play(9_600)
        engine.setSampleRate(try #require(SampleRate(44_100)))
        device.clock += 1_000_000
        device.play(9_600)
        device.clock = 0
        device.play(9_600)
        #expect(
            !device.events.contains { event in
                if case .transport(.clockJumped) = event.kind { return true }
                return false
            })
    }

    @Test("In a tempo ramp and while the transport stands still nothing clicks")
    func rampsAndStops() throws {
        let (engine, _) = try engine()
        try engine.transport.setTempo(Tempo(clamping: 60), overBeats: 8, at: FrameTime(50_000))
        let device = Device(engine)
        device.play(96_000)
        device.clock += 7_777
        device.play(9_600)
        try engine.transport.stop()
        device.play(120)
        device.clock += 7_777
        device.play(9_600)
        let wave = 0.5 * 2 * Double.pi / ClockJumpTests.length * 1.2
        let steps = (1..<device.left.count).map { abs(Double(device.left[$0] - device.left[$0 - 1])) }
        #expect((steps.max() ?? 1) < wave + 2 * 0.5 / 240 + 1e-5)
        var tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        tempo.change(at: 50_000, to: 60, ramp: 8)
        for frame in [95_999, 96_240, 100_000, 105_000] {
            let expected = tempo.beat(at: frame + (frame < 96_000 ? 0 : 7_777)) / 5 * ClockJumpTests.length
            #expect(Quadrature.distance(device.position(frame), expected, length: ClockJumpTests.length) < 0.01)
        }
    }

    @Test("A click that sounds is not touched")
    func click() throws {
        func play(jump: Int64) throws -> [Float] {
            let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 60)))
            try engine.metronome.setOn(true, at: FrameTime.zero)
            try engine.transport.start(at: FrameTime.zero)
            let device = Device(engine)
            device.play(960)
            device.clock += jump
            device.play(9_600)
            return device.left
        }
        #expect(try play(jump: 0) == play(jump: 10_000))
    }
}
