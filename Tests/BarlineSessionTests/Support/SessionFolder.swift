import BarlineSession
import BarlineTestSupport

/// A folder with a session file, its loops and its scripts.
struct SessionFolder {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The session file's path.
    var path: String { folder.path("set.barline") }

    /// Writes the session file and reads it.
    func document(_ json: String) throws -> SessionDocument {
        try folder.write("set.barline", json)
        return try SessionDocument(path: path)
    }

    /// Writes the session file and loads it into a player.
    func player(
        _ json: String, policy: SessionPlayer.Policy = .strict, sampleRate: Double = 48_000
    ) async throws -> SessionPlayer {
        let document = try document(json)
        return try await SessionPlayer(document, path: path, policy: policy) { configuration in
            configuration.sampleRate = Sound.rate(sampleRate)
            configuration.eventCapacity = 1 << 17
        }
    }

    /// A script as if read from `script.jsonl`.
    func script(_ lines: String) throws -> PerformanceScript {
        try PerformanceScript(text: lines, path: folder.path("script.jsonl"))
    }

    /// Renders a session and a script and returns what the main file has.
    func render(
        _ json: String, script lines: String, frames: Int, blockFrames: Int = 1024, sampleRate: Double = 48_000,
        events: String? = nil, stems: String? = nil, name: String = "mix.wav"
    ) async throws -> WaveContents {
        let player = try await player(json, sampleRate: sampleRate)
        let output = OfflineRender.Output(
            path: folder.path(name), eventsPath: events.map(folder.path), stemsFolder: stems.map(folder.path))
        var render = try OfflineRender(
            player, script: try script(lines), frames: Int64(frames), blockFrames: blockFrames, output: output)
        try await render.loadEdits()
        _ = try render.run()
        return try WaveContents(path: folder.path(name))
    }
}
