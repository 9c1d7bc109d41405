import BarlineSession
import Foundation

/// Writes down how a playlist stands: after every change, when it pauses, and every ten seconds.
///
/// A list of which nothing could be played is not put in the place of the one that is remembered.
package final class PlaylistKeeper: HostObserver, @unchecked Sendable {
    private let playlist: SessionPlaylist
    private let store: PlaylistStore
    // What follows is touched on the observer's thread only.
    private var written: PlaylistSnapshot?
    private var isWorthKeeping: Bool
    private var wasPlaying = false
    private var revision = -1
    private var due = Date.distantPast

    private static let interval = 10.0

    /// - Parameters:
    ///   - playlist: what is written down.
    ///   - store: where.
    ///   - written: what stands there already.
    package init(_ playlist: SessionPlaylist, _ store: PlaylistStore, since written: PlaylistSnapshot?) {
        self.playlist = playlist
        self.store = store
        self.written = written
        isWorthKeeping = written != nil
    }

    /// Where the list stands is looked at twice a second.
    package var interest: HostInterest { HostInterest(positionInterval: 0.5) }

    /// Writes down what has changed.
    package func receive(_ report: HostReport) {
        isWorthKeeping =
            isWorthKeeping
            || report.heard.contains { if case .playlist(.itemStarted) = $0.kind { true } else { false } }
        let isPlaying = playlist.player.phase == .playing
        let hasChanged = playlist.player.revision != revision || wasPlaying != isPlaying
        wasPlaying = isPlaying
        if hasChanged || Date() >= due { save() }
    }

    /// Writes down how it stands at the end.
    package func outputWillClose() { save() }

    /// A state folder that can't be written to costs the memory, not the music.
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
