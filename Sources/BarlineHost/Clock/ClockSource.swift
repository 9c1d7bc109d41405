/// What beats follow.
package enum ClockSource: String, Hashable, Sendable, CaseIterable {
    /// The session's own tempo.
    case `internal`
    /// The MIDI clock of another machine.
    case midi
}
