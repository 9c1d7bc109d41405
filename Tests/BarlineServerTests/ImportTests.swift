import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// Files that several clients bring in at once: none is lost, none is stored twice, none loses its name.
@Suite("Import over HTTP", .serialized)
struct ImportTests {
    private func sound(_ seed: Int, frames: Int = 9_600) -> [UInt8] {
        WaveFile((0..<frames).map { sin(Double($0) / Double(20 + seed)) / 4 }).bytes
    }

    private func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            let letter = Character(UnicodeScalar(byte))
            return letter.isASCII && (letter.isLetter || letter.isNumber)
                ? String(letter) : "%" + String(256 + Int(byte), radix: 16).dropFirst().uppercased()
        }.joined()
    }

    private func stored(_ served: ServedSession) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: served.folder.path("audio"))
    }

    /// Asks for many things at once, each on a connection of its own.
    private func atOnce(
        _ count: Int, _ ask: @escaping @Sendable (Int) throws -> HTTPAnswer
    ) async throws -> [HTTPAnswer] {
        try await withThrowingTaskGroup { group in
            for index in 0..<count { group.addTask { (index, try ask(index)) } }
            var answers: [Int: HTTPAnswer] = [:]
            for try await (index, answer) in group { answers[index] = answer }
            return (0..<count).compactMap { answers[$0] }
        }
    }

    @Test("Of seventeen files that come at once for one place, each gets a place of its own")
    func places() async throws {
        try await serving { served async throws in
            let before = served.session.player.document.tracks[0].clips
            let bodies = (0..<17).map { sound($0) }
            let answers = try await atOnce(17) { index in
                try served.request("PUT", "/api/files?name=Take%20\(index).wav&track=t&slot=0", body: bodies[index])
            }
            #expect(answers.allSatisfy { $0.status == 201 })
            let clips = served.session.player.document.tracks[0].clips
            #expect(Array(clips.prefix(2)) == before && clips.count == 19)
            #expect(Set(clips.map(\.slot)) == Set(0..<19))
            #expect(Set(clips.map(\.name)) == Set(["a", "b"] + (0..<17).map { "Take \($0)" }))
            for answer in answers {
                let clip = clips.first { $0.id == answer["clip"]?.text }
                #expect(clip.map { Double($0.slot) } == answer["slot"]?.number && answer["track"] == "t")
            }
            #expect(served.session.player.clips.values.allSatisfy { $0.handle != nil })
        }
    }

    @Test(
        "A disk that is full is named; in place of one that is protected the library takes files",
        .enabled(if: SmallDisk.canBeMade))
    func disks() async throws {
        try await serving { served async throws in
            let disk = try SmallDisk(at: served.folder.folder("audio"), bytes: 1 << 20)
            try disk.fill()
            let full = try served.request("PUT", "/api/files?name=new.wav", body: sound(3))
            #expect(full.status == 507)
            #expect(full["error"] == "the file could not be written: No space left on device")
            disk.empty()
            try disk.protect()
            let answer = try served.request("PUT", "/api/files?name=new.wav&track=t&slot=4", body: sound(3))
            #expect(answer.status == 201, "\(answer)")
            let library = served.session.library.audio.path
            #expect(answer["file"]?.text == served.session.media.relative("\(library)/new.wav"))
            #expect(served.session.player.clips.values.allSatisfy { $0.handle != nil })
            #expect(try stored(served) == [])
        }
    }

    @Test("Under a name that claims another tempo the same content plays at that one, and is stored once")
    func claims() async throws {
        try await serving { served async throws in
            let body = sound(3, frames: 96_000)
            for (index, bpm) in [90, 100].enumerated() {
                let answer = try served.request(
                    "PUT", "/api/files?name=pad%20\(bpm)%20BPM.wav&track=u&slot=\(4 + index)", body: body)
                let clip = try #require(answer["clip"]?.text)
                #expect(served.session.player.clips[clip]?.tempo == Double(bpm))
            }
            #expect(try stored(served) == ["pad 90 BPM.wav"])
        }
    }

    @Test("Two clients that import at once get whole runs of places, each one step of undo")
    func runs() async throws {
        try await serving { served async throws in
            for index in 0..<12 {
                let answer = try served.request("PUT", "/api/files?name=f\(index).wav", body: sound(index))
                #expect(answer["file"] == .string("audio/f\(index).wav"))
            }
            let answers = try await atOnce(2) { client in
                let files = (0..<6).map { "\"audio/f\(6 * client + $0).wav\"" }.joined(separator: ", ")
                return try served.act(
                    "{\"do\": \"importFiles\", \"track\": \"u\", \"slot\": 0, \"files\": [\(files)]}")
            }
            for (client, answer) in answers.enumerated() {
                let placed = answer["results"]?[0]?["result"]?["placed"]?.list ?? []
                let slots = placed.compactMap { $0["slot"]?.number }
                #expect(placed.compactMap { $0["name"]?.text } == (0..<6).map { "f\(6 * client + $0)" })
                #expect(slots == (0..<6).map { (slots.first ?? 0) + Double($0) })
            }
            #expect(Set(served.session.player.document.tracks[1].clips.map(\.slot)) == Set(0..<13))
            #expect(try served.act(#"{"do": "undo"}"#)["results"]?[0]?["ok"] == true)
            #expect(served.session.player.document.tracks[1].clips.count == 7)
            #expect(try served.act(#"{"do": "undo"}"#)["results"]?[0]?["ok"] == true)
            #expect(served.session.player.document.tracks[1].clips.map(\.id) == ["c"])
        }
    }

    @Test("What was being sent to a program that was killed goes; what another one is being sent stays")
    func leftovers() async throws {
        try await serving { served async throws in
            let old = "audio/.upload-1.wav"
            for name in [old, "audio/.upload-2.wav"] { try served.folder.write(name, sound(3)) }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: served.folder.path(old))
            #expect(try served.request("PUT", "/api/files?name=new.wav", body: sound(1)).status == 201)
            let names = try stored(served)
            #expect(names.contains("new.wav") && names.contains(".upload-2.wav") && !names.contains(".upload-1.wav"))
        }
    }

    @Test("A clip is replaced only where that is asked for")
    func replacing() async throws {
        try await serving { served async throws in
            let target = "/api/files?name=new.wav&track=t&slot=1"
            #expect(try served.request("PUT", target, body: sound(1))["slot"]?.number == 2)
            #expect(served.session.player.document.tracks[0].clips.map(\.id) == ["a", "b", "new"])
            let answer = try served.request("PUT", target + "&replace=1", body: sound(1))
            #expect(answer["slot"]?.number == 1)
            let clips = served.session.player.document.tracks[0].clips
            #expect(clips.map(\.slot) == [0, 2, 1] && clips.map(\.id) == ["a", "new", "new-2"])
        }
    }

    @Test(
        "A name arrives as it was, whatever is in it",
        arguments: [
            "Kick Loop & Bass 126 BPM", "a+b", "100% wet", "50%25", "#1 take?", "semi;colon=equals", "太鼓ループ",
            "caf\u{e9}",
            "cafe\u{301}", "\u{1F941}\u{1F468}\u{200D}\u{1F3A4}", "~tilde", "quote's \"both\"", "a:b", "[x] {y} (z)",
            "الإيقاع", "trailing ", "two..dots.", "%2e%2e%2fx",
        ])
    func names(name: String) async throws {
        try await serving { served async throws in
            let answer = try served.request(
                "PUT", "/api/files?name=\(escaped(name + ".wav"))&track=u", body: sound(1))
            #expect(answer.status == 201)
            let file = try #require(answer["file"]?.text)
            #expect(Array(file.utf8) == Array("audio/\(name).wav".utf8))
            #expect(try stored(served).map { Array($0.utf8) } == [Array("\(name).wav".utf8)])
            let clip = try #require(served.session.player.document.tracks[1].clips.last)
            #expect(Array(clip.name.utf8) == Array(name.utf8) && clip.file == file)
            #expect(served.session.player.clips[clip.id]?.handle != nil)
        }
    }

    @Test("A percent sign that begins no escape is one, and so is a plus sign a plus sign")
    func bareSigns() async throws {
        try await serving { served async throws in
            let answer = try served.request("PUT", "/api/files?name=100%+wet.wav", body: sound(1))
            #expect(answer["file"] == "audio/100%+wet.wav")
        }
    }

    @Test("A name that is longer than a disk allows is shortened, never refused")
    func longName() async throws {
        try await serving { served async throws in
            let name = String(repeating: "長", count: 120)
            for seed in 1...2 {
                let target = "/api/files?name=\(escaped(name)).wav&track=u"
                let answer = try served.request("PUT", target, body: sound(seed))
                #expect(answer.status == 201 && answer["name"] == .string(name))
            }
            #expect(try stored(served).count == 2)
        }
    }

    @Test("Equal content is stored once, under its first name, also where it comes many times at once")
    func sameContent() async throws {
        try await serving { served async throws in
            let body = sound(3)
            let answers = try await atOnce(8) { index in
                let name = index % 2 == 0 ? "Loop" : "Other%20\(index)%2090%20BPM"
                return try served.request("PUT", "/api/files?name=\(name).wav&track=u", body: body)
            }
            let names = try stored(served)
            #expect(names.count == 1)
            #expect(Set(answers.compactMap { $0["file"]?.text }) == ["audio/" + (names.first ?? "")])
            let clips = served.session.player.document.tracks[1].clips.dropFirst()
            #expect(clips.count { $0.name == "Loop" } == 4)
            #expect(clips.allSatisfy { !$0.name.hasPrefix("Loop") || $0.name == "Loop" })
            // A tempo that only the name has is not lost with the name.
            for clip in clips where clip.name.hasPrefix("Other") {
                let binding = try #require(served.session.player.clips[clip.id])
                #expect(clip.bpm == 90 || binding.audio?.metadata.tempo == 90)
            }
            // What the session has elsewhere is not stored again.
            let own = try served.folder.bytes("a.wav")
            #expect(try served.request("PUT", "/api/files?name=b.wav", body: Array(own))["file"] == "a.wav")
            #expect(try stored(served).count == 1)
        }
    }

    @Test("Another content of the same name gets a name of its own, and its clip the name it came with")
    func sameName() async throws {
        try await serving { served async throws in
            let names = ["Loop", "Loop", "caf\u{e9}", "cafe\u{301}"]
            for (index, name) in names.enumerated() {
                let target = "/api/files?name=\(escaped(name)).wav&track=u"
                #expect(try served.request("PUT", target, body: sound(index)).status == 201)
            }
            #expect(
                try stored(served).sorted() == ["Loop 2.wav", "Loop.wav", "caf\u{e9} 2.wav", "caf\u{e9}.wav"].sorted())
            #expect(served.session.player.document.tracks[1].clips.dropFirst().map(\.name) == names)
            let files = served.session.player.document.tracks[1].clips.dropFirst().map(\.file)
            for (index, file) in files.enumerated() {
                #expect(try Array(served.folder.bytes(file)) == sound(index))
            }
        }
    }

    @Test("What can't be read is reported by name, and the others come")
    func problems() async throws {
        try await serving { served async throws in
            try served.folder.write("lies.wav", Array("not audio".utf8))
            try served.folder.write("truth.wav", sound(1))
            let answer = try served.act(
                """
                {"do": "importFiles", "track": "u", "files": ["lies.wav", "missing.wav", "truth.wav", "/etc/passwd"]}
                """)
            let result = answer["results"]?[0]?["result"]
            #expect(result?["clips"]?.list == ["truth"])
            #expect(
                result?["problems"]?.list.compactMap { $0["file"]?.text } == ["lies.wav", "missing.wav", "/etc/passwd"])
            let nothing = try served.act(#"{"do": "importFiles", "track": "u", "files": ["lies.wav"]}"#)
            #expect(nothing["results"]?[0]?["ok"] == false)
            #expect(nothing["results"]?[0]?["error"]?.text?.contains("lies.wav") == true)
        }
    }
}
