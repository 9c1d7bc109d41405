import BarlineEngine
import BarlineFiles

/// A clip of the document and what the engine made of it.
public struct ClipBinding: Sendable {
    /// The document's clip.
    public let document: ClipDocument
    /// The track it plays on.
    public let track: TrackIndex
    /// The engine's clip; `nil` where it could not be loaded.
    public let handle: ClipHandle?
    /// The decoded file; `nil` where it could not be loaded.
    public let audio: AudioClip?
    /// The tempo at which it plays at its own pitch; `nil` where it is unknown.
    public let tempo: Double?
    /// Why it could not be loaded.
    public let problem: SessionError?
}
