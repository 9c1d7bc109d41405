import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// Stems while the device's clock jumps.
@Suite("Stems and jumps of the device's clock")
struct StemClockJumpTests {
    /// Plays two stems from frame 0 on, in a loop if there is one; the device's clock jumps by `frames` after two seconds.
    private func play(
        jumping frames: Int64, loop: Range<Double>? = nil
    ) throws -> (heard: [Float], sum: (Int) -> Float, events: [EngineEvent]) {
        let sources = [SampleStem(noise: 1, frames: 480_000), SampleStem(noise: 2, frames: 480_000)]
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 2))
        let multitrack = try Multitrack(sources.map { Stem($0) }, on: engine, feeding: .manual)
        multitrack.play(at: FrameTime.zero)
        if let loop { try multitrack.setLoop(loop) }
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 480)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)
        defer {
            samples.deallocate()
            outputs.deallocate()
        }
        outputs.initialize(to: samples)
        var heard: [Float] = []
        var events: [EngineEvent] = []
        let queue = engine.events.queue()
        for index in 0..<400 {
            multitrack.feed()
            samples.initialize(repeating: 0, count: 480)
            var block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 1, frames: 480)
            block.deviceFrame = Int64(480 * index) + (index < 200 ? 0 : frames)
            engine.render(block)
            heard += UnsafeBufferPointer(start: samples, count: 480)
            events += queue.take()
        }
        return (heard, { frame in sources.reduce(Float(0)) { $0 + $1.sample(frame).left } }, events)
    }

    @Test(
        "They fade out, and are heard again where the device's clock says",
        arguments: [5_000, -5_000, -30_000, 200_000])
    func jump(frames: Int64) throws {
        let (heard, sum, events) = try play(jumping: frames)
        let recovery = try #require(
            events.first { event in
                if case .stems(.recovered) = event.kind { return true }
                return false
            })
        let back = Int(recovery.frame.rawValue)
        #expect(back < 96_000 + 48_000)
        for frame in 24..<192_000 {
            let isRight: Bool
            switch frame {
            case ..<96_000: isRight = heard[frame] == sum(frame)
            case 96_240..<back: isRight = heard[frame] == 0
            case (back + 240)...: isRight = heard[frame] == sum(frame + Int(frames))
            default: isRight = abs(heard[frame]) <= abs(frame < back ? sum(frame) : sum(frame + Int(frames))) + 1e-6
            }
            #expect(isRight, "frame \(frame)")
            if !isRight { return }
        }
    }

    @Test(
        "A jump over the end of their loop leads into the loop, where it would have come round",
        arguments: [5_000, 60_000])
    func jumpOverTheLoop(frames: Int64) throws {
        let (first, length) = (48_000, 50_400)
        let (heard, sum, events) = try play(jumping: frames, loop: 1..<2.05)
        #expect(!events.contains { $0.kind == .stems(.ended) })
        var compared = 0
        // Within a second they are back.
        for frame in 144_000..<192_000 {
            let place = (frame + Int(frames) - first) % length
            // Turns are crossfaded.
            if place < 240 { continue }
            compared += 1
            let isRight = abs(heard[frame] - sum(first + place)) < 1e-6
            #expect(isRight, "frame \(frame)")
            if !isRight { return }
        }
        #expect(compared > 47_000)
    }
}
