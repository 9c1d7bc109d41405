#if os(Linux)
    /// Answers what a desktop asks of a player.
    final class MPRISHandler: Sendable {
        private weak let player: (any MediaPlayer)?
        private let identity: String
        private let entry: String

        init(_ player: any MediaPlayer, identity: String, entry: String) {
            self.player = player
            self.identity = identity
            self.entry = entry
        }

        /// The player's state; `nil` when it is gone.
        var state: MediaPlayerState? { player?.mediaState }

        /// The answer to a call; `nil` where there is no such method.
        func answer(_ call: DBusCall) -> DBusAnswer? {
            guard let player else {
                return .failure(name: "org.mpris.MediaPlayer2.Gone", message: "the player is gone")
            }
            switch call.interface {
            case "org.freedesktop.DBus.Peer": return call.member == "Ping" ? .values([]) : nil
            case "org.freedesktop.DBus.Introspectable": return .values([.string(MPRISIntrospection.text)])
            case "org.freedesktop.DBus.Properties": return properties(call, player)
            case MPRISProperties.root: return root(call, player)
            case MPRISProperties.player: return control(call, player)
            case MPRISProperties.trackList: return trackList(call, player)
            default: return nil
            }
        }

        // MARK: Properties

        private func values(of interface: String, _ state: MediaPlayerState) -> [String: DBusValue]? {
            switch interface {
            case MPRISProperties.root: MPRISProperties.ofRoot(identity: identity, entry: entry)
            case MPRISProperties.player:
                MPRISProperties.ofPlayer(state).merging([
                    "Position": .int64(MPRISProperties.microseconds(state.position))
                ]) { $1 }
            case MPRISProperties.trackList: MPRISProperties.ofTrackList(state)
            default: nil
            }
        }

        private func properties(_ call: DBusCall, _ player: any MediaPlayer) -> DBusAnswer? {
            let unknown = DBusAnswer.failure(
                name: "org.freedesktop.DBus.Error.UnknownProperty", message: "there is no such property")
            guard case .string(let interface)? = call.arguments.first,
                let values = values(of: interface, player.mediaState)
            else { return unknown }
            if call.member == "GetAll" { return .values([.dictionary(values)]) }
            guard call.arguments.count >= 2, case .string(let name) = call.arguments[1], let value = values[name] else {
                return unknown
            }
            if call.member == "Get" { return .values([.variant(value)]) }
            guard call.member == "Set", call.arguments.count == 3, case .variant(let wanted) = call.arguments[2] else {
                return nil
            }
            return set(name, wanted, player)
        }

        private func set(_ name: String, _ value: DBusValue, _ player: any MediaPlayer) -> DBusAnswer {
            switch (name, value) {
            case ("Volume", .double(let volume)) where volume.isFinite: player.perform(.setVolume(max(0, volume)))
            case ("Shuffle", .bool(let isOn)): player.perform(.setShuffle(isOn))
            case ("LoopStatus", .string(let text)):
                guard let loop = MediaPlayerState.Loop(rawValue: text) else { return MPRISHandler.invalid }
                player.perform(.setLoop(loop))
            // No other rate is offered, so that nothing is to be done for this one.
            case ("Rate", .double(1)): break
            default: return MPRISHandler.invalid
            }
            return .values([])
        }

        private static let invalid = DBusAnswer.failure(
            name: "org.freedesktop.DBus.Error.InvalidArgs", message: "this can't be set so")

        // MARK: Methods

        private func root(_ call: DBusCall, _ player: any MediaPlayer) -> DBusAnswer? {
            if call.member == "Quit" { player.perform(.quit) }
            return ["Quit", "Raise"].contains(call.member) ? .values([]) : nil
        }

        private func control(_ call: DBusCall, _ player: any MediaPlayer) -> DBusAnswer? {
            switch (call.member, call.arguments.first, call.arguments.dropFirst().first) {
            case ("Play", _, _): player.perform(.play)
            case ("Pause", _, _): player.perform(.pause)
            case ("PlayPause", _, _): player.perform(.playPause)
            case ("Stop", _, _): player.perform(.stop)
            case ("Next", _, _): player.perform(.next)
            case ("Previous", _, _): player.perform(.previous)
            case ("Seek", .int64(let offset)?, nil): player.perform(.seek(by: Double(offset) / 1e6))
            case ("SetPosition", .path(let path)?, .int64(let position)?): move(player, path, position)
            case ("OpenUri", .string(let uri)?, nil): player.perform(.open(uri))
            case ("Seek", _, _), ("SetPosition", _, _), ("OpenUri", _, _): return MPRISHandler.invalid
            default: return nil
            }
            return .values([])
        }

        /// A position is meant for one track: when it arrives late, it is not for the next one.
        private func move(_ player: any MediaPlayer, _ path: String, _ position: Int64) {
            guard let track = player.mediaState.track, MPRISProperties.path(of: track.id) == path, position >= 0 else {
                return
            }
            if let duration = track.duration, position > MPRISProperties.microseconds(duration) { return }
            player.perform(.setPosition(Double(position) / 1e6))
        }

        private func trackList(_ call: DBusCall, _ player: any MediaPlayer) -> DBusAnswer? {
            let tracks = player.mediaState.tracks
            switch (call.member, call.arguments.first) {
            case ("GetTracksMetadata", .paths(let paths)?):
                let wanted = Dictionary(tracks.map { (MPRISProperties.path(of: $0.id), $0) }) { first, _ in first }
                return .values([.dictionaries(paths.compactMap { wanted[$0] }.map { MPRISProperties.metadata($0) })])
            case ("GoTo", .path(let path)?):
                if let track = tracks.first(where: { MPRISProperties.path(of: $0.id) == path }) {
                    player.perform(.goTo(track.id))
                }
                return .values([])
            // The list is said to be not editable; the specification wants these to do nothing then.
            case ("AddTrack", _), ("RemoveTrack", _): return .values([])
            default: return nil
            }
        }
    }
#endif
