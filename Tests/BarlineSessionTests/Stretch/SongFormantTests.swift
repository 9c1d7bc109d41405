import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Voices of stems and items that stay the same person's.
@Suite("Formants of items and stems", .fewAtATime)
struct SongFormantTests {
    private static let frames = 192_000
    /// Of a vowel: resonances at 700 and 1,800 Hz over a fundamental of 130 Hz.
    private static let fundamental = 130.0

    private static func resonance(_ hertz: Double) -> Double {
        1 / (1 + pow((hertz - 700) / 120, 2)) + 0.5 / (1 + pow((hertz - 1_800) / 200, 2)) + 0.002
    }

    private static func voice() -> [Double] {
        var sound = [Double](repeating: 0, count: frames)
        for partial in 1...60 {
            let hertz = fundamental * Double(partial)
            let step = 2 * Double.pi * hertz / 48_000
            for frame in 0..<frames { sound[frame] += 0.1 * resonance(hertz) * sin(step * Double(frame)) }
        }
        return sound
    }

    private func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("voice.wav", WaveFile(Self.voice()).bytes)
        return folder
    }

    /// The level of a partial in dB, in half a second that begins at `start`.
    private func level(_ hertz: Double, in sound: [Float], from start: Int = 72_000) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        let count = 24_000
        for index in 0..<count {
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(count))
            let angle = 2 * .pi * hertz * Double(index) / 48_000
            real += window * Double(sound[start + index]) * cos(angle)
            imaginary += window * Double(sound[start + index]) * sin(angle)
        }
        return 10 * log10(real * real + imaginary * imaginary + 1e-12)
    }

    /// How far the partials of a voice at another pitch are from its own resonances, on average, in dB.
    private func error(_ sound: [Float], pitch: Double, resonancesAt ratio: Double) -> Double {
        let partials: [Double] = (1...18).map { Self.fundamental * pitch * Double($0) }
            .filter { $0 > 300 && $0 < 2_400 }
        let found = partials.map { partial -> Double in
            let resonance: Double = 20 * log10(Self.resonance(partial / ratio))
            return level(partial, in: sound) - resonance
        }
        let mean: Double = found.reduce(0, +) / Double(found.count)
        return (found.reduce(0) { $0 + abs($1 - mean) } / Double(found.count))
    }

    private func render(
        _ folder: SessionFolder, _ session: String, _ script: String, blockFrames: Int = 1_024, name: String = "mix.wav"
    ) async throws -> [Float] {
        let player = try await folder.player(session)
        var render = try OfflineRender(
            player, script: try folder.script(script), frames: 150_000, blockFrames: blockFrames,
            output: OfflineRender.Output(path: folder.folder.path(name)))
        try await render.loadEdits()
        _ = try render.run()
        return try WaveContents(path: folder.folder.path(name)).channels[0]
    }

    private static func stem(_ more: String, tempo: Double = 120) -> String {
        #"{"barline": 1, "tempo": \#(tempo), "stems": [{"id": "a", "file": "voice.wav", "bpm": 120\#(more)}]}"#
    }
    private static func item(_ more: String) -> String {
        #"{"barline": 1, "playlist": [{"id": "p", "file": "voice.wav"\#(more)}]}"#
    }
    private static let play = #"{"frame": 0, "do": "stems", "action": "play"}"#
    private static let playList = #"{"frame": 0, "do": "playlist", "action": "play"}"#

    @Test(
        "A voice that is transposed stays the same person's, as a stem and as an item, and without formants it does not",
        arguments: ["", #", "playback": "stretch""#, "item"])
    func voice(kind: String) async throws {
        let folder = try folder()
        func sound(_ more: String) async throws -> [Float] {
            kind == "item"
                ? try await render(folder, Self.item(more), Self.playList)
                : try await render(folder, Self.stem(kind + more), Self.play)
        }
        let ratio = exp2(5.0 / 12)
        let kept = try await sound(#", "transpose": 5, "formants": 0"#)
        let moved = try await sound(#", "transpose": 5"#)
        #expect(error(moved, pitch: ratio, resonancesAt: ratio) < 0.1)
        // A true envelope is smoother than resonances that lie between partials.
        #expect(error(kept, pitch: ratio, resonancesAt: 1) < 0.65 * error(moved, pitch: ratio, resonancesAt: 1))
        // At its own pitch other formants make it another person's.
        let other = try await sound(#", "formants": 5"#)
        let plain = try await sound("")
        #expect(error(other, pitch: 1, resonancesAt: ratio) < 0.65 * error(plain, pitch: 1, resonancesAt: ratio))
    }

    @Test("What is read piece by piece is the filter of the whole file", arguments: [-4.0, 5])
    func whole(semitones: Double) async throws {
        let folder = try folder()
        let heard = try await render(folder, Self.stem(#", "formants": \#(semitones)"#), Self.play)
        var left = try WaveContents(path: folder.folder.path("voice.wav")).channels[0]
        var right = left
        FormantShift(ratio: exp2(semitones / 12), sampleRate: .standard).apply(left: &left, right: &right, loops: false)
        let worst = (4_800..<heard.count).map { abs(heard[$0] - left[$0]) }.max() ?? .infinity
        #expect(worst < 1e-5)
    }

    @Test("Formants that follow the pitch, and those of a voice at its own pitch, are the file's, bit for bit")
    func neutral() async throws {
        let folder = try folder()
        let plain = try await render(folder, Self.stem(""), Self.play)
        #expect(try await render(folder, Self.stem(#", "formants": 0"#), Self.play) == plain)
        let item = try await render(folder, Self.item(""), Self.playList)
        #expect(try await render(folder, Self.item(#", "formants": 0"#), Self.playList) == item)
    }

    @Test("What is heard is the same at any block size, and wherever reading began")
    func places() async throws {
        let folder = try folder()
        let session = Self.stem(#", "formants": -4"#)
        let whole = try await render(folder, session, Self.play)
        #expect(try await render(folder, session, Self.play, blockFrames: 64) == whole)
        let sought = try await render(
            folder, session, Self.play + "\n" + #"{"frame": 60000, "do": "stems", "action": "seek", "position": 1.25}"#)
        #expect(sought[..<60_000] == whole[..<60_000])
        #expect(sought[60_480...120_000] == whole[60_480...120_000])
    }

    @Test("They are changed while it plays, by scripts, edits and the list's action, and taken back")
    func changed() async throws {
        let folder = try folder()
        let stem = try await render(
            folder, Self.stem(""),
            Self.play + "\n" + #"{"frame": 48000, "do": "formantsOfStem", "stem": "a", "semitones": 5}"#)
        let (ratio, plain) = (exp2(5.0 / 12), Self.voice().map(Float.init))
        #expect(error(stem, pitch: 1, resonancesAt: ratio) < 0.65 * error(plain, pitch: 1, resonancesAt: ratio))
        let stage = try await EditStage()
        try await stage.act(#"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav", "id": "p"}"#)
        try await stage.act(#"{"do": "playlist", "action": "formants", "index": 0, "semitones": -2}"#)
        #expect(stage.document.items[0].formants == -2)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document.items.first?.formants == nil)
        try await stage.act(#"{"do": "playlist", "action": "formants", "index": 0, "semitones": 3}"#)
        try await stage.act(#"{"do": "playlist", "action": "formants", "index": 0}"#)
        #expect(stage.document.items[0].formants == nil)
    }
}
