import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Stems whose pitch is kept while they follow the tempo, and stems that are transposed.
@Suite("Pitch of stems", .fewAtATime)
struct StretchedStemTests {
    /// Where the hits are in their file, in frames: two to a second of a song at 100 BPM, none on the grid.
    private static let hits = (0..<18).map { 6_007 + $0 * 24_000 + ($0 * 7_919) % 5_000 }
    private static let frames = 460_000
    private static let recorded = 100.0

    private static func dry(_ hit: Int, count: Int = 4_000) -> [Double] {
        var random = TestRandom(seed: UInt64(hit + 1))
        return (0..<count).map { random.double(-0.8...0.8) * exp(-Double($0) / 500) }
    }

    private static func sound() -> [Double] {
        var sound = [Double](repeating: 0, count: frames)
        for (index, hit) in hits.enumerated() {
            for (offset, value) in dry(index).enumerated() { sound[hit + offset] = value }
        }
        return sound
    }

    private func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("hits.wav", WaveFile(Self.sound()).bytes)
        try folder.folder.write("tone.wav", Sound.tone(480_000, cycles: 4_400))
        return folder
    }

    private static func session(
        _ more: String, tempo: Double = 80, file: String = "hits.wav", onsets: [Int]? = hits
    ) -> String {
        let list = onsets.map { #", "onsets": \#($0)"# } ?? ""
        return
            #"{"barline": 1, "tempo": \#(tempo), "stems": [{"id": "a", "file": "\#(file)", "bpm": \#(recorded)\#(list)\#(more)}]}"#
    }

    private static let stretch = #", "playback": "stretch""#

    /// The frame around `expected` on which a hit begins: where its sound and the mix are most alike.
    private static func attack(_ index: Int, in mix: [Float], near expected: Double, pitch: Double = 1) -> Int? {
        let dry = dry(index)
        let count = 200
        let heard = (0..<count).map { offset -> Double in
            let place = Double(offset) * pitch
            let part = place - place.rounded(.down)
            return dry[Int(place)] * (1 - part) + dry[Int(place) + 1] * part
        }
        let middle = Int(expected.rounded())
        var best = (score: 0.0, frame: Int?.none)
        for frame in max(0, middle - 150)...middle + 150 where frame + count < mix.count {
            var (product, energy) = (0.0, 1e-12)
            for offset in 0..<count {
                product += heard[offset] * Double(mix[frame + offset])
                energy += Double(mix[frame + offset]) * Double(mix[frame + offset])
            }
            let score = product / energy.squareRoot()
            if score > best.score { best = (score, frame) }
        }
        return best.frame
    }

    @Test("Stems that are all to keep their pitch come in on one frame, and in their order")
    func order() async throws {
        let folder = try folder()
        let stems = (1...8).map { #"{"id": "s\#($0)", "file": "tone.wav", "bpm": 100, "playback": "repitch"}"# }
        let script = """
            {"frame": 0, "do": "stems", "action": "play"}
            {"frame": 24000, "do": "playbackOfStems", "playback": "stretch"}
            """
        _ = try await folder.render(
            #"{"barline": 1, "tempo": 100, "stems": [\#(stems.joined(separator: ", "))]}"#, script: script,
            frames: 96_000, events: "events.jsonl")
        let text = try folder.folder.text("events.jsonl")
        let joined = try text.split(separator: "\n").filter { $0.contains("stemJoined") }.map {
            let event = try #require(try JSONLines.objects(String($0)).first)
            return "\(try #require(event.text("stem"))) \(try #require(event.integer("frame")))"
        }
        #expect(joined == (1...8).map { "s\($0) 24000" })
    }

    private struct Segment {
        let frame: Int
        /// In seconds of the stems.
        let position: Double
        var end = Int.max
    }

    /// What the stems have done, by the events: from where on they played, and when they ceased to.
    private func segments(_ folder: SessionFolder) throws -> [Segment] {
        let text = try folder.folder.text("events.jsonl")
        var found: [Segment] = []
        for line in text.split(separator: "\n") where line.contains(#""event":"stems"#) {
            let frame = try #require(try JSONLines.objects(String(line))[0].integer("frame"))
            if let last = found.indices.last, found[last].end == .max { found[last].end = frame }
            let starts = ["Started", "Seeked", "Looped"].contains { line.contains("stems\($0)") }
            if starts, let position = try JSONLines.objects(String(line))[0].number("position") {
                found.append(Segment(frame: frame, position: position))
            }
        }
        return found
    }

    // MARK: Following the tempo

    @Test("Every attack is heard on the frame of its beat, whatever the tempo does", arguments: [64, 4_096])
    func tempo(blockFrames: Int) async throws {
        let folder = try folder()
        let mix = try await folder.render(
            Self.session(Self.stretch),
            script: """
                {"frame": 0, "do": "stems", "action": "play"}
                {"frame": 100001, "do": "tempo", "bpm": 130}
                {"frame": 200000, "do": "tempo", "bpm": 70, "ramp": 4}
                {"frame": 400000, "do": "tempo", "bpm": 140}
                """, frames: 600_000, blockFrames: blockFrames)
        var model = TempoModel(bpm: 80, beat: 0, sampleRate: 48_000)
        model.change(at: 100_001, to: 130)
        model.change(at: 200_000, to: 70, over: 4)
        model.change(at: 400_000, to: 140)
        var checked = 0
        for (index, hit) in Self.hits.enumerated() {
            let expected = model.frame(of: Double(hit) / 48_000 * Self.recorded / 60)
            // What was laid before a change that nobody knew of is heard for 50 ms.
            let isLaid = [100_001.0, 400_000].contains { (0...2_400).contains(expected - $0) }
            if expected > 590_000 || isLaid { continue }
            let found = try #require(Self.attack(index, in: mix.channels[0], near: expected))
            #expect(abs(Double(found) - expected) <= 1, "hit \(index): \(found), not \(expected)")
            checked += 1
        }
        #expect(checked > 14)
    }

    @Test("Attacks that are heard rather than given are on their beats within a millisecond")
    func heard() async throws {
        let folder = try folder()
        let mix = try await folder.render(
            Self.session(Self.stretch, onsets: nil), script: #"{"frame": 0, "do": "stems", "action": "play"}"#,
            frames: 500_000)
        for (index, hit) in Self.hits.enumerated() where Double(hit) * 1.25 < 490_000 {
            let found = try #require(Self.attack(index, in: mix.channels[0], near: Double(hit) * 1.25))
            #expect(abs(Double(found) - Double(hit) * 1.25) <= 48, "hit \(index)")
        }
    }

    private static let performance = """
        {"at": 0, "do": "stems", "action": "play"}
        {"at": 1.3, "do": "stems", "action": "pause"}
        {"at": 2, "do": "stems", "action": "play"}
        {"at": 4.1, "do": "stems", "action": "seek", "position": 1.5}
        {"at": 5.5, "do": "stems", "action": "loop", "start": 2.1, "end": 3.3}
        {"at": 11, "do": "stems", "action": "loop", "on": false}
        """

    @Test(
        "Attacks are where they are to be after a pause, a seek and in each turn of a loop, at any pitch",
        arguments: [
            (#", "playback": "stretch""#, 0.0), (#", "playback": "stretch", "transpose": -5"#, -5.0),
            (#", "playback": "stretch", "transpose": 3"#, 3.0), (#", "playback": "original", "transpose": 4"#, 4.0),
            (#", "playback": "repitch", "transpose": 2"#, 2.0),
        ])
    func places(more: String, semitones: Double) async throws {
        let folder = try folder()
        let slower = more.contains("original") ? 1 : 1.25
        let pitch = exp2(semitones / 12) / (more.contains("repitch") ? 1.25 : 1)
        var mixes: [[[Float]]] = []
        for blockFrames in [64, 1_000] {
            mixes.append(
                try await folder.render(
                    Self.session(more), script: Self.performance, frames: 600_000, blockFrames: blockFrames,
                    events: "events.jsonl"
                ).channels)
        }
        #expect(mixes[0] == mixes[1])
        #expect(!(try folder.folder.text("events.jsonl").contains("Underrun")))
        let segments = try segments(folder)
        #expect(segments.count >= 6, "\(segments)")
        var checked = 0
        for segment in segments {
            for (index, hit) in Self.hits.enumerated() {
                let expected = Double(segment.frame) + (Double(hit) / 48_000 - segment.position) * slower * 48_000
                if expected < Double(segment.frame + 300) || expected + 400 > Double(min(segment.end, 600_000)) {
                    continue
                }
                let found = try #require(Self.attack(index, in: mixes[0][0], near: expected, pitch: pitch))
                #expect(
                    abs(Double(found) - expected) <= (pitch == 1 ? 1 : 2), "hit \(index): \(found), not \(expected)")
                checked += 1
            }
        }
        #expect(checked >= 14)
    }

    @Test("At its own tempo a stem is its file, bit for bit")
    func copy() async throws {
        let folder = try folder()
        let mix = try await folder.render(
            Self.session(Self.stretch, tempo: 100), script: #"{"frame": 0, "do": "stems", "action": "play"}"#,
            frames: 450_000)
        let plain = try WaveContents(path: folder.folder.path("hits.wav")).channels[0]
        #expect(mix.channels[0][24..<450_000] == plain[24..<450_000])
    }

    /// How often a sound goes from below 0 to above.
    private func crossings(_ samples: ArraySlice<Float>) -> Int {
        samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }.count
    }

    @Test("A tone keeps its pitch while the tempo moves, and has that which is asked for", arguments: [0.0, 7, -12])
    func pitch(semitones: Double) async throws {
        let folder = try folder()
        let mix = try await folder.render(
            Self.session(Self.stretch + #", "transpose": \#(semitones)"#, tempo: 90, file: "tone.wav", onsets: []),
            script: """
                {"frame": 0, "do": "stems", "action": "play"}
                {"frame": 96000, "do": "tempo", "bpm": 125, "ramp": 3}
                {"frame": 240000, "do": "tempo", "bpm": 75}
                """, frames: 360_000)
        let perSecond = 440 * exp2(semitones / 12)
        for start in [24_000, 96_000, 180_000, 250_000] {
            #expect(abs(Double(crossings(mix.channels[0][start..<start + 48_000])) - perSecond) <= 2)
        }
        let level = mix.channels[0][24_000..<350_000].map(abs).max() ?? 0
        #expect(level < 0.27)
    }

    @Test("Another rate of the file changes nothing about its pitch")
    func otherRate() async throws {
        let folder = try folder()
        try folder.folder.write("tone.wav", Sound.tone(441_000, cycles: 4_400, sampleRate: 44_100))
        let mix = try await folder.render(
            Self.session(Self.stretch, file: "tone.wav", onsets: []),
            script: #"{"frame": 0, "do": "stems", "action": "play"}"#, frames: 200_000)
        #expect(abs(crossings(mix.channels[0][48_000..<144_000]) - 880) <= 1)
    }

    @Test(
        "Bar lines and shapes are those of the file, whatever is done to its pitch",
        arguments: ["", #", "playback": "stretch""#, #", "playback": "stretch", "transpose": 7"#, #", "transpose": 7"#])
    func recorded(more: String) async throws {
        let folder = try folder()
        let player = try await folder.player(
            #"{"barline": 1, "stemSet": {"bpm": 100, "firstBeat": 24000},"#
                + #" "stems": [{"id": "a", "file": "hits.wav", "bpm": 100, "offset": 1001\#(more)}]}"#)
        let source = try #require(player.multitrack?.stems.first?.source)
        #expect(source.file?.frameCount == 460_000 && source.recorded.sampleRate == .standard)
        #expect(player.multitrack?.grid?.barLine == Double(24_000 - 1_001) / 48_000)
    }

    // MARK: Editing

    @Test("Pitch and playback of stems are set, undone, and refused where the tempo is not known")
    func edits() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "transposeStem", "stem": "s", "semitones": -1.5}"#)
        #expect(stage.document.stems[0].transpose == -1.5)
        await #expect(throws: (any Error).self) {
            try await stage.act(#"{"do": "playbackOfStems", "playback": "stretch"}"#)
        }
        try await stage.act(#"{"do": "playbackOfStems", "playback": "stretch", "bpm": 96}"#)
        #expect(stage.document.stems[0].playback == .stretch && stage.document.stems[0].bpm == 96)
        try await stage.act(#"{"do": "transposeStem", "semitones": 3}"#)
        #expect(stage.document.stems[0].transpose == 3)
        for _ in 0..<3 { try await stage.act(#"{"do": "undo"}"#) }
        #expect(stage.document.stems[0].playback == .original && stage.document.stems[0].transpose == 0)
        await #expect(throws: (any Error).self) {
            try await stage.act(#"{"do": "transposeStem", "stem": "nobody", "semitones": 3}"#)
        }
        try await stage.act(#"{"do": "transposeClip", "clip": "a", "semitones": -7}"#)
        #expect(stage.document.tracks[0].clips[0].transpose == -7)
    }

    @Test("A stem whose pitch is changed while it plays goes on in step")
    func live() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "playbackOfStems", "playback": "stretch", "bpm": 96}"#)
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        var joined = 0
        func play(until isDone: () -> Bool) async throws {
            for _ in 0..<4_000 {
                stage.stage.play(64)
                joined += stage.stage.events.filter { "\($0.kind)".contains("joined") }.count
                if isDone() { return }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        try await play { stage.session.player.engine.state.multitrack.position > 0.02 }
        try await stage.act(#"{"do": "transposeStem", "semitones": 4}"#)
        try await play { joined > 0 }
        #expect(joined == 1 && stage.session.player.engine.state.multitrack.phase == .playing)
    }

    @Test(
        "A stem that is changed again and again does not keep its file open each time, and none once it is removed"
    )
    func openFiles() async throws {
        let stage = try await EditStage(
            #"{"barline": 1, "tempo": 100, "stems": [{"id": "s", "file": "a.wav", "bpm": 96, "playback": "stretch"},"#
                + #" {"id": "t", "file": "b.wav", "bpm": 96, "playback": "stretch"}]}"#)
        func count(_ name: String = "a.wav") throws -> Int {
            let path = stage.folder.folder.path(name)
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
            }.count
        }
        func play(until isDone: () throws -> Bool) async throws {
            for _ in 0..<2_000 {
                stage.stage.play(64)
                if try isDone() { return }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        try await play { stage.session.player.engine.state.multitrack.position > 0.02 }
        let once = try count()
        #expect(once > 0)
        for semitones in 1...8 {
            try await stage.act(#"{"do": "transposeStem", "stem": "s", "semitones": \#(semitones)}"#)
            var joined = 0
            try await play {
                joined += stage.stage.events.filter { "\($0.kind)".contains("joined") }.count
                return joined > 0
            }
        }
        try await play { try count() <= once }
        #expect(try count() <= once)
        try await stage.act(#"{"do": "removeStem", "stem": "s"}"#)
        try await play { try count() == 0 }
        #expect(try count() == 0)
        // The last one too, whose place nothing else takes.
        #expect(try count("b.wav") > 0 && stage.session.player.engine.state.multitrack.phase == .playing)
        try await stage.act(#"{"do": "removeStem", "stem": "t"}"#)
        var pauses = 0
        try await play {
            pauses += stage.stage.events.filter { "\($0.kind)".contains("paused") }.count
            return try count("b.wav") == 0
        }
        #expect(try count("b.wav") == 0)
        #expect(pauses == 1 && stage.session.player.engine.state.multitrack.phase == .paused)
        try await stage.act(#"{"do": "undo"}"#)
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        try await play { stage.session.player.engine.state.multitrack.position > 0.02 }
        #expect(stage.session.player.engine.state.multitrack.phase == .playing)
    }
}
