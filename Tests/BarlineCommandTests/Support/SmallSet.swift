import BarlineTestSupport
import Foundation

/// A session of two tracks in a folder of its own, with loops of noise and of a tone.
struct SmallSet {
    let folder: TemporaryFolder

    /// The session file.
    var session: String { folder.path("set.barline") }
    /// The script file.
    var script: String { folder.path("script.jsonl") }

    /// Writes the set.
    ///
    /// - Parameters:
    ///   - lines: the lines of the script.
    ///   - settings: further keys of the session, each with a comma at its end.
    /// - Throws: where the disk is full.
    init(script lines: String = #"{"at": 0, "do": "launch", "clip": "a"}"#, settings: String = "") throws {
        folder = try TemporaryFolder()
        var random = TestRandom(seed: 5)
        try folder.write("a.wav", WaveFile((0..<36_000).map { _ in 0.3 * random.amplitude() }).bytes)
        let tone = (0..<48_000).map { 0.2 * sin(2 * .pi * 220 * Double($0) / 48_000) }
        try folder.write("b.wav", WaveFile(tone).bytes)
        try folder.write(
            "set.barline",
            """
            {"barline": 1, "name": "Small set", "tempo": 120, \(settings)
             "scenes": [{"name": "First"}, {"name": "Second"}],
             "tracks": [
              {"id": "drums", "name": "Drum kit", "clips": [
                {"id": "a", "name": "Noise", "file": "a.wav", "beats": 2}]},
              {"id": "bass", "name": "Bass line", "clips": [
                {"id": "b", "name": "Tone", "file": "b.wav", "beats": 2},
                {"id": "c", "name": "Other", "file": "a.wav", "beats": 1}]}]}
            """)
        try folder.write("script.jsonl", lines)
    }

    /// The arguments of a render.
    func render(_ name: String, seconds: Double, _ more: [String] = []) -> [String] {
        ["render", session, "--script", script, "--duration", "\(seconds)", "--output", folder.path(name)] + more
    }

    /// What a WAV file of the folder contains.
    func contents(_ name: String) throws -> WaveContents { try WaveContents(path: folder.path(name)) }
}
