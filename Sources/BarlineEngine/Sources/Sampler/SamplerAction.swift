/// What the control side asks of the sampler.
enum SamplerAction: BitwiseCopyable, @unchecked Sendable {
    case install(pad: Int, UnsafePointer<PadContent>)
    case remove(pad: Int)
    case trigger(pad: Int, velocity: Float)
    case stop(pad: Int)
    case stopAll
}
