import BarlineDSP
import BarlineTime

@testable import BarlineEngine

/// What takes are tried on: an engine at 240 BPM with one input, noise, and the loop that is cut out of it.
enum TakeStage {
    /// Frames of a bar at 240 BPM and 48 kHz.
    static let bar = 48_000
    /// Frames over which the end of a loop leads to its start.
    private static let seam = 240
    static let plans: [BlockPlan] = [.fixed(1), .fixed(64), .fixed(4_096), .mixed(seed: 7)]

    /// An engine with one input, whose transport rolls from frame 0 on.
    static func engine(tracks: Int = 1, clipCapacity: Int = 64, latency: Int = 0) throws -> Engine {
        let engine = Engine(
            EngineConfiguration(trackCount: tracks, clipCapacity: clipCapacity, tempo: Tempo(clamping: 240)))
        try engine.inputs.open(InputIndex(0), channels: 2)
        if latency != 0 { try engine.inputs.setLatency(latency, of: InputIndex(0)) }
        try engine.transport.start(at: FrameTime.zero)
        return engine
    }

    static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = TestRandom(seed: seed)
        return (0..<count).map { _ in Float(random.double(-0.5...0.5)) }
    }

    /// A loop of the frames of `input` from `start` on; where its ends don't meet, its end leads to what came before
    /// it.
    static func loop(_ input: [Float], _ start: Int, _ length: Int) -> [Float] {
        var loop = Array(input[start..<start + length])
        let step = abs(loop[0] - loop[length - 1])
        var largest: Float = 0
        for place in 1...32 {
            let (head, tail) = (loop[place] - loop[place - 1], loop[length - place] - loop[length - place - 1])
            largest = max(largest, abs(head), abs(tail))
        }
        if step <= max(1e-4, 1.5 * largest) { return loop }
        for index in 0..<seam {
            let lead = start - seam + index >= 0 ? input[start - seam + index] : 0
            let own = loop[length - seam + index]
            loop[length - seam + index] = own + Float(index + 1) / Float(seam) * (lead - own)
        }
        return loop
    }
}
