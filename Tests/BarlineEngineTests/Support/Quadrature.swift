import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

/// Clips that tell where they are: over their region one cycle of a sine on the left and of a cosine on the right.
///
/// The region lies within a longer file. Around a loop the file is noise, which nothing may read; around a clip that
/// plays once the waves go on, as they would around a cut from a longer recording.
enum Quadrature {
    static let margin = 700

    static func buffer(_ plan: ClipPlan) throws -> SampleBuffer {
        var random = TestRandom(seed: UInt64(plan.frames))
        var left: [Float] = []
        var right: [Float] = []
        for index in -margin..<plan.frames + margin {
            if plan.loops, index < 0 || index >= plan.frames {
                left.append(Float(random.double(-1...1)))
                right.append(Float(random.double(-1...1)))
            } else {
                let angle = 2 * Double.pi * Double(index) / plan.length
                left.append(plan.amplitude * Float(sin(angle)))
                right.append(plan.amplitude * Float(cos(angle)))
            }
        }
        return SampleBuffer(left: left, right: right, sampleRate: SampleRate(plan.sourceRate) ?? .standard)
    }

    static func settings(_ plan: ClipPlan) -> ClipSettings { plan.settings(region: margin..<margin + plan.frames) }

    /// How loud the clip is that left and right come from, and how many of its `length` frames have passed.
    static func decode(_ left: Float, _ right: Float, length: Double) -> (amplitude: Double, position: Double) {
        let turns = atan2(Double(left), Double(right)) / (2 * Double.pi)
        return (hypot(Double(left), Double(right)), (turns < 0 ? turns + 1 : turns) * length)
    }

    /// The distance between two positions of a loop of `length` frames, the shorter way round.
    static func distance(_ first: Double, _ second: Double, length: Double) -> Double {
        let turns = (first - second) / length
        return abs(turns - turns.rounded()) * length
    }
}
