import BarlineTime

extension Sampler {
    /// What the control side asks of the sampler.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case install(pad: Int, UnsafePointer<PadContent>)
        case remove(pad: Int)
        case trigger(pad: Int, velocity: Double, on: PadGrid)
        case stop(pad: Int)
        case stopAll
    }
}

/// What a hit waits for.
enum PadGrid: BitwiseCopyable {
    /// The pad's own grid.
    case own
    /// A grid of the hit's.
    case other(Quantization)
}
