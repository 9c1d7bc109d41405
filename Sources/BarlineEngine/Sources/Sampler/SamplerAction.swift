import BarlineTime

extension Sampler {
    /// A command to the sampler.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case install(pad: Int, UnsafePointer<PadContent>)
        case remove(pad: Int)
        case trigger(pad: Int, velocity: Double, on: PadGrid)
        case stop(pad: Int)
        case stopAll
    }
}

/// The quantisation of a hit.
enum PadGrid: BitwiseCopyable {
    /// The pad's own grid.
    case own
    /// A grid specified with the hit.
    case other(Quantization)
}
