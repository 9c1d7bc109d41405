import BarlineSession
import Foundation

/// Writes down how a playlist stands: after every change, when it pauses, and every ten seconds.
final class PlaylistKeeper {
    private let playlist: SessionPlaylist
    private let store: PlaylistStore
    private var written: PlaylistSnapshot?
    private var wasPlaying = false
    private var revision = -1
    private var due = Date.distantPast

    /// - Parameters:
    ///   - playlist: what is written down.
    ///   - store: where.
    ///   - written: what stands there already.
    init(_ playlist: SessionPlaylist, _ store: PlaylistStore, since written: PlaylistSnapshot?) {
        self.playlist = playlist
        self.store = store
        self.written = written
    }

    /// To be called often.
    func step() {
        let isPlaying = playlist.player.phase == .playing
        let hasChanged = playlist.player.revision != revision || wasPlaying != isPlaying
        wasPlaying = isPlaying
        if hasChanged || Date() >= due { save() }
    }

    /// Writes it down now. A state folder that can't be written to costs the memory, not the music.
    func save() {
        revision = playlist.player.revision
        due = Date().addingTimeInterval(10)
        let snapshot = playlist.snapshot
        if snapshot == written { return }
        written = snapshot
        try? store.save(snapshot)
    }
}
