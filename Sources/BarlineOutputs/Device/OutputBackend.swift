/// An audio backend.
public enum OutputBackend: String, Sendable, CaseIterable {
    /// A JACK server.
    case jack
    /// PortAudio.
    case portaudio
    /// A Snapcast server, which plays in other rooms.
    case snapcast
    /// The clock, without sound.
    case null
}
