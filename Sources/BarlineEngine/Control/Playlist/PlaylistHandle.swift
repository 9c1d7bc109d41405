extension Engine {
    /// The playlist.
    public var playlist: Playlist { Playlist(engine: self) }

    /// The playlist of an engine, as ``Engine/playlist`` returns it: its state and its strip. A ``PlaylistPlayer``
    /// plays files on it.
    public struct Playlist: Sendable {
        let engine: Engine
    }
}

extension Engine.Playlist {
    /// The playlist's state at the end of the last block.
    public var state: EngineState.Playlist {
        let places = engine.link.places
        let (playlist, timeline) = engine.link.board.read(
            places[Playlist.Snapshot.self], places[Timeline.Snapshot.self])
        return EngineState.Playlist(playlist, timeline)
    }

    /// Its mixer strip.
    public var strip: Engine.Strip { engine.mixer[.playlist] }

    /// Whether the engine was created with room for a playlist: with ``EngineConfiguration/playlistSeconds`` above 0.
    var hasRoom: Bool { engine.configuration.playlistSeconds > 0 }
}
