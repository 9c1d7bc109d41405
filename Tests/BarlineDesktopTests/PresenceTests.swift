// MPRIS2 is a matter of Linux's desktops.
#if os(Linux)
    import BarlineTestSupport
    import Foundation
    import Testing

    @testable import BarlineDesktop

    /// Driven by the programs that people use, on a bus of the test's own. Which bus is the session's is a matter of
    /// the process: the tests run one after the other.
    @Suite("Presence on the desktop", .serialized, .timeLimit(.minutes(10)))
    struct PresenceTests {
        private let bus: BusDaemon
        private let player: MemoryPlayer

        init() throws {
            bus = try BusDaemon()
            var first = MediaTrack(id: "p1")
            first.title = "Tïtle \"1\""
            first.artist = "Artist"
            first.album = "Album"
            first.trackNumber = 3
            first.duration = 215.25
            first.uri = "file:///a%20b.flac"
            first.artURI = "file:///cover%201.png"
            var second = first
            second.id = "p/2 ä"
            var state = MediaPlayerState()
            state.status = .playing
            state.track = first
            state.tracks = [first, second]
            state.position = 61.5
            state.canSeek = true
            state.canGoNext = true
            player = MemoryPlayer(state)
        }

        private func playerctl(_ arguments: String...) throws -> String {
            let outcome = try bus.run("playerctl", ["-p", "barline"] + arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            return outcome.output.trimmingCharacters(in: .newlines)
        }

        @Test("playerctl shows what plays")
        func shown() throws {
            let presence = try #require(DesktopPresence(player))
            #expect(presence.busName == "org.mpris.MediaPlayer2.barline")
            #expect(try bus.run("playerctl", ["-l"]).output == "barline\n")
            #expect(try playerctl("status") == "Playing")
            // What it shows goes on from what it was told.
            let position = try #require(Double(playerctl("position")))
            #expect(position >= 61.5 && position < 65)
            #expect(try playerctl("volume") == "1.000000")
            #expect(try playerctl("loop") == "None")
            #expect(try playerctl("shuffle") == "Off")
            let format =
                "{{title}}|{{artist}}|{{album}}|{{xesam:trackNumber}}|{{mpris:length}}|{{mpris:trackid}}|{{xesam:url}}"
                + "|{{mpris:artUrl}}"
            let shown = try playerctl("metadata", "--format", format)
            #expect(
                shown == "Tïtle \"1\"|Artist|Album|3|215250000|'/org/barline/track/p1'|file:///a%20b.flac|"
                    + "file:///cover%201.png")
        }

        @Test("playerctl controls it")
        func controlled() throws {
            let presence = try #require(DesktopPresence(player))
            let steps: [([String], MediaPlayerCommand)] = [
                (["play"], .play), (["pause"], .pause), (["play-pause"], .playPause), (["stop"], .stop),
                (["next"], .next), (["previous"], .previous), (["position", "10+"], .seek(by: 10)),
                (["position", "5-"], .seek(by: -5)), (["position", "100.5"], .setPosition(100.5)),
                (["volume", "0.5"], .setVolume(0.5)), (["loop", "Playlist"], .setLoop(.playlist)),
                (["shuffle", "On"], .setShuffle(true)), (["open", "file:///x.ogg"], .open("file:///x.ogg")),
            ]
            player.change { $0.canGoPrevious = true }
            presence.update()
            for (arguments, command) in steps {
                let outcome = try bus.run("playerctl", ["-p", "barline"] + arguments)
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
                var received: [MediaPlayerCommand] = []
                _ = eventually {
                    received += player.commands
                    return !received.isEmpty
                }
                #expect(received == [command], "\(arguments)")
            }
        }

        @Test("A position that comes late, for another track or beyond the end, is passed over")
        func latePosition() throws {
            let presence = try #require(DesktopPresence(player))
            func setPosition(_ path: String, _ microseconds: Int) throws {
                let outcome = try call(
                    presence, "org.mpris.MediaPlayer2.Player.SetPosition", ["objpath:\(path)", "int64:\(microseconds)"])
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
            try setPosition("/org/barline/track/p_2f2_20_c3_a4", 1_000_000)
            try setPosition("/org/barline/track/p1", 215_250_001)
            try setPosition("/org/barline/track/p1", -1)
            try setPosition("/org/barline/track/p1", 215_250_000)
            #expect(player.commands == [.setPosition(215.25)])
        }

        private func call(_ presence: DesktopPresence, _ method: String, _ arguments: [String]) throws
            -> Program.Outcome
        {
            try bus.run(
                "dbus-send",
                ["--print-reply", "--dest=\(presence.busName)", "/org/mpris/MediaPlayer2", method] + arguments)
        }

        @Test("The list of tracks: every one its own identifier, and a way to go there")
        func trackList() throws {
            let presence = try #require(DesktopPresence(player))
            let interface = "org.mpris.MediaPlayer2.TrackList"
            let tracks = try call(
                presence, "org.freedesktop.DBus.Properties.Get", ["string:\(interface)", "string:Tracks"])
            let paths = ["/org/barline/track/p1", "/org/barline/track/p_2f2_20_c3_a4"]
            for path in paths { #expect(tracks.output.contains("\"\(path)\"")) }
            let metadata = try call(
                presence, interface + ".GetTracksMetadata", ["array:objpath:\(paths[1]),/org/barline/track/none"])
            #expect(metadata.output.components(separatedBy: "mpris:trackid").count == 2, "\(metadata.output)")
            _ = try call(presence, interface + ".GoTo", ["objpath:\(paths[1])"])
            #expect(player.commands == [.goTo("p/2 ä")])
        }

        @Test("Changes are signalled, once, and the position only when it jumps")
        func changes() throws {
            let presence = try #require(DesktopPresence(player))
            let monitor = try bus.start("dbus-monitor", ["--session", "path=/org/mpris/MediaPlayer2"])
            defer { monitor.end() }
            // What the monitor shows of a first change tells that it listens.
            #expect(
                eventually {
                    player.change { $0.volume = $0.volume == 1 ? 0.5 : 1 }
                    presence.update()
                    Thread.sleep(forTimeInterval: 0.05)
                    return monitor.output.contains("Volume")
                })
            player.change { $0.position = 62 }
            presence.update()
            player.change { $0.status = .paused }
            presence.update()
            presence.update()
            player.change { $0.position = 10 }
            presence.announceJump()
            player.change { $0.tracks.removeFirst() }
            presence.update()
            #expect(eventually { monitor.output.contains("TrackListReplaced") })
            let output = monitor.output
            #expect(output.components(separatedBy: "PlaybackStatus").count == 2)
            #expect(!output.contains("\"Position\""))
            #expect(output.components(separatedBy: "Seeked").count == 2 && output.contains("int64 10000000"))
        }

        @Test("What is asked wrongly is refused, and the next call is answered")
        func wrongCalls() throws {
            let presence = try #require(DesktopPresence(player))
            let properties = "org.freedesktop.DBus.Properties."
            let wrong = [
                ("org.mpris.MediaPlayer2.Player.Fly", []), ("org.mpris.MediaPlayer2.Player.Seek", ["string:x"]),
                (properties + "Get", ["string:org.mpris.MediaPlayer2.Player", "string:Nothing"]),
                (properties + "GetAll", ["string:org.example"]),
                (
                    properties + "Set",
                    ["string:org.mpris.MediaPlayer2.Player", "string:LoopStatus", "variant:string:x"]
                ),
                (
                    properties + "Set",
                    ["string:org.mpris.MediaPlayer2.Player", "string:CanSeek", "variant:boolean:true"]
                ),
            ]
            for (method, arguments) in wrong { #expect(try call(presence, method, arguments).status == 1, "\(method)") }
            #expect(player.commands.isEmpty)
            #expect(try playerctl("status") == "Playing")
        }

        @Test("What it offers can be asked for, and is well-formed")
        func introspection() throws {
            let presence = try #require(DesktopPresence(player))
            let shown = try bus.run(
                "gdbus",
                ["introspect", "--session", "--dest", presence.busName, "--object-path", "/org/mpris/MediaPlayer2"])
            #expect(shown.status == 0, "\(shown.errors)")
            for text in ["SetPosition(in  o", "readwrite d Volume = 1.0", "readonly x Position = 61500000", "Seeked(x"]
            {
                #expect(shown.output.contains(text), "\(text): \(shown.output)")
            }
        }

        @Test("A second player gets a name of its own; one that is gone leaves the bus")
        func twoPlayers() throws {
            var presence = DesktopPresence(player)
            #expect(presence != nil)
            let second = try #require(DesktopPresence(player))
            #expect(second.busName == "org.mpris.MediaPlayer2.barline.instance\(getpid())")
            presence = nil
            #expect(try bus.run("playerctl", ["-l"]).output == "barline.instance\(getpid())\n")
        }

        @Test("Without a bus there is no presence, and one that dies is no harm")
        func noBus() throws {
            let presence = try #require(DesktopPresence(player))
            bus.end()
            player.change { $0.status = .stopped }
            presence.update()
            presence.announceJump()
            #expect(DesktopPresence(player) == nil)
            setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1)
            #expect(DesktopPresence(player) == nil)
        }
    }
#endif
