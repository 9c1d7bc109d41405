/// An event of the sampler.
public enum SamplerEvent: Hashable, Sendable, BitwiseCopyable {
    /// A pad started, hit with a velocity of 0 … 1.
    case hit(pad: PadHandle, velocity: Double)
}
