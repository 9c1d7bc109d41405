import BarlineSession
import Foundation

/// Saves the state of a playlist: after every change, on a pause, and every ten seconds.
///
/// A list of which nothing could be played is not put in the place of the one that is remembered.
package final class PlaylistKeeper: HostObserver, @unchecked Sendable {
    private let playlist: SessionPlaylist
    private let store: PlaylistStore
    // What follows is confined to the observer's thread.
    private var written: PlaylistSnapshot?
    private var isWorthKeeping: Bool
    private var wasPlaying = false
    private var revision = -1
    private var due = Date.distantPast

    private static let interval = 10.0

    /// - Parameters:
    ///   - playlist: what is saved.
    ///   - store: where.
    ///   - written: what was saved there before.
    package init(_ playlist: SessionPlaylist, _ store: PlaylistStore, since written: PlaylistSnapshot?) {
        self.playlist = playlist
        self.store = store
        self.written = written
        isWorthKeeping = written != nil
    }

    /// The playlist is checked twice a second.
    package var interest: HostInterest { HostInterest(positionInterval: 0.5) }

    /// Saves what has changed.
    package func receive(_ report: HostReport) {
        isWorthKeeping =
            isWorthKeeping
            || report.audibleEvents.contains { if case .playlist(.itemStarted) = $0.kind { true } else { false } }
        let isPlaying = playlist.player.phase == .playing
        let hasChanged = playlist.player.revision != revision || wasPlaying != isPlaying
        wasPlaying = isPlaying
        if hasChanged || Date() >= due { save() }
    }

    /// Saves the final state.
    package func outputWillClose() { save() }

    /// If the state folder can't be written to, the position is not remembered, and playing continues.
    private func save() {
        guard isWorthKeeping else { return }
        revision = playlist.player.revision
        due = Date().addingTimeInterval(PlaylistKeeper.interval)
        let snapshot = playlist.snapshot
        if snapshot == written { return }
        written = snapshot
        try? store.save(snapshot)
    }
}
