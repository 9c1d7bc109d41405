/// The settings of an effect: its kind and the values of its parameters.
///
/// ```swift
/// var settings = EffectSettings(.filter)
/// settings["cutoff"] = 800
/// let filter = try engine.mixer.insert(settings, on: .channel(.track(0)))
/// try engine.mixer.set("cutoff", of: filter, to: 8_000, over: .beats(16))
/// ```
public struct EffectSettings: Hashable, Sendable {
    /// The kind of the effect.
    public let kind: EffectKind
    /// The values of its parameters, by index.
    public var values: [Double]
    /// Whether it is bypassed.
    public var isBypassed = false

    /// Creates an effect whose parameters have their initial values.
    ///
    /// - Complexity: O(*n*) in the parameters.
    public init(_ kind: EffectKind) {
        self.kind = kind
        values = kind.parameters.map(\.initialValue)
    }

    /// The value of a parameter by name; `nil` if the effect has no such parameter, and setting it does nothing.
    ///
    /// - Complexity: O(*n*) in the parameters.
    public subscript(name: String) -> Double? {
        get { place(of: name).map { values[$0] } }
        set {
            guard let newValue, let place = place(of: name) else { return }
            values[place] = newValue
        }
    }

    private func place(of name: String) -> Int? {
        kind.parameters.firstIndex { $0.name == name }.flatMap { values.indices.contains($0) ? $0 : nil }
    }
}

/// A place for an insert effect.
public enum InsertPoint: Hashable, Sendable {
    /// In a channel, before its fader.
    case channel(Channel)
    /// In a bus, before its fader.
    case bus(BusIndex)
}

/// The handle of an effect in the mixer.
public struct EffectHandle: Hashable, Sendable {
    /// The number of effects that were inserted before this one.
    public let rawValue: Int
}
