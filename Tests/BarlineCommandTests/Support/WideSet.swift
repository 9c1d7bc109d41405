import BarlineTestSupport
import Foundation

/// A session with as many tracks and scenes as a test wants, of silent loops with names of its own.
struct WideSet {
    let folder: TemporaryFolder

    /// The session file.
    var session: String { folder.path("wide.barline") }

    /// Writes the set.
    ///
    /// - Parameters:
    ///   - tracks: how many tracks it has.
    ///   - scenes: how many clips each of them has.
    ///   - quantization: when clips start.
    ///   - name: the name of a place's clip.
    /// - Throws: where the disk is full.
    init(
        tracks: Int, scenes: Int, quantization: String = "1/16",
        name: (_ track: Int, _ scene: Int) -> String = { "Clip \($0 + 1)-\($1 + 1)" }
    ) throws {
        folder = try TemporaryFolder()
        try folder.write("a.wav", WaveFile([Double](repeating: 0, count: 24_000)).bytes)
        let columns = (0..<tracks).map { track in
            let clips = (0..<scenes).map { scene in
                #"{"id": "c\#(track)-\#(scene)", "name": "\#(name(track, scene))", "file": "a.wav", "beats": 1, "slot": \#(scene)}"#
            }
            return #"{"id": "t\#(track)", "name": "Track \#(track + 1)", "clips": [\#(clips.joined(separator: ", "))]}"#
        }
        let names = (0..<scenes).map { #"{"name": "Scene \#($0 + 1)"}"# }
        try folder.write(
            "wide.barline",
            """
            {"barline": 1, "name": "Wide set", "tempo": 60, "snapTolerance": 0, "launchQuantization": "\(quantization)",
             "firstLaunch": "immediate",
             "scenes": [\(names.joined(separator: ", "))], "tracks": [\(columns.joined(separator: ",\n"))]}
            """)
    }

    /// The arguments that play it.
    var run: [String] { ["run", session, "--backend", "null", "--no-page"] }
}
