#if os(Linux)
    import Foundation
    import Synchronization

    /// A player on the session bus, as MPRIS2 has it (https://specifications.freedesktop.org/mpris-spec/latest).
    final class MPRISService: Sendable {
        private static let path = "/org/mpris/MediaPlayer2"
        private static let properties = "org.freedesktop.DBus.Properties"

        private let bus: SessionBus
        private let handler: MPRISHandler
        private let last: Mutex<MediaPlayerState>

        init?(_ player: any MediaPlayer, name: String, identity: String) {
            let whole = MPRISProperties.root + "." + name
            let handler = MPRISHandler(player, identity: identity, entry: name)
            last = Mutex(player.mediaState)
            self.handler = handler
            guard
                let bus = SessionBus(
                    names: [whole, whole + ".instance\(getpid())"],
                    answer: { call in call.path == MPRISService.path ? handler.answer(call) : nil })
            else { return nil }
            self.bus = bus
        }

        var busName: String { bus.name }

        func end() { bus.end() }

        func update() {
            guard let state = handler.state else { return }
            last.withLock { last in
                let before = MPRISProperties.ofPlayer(last)
                let changed = MPRISProperties.ofPlayer(state).filter { before[$0.key] != $0.value }
                if !changed.isEmpty { emitChange(MPRISProperties.player, changed, []) }
                if last.tracks.map(\.id) != state.tracks.map(\.id) {
                    let paths = state.tracks.map { MPRISProperties.path(of: $0.id) }
                    let current = MPRISProperties.path(of: state.track?.id)
                    send(MPRISProperties.trackList, "TrackListReplaced", [.paths(paths), .path(current)])
                    emitChange(MPRISProperties.trackList, [:], ["Tracks"])
                }
                last = state
            }
        }

        func announceJump() {
            guard let position = handler.state?.position else { return }
            send(MPRISProperties.player, "Seeked", [.int64(MPRISProperties.microseconds(position))])
        }

        private func emitChange(_ interface: String, _ changed: [String: DBusValue], _ invalidated: [String]) {
            send(
                MPRISService.properties, "PropertiesChanged",
                [.string(interface), .dictionary(changed), .strings(invalidated)])
        }

        private func send(_ interface: String, _ member: String, _ values: [DBusValue]) {
            bus.send(DBusSignal(path: MPRISService.path, interface: interface, member: member, values: values))
        }
    }
#endif
