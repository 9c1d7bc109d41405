import BarlineTime

/// The declaration of a kind of effect, and its factory, for the control side.
struct EffectMaker {
    /// The name shown to people.
    let title: String
    /// The parameters, by index.
    let parameters: [ParameterDescription]
    /// The latency of the effect, in frames.
    let latencyFrames: (SampleRate) -> Int
    /// Creates an effect with values of all parameters, in its own memory, whose address is given too.
    let make: (_ values: [Double], SampleRate) -> (effect: AnyEffect, address: UInt, free: () -> Void)

    /// The maker of the effect that is `erased` as a case of the list.
    init<Kind: Effect>(_ erased: @escaping (UnsafeMutablePointer<Kind>) -> AnyEffect) {
        title = Kind.title
        parameters = Kind.parameters
        latencyFrames = Kind.latencyFrames
        make = { values, sampleRate in
            let pointer = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
            pointer.initialize(to: Kind(values, sampleRate: sampleRate))
            return (
                erased(pointer), UInt(bitPattern: pointer),
                {
                    pointer.pointee.deallocate()
                    pointer.deallocate()
                }
            )
        }
    }
}

/// The owner of an effect's memory, on the control side.
final class PreparedEffect: @unchecked Sendable {
    /// The effect, for the audio thread.
    let effect: AnyEffect
    /// The address by which the audio thread retires the effect.
    let address: UInt
    private let free: () -> Void

    init(_ settings: EffectSettings, sampleRate: SampleRate) {
        (effect, address, free) = settings.kind.maker.make(settings.values, sampleRate)
    }

    deinit { free() }
}
