#if os(Linux)
    /// The properties of MPRIS2's interfaces, with the values that they have for a player's state.
    enum MPRISProperties {
        static let root = "org.mpris.MediaPlayer2"
        static let player = "org.mpris.MediaPlayer2.Player"
        static let trackList = "org.mpris.MediaPlayer2.TrackList"

        private static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
        private static let trackPrefix = "/org/barline/track/"

        static func ofRoot(identity: String, entry: String) -> [String: DBusValue] {
            [
                "CanQuit": .bool(true), "CanRaise": .bool(false), "CanSetFullscreen": .bool(false),
                "Fullscreen": .bool(false), "HasTrackList": .bool(true), "Identity": .string(identity),
                "DesktopEntry": .string(entry), "SupportedUriSchemes": .strings(["file", "http", "https"]),
                "SupportedMimeTypes": .strings([
                    "audio/flac", "audio/ogg", "audio/opus", "audio/mpeg", "audio/mp4", "audio/wav", "audio/x-aiff",
                    "audio/x-wavpack", "audio/x-matroska", "audio/x-mpegurl", "application/xspf+xml",
                ]),
            ]
        }

        /// The player's properties without its position, whose changes are not signalled.
        static func ofPlayer(_ state: MediaPlayerState) -> [String: DBusValue] {
            let hasTrack = state.track != nil
            return [
                "PlaybackStatus": .string(state.status.rawValue), "LoopStatus": .string(state.loop.rawValue),
                "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1),
                "Shuffle": .bool(state.isShuffled), "Metadata": .dictionary(metadata(state.track)),
                "Volume": .double(state.volume), "CanGoNext": .bool(state.canGoNext),
                "CanGoPrevious": .bool(state.canGoPrevious), "CanPlay": .bool(hasTrack || !state.tracks.isEmpty),
                "CanPause": .bool(hasTrack), "CanSeek": .bool(state.canSeek), "CanControl": .bool(true),
            ]
        }

        static func ofTrackList(_ state: MediaPlayerState) -> [String: DBusValue] {
            ["Tracks": .paths(state.tracks.map { path(of: $0.id) }), "CanEditTracks": .bool(false)]
        }

        static func metadata(_ track: MediaTrack?) -> [String: DBusValue] {
            guard let track else { return ["mpris:trackid": .path(noTrack)] }
            var values: [String: DBusValue] = ["mpris:trackid": .path(path(of: track.id))]
            values["mpris:length"] = track.duration.map { .int64(microseconds($0)) }
            values["mpris:artUrl"] = track.artURI.map { .string($0) }
            values["xesam:title"] = track.title.map { .string($0) }
            values["xesam:artist"] = track.artist.map { .strings([$0]) }
            values["xesam:album"] = track.album.map { .string($0) }
            values["xesam:trackNumber"] = track.trackNumber.map { .int32(Int32(clamping: $0)) }
            values["xesam:url"] = track.uri.map { .string($0) }
            return values
        }

        /// A track's identifier as an object path, in which only ASCII letters, digits and low lines are allowed.
        static func path(of id: String?) -> String {
            guard let id else { return noTrack }
            let name = id.utf8.map { byte in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                if isPlain { return String(UnicodeScalar(byte)) }
                let digits = String(byte, radix: 16)
                return "_" + (digits.count == 1 ? "0" : "") + digits
            }
            return trackPrefix + (name.isEmpty ? "_" : name.joined())
        }

        static func microseconds(_ seconds: Double) -> Int64 { Int64((min(max(seconds, 0), 1e9) * 1e6).rounded()) }
    }
#endif
