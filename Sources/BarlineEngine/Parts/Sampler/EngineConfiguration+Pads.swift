/// The configuration of the sampler.
private struct SamplerConfiguration: PartConfiguration {
    var padCapacity = 64
}

extension EngineConfiguration {
    /// The number of pads that can be loaded at once, 0 or more; 64 by default.
    public var padCapacity: Int {
        get { parts[SamplerConfiguration.self].padCapacity }
        set { parts[SamplerConfiguration.self].padCapacity = max(0, newValue) }
    }
}
