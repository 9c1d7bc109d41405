import BarlineDesktop
import BarlineEngine
import BarlineHost
import BarlineSession
import Foundation
import Synchronization

/// A playlist as the desktop sees it: media keys, panels and `playerctl` control it.
final class DesktopPlayer: MediaPlayer, HostObserver {
    private let host: SessionHost
    private let cover = DesktopCover()
    private let tracks = Mutex(MediaTrackList())
    private let presence = Mutex<DesktopPresence?>(nil)

    private var player: SessionPlayer { host.player }

    init(_ host: SessionHost) { self.host = host }

    /// What changes without an event (a list, a mode, the volume) is looked for ten times a second.
    var interest: HostInterest { HostInterest(positionInterval: 0.1) }

    func receive(_ report: HostReport) {
        let presence = presence.withLock { presence in
            // The bus is joined on this thread: nothing waits for a desktop that does not answer.
            if presence == nil, !hasLooked.exchange(true, ordering: .relaxed) { presence = DesktopPresence(self) }
            return presence
        }
        presence?.update()
        if report.audibleEvents.contains(where: { if case .playlist(.itemSeeked) = $0.kind { true } else { false } }) {
            presence?.announceJump()
        }
    }

    func end() { presence.withLock { $0 = nil } }

    private let hasLooked = Atomic<Bool>(false)

    var mediaState: MediaPlayerState {
        let list = player.playlist.player
        var state = MediaPlayerState()
        switch list.phase {
        case .playing, .waiting: state.status = .playing
        case .paused: state.status = .paused
        case .stopped: state.status = .stopped
        }
        let revision = list.revision
        let index = list.currentIndex
        state.tracks = tracks.withLock {
            $0.tracks(ofRevision: revision) { list.items.map { track($0, isCurrent: false) } }
        }
        state.track = list.currentItem.map { track($0, isCurrent: true) }
        state.position = list.position
        state.volume = pow(10, player.document.playlistSettings.gain / 20)
        let modes = list.modes
        switch modes.repeat {
        case .off: state.loop = .none
        case .one: state.loop = .track
        case .all: state.loop = .playlist
        }
        state.isShuffled = modes.isShuffled
        state.canGoNext = list.count > 1
        state.canGoPrevious = (index ?? 0) > 0
        state.canSeek = index != nil
        return state
    }

    private func track(_ item: PlaylistItem, isCurrent: Bool) -> MediaTrack {
        let document = player.playlist.document(of: item.id)
        var track = MediaTrack(id: document?.id ?? "\(item.id.rawValue)")
        track.title = player.playlist.name(of: item.id)
        // For every file of a long list the disk would have to be asked.
        if isCurrent {
            let tags = player.playlist.tags(of: item.id)
            track.title = document?.title ?? tags.title ?? track.title
            track.artist = tags.artist
            track.album = tags.album
            track.trackNumber = tags.trackNumber
            track.duration = item.duration
            if let file = document?.file, !file.contains("://") {
                track.artURI = cover.uri(of: player.playlist.path(of: file))
            }
        }
        if let file = document?.file {
            track.uri = file.contains("://") ? file : URL(fileURLWithPath: file).absoluteString
        }
        return track
    }

    func perform(_ command: MediaPlayerCommand) {
        let list = player.playlist.player
        switch command {
        case .play: ask(.play)
        case .pause: ask(.pause)
        case .playPause: ask(list.phase == .playing || list.phase == .waiting ? .pause : .play)
        case .stop: ask(.stop)
        case .next: ask(.next)
        case .previous: ask(.previous)
        case .seek(let seconds): ask(.seek(max(0, list.position + seconds)))
        case .setPosition(let seconds): ask(.seek(max(0, seconds)))
        case .setVolume(let value): ask(.gain(value > 0 ? min(12, 20 * log10(value)) : -.infinity))
        case .setLoop(let loop):
            switch loop {
            case .none: ask(.repeat(.off))
            case .track: ask(.repeat(.one))
            case .playlist: ask(.repeat(.all))
            }
        case .setShuffle(let isOn): ask(.shuffle(isOn, seed: nil))
        case .goTo(let id):
            if let index = player.playlist.documents.firstIndex(where: { $0.id == id }) { ask(.playIndex(index)) }
        case .open(let uri):
            let path = URL(string: uri).flatMap { $0.isFileURL ? $0.path : nil } ?? uri
            let count = list.count
            ask(.insert(index: count, file: path, id: nil, title: nil))
            ask(.playIndex(count))
        case .quit: host.requestEnd()
        }
    }

    // What can't be done now is ignored: there is nobody to report it to.
    private func ask(_ action: PlaylistAction) {
        _ = try? host.session.perform(.playlist(action), source: "desktop", reach: .user)
    }
}
