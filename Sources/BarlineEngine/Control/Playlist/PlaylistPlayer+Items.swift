import BarlineTime

extension PlaylistPlayer {
    /// The frame of the engine's clock that comes next.
    package var frame: FrameTime { engine.playlist.state.frame }

    /// The number of items. O(1).
    package var count: Int { control.withLock { $0.queue.items.count } }

    /// The items of the list. O(1).
    package var order: [PlaylistItemID] { control.withLock { $0.queue.items } }

    /// Whether an item is in the list. O(1).
    package func has(_ item: PlaylistItemID) -> Bool { control.withLock { $0.items[item] != nil } }

    /// Checks that every item is in the list only once.
    static func check(_ items: [PlaylistItem], beside others: [PlaylistItemID]) throws(EngineError) {
        var known = Set(others)
        for item in items {
            guard known.insert(item.id).inserted else { throw .duplicateItem(item.id) }
            _ = try Engine.amplitude(item.gain)
            for frame in [item.start, min(item.end ?? 0, PlaylistItem.lastFrame)]
            where !(-PlaylistItem.lastFrame...PlaylistItem.lastFrame).contains(frame) {
                throw .invalidValue(name: "frame", value: Double(frame))
            }
        }
    }

    /// Items as named in the log.
    static func names(_ items: [PlaylistItem]) -> String { items.map(\.name).joined(separator: ", ") }
}

extension PlaylistItem {
    /// Its name in the log.
    var name: String { title.map { "item \(id.rawValue) \"\($0)\"" } ?? "item \(id.rawValue)" }
}

extension StreamRequest<PlaylistPlayer.RequestKind> {
    /// Its name in the log.
    var name: String {
        switch kind {
        case .play: "play"
        case .pause: "pause"
        case .stop: "stop"
        case .start(let seconds, let plays, _, _): plays ? "playing from \(seconds) s" : "going to \(seconds) s"
        case .resume(let seconds, _): "going on from \(seconds) s"
        case .note: "a moment"
        }
    }
}

extension PlaylistPlayer.State {
    func item(at index: Int) throws(EngineError) -> PlaylistItemID {
        guard queue.items.indices.contains(index) else {
            throw .unknownItem(index: index, count: queue.items.count)
        }
        return queue.items[index]
    }

    /// The last position of the current item that can be sought, in seconds.
    var lastPlace: Double {
        guard let item = queue.current.flatMap({ items[$0]?.item }), let last = item.end ?? item.source.frameCount
        else { return .infinity }
        return Double(max(0, last - item.start - 1)) / item.source.sampleRate.hertz
    }

    /// Plans an item, or another version of it that is so many times longer.
    mutating func keep(_ item: PlaylistItem, slower scale: Double = 1) {
        contents += 1
        let length = (items[item.id]?.length ?? 1) * scale
        items[item.id] = PlannedItem(item: item, revision: contents, length: length)
    }
}
