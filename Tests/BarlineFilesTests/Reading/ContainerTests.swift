#if LibAV
    import BarlineTestSupport
    import Foundation
    import Testing

    @testable import BarlineFiles

    /// What libavformat reads.
    @Suite("Decoding AAC, ALAC, WavPack, Matroska and WebM")
    struct ContainerTests {
        /// A container with a codec, as ffmpeg writes it.
        struct Kind: CustomStringConvertible, Sendable {
            let ending: String
            let options: [String]
            let isLossless: Bool
            var rate = 44_100

            var description: String { "\(ending) \(options.joined(separator: " "))" }
        }

        static let kinds = [
            Kind(ending: "m4a", options: ["-c:a", "aac", "-b:a", "320k"], isLossless: false),
            Kind(ending: "m4a", options: ["-c:a", "alac"], isLossless: true),
            Kind(ending: "wv", options: ["-c:a", "wavpack"], isLossless: true),
            Kind(ending: "mka", options: ["-c:a", "flac"], isLossless: true),
            Kind(ending: "oga", options: ["-c:a", "flac"], isLossless: true),
            Kind(ending: "webm", options: ["-c:a", "libopus", "-b:a", "256k"], isLossless: false, rate: 48_000),
        ]

        private func encode(_ samples: [Double], _ kind: Kind, _ name: String, in folder: TemporaryFolder) throws
            -> String
        {
            let wave = WaveFile(
                samples.map { ($0 * 32_767).rounded() }, encoding: .signed16, sampleRate: kind.rate)
            let source = try folder.write("\(name).wav", wave.bytes)
            let path = folder.path("\(name).\(kind.ending)")
            let made = try Program.run("ffmpeg", ["-loglevel", "error", "-y", "-i", source] + kind.options + [path])
            #expect(made.status == 0, "\(made.errors)")
            return path
        }

        private func noise(_ frames: Int) -> [Double] {
            var random = TestRandom(seed: 12)
            var low = 0.0
            return (0..<frames).map { _ in
                low += 0.15 * (random.amplitude() - low)
                return low
            }
        }

        @Test("AAC behind a tag that makes it look like MP3 is what it is without")
        func taggedADTS() throws {
            let folder = try TemporaryFolder()
            let adts = Kind(ending: "aac", options: ["-c:a", "aac"], isLossless: false)
            let plain = try encode(noise(50_000), adts, "plain", in: folder)
            // A tag of 300 bytes of padding.
            let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 44] + [UInt8](repeating: 0, count: 300)
            let tagged = try folder.write("tagged.aac", tag + folder.bytes("plain.aac"))
            let (clip, other) = (try AudioClip(path: plain), try AudioClip(path: tagged))
            #expect(clip.left == other.left && clip.samples.frameCount >= 50_000)
        }

        @Test("AAC without a container is as long as its packets, however uneven they are", arguments: [true, false])
        func unevenADTS(isSilentFirst: Bool) throws {
            let folder = try TemporaryFolder()
            let (silence, sound) = ([Double](repeating: 0, count: 400_000), noise(400_000))
            let adts = Kind(ending: "aac", options: ["-c:a", "aac", "-q:a", "2"], isLossless: false)
            let path = try encode(isSilentFirst ? silence + sound : sound + silence, adts, "a", in: folder)
            let reader = try AudioFileReader(path: path)
            let whole = try AudioClip(path: path).left
            #expect(reader.frameCount == whole.count && (800_000..<804_096).contains(whole.count))
            #expect(reader.seek(to: 790_000))
            var samples = [Float](repeating: 0, count: 1_000)
            #expect(reader.read(into: &samples, frames: 1_000) == 1_000)
            #expect(samples.elementsEqual(whole[790_000..<791_000]))
        }

        @Test(
            "Files that were written as a stream, which say nothing of their length, have it",
            arguments: ["libopus", "flac"], ["webm", "matroska"])
        func streamed(codec: String, container: String) throws {
            if codec == "flac", container == "webm" { return }
            let folder = try TemporaryFolder()
            let wave = WaveFile(
                noise(96_000).map { ($0 * 32_767).rounded() }, encoding: .signed16, sampleRate: 48_000)
            let source = try folder.write("a.wav", wave.bytes)
            let path = folder.path("a.bin")
            let made = try Program.run(
                "sh",
                ["-c", "ffmpeg -loglevel error -i \(source) -c:a \(codec) -f \(container) - | cat > \(path)"])
            #expect(made.status == 0, "\(made.errors)")
            let reader = try AudioFileReader(path: path)
            #expect(abs(reader.frameCount - 96_000) < 1_000, "\(reader.frameCount)")
        }

        @Test("Noise cut in two at an odd frame joins again: no frame too few, none too many", arguments: kinds)
        func join(kind: Kind) throws {
            let folder = try TemporaryFolder()
            let whole = noise(90_201)
            var joined: [Float] = []
            for (index, half) in [Array(whole[..<44_111]), Array(whole[44_111...])].enumerated() {
                let clip = try AudioClip(path: try encode(half, kind, "\(index)", in: folder))
                #expect(clip.samples.frameCount == half.count)
                joined += clip.left
            }
            #expect(joined.count == whole.count)
            if kind.isLossless {
                #expect(zip(joined, whole).allSatisfy { abs(Double($0) - ($1 * 32_767).rounded() / 32_768) < 1e-7 })
            } else {
                for place in [5_000, 40_000, 50_000, 85_000] where place + 1_000 < joined.count {
                    var error = 0.0
                    var power = 0.0
                    for frame in place..<place + 1_000 {
                        error += (Double(joined[frame]) - whole[frame]) * (Double(joined[frame]) - whole[frame])
                        power += whole[frame] * whole[frame]
                    }
                    #expect(error < 0.1 * power, "at \(place)")
                }
            }
        }

        @Test(
            "AAC whose last packet begins behind the millisecond at which its edits end is whole",
            arguments: [177_177, 246_817, 100_374, 50_195, 90_201, 96_256])
        func lastPacket(frames: Int) throws {
            let folder = try TemporaryFolder()
            let samples = noise(frames)
            let path = try encode(samples, Self.kinds[0], "a", in: folder)
            let clip = try AudioClip(path: path)
            #expect(clip.samples.frameCount == frames)
            // The very end is there, and in its place.
            var (error, power) = (0.0, 0.0)
            for frame in frames - 1_200..<frames - 2 {
                error += (Double(clip.left[frame]) - samples[frame]) * (Double(clip.left[frame]) - samples[frame])
                power += samples[frame] * samples[frame]
            }
            #expect(error < 0.1 * power)
            let stream = try AudioFileStream(path: path)
            try stream.seek(to: Int64(frames) - 1_000)
            var left = [Float](repeating: 0, count: 1_000)
            var right = left
            #expect(try stream.read(left: &left, right: &right, count: 1_000) > 0)
            #expect(left[..<100] == clip.left[(frames - 1_000)..<(frames - 900)])
        }

        @Test("A seek is exact to the frame", arguments: kinds)
        func seek(kind: Kind) throws {
            let folder = try TemporaryFolder()
            let path = try encode(noise(100_000), kind, "a", in: folder)
            let whole = try AudioClip(path: path).left
            let stream = try AudioFileStream(path: path)
            let left = UnsafeMutablePointer<Float>.allocate(capacity: 1_000)
            let right = UnsafeMutablePointer<Float>.allocate(capacity: 1_000)
            defer {
                left.deallocate()
                right.deallocate()
            }
            for frame in [60_001, 3, 99_500, 20_000] {
                try stream.seek(to: Int64(frame))
                let count = try stream.read(left: left, right: right, count: 1_000)
                #expect(count > 0)
                #expect((0..<count).allSatisfy { abs(left[$0] - whole[frame + $0]) < 1e-5 }, "at \(frame)")
            }
        }

        static let long =
            kinds[..<3] + [
                Kind(ending: "m4a", options: ["-c:a", "alac", "-output_ts_offset", "0.5"], isLossless: true),
                Kind(ending: "m4a", options: ["-c:a", "alac", "-movflags", "+frag_keyframe"], isLossless: true),
                Kind(ending: "aac", options: ["-c:a", "aac", "-b:a", "320k"], isLossless: false),
            ]

        @Test("A seek far into a file, and back, finds the samples that reading up to there finds", arguments: long)
        func farSeek(kind: Kind) throws {
            let folder = try TemporaryFolder()
            let path = try encode(noise(900_000), kind, "a", in: folder)
            let whole = try AudioClip(path: path).left
            let stream = try AudioFileStream(path: path)
            let left = UnsafeMutablePointer<Float>.allocate(capacity: 3_000)
            let right = UnsafeMutablePointer<Float>.allocate(capacity: 3_000)
            defer {
                left.deallocate()
                right.deallocate()
            }
            for frame in [700_001, 65_536, 890_500, 600_000, 600_500, 3, 131_072, 899_999, 400_000] {
                try stream.seek(to: Int64(frame))
                let count = try stream.read(left: left, right: right, count: 3_000)
                #expect(count > 0)
                #expect((0..<count).allSatisfy { abs(left[$0] - whole[frame + $0]) < 1e-5 }, "at \(frame)")
            }
        }

        @Test("A container without audio, or cut in its head, is refused in words")
        func refusals() throws {
            let folder = try TemporaryFolder()
            let path = try encode(noise(50_000), ContainerTests.kinds[1], "a", in: folder)
            let bytes = try folder.bytes("a.m4a")
            let cut = try folder.write("cut.m4a", Array(bytes.prefix(64)))
            #expect(throws: AudioFileError.self) { try AudioClip(path: cut) }
            #expect(throws: Never.self) { try AudioClip(path: path) }
        }
    }
#endif
