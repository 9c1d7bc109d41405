import BarlineEngine
import Foundation

/// A snapshot of a playlist: its items, the place in it, and its modes.
package struct PlaylistSnapshot: Hashable, Sendable {
    /// The items, with absolute paths.
    package var items: [PlaylistItemDocument] = []
    /// The place of the current item.
    package var index = 0
    /// The position in it, in seconds.
    package var position = 0.0
    /// How it continues.
    package var modes = PlaylistModes()
    /// The length of crossfades in seconds.
    package var crossfade = 0.0
    /// The playlist's fader, in dB.
    package var gain = 0.0

    /// An empty list.
    init() {}
}

/// The file in which a playlist is kept from one run to the next.
package struct PlaylistStore: Sendable {
    /// The file.
    let path: String

    /// A store in the file at `path`.
    init(path: String) { self.path = path }

    /// The user's own: `playlist.json` in `$XDG_STATE_HOME/barline`.
    package static var standard: PlaylistStore {
        PlaylistStore(path: SessionLibrary.standard.state.appendingPathComponent("playlist.json").path)
    }

    /// Writes the state of a playlist. The file is the old one or the new one at any time.
    package func save(_ snapshot: PlaylistSnapshot) throws(SessionError) {
        try SessionLibrary.makeFolder(of: path)
        let file = try LineFile(path: path)
        try file.write(snapshot.json.line)
        try file.finish()
    }

    /// Reads the state of a playlist; `nil` where none was kept.
    ///
    /// - Throws: ``SessionError`` where the file is not what ``save(_:)`` writes.
    package func load() throws(SessionError) -> PlaylistSnapshot? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        switch JSONText.parse(try SessionFile.read(path)) {
        case .success(let value): return try PlaylistSnapshot(value, file: path)
        case .failure(let error): throw .file(path: path, reason: SessionFile.describe(error))
        }
    }
}

extension PlaylistSnapshot {
    fileprivate init(_ value: JSONValue, file: String) throws(SessionError) {
        var reader = try ObjectReader(value, file: file, path: "")
        for item in try reader.objects("items") { items.append(try PlaylistItemDocument(item)) }
        index = min(try ValueType.place.read(&reader, "index") ?? 0, max(0, items.count - 1))
        position = try ValueType.seconds.read(&reader, "position") ?? 0
        crossfade = try ValueType.seconds.read(&reader, "crossfade") ?? 0
        gain = try ValueType.gain.read(&reader, "gain") ?? 0
        modes.repeat = try ValueType<PlaylistModes.Repeat>.word.read(&reader, "repeat") ?? .off
        modes.isShuffled = try ValueType.flag.read(&reader, "shuffle") ?? false
        modes.isSingle = try ValueType.flag.read(&reader, "single") ?? false
        modes.consumes = try ValueType.flag.read(&reader, "consume") ?? false
    }

    fileprivate var json: JSONValue {
        .object([
            "items": .array(items.map(\.json)), "index": .number(Double(index)), "position": .number(position),
            "crossfade": .number(crossfade), "repeat": .string(modes.repeat.rawValue),
            "shuffle": .bool(modes.isShuffled), "single": .bool(modes.isSingle), "consume": .bool(modes.consumes),
            "gain": .gain(gain),
        ])
    }
}

extension SessionPlaylist {
    /// Stands, paused, as `snapshot` says, whose items are the list's.
    package func restore(_ snapshot: PlaylistSnapshot) throws(EngineError) {
        player.modes = snapshot.modes
        player.crossfade = snapshot.crossfade
        guard !snapshot.items.isEmpty else { return }
        try player.restart(from: player.items, at: snapshot.index, seconds: snapshot.position, plays: false)
    }
}
