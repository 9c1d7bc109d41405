import BarlineTestSupport
import Foundation
import Testing

/// Nobody but the page and programs of the machine gets in; whoever misbehaves is shown out.
@Suite("Safety of the server", .serialized)
struct SafetyTests {
    @Test("Foreign hosts are refused: a name that was made to point here is not ours")
    func hosts() async throws {
        try await serving { served async throws in
            for host in [
                "evil.example", "evil.example:\(served.port)", "127.0.0.1:1", "127.0.0.1.evil:\(served.port)", "",
            ] {
                #expect(try served.request("GET", "/api/session", host: host).status == 403, "\(host)")
            }
            for host in ["localhost:\(served.port)", "[::1]:\(served.port)", "LOCALHOST:\(served.port)"] {
                #expect(try served.request("GET", "/api/session", host: host).status == 200, "\(host)")
            }
            let twice = try TestSocket(port: served.port)
            twice.send("GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\nHost: evil.example\r\n\r\n")
            #expect(try [400, 403].contains(twice.answer().status))
        }
    }

    @Test("Another site's page can neither read nor do anything")
    func origins() async throws {
        try await serving { served async throws in
            let own = "http://127.0.0.1:\(served.port)"
            for origin in ["http://evil.example", "null", "https://127.0.0.1:\(served.port)", "http://127.0.0.1:1"] {
                #expect(try served.request("GET", "/api/session", headers: ["Origin": origin]).status == 403)
                #expect(try TestWebSocket(port: served.port, headers: ["Origin": origin]).status == 403)
            }
            #expect(try served.request("GET", "/api/session", headers: ["Origin": own]).status == 200)
            #expect(try TestWebSocket(port: served.port, headers: ["Origin": own]).status == 101)
            #expect(try served.request("GET", "/api/session", headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
            #expect(try TestWebSocket(port: served.port, host: "evil.example").status == 403)
        }
    }

