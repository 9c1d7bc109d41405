extension Engine {
    /// The playlist.
    public var playlist: Playlist { Playlist(engine: self) }

    /// The part of an engine that plays a list of files, as ``Engine/playlist`` gives it. What plays them is a
    /// ``PlaylistPlayer``.
    public struct Playlist: Sendable {
        let engine: Engine
    }
}

extension Engine.Playlist {
    /// An event of the playlist.
    public typealias Event = PlaylistEvent

    /// What the playlist does, at the end of the last block.
    public var state: EngineState.Playlist {
        let places = engine.link.places
        let (playlist, timeline) = engine.link.board.read(
            places[Playlist.Snapshot.self], places[Timeline.Snapshot.self])
        return EngineState.Playlist(playlist, timeline)
    }

    /// Its strip of the mixer.
    public var strip: Engine.Strip { engine.mixer[.playlist] }

    /// Whether the engine was made with room for a playlist: with ``EngineConfiguration/playlistSeconds`` above 0.
    public var hasRoom: Bool { engine.configuration.playlistSeconds > 0 }
}
