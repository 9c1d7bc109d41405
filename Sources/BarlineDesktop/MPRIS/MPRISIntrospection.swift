#if os(Linux)
    /// The description of the player's object that DBus clients read before they call it.
    enum MPRISIntrospection {
        static let text = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
            """ + interfaces.map { interface($0.name, $0.members) }.joined() + "</node>"

        /// Methods with the types of their arguments (`>` before those that are returned), signals after a `!`,
        /// properties after a `.`, with a `*` where they can be set.
        private static let interfaces: [(name: String, members: [String])] = [
            (
                "org.freedesktop.DBus.Properties",
                ["Get s s >v", "GetAll s >a{sv}", "Set s s v", "!PropertiesChanged s a{sv} as"]
            ),
            ("org.freedesktop.DBus.Introspectable", ["Introspect >s"]),
            (
                MPRISProperties.root,
                ["Raise", "Quit"] + properties(MPRISProperties.ofRoot(identity: "", entry: ""))
            ),
            (
                MPRISProperties.player,
                [
                    "Next", "Previous", "Pause", "PlayPause", "Stop", "Play", "Seek x", "SetPosition o x", "OpenUri s",
                    "!Seeked x", ".Position x",
                ] + properties(MPRISProperties.ofPlayer(MediaPlayerState()))
            ),
            (
                MPRISProperties.trackList,
                [
                    "GetTracksMetadata ao >aa{sv}", "AddTrack s o b", "RemoveTrack o", "GoTo o",
                    "!TrackListReplaced ao o",
                ]
                    + properties(MPRISProperties.ofTrackList(MediaPlayerState()))
            ),
        ]

        private static let settable: Set = ["LoopStatus", "Rate", "Shuffle", "Volume"]

        private static func properties(_ values: [String: DBusValue]) -> [String] {
            values.sorted { $0.key < $1.key }.map { name, value in
                ".\(name) \(value.signature)" + (settable.contains(name) ? "*" : "")
            }
        }

        private static func interface(_ name: String, _ members: [String]) -> String {
            "<interface name=\"\(name)\">" + members.map { member($0) }.joined() + "</interface>"
        }

        private static func member(_ text: String) -> String {
            let words = text.split(separator: " ").map(String.init)
            let name = words[0].trimmingPrefix { ".!".contains($0) }
            if words[0].hasPrefix(".") {
                let access = words[1].hasSuffix("*") ? "readwrite" : "read"
                let type = words[1].filter { $0 != "*" }
                return "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\"/>"
            }
            let kind = words[0].hasPrefix("!") ? "signal" : "method"
            let arguments = words.dropFirst().map { word in
                let direction = word.hasPrefix(">") ? " direction=\"out\"" : kind == "method" ? " direction=\"in\"" : ""
                return "<arg type=\"\(word.filter { $0 != ">" })\"\(direction)/>"
            }
            return "<\(kind) name=\"\(name)\">\(arguments.joined())</\(kind)>"
        }
    }
#endif
