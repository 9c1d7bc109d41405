/// The configuration of one part of the engine.
protocol PartConfiguration: Sendable {
    /// The default configuration.
    init()
}

/// Storage for the configurations of parts, one value of each type; ``EngineConfiguration`` need not know the types.
struct PartConfigurations: Sendable {
    private var parts: [ObjectIdentifier: any PartConfiguration] = [:]

    /// The configuration of this type; the default if none was set.
    subscript<Part: PartConfiguration>(_ part: Part.Type) -> Part {
        get { parts[ObjectIdentifier(part)] as? Part ?? Part() }
        set { parts[ObjectIdentifier(part)] = newValue }
    }
}
