// What is on the network is fetched through libav.
#if LibAV
    import BarlineTestSupport
    import Foundation
    import Testing

    /// Items of a list that a server sends badly, under a real program.
    @Suite("Streams of servers that fail", .timeLimit(.minutes(10)))
    struct RemoteFaultTests {
        private static let frames = 144_000
        private let folder: TemporaryFolder
        private let server: FileServer

        init() throws {
            folder = try TemporaryFolder()
            var random = TestRandom(seed: 8)
            for (name, count) in [("remote.wav", RemoteFaultTests.frames), ("local.wav", 24_000)] {
                try folder.write(name, WaveFile((0..<count).map { _ in random.amplitude() / 4 }).bytes)
            }
            server = try FileServer(folder)
        }

        /// What became of both items.
        private struct Course {
            let events: [[String: Any]]
            let errors: String

            func frame(_ event: String, of item: String? = nil) -> Int? {
                let found = events.first { $0.text("event") == event && (item == nil || $0.text("item") == item) }
                return found?.integer("frame")
            }
        }

        /// Plays the item that the server sends badly, and one of the disk after it.
        private func play(_ behaviour: String) throws -> Course {
            let program = try Program(
                Barline.path,
                [
                    "play", server.url(behaviour, "remote.wav"), folder.path("local.wav"), "--backend", "null",
                    "--json",
                ], environment: Barline.environment.merging(["XDG_STATE_HOME": folder.path(behaviour)]) { $1 })
            defer { program.end() }
            #expect(
                eventually(within: 120) { program.output.contains(#""event":"playlistEnded""#) }, "\(program.output)")
            // The last line may be half written.
            let lines = program.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            return Course(events: try JSONLines.objects(lines.joined(separator: "\n")), errors: program.errors)
        }

        @Test("A stream that does not say how long it is is written for as long as is asked for, and not without")
        func unknownLength() throws {
            let output = folder.path("out.wav")
            let arguments = ["play", server.url("chunked", "remote.wav"), "--output", output]
            let refused = try Barline.run(arguments)
            #expect(refused.status == 1 && refused.errors.contains("--duration"), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: output))
            let written = try Barline.run(arguments + ["--duration", "1"])
            #expect(written.status == 0, "\(written.errors)")
            let (heard, file) = (
                try WaveContents(path: output), try WaveContents(path: folder.path("remote.wav"))
            )
            #expect(heard.frameCount == 48_000 && heard.channels[0] == Array(file.channels[0][..<48_000]))
        }

        @Test(
            "Where a connection is reset, or hangs for a while, the item goes on at the very frame",
            arguments: ["reset", "stall"])
        func goesOn(behaviour: String) throws {
            let course = try play(behaviour)
            let start = try #require(course.frame("itemStarted", of: "p1"))
            let end = try #require(course.frame("itemEnded", of: "p1"))
            // What was read ahead covers the break, but on a machine that is held up itself.
            let isWhole = course.frame("playlistUnderrun") == nil
            #expect(isWhole ? end - start == RemoteFaultTests.frames : end - start > RemoteFaultTests.frames)
            #expect(course.frame("itemStarted", of: "p2") == end)
            #expect(server.requests.contains { $0.contains("bytes=") && !$0.contains("bytes=0-") })
        }

        @Test("An item that its server cuts off ends there, told, and the next one follows at once")
        func cut() throws {
            let course = try play("cut")
            let start = try #require(course.frame("itemStarted", of: "p1"))
            let end = try #require(course.frame("itemEnded", of: "p1"))
            #expect(end - start > RemoteFaultTests.frames / 4)
            #expect(course.frame("playlistUnderrun") != nil || end - start <= RemoteFaultTests.frames / 2)
            #expect(course.frame("itemStarted", of: "p2") == end)
            #expect(course.errors.contains("/cut/remote.wav: broke off"), "\(course.errors)")
        }

        @Test("A server that falls silent is given up: the underrun is told, and the next item plays")
        func silent() throws {
            let course = try play("silent")
            let dry = try #require(course.frame("playlistUnderrun"))
            let back = try #require(course.frame("playlistRecovered"))
            let end = try #require(course.frame("itemEnded", of: "p1"))
            #expect(dry < back && back <= end)
            let start = try #require(course.frame("itemStarted", of: "p2"))
            #expect(start == end)
            #expect(try #require(course.frame("itemEnded", of: "p2")) - start >= 24_000)
            #expect(course.errors.contains("/silent/remote.wav: broke off"), "\(course.errors)")
        }

        @Test("A server that never answers is passed over, told")
        func mute() throws {
            let course = try play("mute")
            let skipped = try #require(course.events.first { $0.text("event") == "itemSkipped" })
            #expect(skipped.text("item") == "p1")
            #expect(skipped.text("reason")?.contains("can't be opened") == true)
            #expect(course.frame("itemStarted", of: "p1") == nil)
            #expect(course.frame("itemEnded", of: "p2") != nil)
        }
    }
#endif
