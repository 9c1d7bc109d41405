import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// What the server answers over HTTP, on a real socket.
@Suite("HTTP", .serialized)
struct HTTPTests {
    @Test("The library tells audio of the session's folder and the user's, by the names that actions take")
    func library() async throws {
        try await serving { served async throws in
            try FileManager.default.createDirectory(
                atPath: served.folder.path("deep/er"), withIntermediateDirectories: true)
            try served.folder.write("deep/er/b.wav", Array("no matter".utf8))
            try served.folder.write("deep/.hidden.wav", Array("no matter".utf8))
            try served.folder.write("deep/notes.txt", Array("no matter".utf8))
            let files = try served.request("GET", "/api/library").json?["files"]?.list.compactMap(\.text)
            #expect(files == ["a.wav", "deep/er/b.wav"])
        }
    }

    @Test("The full state has the session, what plays it and what is known of its clips")
    func state() async throws {
        try await serving { served async throws in
            let answer = try served.request("GET", "/api/session")
            #expect(answer.status == 200 && answer["type"] == "state")
            #expect(answer["session"]?["tracks"]?.list.count == 2)
            #expect(answer["engine"]?["sampleRate"]?.number == 48_000)
            #expect(answer["clips"]?["a"]?["frames"]?.number == 48_000)
            #expect(answer["clips"]?["a"]?["beats"]?.number == 4)
            #expect((answer["clips"]?["a"]?["number"]?.number ?? -1) >= 0)
        }
    }

    @Test("Actions are done in their order, each with its frame or why not")
    func actions() async throws {
        try await serving { served async throws in
            let answer = try served.act(
                """
                {"actions": [{"do": "launch", "clip": "a"}, {"do": "launch", "clip": "x"}, {"do": "addTrack", "name": "Three"},
                 {"do": "gain", "track": "three", "db": -6}]}
                """)
            let results = answer["results"]?.list ?? []
            #expect(results.count == 4)
            #expect(results[0]["ok"] == true && (results[0]["frame"]?.number ?? -1) >= 0)
            #expect(results[1]["ok"] == false && results[1]["error"]?.text?.contains("there is no \"x\"") == true)
            #expect(results[2]["result"]?["track"] == "three")
            #expect(results[3]["ok"] == true)
            #expect(served.session.player.document.tracks.last?.gain == -6)
            #expect(eventually { served.session.player.engine.state.tracks[0].playing != nil })
        }
    }

