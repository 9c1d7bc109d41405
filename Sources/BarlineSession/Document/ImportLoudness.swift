/// The imported clips that are matched to the loudness of the set.
public enum ImportLoudness: String, CaseIterable, Sendable {
    /// None: every clip is imported at 0 dB.
    case off
    /// Clips louder than the set.
    case louder
    /// All clips; quieter ones are raised as far as their true peak allows.
    case all
}
