import BarlineTestSupport
import Testing

/// Pictures out of untrusted files.
@Suite("Covers", .serialized)
struct CoverTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 500)

    /// A WAV file with a picture in an ID3 tag, which says that it is of the type `type`.
    private func file(_ picture: [UInt8], type: String) -> [UInt8] {
        let content = [0] + Array(type.utf8) + [0, 3, 0] + picture
        let frame = Array("APIC".utf8) + Bytes.big(content.count, 4) + [0, 0] + content
        let size = (0..<4).reversed().map { UInt8(frame.count >> (7 * $0) & 127) }
        var wave = WaveFile([Double](repeating: 0.1, count: 4_800))
        wave.chunks = Bytes.chunk("id3 ", Array("ID3".utf8) + [3, 0, 0] + size + frame)
        return wave.bytes
    }

    /// What is answered for an item of the playlist whose file has a picture.
    private func answer(_ picture: [UInt8], type: String) async throws -> HTTPAnswer {
        var answer: HTTPAnswer?
        try await serving { served async throws in
            try served.folder.write("cover.wav", file(picture, type: type))
            let action = #"{"do": "playlist", "action": "insert", "index": 0, "file": "cover.wav", "id": "p"}"#
            #expect(try served.act(action)["results"]?[0]?["ok"] == true)
            answer = try served.request("GET", "/api/cover?item=p")
        }
        return try #require(answer)
    }

    @Test("A picture is sent as what its first bytes say it is, whatever the file calls it")
    func picture() async throws {
        for type in ["image/png", "text/html", ""] {
            let answer = try await answer(CoverTests.png, type: type)
            #expect(answer.status == 200 && answer.body == CoverTests.png)
            #expect(answer.headers["content-type"] == "image/png")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test("What is no picture is not sent, and neither is one that is larger than a cover")
    func refused() async throws {
        let page = Array("<html><script>alert(1)</script></html>".utf8)
        let drawing = Array(#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#.utf8)
        let large = CoverTests.png + [UInt8](repeating: 0, count: 8 << 20)
        for (picture, type) in [(page, "image/png"), (drawing, "image/svg+xml"), (large, "image/png")] {
            let answer = try await answer(picture, type: type)
            #expect(answer.status == 204 && answer.body.isEmpty, "\(type)")
        }
    }

    @Test("A clip's cover is there too; what is no clip and no item has none, and no path leads anywhere")
    func others() async throws {
        try await serving { served async throws in
            #expect(try served.request("GET", "/api/cover?clip=a").status == 204)
            for query in ["", "?clip=none", "?item=none", "?item=../a.wav", "?item=/etc/passwd", "?file=a.wav"] {
                #expect(try served.request("GET", "/api/cover\(query)").status == 404, "\(query)")
            }
        }
    }
}
