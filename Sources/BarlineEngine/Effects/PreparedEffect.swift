import BarlineTime

/// The owner of an effect's memory, on the control side.
final class PreparedEffect: @unchecked Sendable {
    /// The effect, for the audio thread.
    let effect: AnyEffect
    /// The address by which the audio thread retires the effect.
    let address: UInt
    private let free: () -> Void

    init(_ settings: EffectSettings, sampleRate: SampleRate) {
        (effect, address, free) = PreparedEffect.make(settings.kind.type, settings.values, sampleRate)
    }

    deinit { free() }

    private static func make<Kind: Effect>(
        _ type: Kind.Type, _ values: [Double], _ sampleRate: SampleRate
    ) -> (AnyEffect, UInt, () -> Void) {
        let pointer = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
        pointer.initialize(to: Kind(values, sampleRate: sampleRate))
        return (
            Kind.erased(pointer), UInt(bitPattern: pointer),
            {
                pointer.pointee.deallocate()
                pointer.deallocate()
            }
        )
    }
}
