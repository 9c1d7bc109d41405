import BarlineSession
import BarlineTestSupport
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import BarlineServer

/// Who may do what by OSC.
@Suite("OSC from the network", .serialized)
struct OSCAccessTests {
    @Test("A range of IPv4 has those addresses whose first bits are its own")
    func ranges() throws {
        var random = TestRandom(seed: 3)
        func text(_ number: UInt32) -> String {
            (0..<4).map { "\(number >> (24 - 8 * UInt32($0)) & 255)" }.joined(separator: ".")
        }
        for _ in 0..<2_000 {
            let first = UInt32.random(in: .min ... .max, using: &random)
            let bits = UInt32.random(in: 0...32, using: &random)
            // Mostly near the edge of the range.
            let flipped = UInt32.random(in: 0...31, using: &random)
            let other =
                Bool.random(using: &random) ? first ^ (1 << flipped) : .random(in: .min ... .max, using: &random)
            let size = UInt64(1) << UInt64(32 - bits)
            let isSame = UInt64(first) / size == UInt64(other) / size
            let range = try #require(AddressRange("\(text(first))/\(bits)"))
            #expect(range.contains(try SocketAddress(ipAddress: text(other), port: 1)) == isSame)
        }
    }

    @Test("IPv6 has ranges too, and an IPv4 address in its clothes is the IPv4 address")
    func six() throws {
        let local = try #require(AddressRange("fd12:3456::/32"))
        #expect(local.contains(try SocketAddress(ipAddress: "fd12:3456:789a::1", port: 1)))
        #expect(!local.contains(try SocketAddress(ipAddress: "fd12:3457::1", port: 1)))
        let home = try #require(AddressRange("192.168.1.0/24"))
        #expect(home.contains(try SocketAddress(ipAddress: "::ffff:192.168.1.9", port: 1)))
        #expect(!home.contains(try SocketAddress(ipAddress: "::192.168.1.9", port: 1)))
        for address in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(AddressRange.isLoopback(try SocketAddress(ipAddress: address, port: 1)), "\(address)")
        }
        for address in ["128.0.0.1", "::2", "fe80::1", "::ffff:126.0.0.1", "::"] {
            #expect(!AddressRange.isLoopback(try SocketAddress(ipAddress: address, port: 1)), "\(address)")
        }
    }

    @Test(
        "What is no range is refused",
        arguments: [
            "", "/", "192.168.1", "192.168.1.0/33", "192.168.1.0/-1", "1.2.3.4/+8", "::/129", "example.org",
            "1.2.3.4/8/8",
        ])
    func nonsense(_ text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test("Beyond this machine these forms of verbs are taken, and no others")
    func performing() {
        let words: Set = [
            "launch", "release", "launchScene", "stop", "stopNow", "stopAll", "startPosition", "tempo",
            "timeSignature", "quantization", "transport", "metronome", "tap", "locate", "loop", "gain", "pan", "send",
            "mute", "solo", "stems", "effect", "playlist", "playlistItem", "hit", "choke", "toggle", "stepScene",
            "resetOvers",
        ]
        // Of these only what plays.
        let refused: [String: Set<JSONValue>] = [
            "playlist": [
                "insert", "remove", "move", "replace", "clear", "consume", "transpose", "formants", "speed",
            ],
            "playlistItem": ["remove", "move", "transpose", "formants", "speed"], "toggle": ["record", "consume"],
        ]
        var actions = RandomActions(seed: 9)
        for verb in Reference.verbs {
            for form in verb.forms {
                let object = actions.object(verb, form)
                let kind = object["action"] ?? object["what"] ?? .null
                let isRefused = refused[verb.word]?.contains(kind) ?? false
                #expect(
                    PerformanceAction.includes(.object(object)) == (words.contains(verb.word) && !isRefused),
                    "\(JSONValue.object(object).line)")
            }
        }
    }

    @Test("A flood of bundles is cut to what is taken in a second, message by message, and what comes after is done")
    func flood() async throws {
        try await serving(configure: { $0.oscPort = 0 }) { served async throws in
            let osc = try #require(served.server.osc)
            let taken = Mutex(0)
            served.session.watch { line in if line.contains("\"pan\"") { taken.withLock { $0 += 1 } } }
            let client = try TestDatagrams(port: osc.port)
            let message = TestOSC.message("/barline/pan", "sf", [TestOSC.text("t"), TestOSC.float(0.5)])
            let bundle = TestOSC.bundle(0, Array(repeating: message, count: 40))
            let begin = LiveSession.now
            var sent = 0
            // The system's buffer takes some of them only.
            while LiveSession.now < begin + 1 || (osc.drops.excess == 0 && LiveSession.now < begin + 60) {
                for _ in 0..<20 { client.send(bundle) }
                sent += 800
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(osc.drops.excess > 0 && osc.drops.malformed == 0)
            #expect(
                eventually {
                    client.send(TestOSC.message("/barline/tempo", "f", [TestOSC.float(77)]))
                    return served.session.player.engine.state.transport.tempo.beatsPerMinute == 77
                })
            let most = 4_000 + 2_000 * (LiveSession.now - begin)
            #expect(taken.withLock { Double($0) } <= most && taken.withLock { $0 } < sent)
        }
    }

    @Test("OSC is taken from this machine only, also where the page is served to the network")
    func loopback() async throws {
        try await serving(configure: {
            $0.host = "0.0.0.0"
            $0.token = "secret"
            $0.oscPort = 0
        }) { served async throws in
            let answer = try served.request("GET", "/api/session", headers: ["Authorization": "Bearer secret"])
            #expect(answer.json?["engine"]?["osc"]?["host"] == "127.0.0.1")
        }
    }

    @Test(
        "A stranger of the network gets nothing and no answer; who was allowed plays, but has no file, edit or output",
        .enabled(if: MachineAddress.network != nil, "this machine has an address besides loopback"))
    func network() async throws {
        let address = try #require(MachineAddress.network)
        try await serving(configure: {
            $0.oscHost = "0.0.0.0"
            $0.oscPort = 0
        }) { served async throws in
            let player = served.session.player
            let osc = try #require(served.server.osc)
            let client = try TestDatagrams(port: osc.port, host: address)
            let path = player.path
            let saved = try Data(contentsOf: URL(fileURLWithPath: path))
            client.send(TestOSC.message("/barline/subscribe"))
            client.send(TestOSC.message("/barline/tempo", "f", [TestOSC.float(77)]))
            #expect(eventually { osc.drops.unknownSenders == 2 })
            #expect(!client.waits(for: "/barline/", within: 0.3))
            // The page sees who knocked, and lets them in.
            #expect(
                eventually {
                    let state = try? served.request("GET", "/api/session").json
                    return state?["engine"]?["osc"]?["refused"]?.list == [.string(address)]
                })
            let allow = #"{"do": "oscAllow", "address": "\#(address)"}"#
            #expect(try served.act(allow).json?["results"]?[0]?["ok"] == true)
            client.send(TestOSC.message("/barline/subscribe"))
            #expect(client.waits(for: "/barline/subscribed"))
            client.send(TestOSC.message("/barline/tempo", "f", [TestOSC.float(77)]))
            client.send(TestOSC.message("/barline/launch", "s", [TestOSC.text("a")]))
            client.send(TestOSC.message("/barline/track/t/gain", "f", [TestOSC.float(-7)]))
            #expect(eventually { player.engine.state.tracks[0].playing != nil })
            #expect(eventually { player.document.tracks[0].gain == -7 })
            #expect(player.engine.state.transport.tempo.beatsPerMinute == 77)
            let forbidden = [
                #"{"do": "editSession", "set": {"name": "Mine"}}"#, #"{"do": "removeTrack", "track": "t"}"#,
                #"{"do": "save"}"#, #"{"do": "saveAs", "name": "x"}"#, #"{"do": "record", "on": true}"#,
                #"{"do": "toggle", "what": "record"}"#, #"{"do": "recordClip", "track": "t", "slot": 5}"#,
                #"{"do": "keepLast", "track": "t", "slot": 5, "bars": 1}"#, #"{"do": "footSwitch", "track": "t"}"#,
                #"{"do": "changeLoop", "clip": "a", "change": "reverse"}"#, #"{"do": "undoLayer", "clip": "a"}"#,
                #"{"do": "redoLayer", "clip": "a"}"#,
                #"{"do": "output", "backend": "snapcast", "device": "1.2.3.4"}"#,
                #"{"do": "new", "name": "x", "discard": true}"#, #"{"do": "osc", "port": null}"#,
                #"{"do": "oscAllow", "address": "0.0.0.0/0"}"#, #"{"do": "newLinks"}"#, #"{"do": "links"}"#,
                #"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav"}"#, #"{"do": "undo"}"#,
                #"{"do": "playlist", "action": "consume"}"#, #"{"do": "toggle", "what": "consume"}"#,
                #"{"do": "playlist", "action": "speed", "value": 2}"#,
                #"{"do": "metronome", "file": "/etc/passwd"}"#, #"{"do": "record", "tracks": true}"#,
                #"{"do": "alignTakes"}"#, #"{"do": "addEffect", "type": "filter"}"#,
                #"{"do": "setWarpMarker", "clip": "a", "frame": 0}"#, #"{"do": "addPad", "file": "a.wav"}"#,
                #"{"do": "editTrack", "track": "t", "set": {"sends": []}}"#,
                #"{"do": "send", "track": "t", "output": "main", "db": 0, "file": "a.wav"}"#,
            ]
            for action in forbidden {
                client.send(TestOSC.message("/barline/action", "s", [TestOSC.text(action)]))
                #expect(client.waits(for: "/barline/error"), "\(action)")
            }
            #expect(osc.drops.forbidden == forbidden.count)
            #expect(player.document.name == "Set" && player.document.tracks.count == 2)
            #expect(served.session.recording == nil && served.server.osc != nil)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == saved)
            // And shown out again.
            let refuse = #"{"do": "oscAllow", "address": "\#(address)", "on": false}"#
            #expect(try served.act(refuse).json?["results"]?[0]?["ok"] == true)
            client.send(TestOSC.message("/barline/tempo", "f", [TestOSC.float(99)]))
            #expect(eventually { osc.drops.unknownSenders == 3 })
            #expect(player.engine.state.transport.tempo.beatsPerMinute == 77)
        }
    }
}
