import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineServer

/// Places for connections: nobody keeps the owner out.
@Suite("Connections", .serialized)
struct ConnectionTests {
    private static let owner = ["Authorization": "Bearer secret"]

    @Test("Hundreds of connections without the token, kept alive by being refused, don't keep the owner out")
    func strangers() async throws {
        try await serving(configure: {
            $0.token = "secret"
            $0.watchToken = "look"
        }) { served async throws in
            let ask = "GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n"
            var crowd = (0..<300).compactMap { _ in try? TestSocket(port: served.port) }
            for _ in 0..<20 {
                for stranger in crowd.suffix(60) { stranger.send(ask) }
                crowd += (0..<5).compactMap { _ in try? TestSocket(port: served.port) }
                let answer = try served.request("GET", "/api/session", headers: ConnectionTests.owner)
                #expect(answer.status == 200)
            }
            // Authenticated connections stay: others don't take their places.
            let page = try TestWebSocket(port: served.port, headers: ConnectionTests.owner)
            crowd += (0..<300).compactMap { _ in try? TestSocket(port: served.port) }
            page.send(#"{"ping": 1}"#)
            #expect(try page.json("pong")["ping"] == 1)
        }
    }

    @Test(
        "A connection that is refused three times is closed, and one that says nothing is too, however often it is refused"
    )
    func refusals() async throws {
        try await serving(configure: {
            $0.token = "secret"
            $0.requestTimeout = 1
        }) { served async throws in
            let ask = "GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n"
            let asking = try TestSocket(port: served.port)
            for turn in 1...3 {
                asking.send(ask)
                let answer = try asking.answer()
                #expect(answer.status == 401)
                #expect((answer.headers["connection"] == "close") == (turn == 3))
            }
            #expect(throws: TestSocket.Failure.closed) { try asking.read(1, within: 10) }
            // Refused once, late: that does not give it a second one.
            let late = try TestSocket(port: served.port)
            try await Task.sleep(for: .seconds(0.6))
            late.send(ask)
            #expect(try late.answer().status == 401)
            let start = Date()
            #expect(throws: TestSocket.Failure.closed) { try late.read(1, within: 10) }
            #expect(Date().timeIntervalSince(start) < 0.9)
        }
    }

    @Test("An upload that trickles is closed and leaves nothing; one that is slow and whole is taken")
    func trickle() async throws {
        try await serving(configure: {
            $0.requestTimeout = 0.5
            $0.slowestTransfer = 4_000
        }) { served async throws in
            let wave = WaveFile((0..<24_000).map { sin(Double($0) / 20) }).bytes
            func begin(_ name: String) throws -> TestSocket {
                let socket = try TestSocket(port: served.port)
                socket.send(
                    "PUT /api/files?name=\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n"
                        + "Content-Length: \(wave.count)\r\n\r\n")
                return socket
            }
            let trickle = try begin("trickle.wav")
            let start = Date()
            var isOpen = true
            for byte in wave.prefix(150) where isOpen {
                trickle.send([byte])
                try await Task.sleep(for: .seconds(0.05))
                isOpen = Date().timeIntervalSince(start) < 3
            }
            #expect(throws: TestSocket.Failure.closed) { try trickle.read(1, within: 0.1) }
            let slow = try begin("slow.wav")
            for start in stride(from: 0, to: wave.count, by: 4_000) {
                slow.send(Array(wave[start..<min(start + 4_000, wave.count)]))
                try await Task.sleep(for: .seconds(0.1))
            }
            #expect(try slow.answer().status == 201)
            #expect(eventually { (try? served.folder.names())?.contains { $0.contains(".upload") } == false })
            #expect(try FileManager.default.contentsOfDirectory(atPath: served.folder.path("audio")) == ["slow.wav"])
        }
    }

    @Test("Who asks for leave to send a body gets it at once, and none for what is refused")
    func leave() async throws {
        try await serving(configure: { $0.token = "secret" }) { served async throws in
            let wave = WaveFile((0..<24_000).map { sin(Double($0) / 20) }).bytes
            func ask(_ request: String, version: String = "1.1", token: String = "secret", _ size: Int) throws
                -> TestSocket
            {
                let socket = try TestSocket(port: served.port)
                socket.send(
                    "\(request) HTTP/\(version)\r\nHost: 127.0.0.1:\(served.port)\r\nAuthorization: Bearer \(token)\r\n"
                        + "Content-Type: application/json\r\nExpect: 100-Continue\r\nContent-Length: \(size)\r\n\r\n")
                return socket
            }
            let go = "HTTP/1.1 100 Continue\r\n\r\n"
            let upload = try ask("PUT /api/files?name=leave.wav", wave.count)
            #expect(try upload.read(through: "\r\n\r\n") == go)
            upload.send(wave)
            #expect(try upload.answer().status == 201)
            let action = #"{"do": "tempo", "bpm": 77}"#
            let acting = try ask("POST /api/actions", action.utf8.count)
            #expect(try acting.read(through: "\r\n\r\n") == go)
            acting.send(action)
            #expect(try acting.answer().status == 200)
            #expect(try ask("PUT /api/files?name=leave.wav", token: "wrong", wave.count).answer().status == 401)
            #expect(try ask("PUT /api/files?name=leave.txt", wave.count).answer().status == 415)
            #expect(try ask("POST /api/actions", 1 << 40).answer().status == 413)
            // Before HTTP/1.1 there was no such answer.
            let old = try ask("POST /api/actions", version: "1.0", action.utf8.count)
            old.send(action)
            #expect(try old.answer().status == 200)
        }
    }

    @Test("With the link for watching everything is seen and nothing done")
    func watching() async throws {
        try await serving(configure: {
            $0.token = "secret"
            $0.watchToken = "look"
        }) { served async throws in
            #expect(await served.links["watch"]?.text?.hasSuffix("/?token=look") == true)
            let link = try served.request("GET", "/?token=look")
            let pair = String(try #require(link.headers["set-cookie"]).split(separator: ";")[0])
            let watcher = ["Cookie": pair]
            #expect(try served.request("GET", "/api/session", headers: watcher).json?["session"]?["name"] == "Set")
            let action = Array(#"{"do": "tempo", "bpm": 77}"#.utf8)
            let json = ["Content-Type": "application/json"]
            let refused = try served.request(
                "POST", "/api/actions", headers: watcher.merging(json) { $1 }, body: action)
            #expect(refused.status == 403)
            #expect(try served.request("PUT", "/api/files?name=x.wav", headers: watcher, body: [0]).status == 403)
            let socket = try TestWebSocket(port: served.port, headers: watcher)
            #expect(try socket.json("access")["right"] == "watch")
            #expect(try socket.json("state")["session"]?["name"] == "Set")
            socket.send(#"{"request": 1, "do": "tempo", "bpm": 77}"#)
            #expect(try socket.json("ack")["ok"] == false)
            socket.send(#"{"request": 2, "do": "links"}"#)
            #expect(try socket.json("ack")["ok"] == false)
            // What is long is refused unread: its number is not known.
            socket.send(
                #"{"request": 3, "do": "tempo", "bpm": 77, "words": "\#(String(repeating: "x", count: 4_000))"}"#)
            let long = try socket.json("ack")
            #expect(long["ok"] == false && long["request"] == .null)
            socket.send(#"{"ping": 4}"#)
            #expect(try socket.json("pong")["ping"] == 4)
            #expect(served.session.player.engine.state.transport.tempo.beatsPerMinute == 120)
            // The word of a watcher opens nothing more beside the owner's.
            let both = ["Cookie": pair, "Authorization": "Bearer secret"]
            #expect(
                try served.request("POST", "/api/actions", headers: both.merging(json) { $1 }, body: action).status
                    == 200)
        }
    }

    @Test("New links lock out who has the old ones")
    func renewal() async throws {
        try await serving(configure: { $0.token = "secret" }) { served async throws in
            let page = try TestWebSocket(port: served.port, headers: ConnectionTests.owner)
            page.send(#"{"request": 1, "do": "links"}"#)
            let old = try page.json("ack")
            #expect(old["result"]?["play"]?.text == served.server.link)
            page.send(#"{"request": 2, "do": "newLinks"}"#)
            let new = try #require(try page.json("ack")["result"]?["play"]?.text)
            #expect(new != old["result"]?["play"]?.text && new == served.server.link)
            #expect(try served.request("GET", "/api/session", headers: ConnectionTests.owner).status == 401)
            #expect(try TestWebSocket(port: served.port, headers: ConnectionTests.owner).status == 401)
            #expect(page.closeCode() == 1001)
            let token = String(new.split(separator: "=")[1])
            for scheme in ["Bearer ", "bearer ", "BEARER  "] {
                let headers = ["Authorization": scheme + token]
                #expect(try served.request("GET", "/api/session", headers: headers).status == 200, "\(scheme)")
            }
        }
    }
}
