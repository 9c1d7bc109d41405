import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// Recordings that are fetched over HTTP.
@Suite("Fetching recordings", .serialized)
struct RecordingDownloadTests {
    /// Records, and gives where the sound is.
    private func record(_ served: ServedSession) throws -> (target: String, path: String) {
        _ = try served.act(#"{"do": "launch", "clip": "a"}"#)
        for isOn in [true, false] {
            #expect(try served.act(#"{"do": "record", "on": \#(isOn)}"#)["results"]?[0]?["ok"] == true)
        }
        let entry = try #require(served.session.recordings.first { $0.name.hasSuffix(".wav") })
        let name = try #require(entry.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return ("/api/recordings/\(name)", entry.path)
    }

    @Test("A recording comes whole, or the bytes of it that are asked for, one after the other on a connection")
    func ranges() async throws {
        try await serving { served async throws in
            let (target, path) = try record(served)
            // What is in it is no matter here.
            var random = TestRandom(seed: 3)
            let bytes = (0..<700_001).map { _ in UInt8.random(in: 0...255, using: &random) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let socket = try TestSocket(port: served.port)
            for (range, expected) in [
                (nil, 0..<bytes.count), ("bytes=0-0", 0..<1), ("bytes=300000-300999", 300_000..<301_000),
                ("bytes=1000-", 1_000..<bytes.count), ("bytes=-8", bytes.count - 8..<bytes.count),
                ("bytes=0-999999999", 0..<bytes.count), ("bytes=9-3", 0..<bytes.count), ("lines=1-2", 0..<bytes.count),
                ("bytes=1-2,4-5", 0..<bytes.count),
            ] as [(String?, Range<Int>)] {
                let answer = try socket.request(
                    "GET", target, headers: range.map { ["Range": $0] } ?? [:], port: served.port)
                let isWhole = expected.count == bytes.count
                #expect(answer.status == (isWhole ? 200 : 206))
                #expect((answer.body == Array(bytes[expected])) as Bool, "\(range ?? "all")")
                #expect(
                    answer.headers["content-range"]
                        == (isWhole ? nil : "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(bytes.count)"))
            }
            let head = try socket.request("HEAD", target, port: served.port)
            #expect(head.status == 200 && head.headers["content-length"] == "\(bytes.count)")
            #expect(try socket.request("GET", "/api/library", port: served.port).status == 200)
        }
    }

    @Test("One of more than four gigabytes is sent as it is taken")
    func long() async throws {
        try await serving { served async throws in
            let (target, path) = try record(served)
            // The rest is a hole, which takes no room.
            let size = 5_000_000_000
            #expect(truncate(path, off_t(size)) == 0)
            let head = try served.request("HEAD", target)
            #expect(head.status == 200 && head.headers["content-length"] == "\(size)")
            let last = try served.request("GET", target, headers: ["Range": "bytes=-10"])
            #expect(last.status == 206 && last.body == [UInt8](repeating: 0, count: 10))
            // Who takes a little of it, and goes, leaves nothing behind.
            for _ in 0..<3 {
                let socket = try TestSocket(port: served.port, receiveBuffer: 4_096)
                socket.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n")
                #expect(try socket.read(through: "\r\n\r\n").contains("200 OK"))
                #expect(try socket.read(1_000_000).starts(with: Array("RIFF".utf8)))
            }
            #expect(try served.request("GET", "/api/library").status == 200)
            #expect(served.session.player.engine.state.tracks[0].playing != nil)
        }
    }
}