    @Test(
        "What is wrong is refused",
        arguments: [
            ("GET", "/nothing", 404), ("GET", "/..%2f..%2fetc/passwd", 404), ("GET", "/../../etc/passwd", 404),
            ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404), ("DELETE", "/api/session", 405), ("GET", "/api/actions", 405),
            ("GET", "/api/waveform?clip=x", 404), ("GET", "/api/waveform?clip=a&points=0", 400),
            ("GET", "/api/waveform?clip=a&points=99999999999999999999", 400),
            ("GET", "/api/waveform?clip=a&from=50&to=10", 400), ("GET", "/api/recordings/..%2fset.barline", 404),
            ("GET", "/api/socket", 426), ("PUT", "/api/files?name=..%2fx.wav", 400),
            ("PUT", "/api/files?name=x.sh", 415),
        ])
    func refused(method: String, target: String, status: Int) async throws {
        try await serving { served async throws in
            let answer = try served.request(method, target, body: method == "PUT" ? [] : nil)
            #expect(answer.status == status)
            #expect(answer["error"]?.text?.isEmpty == false)
        }
    }

    @Test("A body of actions must be JSON, called so, and small")
    func bodies() async throws {
        try await serving { served async throws in
            #expect(try served.request("POST", "/api/actions", body: Array("{}".utf8)).status == 415)
            #expect(try served.act("[1, 2").status == 400)
            #expect(try served.act("[]").status == 400)
            #expect(try served.act(String(repeating: "[", count: 100_000)).status == 400)
            let many = String(repeating: "{},", count: 300)
            #expect(try served.act("{\"actions\": [\(many)1]}").status == 400)
            let large = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
            let json = ["Content-Type": "application/json"]
            #expect(try served.request("POST", "/api/actions", headers: json, body: large).status == 413)
            #expect(try served.request("GET", "/api/session").status == 200)
        }
    }

    @Test("Every answer forbids what the page does not need")
    func headers() async throws {
        try await serving { served async throws in
            for target in ["/robots.txt", "/api/session", "/nothing"] {
                let headers = try served.request("GET", target).headers
                let policy = headers["content-security-policy"] ?? ""
                #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe") && headers["x-content-type-options"] == "nosniff")
                #expect(headers["access-control-allow-origin"] == nil)
            }
        }
    }

    @Test("A waveform has the points of the part that is asked for, and may be kept")
    func waveform() async throws {
        try await serving { served async throws in
            let answer = try served.request("GET", "/api/waveform?clip=a&points=10&from=100&to=200&v=1")
            #expect(answer["points"]?.number == 10 && answer["from"]?.number == 100 && answer["to"]?.number == 200)
            let samples = try #require(served.session.player.clips["a"]?.audio?.samples)
            for point in 0..<10 {
                let part = UnsafeBufferPointer(start: samples.left + 100 + 10 * point, count: 10)
                #expect(answer["max"]?[point]?.number == Double(((part.max() ?? 0) * 127).rounded()))
                #expect(answer["min"]?[point]?.number == Double(((part.min() ?? 0) * 127).rounded()))
            }
            #expect(answer.headers["cache-control"]?.contains("immutable") == true)
            let tag = try #require(answer.headers["etag"])
            let target = "/api/waveform?clip=a&points=10&from=100&to=200"
            for known in [tag, "W/" + tag, "\"other\", \(tag)", "*"] {
                #expect(try served.request("GET", target, headers: ["If-None-Match": known]).status == 304, "\(known)")
            }
            #expect(try served.request("GET", target, headers: ["If-None-Match": "\"other\""]).status == 200)
        }
    }

    @Test("An uploaded file is decoded, stored beside the session, and made a clip of")
    func upload() async throws {
        try await serving { served async throws in
            let wave = WaveFile((0..<9_600).map { sin(Double($0) / 20) }).bytes
            let stored = try served.request("PUT", "/api/files?name=New%20loop.wav&track=u&slot=4", body: wave)
            #expect(stored.status == 201 && stored["frames"]?.number == 9_600)
            #expect(stored["file"] == "audio/New loop.wav")
            let id = try #require(stored["clip"]?.text)
            #expect(served.session.player.clips[id]?.handle != nil)
            #expect(served.session.player.document.tracks[1].clips.last?.slot == 4)
            for place in ["track=u&slot=abc", "track=u&slot=1.5", "playlist=xyz", "playlist=99999999999999999999"] {
                let refused = try served.request("PUT", "/api/files?name=New%20loop.wav&\(place)", body: wave)
                #expect(refused.status == 409 && refused["error"]?.text?.contains("expected") == true, "\(place)")
            }
            let again = try served.request("PUT", "/api/files?name=New%20loop.wav", body: wave)
            #expect(again["file"] == "audio/New loop.wav")
            let shorter = WaveFile((0..<4_800).map { sin(Double($0) / 20) }).bytes
            let other = try served.request("PUT", "/api/files?name=New%20loop.wav", body: shorter)
            #expect(other["file"] == "audio/New loop 2.wav")
            let wrong = try served.request("PUT", "/api/files?name=bad.wav", body: Array("not audio".utf8))
            #expect(wrong.status == 422 && wrong["error"]?.text?.contains("bad.wav") == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: served.folder.path("audio"))
            #expect(names.sorted() == ["New loop 2.wav", "New loop.wav"])
        }
    }

    @Test("An upload that is too large or breaks off leaves nothing behind")
    func brokenUpload() async throws {
        try await serving(configure: { $0.uploadLimit = 10_000 }) { served async throws in
            let large = [UInt8](repeating: 0, count: 20_000)
            #expect(try served.request("PUT", "/api/files?name=x.wav", body: large).status == 413)
            let chunked = try TestSocket(port: served.port)
            chunked.send("PUT /api/files?name=y.wav HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n")
            chunked.send("Transfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<5 { chunked.send("1000\r\n" + String(repeating: "x", count: 4096) + "\r\n") }
            #expect(try chunked.answer().status == 413)
            do {
                let half = try TestSocket(port: served.port)
                half.send("PUT /api/files?name=z.wav HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n")
                half.send("Content-Length: 9000\r\n\r\nRIFF")
                #expect(eventually { (try? served.folder.names().contains("audio")) == true })
            }
            #expect(
                try eventually {
                    try FileManager.default.contentsOfDirectory(atPath: served.folder.path("audio")).isEmpty
                })
        }
    }

    @Test("What was answered is in the state that is asked for next")
    func fresh() async throws {
        try await serving { served async throws in
            for number in 1...20 {
                let answer = try served.act(#"{"do": "editTrack", "track": "t", "set": {"name": "Name \#(number)"}}"#)
                #expect(answer["results"]?[0]?["ok"] == true)
                let state = try served.request("GET", "/api/session")
                #expect(state["session"]?["tracks"]?[0]?["name"]?.text == "Name \(number)")
            }
        }
    }
}