    @Test("With a token nothing is answered without it; the link's is made a cookie")
    func token() async throws {
        try await serving(configure: { $0.token = "secret" }) { served async throws in
            #expect(served.server.link?.hasSuffix("/?token=secret") == true)
            for headers in [[:], ["Authorization": "Bearer wrong"], ["Cookie": "barline-\(served.port)=secre"]] {
                #expect(try served.request("GET", "/api/session", headers: headers).status == 401)
                #expect(try TestWebSocket(port: served.port, headers: headers).status == 401)
            }
            let link = try served.request("GET", "/?token=secret")
            #expect(link.status == 303 && link.headers["location"] == "/")
            let cookie = try #require(link.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            let pair = String(cookie.split(separator: ";")[0])
            #expect(try served.request("GET", "/api/session", headers: ["Cookie": "x=1; " + pair]).status == 200)
            #expect(try TestWebSocket(port: served.port, headers: ["Cookie": pair]).status == 101)
            #expect(
                try served.request("GET", "/api/session", headers: ["Authorization": "Bearer secret"]).status == 200)
        }
    }

    @Test("No name of an upload leads out of its folder, however it is written")
    func names() async throws {
        try await serving { served async throws in
            let wave = WaveFile((0..<4_800).map { sin(Double($0) / 20) }).bytes
            let before = try served.folder.names()
            for name in [
                "../x.wav", "..%2fx.wav", "%2e%2e%2fx.wav", "%2E%2E/x.wav", "a/b.wav", "a%2Fb.wav", "a%5cb.wav",
                "/x.wav", ".x.wav",
                "%2ex.wav", "x%00.wav", "a%0ab.wav", "%c0%ae%c0%ae%c0%afx.wav", "%ff.wav", "", "..",
                "x.wav%2f..%2f..%2fy.wav",
            ] {
                let answer = try served.request("PUT", "/api/files?name=\(name)", body: wave)
                #expect([400, 415].contains(answer.status), "\(name): \(answer.status)")
            }
            #expect(try served.folder.names() == before)
            // Decoded once: what looks like an escape then is a name.
            #expect(
                try served.request("PUT", "/api/files?name=%252e%252e%252fx.wav", body: wave)["file"]
                    == "audio/%2e%2e%2fx.wav")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: served.folder.path("audio")) == ["%2e%2e%2fx.wav"])
        }
    }

    @Test("WebSocket frames that the protocol forbids close the connection with its code")
    func frames() async throws {
        try await serving { served async throws in
            func code(_ send: (TestWebSocket) -> Void) throws -> Int? {
                let client = try TestWebSocket(port: served.port)
                _ = try client.json("state")
                send(client)
                return client.closeCode()
            }
            #expect(try code { $0.sendFrame(1, Array("{}".utf8), isMasked: false) } == 1002)
            #expect(try code { $0.sendFrame(1, Array("{}".utf8), reserved: 4) } == 1002)
            #expect(try code { $0.sendFrame(1, [0xc3, 0x28]) } == 1007)
            #expect(try code { $0.sendFrame(2, [1, 2, 3]) } == 1003)
            #expect(try code { $0.sendFrame(1, [], announced: 1 << 62) } == 1009)
            #expect(try code { $0.sendFrame(9, [UInt8](repeating: 0, count: 126)) } == 1002)
            #expect(try code { $0.sendFrame(0, [1]) } == 1002)
            #expect(
                try code { client in
                    for _ in 0..<70 { client.sendFrame(client === client ? 1 : 0, [0x20], isFinal: false) }
                } == 1002)
            #expect(
                try code { client in
                    client.sendFrame(1, [UInt8](repeating: 0x20, count: 60_000), isFinal: false)
                    client.sendFrame(0, [UInt8](repeating: 0x20, count: 60_000))
                } == 1009)
            #expect(try code { $0.sendFrame(8, [0x03, 0xe8]) } == 1000)
        }
    }

    @Test("A flood of messages is limited, and ended when it goes on")
    func flood() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port)
            _ = try client.json("state")
            for _ in 0..<6_000 { client.send("{\"do\": \"gain\", \"track\": \"t\", \"db\": -1}") }
            let code = client.closeCode()
            // What the server says last is lost where more of the flood reaches it after it has closed.
            #expect(code == 1008 || (code == nil && client.socket.isClosed(within: 10)))
            #expect(try served.request("GET", "/api/session").status == 200)
        }
    }

    @Test("A connection that asks for nothing, or never finishes asking, is closed")
    func halfOpen() async throws {
        try await serving(configure: { $0.requestTimeout = 0.3 }) { served async throws in
            let silent = try TestSocket(port: served.port)
            let slow = try TestSocket(port: served.port)
            slow.send("GET / HTTP/1.1\r\nHost: 127.0.0.1")
            #expect(silent.isClosed(within: 60))
            #expect(slow.isClosed(within: 60))
        }
    }

    @Test("A WebSocket whose other end is gone is closed")
    func deadSocket() async throws {
        try await serving(configure: { $0.socketTimeout = 0.6 }) { served async throws in
            let client = try TestWebSocket(port: served.port)
            #expect(client.status == 101)
            // Pings are read, and never answered.
            #expect(client.socket.isClosed(within: 60))
        }
    }

    @Test("There is room for so many connections, and for others again when they are gone")
    func connections() async throws {
        try await serving(configure: { $0.connectionLimit = 8 }) { served async throws in
            do {
                let open = try (0..<8).map { _ in try TestSocket(port: served.port) }
                for socket in open {
                    #expect(try socket.request("GET", "/api/session", port: served.port).status == 200)
                }
                #expect(try served.request("GET", "/api/session").status == 503)
                // Those who are in are served on.
                for socket in open {
                    #expect(try socket.request("GET", "/api/session", port: served.port).status == 200)
                }
            }
            #expect(eventually { (try? served.request("GET", "/api/session").status) == 200 })
        }
    }

    @Test("Garbage is answered with an error or the end, and served goes who asks properly")
    func garbage() async throws {
        try await serving { served async throws in
            let host = "Host: 127.0.0.1:\(served.port)\r\n"
            for bytes in [
                "\u{1}\u{2}\u{3}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET\r\n\r\n",
                "POST /api/actions HTTP/1.1\r\n\(host)Content-Length: -5\r\n\r\n",
                "POST /api/actions HTTP/1.1\r\n\(host)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "y", count: 200_000))\r\n\r\n",
            ] {
                let socket = try TestSocket(port: served.port)
                socket.send(bytes)
                let status = try? socket.answer().status
                #expect(status == nil || (status ?? 0) >= 400, "\(bytes.prefix(60))")
            }
            #expect(try served.request("GET", "/api/session").status == 200)
        }
    }
}
