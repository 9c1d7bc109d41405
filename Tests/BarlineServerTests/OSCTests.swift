import BarlineServer
import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// Control by OSC, with packets that are written by hand from the specification.
@Suite("OSC", .serialized)
struct OSCTests {
    @Test("OSC works without the page, where nobody listens for HTTP")
    func alone() async throws {
        try await serving(configure: {
            $0.servesPage = false
            $0.oscPort = 0
        }) { served async throws in
            #expect(served.server.link == nil && served.server.port == 0)
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            client.send(TestOSC.message("/barline/tempo", "f", [TestOSC.float(77)]))
            #expect(eventually { served.session.player.engine.state.transport.tempo.beatsPerMinute == 77 })
        }
    }

    @Test("The playlist is played by OSC")
    func playlist() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            for index in 0..<2 {
                let insert = #"{"do": "playlist", "action": "insert", "index": \#(index), "file": "a.wav"}"#
                #expect(try served.act(insert).json?["results"]?[0]?["ok"] == true)
            }
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            let player = served.session.player.playlist.player
            player.modes.repeat = .one
            client.send(TestOSC.message("/barline/playlist", "s", [TestOSC.text("play")]))
            #expect(eventually { player.phase == .playing })
            #expect(player.currentIndex == 0)
            client.send(TestOSC.message("/barline/playlist", "s", [TestOSC.text("next")]))
            #expect(eventually { player.currentIndex == 1 })
            client.send(TestOSC.message("/barline/playlist", "s", [TestOSC.text("pause")]))
            #expect(eventually { player.phase == .paused })
            client.send(TestOSC.message("/barline/playlist", "sf", [TestOSC.text("seek"), TestOSC.float(0.5)]))
            #expect(eventually { player.position == 0.5 })
            func item() -> PlaylistItemDocument { served.session.player.document.items[1] }
            client.send(TestOSC.message("/barline/playlist", "sf", [TestOSC.text("transpose"), TestOSC.float(-2)]))
            #expect(eventually { item().transpose == -2 })
            client.send(TestOSC.message("/barline/playlist", "sf", [TestOSC.text("speed"), TestOSC.float(0.75)]))
            #expect(eventually { item().speed == 0.75 })
        }
    }

    @Test("OSC is turned on, moved and turned off while the session plays; who subscribes last gets events")
    func turned() async throws {
        try await serving { served async throws in
            #expect(served.server.osc == nil)
            #expect(try served.act(#"{"do": "osc", "port": 0}"#).json?["results"]?[0]?["ok"] == true)
            let first = try #require(served.server.osc?.port)
            #expect(
                eventually {
                    let state = try? served.request("GET", "/api/session").json
                    return state?["engine"]?["osc"]?["port"]?.number == Double(first)
                })
            let other = FreePorts.find(1)[0]
            #expect(try served.act(#"{"do": "osc", "port": \#(other)}"#).json?["results"]?[0]?["ok"] == true)
            #expect(served.server.osc?.port == other)
            let client = try TestDatagrams(port: other)
            client.send(TestOSC.message("/barline/subscribe"))
            #expect(client.waits(for: "/barline/subscribed"))
            client.send(TestOSC.message("/barline/tempo", "f", [TestOSC.float(88)]))
            #expect(client.waits(for: "/barline/tempo"))
            #expect(try served.act(#"{"do": "osc", "port": 1.5}"#).json?["results"]?[0]?["ok"] == false)
            #expect(try served.act(#"{"do": "osc", "port": null}"#).json?["results"]?[0]?["ok"] == true)
            #expect(served.server.osc == nil)
        }
    }

    @Test("Every kind of message does what it says")
    func messages() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            let player = served.session.player
            client.send(TestOSC.message("/barline/launch", "s", [TestOSC.text("a")]))
            #expect(eventually { player.engine.state.tracks[0].playing != nil })
            client.send(TestOSC.message("/barline/tempo", "f", [TestOSC.float(90)]))
            #expect(eventually { player.engine.state.transport.tempo.beatsPerMinute == 90 })
            client.send(TestOSC.message("/barline/gain", "sf", [TestOSC.text("u"), TestOSC.float(-3)]))
            client.send(TestOSC.message("/barline/gain", "f", [TestOSC.float(-2)]))
            client.send(TestOSC.message("/barline/track/t/mute", "i", [TestOSC.integer(1)]))
            client.send(TestOSC.message("/barline/solo", "sT", [TestOSC.text("t")]))
            #expect(eventually { player.document.tracks[0].mute && player.document.tracks[0].solo })
            #expect(player.document.masterGain == -2 && player.document.tracks[1].gain == -3)
            client.send(TestOSC.message("/barline/launch/c", "f", [TestOSC.float(1)]))
            #expect(eventually { player.engine.state.tracks[1].playing != nil })
            client.send(TestOSC.message("/barline/action", "s", [TestOSC.text(#"{"do": "addTrack", "name": "Z"}"#)]))
            #expect(eventually { player.document.tracks.count == 3 })
            client.send(TestOSC.message("/barline/undo"))
            #expect(eventually { player.document.tracks.count == 2 })
            client.send(TestOSC.message("/barline/stopAll"))
            #expect(eventually { player.engine.state.tracks.allSatisfy { $0.playing == nil } })
            #expect(served.server.osc?.drops == OSCServer.Drops())
        }
    }

    @Test("Pitch, stretching and warp markers of clips are edited by OSC, by the numbers that were meant")
    func stretching() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            let stretched = #"{"do": "editClip", "clip": "a", "set": {"playback": "stretch"}}"#
            #expect(try served.act(stretched).json?["results"]?[0]?["ok"] == true)
            func clip() -> ClipDocument? { served.session.player.document.tracks[0].clips.first { $0.id == "a" } }
            func send(_ verb: String, _ types: String, _ values: [UInt8]...) {
                client.send(TestOSC.message("/barline/\(verb)", "s" + types, [TestOSC.text("a")] + values))
            }
            send("transposeClip", "f", TestOSC.float(0.7))
            #expect(eventually { clip()?.transpose == 0.7 })
            send("formantsOfClip", "f", TestOSC.float(-1.1))
            #expect(eventually { clip()?.formants == -1.1 })
            send("formantsOfClip", "")
            #expect(eventually { clip()?.formants == nil })
            send("stretchClip", "s", TestOSC.text("tonal"))
            #expect(eventually { clip()?.stretchMode == .tonal })
            send("setWarpMarker", "if", TestOSC.integer(4_800), TestOSC.float(1.1))
            #expect(eventually { clip()?.warp?.contains { $0.frame == 4_800 && $0.beat == 1.1 } == true })
            send("removeWarpMarker", "")
            #expect(eventually { clip()?.warp == nil })
            client.send(TestOSC.message("/barline/undo"))
            #expect(eventually { clip()?.warp != nil })
            #expect(served.server.osc?.drops == OSCServer.Drops())
        }
    }

    @Test("A fader that is all the way down is told as minus infinity, and taken so")
    func silence() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            func gain() -> Double { served.session.player.document.tracks[0].gain }
            client.send(TestOSC.message("/barline/gain", "sf", [TestOSC.text("t"), TestOSC.float(-.infinity)]))
            #expect(eventually { gain() == -.infinity })
            client.send(TestOSC.message("/barline/track/t/gain", "f", [TestOSC.float(-3)]))
            #expect(eventually { gain() == -3 })
            client.send(TestOSC.message("/barline/track/t/gain", "f", [TestOSC.float(-.infinity)]))
            #expect(eventually { gain() == -.infinity })
        }
    }

    @Test("The messages of a bundle take effect at its time, within a block or two")
    func bundles() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            let engine = served.session.player.engine
            let start = engine.state.frame.rawValue
            let launch = TestOSC.message("/barline/launch", "s", [TestOSC.text("a")])
            let inner = TestOSC.bundle(Date().timeIntervalSince1970 + 0.5, [launch])
            client.send(TestOSC.bundle(Date().timeIntervalSince1970, [inner]))
            #expect(eventually { engine.state.tracks[0].playing != nil })
            let frame = engine.state.frame.rawValue - start
            #expect(frame > 20_000, "\(frame)")
            client.send(TestOSC.bundle(Date().timeIntervalSince1970 + 3_600, [launch]))
            #expect(eventually { served.server.osc?.drops.farAhead == 1 })
        }
    }

    @Test("Malformed packets are thrown away and counted, and those that are well go on")
    func malformed() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            var nested = TestOSC.message("/barline/tap")
            for _ in 0..<20 { nested = TestOSC.bundle(0, [nested]) }
            let packets: [[UInt8]] = [
                [0x2f], Array("/barline/tap".utf8), TestOSC.text("/barline/tempo") + TestOSC.text(",f"),
                TestOSC.message("/barline/tempo", "q", [TestOSC.float(1)]), TestOSC.text("no slash"),
                TestOSC.message("/barline/action", "b", [TestOSC.integer(.max)]), nested,
                TestOSC.text("#bundle") + [UInt8](repeating: 0, count: 8) + TestOSC.integer(-4),
                TestOSC.message("/other/tempo", "f", [TestOSC.float(100)]), TestOSC.message("/barline/nothing"),
                [0x2f, 0xff, 0xfe, 0] + TestOSC.text(","), TestOSC.message("/barline/tap") + [0, 0, 0, 0],
            ]
            for packet in packets { client.send(packet) }
            #expect(eventually { served.server.osc?.drops.malformed == packets.count })
            var random = TestRandom(seed: 11)
            let whole = TestOSC.bundle(
                0, [TestOSC.message("/barline/gain", "sf", [TestOSC.text("t"), TestOSC.float(-1)])])
            for _ in 0..<500 {
                var packet = whole
                for _ in 0..<3 {
                    packet[Int.random(in: 0..<packet.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                client.send(Array(packet.prefix(.random(in: 0...packet.count, using: &random))))
            }
            // A burst of datagrams may be too much for the socket's buffer: the last one is sent until it is there.
            #expect(
                eventually {
                    client.send(TestOSC.message("/barline/tempo", "d", [[0x40, 0x59, 0, 0, 0, 0, 0, 0]]))
                    return served.session.player.engine.state.transport.tempo.beatsPerMinute == 100
                })
        }
    }

    @Test("Who subscribes, or subscribes anew, is sent the whole mixer as it is")
    func mixer() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            #expect(
                try served.act(
                    #"{"actions": [{"do": "gain", "track": "t", "db": -5}, {"do": "gain", "db": -3}]}"#
                ).status == 200)
            for _ in 1...2 {
                client.send(TestOSC.message("/barline/subscribe"))
                #expect(client.waits(for: "/barline/subscribed"))
                #expect(client.waits(for: "/barline/gain", with: TestOSC.float(-3)))
                #expect(client.waits(for: "/barline/track/t/gain", with: TestOSC.float(-5)))
                #expect(client.waits(for: "/barline/track/t/pan", with: TestOSC.float(0)))
                #expect(client.waits(for: "/barline/track/t/mute"))
                #expect(client.waits(for: "/barline/track/t/solo"))
            }
        }
    }

    @Test("Subscribers get what happens, until they leave")
    func feedback() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            client.send(TestOSC.message("/barline/subscribe"))
            #expect(client.waits(for: "/barline/subscribed"))
            #expect(
                try served.act(
                    #"{"actions": [{"do": "launch", "clip": "a"}, {"do": "pan", "track": "t", "value": 0.5}]}"#
                ).status == 200)
            #expect(client.waits(for: "/barline/clip", with: TestOSC.text("a") + TestOSC.text("playing")))
            #expect(client.waits(for: "/barline/beat"))
            #expect(client.waits(for: "/barline/track/t/pan", with: TestOSC.float(0.5)))
            client.send(TestOSC.message("/barline/launch", "s", [TestOSC.text("none")]))
            #expect(client.waits(for: "/barline/error"))
            let meaningless = [
                TestOSC.message("/barline/action", "s", [TestOSC.text("{no JSON")]),
                TestOSC.message("/barline/no/such"),
                TestOSC.message("/barline/tempo", "b", [TestOSC.integer(4), [1, 2, 3, 4]]),
                TestOSC.message("/barline/tempo", "x", [TestOSC.float(120)]),
            ]
            for message in meaningless {
                client.drain()
                client.send(message)
                #expect(client.waits(for: "/barline/error"))
            }
            client.drain()
            for released in ["hit/none", "scene/0", "stop/t"] {
                client.send(TestOSC.message("/barline/\(released)", "f", [TestOSC.float(0)]))
            }
            #expect(!client.waits(for: "/barline/error", within: 0.3))
            client.send(TestOSC.message("/barline/scene/none", "f", [TestOSC.float(1)]))
            #expect(client.waits(for: "/barline/error"))
            client.send(TestOSC.message("/barline/unsubscribe"))
            client.drain()
            client.send(TestOSC.message("/barline/launch", "s", [TestOSC.text("none")]))
            #expect(!client.waits(for: "/barline/error", within: 0.5))
            #expect(try served.act(#"{"do": "tempo", "bpm": 150}"#).status == 200)
            #expect(!client.waits(for: "/barline/tempo", within: 0.5))
        }
    }
}
