// What is on the network is fetched through libav.
#if LibAV
    import BarlineTestSupport
    import Foundation
    import Testing

    @testable import BarlineFiles

    /// Files and streams from a real server on loopback.
    @Suite("Reading from the network", .serialized, .timeLimit(.minutes(10)))
    struct RemoteTests {
        private let folder: TemporaryFolder
        private let server: FileServer

        init() throws {
            folder = try TemporaryFolder()
            server = try FileServer(folder)
        }

        /// A file of noise, exact in its codes; it repeats after a prime number of frames.
        private func noise(_ name: String, frames: Int, encodedBy command: [String]? = nil) throws {
            var random = TestRandom(seed: UInt64(frames))
            let tile = (0..<4 * min(frames, 99_991)).map { _ in UInt8.random(in: 0...255, using: &random) }
            var data = [UInt8](repeating: 0, count: 4 * frames)
            for start in stride(from: 0, to: data.count, by: tile.count) {
                data.replaceSubrange(start..<min(start + tile.count, data.count), with: tile.prefix(data.count - start))
            }
            let format = WaveFile([], encoding: .signed16, channels: 2).format
            let path = try folder.write("noise.wav", WaveFile.riff(format + Bytes.chunk("data", data)))
            guard let command else {
                try FileManager.default.moveItem(atPath: path, toPath: folder.path(name))
                return
            }
            let arguments = command.dropFirst().map { $0 == "IN" ? path : $0 == "OUT" ? folder.path(name) : $0 }
            let encoded = try Program.run(command[0], Array(arguments))
            #expect(encoded.status == 0, "\(encoded.errors)")
        }

        private func read(_ stream: AudioFileStream, frames limit: Int = .max) throws -> [Float] {
            var samples: [Float] = []
            let buffers = [0, 1].map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 4096) }
            defer { for buffer in buffers { buffer.deallocate() } }
            while samples.count < limit {
                let count = try stream.read(
                    left: buffers[0], right: buffers[1], count: min(4096, limit - samples.count))
                if count == 0 { break }
                samples += UnsafeBufferPointer(start: buffers[0], count: count)
            }
            return samples
        }

        @Test("The samples are those of the file on disk", arguments: ["ranges", "whole", "chunked", "closed"])
        func same(behaviour: String) throws {
            try noise("a.flac", frames: 50_001, encodedBy: ["flac", "-s", "IN", "-o", "OUT"])
            try noise("a.opus", frames: 48_000, encodedBy: ["opusenc", "--quiet", "IN", "OUT"])
            try noise("a.mp3", frames: 44_444, encodedBy: ["lame", "--quiet", "IN", "OUT"])
            try noise("a.wav", frames: 60_000)
            // Of an MP3 without a length libav does not remove the padding at the end.
            let hasLength = behaviour != "chunked" && behaviour != "closed"
            for name in ["a.flac", "a.wav", "a.opus"] + (hasLength ? ["a.mp3"] : []) {
                let expected = try read(AudioFileStream(path: folder.path(name)))
                let stream = try AudioFileStream(path: server.url(behaviour, name))
                let found = try read(stream)
                #expect(found.count == expected.count, "\(name)")
                // Another decoder of a lossy format rounds in its own way; a shift by a frame would differ by all.
                let difference = zip(found, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
                #expect(difference < (name == "a.flac" || name == "a.wav" ? 1e-9 : 0.01), "\(name)")
                if behaviour == "ranges" { #expect(abs(stream.frameCount - Int64(expected.count)) < 4000) }
            }
        }

        @Test("AAC has no padding at its end", arguments: ["ranges", "whole", "chunked", "closed"])
        func padding(behaviour: String) throws {
            try noise(
                "a.m4a", frames: 50_100,
                encodedBy: [
                    "ffmpeg", "-loglevel", "error", "-i", "IN", "-c:a", "aac", "-movflags", "+faststart", "OUT",
                ])
            let expected = try read(AudioFileStream(path: folder.path("a.m4a")))
            let found = try read(AudioFileStream(path: server.url(behaviour, "a.m4a")))
            #expect(expected.count == 50_100 && found == expected)
        }

        @Test(
            "Where iTunSMPB gives AAC's length, it ends there from a server as from disk",
            arguments: [(frames: 50_100, isEdited: false), (49_700, false), (48_500, true)])
        func tag(frames: Int, isEdited: Bool) throws {
            func encode(_ name: String, _ tags: [String]) throws {
                try noise(
                    name, frames: 50_100,
                    encodedBy: ["ffmpeg", "-loglevel", "error", "-i", "IN", "-c:a", "aac"] + tags + [
                        "-movflags", "+faststart+use_metadata_tags", "OUT",
                    ])
            }
            try encode("plain.m4a", [])
            let length = String(frames, radix: 16)
            try encode("a.m4a", ["-metadata", "iTunSMPB= 00000000 00000400 00000000 \(length) 00000000 00000000"])
            if isEdited {
                var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.m4a"))))
                let list = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("elst".utf8)) })
                // Behind its version and how many there are, an edit begins with its length, in milliseconds.
                let milliseconds = UInt32((Double(frames) / 48).rounded(.up))
                bytes.replaceSubrange(
                    list + 12..<list + 16, with: withUnsafeBytes(of: milliseconds.bigEndian, Array.init))
                try folder.write("a.m4a", bytes)
            }
            let whole = try read(AudioFileStream(path: folder.path("plain.m4a")))
            let expected = Array(whole.prefix(frames))
            #expect(expected.count == frames)
            #expect(try read(AudioFileStream(path: folder.path("a.m4a"))) == expected)
            #expect(try read(AudioFileStream(path: server.url("ranges", "a.m4a"))) == expected)
        }

        @Test("Seeking gives the same frames as reading there", arguments: ["ranges", "whole"])
        func seek(behaviour: String) throws {
            try noise("a.flac", frames: 50_000, encodedBy: ["flac", "-s", "IN", "-o", "OUT"])
            let whole = try read(AudioFileStream(path: folder.path("a.flac")))
            let stream = try AudioFileStream(path: server.url(behaviour, "a.flac"))
            for place in [30_000, 40_001, 0, 49_999] {
                try stream.seek(to: Int64(place))
                #expect(try read(stream, frames: 1000) == Array(whole[place..<min(place + 1000, 50_000)]))
            }
        }

        @Test("A server that dies midway and comes back goes on at the very sample")
        func comeBack() throws {
            // More than what the system's buffers hold.
            try noise("a.wav", frames: 8_000_000)
            let expected = try read(AudioFileStream(path: folder.path("a.wav")))
            let stream = try AudioFileStream(path: server.url("ranges", "a.wav"))
            var found = try read(stream, frames: 100_000)
            server.crash()
            let started = Date()
            let later = server
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 0.7)
                try? later.comeBack()
            }
            found += try read(stream)
            #expect(found == expected)
            #expect(-started.timeIntervalSinceNow < 40)
            #expect(server.requests.contains { $0.hasPrefix("/ranges/a.wav bytes=") && !$0.contains("bytes=0-") })
        }

        @Test(
            "A server that stays away is an error, not an end, and is not waited for for ever",
            arguments: ["ranges", "whole"])
        func staysAway(behaviour: String) throws {
            try noise("a.wav", frames: 8_000_000)
            let stream = try AudioFileStream(path: server.url(behaviour, "a.wav"))
            _ = try read(stream, frames: 100_000)
            server.crash()
            let started = Date()
            let error = try #require(throws: AudioFileError.self) { try read(stream) }
            guard case .connectionLost = error else {
                Issue.record("\(error)")
                return
            }
            #expect(-started.timeIntervalSinceNow < 60)
        }

        @Test("A file that is cut short by its server is an error")
        func cut() throws {
            try noise("a.wav", frames: 200_000)
            let stream = try AudioFileStream(path: server.url("cut", "a.wav"))
            #expect(throws: AudioFileError.self) { try read(stream) }
        }

        @Test("A live stream that breaks off is joined anew; wherever it is sought, it goes on with what comes")
        func live() throws {
            try noise("a.mp3", frames: 96_000, encodedBy: ["lame", "--quiet", "-t", "IN", "OUT"])
            let stream = try AudioFileStream(path: server.url("live", "a.mp3"))
            #expect(stream.frameCount == 0)
            for frame in [10_000, 2_000_000, 0] as [Int64] {
                try stream.seek(to: frame)
                #expect(try read(stream, frames: 5_000).count == 5_000)
            }
            #expect(try read(stream, frames: 250_000).count == 250_000)
            #expect(server.requests.count >= 3)
            server.crash()
            let error = try #require(throws: AudioFileError.self) { try read(stream) }
            #expect(error.problem.contains("could not be joined anew"), "\(error)")
        }

        @Test("Opening and reading are called off from another thread", arguments: ["mute", "silent"])
        func cancel(behaviour: String) throws {
            try noise("a.wav", frames: 2_000_000)
            let cancellation = ReadCancellation()
            let started = Date()
            let later = Thread {
                Thread.sleep(forTimeInterval: 1)
                cancellation.cancel()
            }
            later.start()
            #expect(throws: AudioFileError.self) {
                let url = server.url(behaviour, "a.wav")
                _ = try read(AudioFileStream(path: url, cancellation: cancellation))
            }
            // Silence would be given up on after ten seconds.
            #expect(-started.timeIntervalSinceNow < 9)
        }

        @Test("What is not there, or no audio, is said")
        func errors() throws {
            try folder.write("a.txt", "To be, or not to be")
            func problem(_ path: String) throws -> String {
                try #require(throws: AudioFileError.self) { try AudioFileStream(path: path) }.problem
            }
            #expect(try problem(server.url("ranges", "none.wav")).contains("404"))
            #expect(try problem(server.url("ranges", "a.txt")).contains("can't be"))
            server.crash()
            #expect(try problem(server.url("ranges", "a.txt")).contains("Connection refused"))
            #expect(try problem("gopher://127.0.0.1/x").contains("only http and https"))
        }
    }
#endif
