import BarlineSession
import Foundation

/// Saves the state of a playlist: after every change, on a pause, and every ten seconds.
///
/// A list of which nothing could be played is not put in the place of the one that is remembered. Where its own items
/// are not there, as with a disk that is away, its place is kept for when they are.
package final class PlaylistKeeper: HostObserver, @unchecked Sendable {
    private let player: SessionPlayer
    private let store: PlaylistStore
    // What follows is confined to the observer's thread.
    private var written: PlaylistSnapshot?
    private var isWorthKeeping: Bool
    /// Whether the place is that of ``written`` still: nothing was played, and nobody has gone elsewhere, but for items
    /// that are not there.
    private var isAtWritten: Bool
    /// Whether an item was there since: until then nobody knows whether one that is left could have been played.
    private var hasCued = false
    private let firstRevision: Int
    private var wasPlaying = false
    private var revision = -1
    private var due = Date.distantPast

    private static let interval = 10.0

    /// - Parameters:
    ///   - player: whose list is saved.
    ///   - store: where.
    ///   - written: what was saved there before.
    package init(_ player: SessionPlayer, _ store: PlaylistStore, since written: PlaylistSnapshot?) {
        self.player = player
        self.store = store
        self.written = written
        isWorthKeeping = written != nil
        isAtWritten = written != nil
        firstRevision = player.playlist.player.revision
    }

    /// The playlist is checked twice a second.
    package var interest: HostInterest { HostInterest(positionInterval: 0.5) }

    /// Saves what has changed.
    package func receive(_ report: HostReport) {
        for event in report.audibleEvents {
            if case .playlist(.itemStarted) = event.kind { (isWorthKeeping, isAtWritten) = (true, false) }
        }
        let playlist = player.playlist.player
        if playlist.isCued { hasCued = true }
        let isPlaying = playlist.phase == .playing
        let hasChanged = playlist.revision != revision || wasPlaying != isPlaying
        wasPlaying = isPlaying
        if hasChanged || Date() >= due { save() }
    }

    /// Saves the final state.
    package func outputWillClose() { save() }

    /// If the state folder can't be written to, the position is not remembered, and playing continues.
    private func save() {
        guard isWorthKeeping else { return }
        let playlist = player.playlist.player
        if playlist.isCued { hasCued = true }
        revision = playlist.revision
        due = Date().addingTimeInterval(PlaylistKeeper.interval)
        var snapshot = player.playlistSnapshot
        if revision != firstRevision, hasCued, playlist.failures.isEmpty { isAtWritten = false }
        if isAtWritten, let written, written.items == snapshot.items {
            (snapshot.index, snapshot.position) = (written.index, written.position)
        }
        if snapshot == written { return }
        written = snapshot
        try? store.save(snapshot)
    }
}
