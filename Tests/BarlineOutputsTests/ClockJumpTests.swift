import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineOutputs

/// A device that drops and repeats blocks. Every sample of the engine tells its place.
@Suite("A device that drops and repeats blocks")
struct ClockJumpTests {
    private func play(_ script: (FakeDevice) -> Void) throws -> (samples: [Float], events: [EngineEvent]) {
        let engine = try PlaceEngine.make()
        let queue = engine.events.queue()
        let device = FakeDevice(blockFrames: 256)
        let supervisor = try OutputSupervisor(
            device, engine: engine, busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
        script(device)
        supervisor.stop()
        return (device.samples, queue.take())
    }

    private func jumps(_ events: [EngineEvent]) -> [Int64] {
        events.compactMap { event in
            if case .transport(.clockJumped(let frames)) = event.kind { return frames }
            return nil
        }
    }

    @Test("One block is let pass: what plays goes on from the contiguous sample")
    func oneBlock() throws {
        let plain = try play { $0.play(20_000) }
        for isDropped in [true, false] {
            let played = try play { device in
                device.play(10_240)
                if isDropped { device.drop(256) } else { device.repeat(256) }
                device.play(9_760)
            }
            #expect(played.samples == plain.samples)
            #expect(jumps(played.events).isEmpty)
        }
    }

    @Test("Many blocks are caught up with, across 5 ms and without a step", arguments: [20, -20, 3, -3])
    func manyBlocks(blocks: Int) throws {
        let frames = 256 * blocks
        let played = try play { device in
            device.play(20_480)
            if frames > 0 { device.drop(frames) } else { device.repeat(-frames) }
            device.play(20_480)
        }
        #expect(jumps(played.events) == [Int64(frames)])
        for frame in stride(from: 1_000, to: 40_960, by: 50) where frame < 20_480 || frame >= 20_720 {
            let expected = Double(frame + (frame < 20_480 ? 0 : frames))
            #expect(abs(PlaceEngine.place(played.samples[frame]) - expected) < 0.5)
        }
        // From one place to the other in a straight line of 240 frames.
        let ramp = Double(abs(frames)) / 240 + 1.5
        for frame in 20_470..<20_730 {
            let step = PlaceEngine.place(played.samples[frame + 1]) - PlaceEngine.place(played.samples[frame])
            #expect(abs(step) < ramp)
        }
    }

    @Test("Blocks that are lost one by one are caught up with when they add up")
    func oneByOne() throws {
        let played = try play { device in
            for _ in 0..<8 {
                device.play(2_560)
                device.drop(256)
            }
            device.play(2_560)
        }
        #expect(jumps(played.events) == [512, 512, 512, 512])
        let last = played.samples.count - 1
        #expect(abs(PlaceEngine.place(played.samples[last]) - Double(last + 8 * 256)) < 0.5)
    }
}
