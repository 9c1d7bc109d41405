/// Which clips are matched in loudness to the set when they are imported.
public enum ImportLoudness: String, CaseIterable, Sendable {
    /// None: every clip comes at 0 dB.
    case off
    /// Those that are louder than the set.
    case louder
    /// All: quieter ones are raised as far as their true peak allows.
    case all
}
