import BarlineServer
import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// Control by OSC, with packets that are written by hand from the specification.
@Suite("OSC", .serialized)
struct OSCTests {
    /// A packet as OSC 1.0 has it: texts end with one to four zeros, numbers are big-endian.
    private static func message(_ address: String, _ types: String = "", _ values: [[UInt8]] = []) -> [UInt8] {
        text(address) + text("," + types) + values.flatMap { $0 }
    }

    private static func text(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8) + [0]
        while bytes.count % 4 != 0 { bytes.append(0) }
        return bytes
    }

    private static func float(_ value: Float) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (24 - 8 * UInt32($0))) }
    }

    private static func integer(_ value: Int32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * Int32($0))) }
    }

    private static func bundle(_ seconds: Double, _ elements: [[UInt8]]) -> [UInt8] {
        let time = UInt64((seconds + 2_208_988_800) * 0x1p32)
        let tag = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }
        return text("#bundle") + tag + elements.flatMap { integer(Int32($0.count)) + $0 }
    }

    @Test("OSC works without the page, where nobody listens for HTTP")
    func alone() async throws {
        try await serving(configure: {
            $0.servesPage = false
            $0.oscPort = 0
        }) { served async throws in
            #expect(served.server.link == nil && served.server.port == 0)
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            client.send(OSCTests.message("/barline/tempo", "f", [OSCTests.float(77)]))
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
            client.send(OSCTests.message("/barline/playlist", "s", [OSCTests.text("play")]))
            #expect(eventually { player.phase == .playing })
            #expect(player.currentIndex == 0)
            client.send(OSCTests.message("/barline/playlist", "s", [OSCTests.text("next")]))
            #expect(eventually { player.currentIndex == 1 })
            client.send(OSCTests.message("/barline/playlist", "s", [OSCTests.text("pause")]))
            #expect(eventually { player.phase == .paused })
            client.send(OSCTests.message("/barline/playlist", "sf", [OSCTests.text("seek"), OSCTests.float(0.5)]))
            #expect(eventually { player.position == 0.5 })
        }
    }

    @Test("OSC is turned on, moved and turned off while the session plays; who subscribes last is told")
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
            client.send(OSCTests.message("/barline/subscribe"))
            #expect(client.waits(for: "/barline/subscribed"))
            client.send(OSCTests.message("/barline/tempo", "f", [OSCTests.float(88)]))
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
            client.send(OSCTests.message("/barline/launch", "s", [OSCTests.text("a")]))
            #expect(eventually { player.engine.state.tracks[0].playing != nil })
            client.send(OSCTests.message("/barline/tempo", "f", [OSCTests.float(90)]))
            #expect(eventually { player.engine.state.transport.tempo.beatsPerMinute == 90 })
            client.send(OSCTests.message("/barline/gain", "sf", [OSCTests.text("u"), OSCTests.float(-3)]))
            client.send(OSCTests.message("/barline/gain", "f", [OSCTests.float(-2)]))
            client.send(OSCTests.message("/barline/track/t/mute", "i", [OSCTests.integer(1)]))
            client.send(OSCTests.message("/barline/solo", "sT", [OSCTests.text("t")]))
            #expect(eventually { player.document.tracks[0].mute && player.document.tracks[0].solo })
            #expect(player.document.masterGain == -2 && player.document.tracks[1].gain == -3)
            client.send(OSCTests.message("/barline/launch/c", "f", [OSCTests.float(1)]))
            #expect(eventually { player.engine.state.tracks[1].playing != nil })
            client.send(OSCTests.message("/barline/action", "s", [OSCTests.text(#"{"do": "addTrack", "name": "Z"}"#)]))
            #expect(eventually { player.document.tracks.count == 3 })
            client.send(OSCTests.message("/barline/undo"))
            #expect(eventually { player.document.tracks.count == 2 })
            client.send(OSCTests.message("/barline/stopAll"))
            #expect(eventually { player.engine.state.tracks.allSatisfy { $0.playing == nil } })
            #expect(served.server.osc?.drops == OSCServer.Drops())
        }
    }

    @Test("The messages of a bundle take effect at its time, within a block or two")
    func bundles() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            let engine = served.session.player.engine
            let start = engine.state.frame.rawValue
            let launch = OSCTests.message("/barline/launch", "s", [OSCTests.text("a")])
            let inner = OSCTests.bundle(Date().timeIntervalSince1970 + 0.5, [launch])
            client.send(OSCTests.bundle(Date().timeIntervalSince1970, [inner]))
            #expect(eventually { engine.state.tracks[0].playing != nil })
            let frame = engine.state.frame.rawValue - start
            #expect(frame > 20_000, "\(frame)")
            client.send(OSCTests.bundle(Date().timeIntervalSince1970 + 3_600, [launch]))
            #expect(eventually { served.server.osc?.drops.farAhead == 1 })
        }
    }

    @Test("Malformed packets are thrown away and counted, and those that are well go on")
    func malformed() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            var nested = OSCTests.message("/barline/tap")
            for _ in 0..<20 { nested = OSCTests.bundle(0, [nested]) }
            let packets: [[UInt8]] = [
                [0x2f], Array("/barline/tap".utf8), OSCTests.text("/barline/tempo") + OSCTests.text(",f"),
                OSCTests.message("/barline/tempo", "q", [OSCTests.float(1)]), OSCTests.text("no slash"),
                OSCTests.message("/barline/action", "b", [OSCTests.integer(.max)]), nested,
                OSCTests.text("#bundle") + [UInt8](repeating: 0, count: 8) + OSCTests.integer(-4),
                OSCTests.message("/other/tempo", "f", [OSCTests.float(100)]), OSCTests.message("/barline/nothing"),
                [0x2f, 0xff, 0xfe, 0] + OSCTests.text(","), OSCTests.message("/barline/tap") + [0, 0, 0, 0],
            ]
            for packet in packets { client.send(packet) }
            #expect(eventually { served.server.osc?.drops.malformed == packets.count })
            var random = TestRandom(seed: 11)
            let whole = OSCTests.bundle(
                0, [OSCTests.message("/barline/gain", "sf", [OSCTests.text("t"), OSCTests.float(-1)])])
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
                    client.send(OSCTests.message("/barline/tempo", "d", [[0x40, 0x59, 0, 0, 0, 0, 0, 0]]))
                    return served.session.player.engine.state.transport.tempo.beatsPerMinute == 100
                })
        }
    }

    @Test("Subscribers are told what happens, until they leave")
    func feedback() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let client = try TestDatagrams(port: try #require(served.server.osc?.port))
            client.send(OSCTests.message("/barline/subscribe"))
            #expect(client.waits(for: "/barline/subscribed"))
            #expect(
                try served.act(
                    #"{"actions": [{"do": "launch", "clip": "a"}, {"do": "pan", "track": "t", "value": 0.5}]}"#
                ).status == 200)
            #expect(client.waits(for: "/barline/clip", with: OSCTests.text("a") + OSCTests.text("playing")))
            #expect(client.waits(for: "/barline/beat"))
            #expect(client.waits(for: "/barline/track/t/pan", with: OSCTests.float(0.5)))
            client.send(OSCTests.message("/barline/launch", "s", [OSCTests.text("none")]))
            #expect(client.waits(for: "/barline/error"))
            client.send(OSCTests.message("/barline/unsubscribe"))
            client.send(OSCTests.message("/barline/launch", "s", [OSCTests.text("none")]))
            #expect(client.waits(for: "/barline/error"))
            client.drain()
            #expect(try served.act(#"{"do": "tempo", "bpm": 150}"#).status == 200)
            #expect(!client.waits(for: "/barline/tempo", within: 0.5))
        }
    }
}
