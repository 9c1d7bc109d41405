import BarlineTime

/// The public controls of a playlist.
///
/// What is asked for a moment to come is decided shortly before it, with the list as it is by then: what is skipped or
/// sought counts from what plays by then. Until then that is the current item.
extension PlaylistPlayer {
    // MARK: Transport

    /// Plays from the current position.
    public func play(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        ask(.play, "play", at: moment, sent)
    }

    /// Pauses: the position stays exactly the same.
    public func pause(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        ask(.pause, "pause", at: moment, sent)
    }

    /// Stops, and returns to the beginning of the current item.
    public func stop(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        jump("stop", at: moment, sent) { $0.halt(&$1, $2, $3) }
    }

    /// Plays the item at `index` of the list from its beginning; at a moment the one that is there by then.
    ///
    /// - Throws: ``EngineError/unknownItem(index:count:)``.
    public func play(
        index: Int, at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }
    ) throws(EngineError) {
        let name = "the item at \(index)"
        if moment != nil {
            try control.withLock { state throws(EngineError) in _ = try state.item(at: index) }
            if schedule(name, at: moment, .jump, sent, { try? $0.begin(index, &$1, $2, $3) }) { return }
        }
        try change("\(name) is asked for") { state throws(EngineError) in
            try begin(index, &state, moment, sent)
        }
    }

    private func begin(
        _ index: Int, _ state: inout State, _ moment: (any Moment)?, _ sent: @escaping Sent
    ) throws(EngineError) {
        state.queue.select(try state.item(at: index))
        start(&state, plays: true, crossfades: true, moment, sent)
    }

    /// Skips to the next item; at the end the playlist stops.
    public func next(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        jump("the next item", at: moment, sent) { player, state, moment, sent in
            if state.play({ $0.stepForward() }) {
                player.start(&state, plays: false, crossfades: true, moment, sent)
            } else {
                state.queue.rewind()
                player.halt(&state, moment, sent)
            }
        }
    }

    /// Skips back to the previous item, or to the first one's beginning.
    public func previous(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        jump("the item before", at: moment, sent) { player, state, moment, sent in
            state.queue.stepBack()
            player.start(&state, plays: false, crossfades: true, moment, sent)
        }
    }

    /// Seeks to `seconds` of the current item, to the nearest frame of its source; also while playing.
    public func seek(to seconds: Double, at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        jump("\(seconds) s of the item", at: moment, sent) { player, state, moment, sent in
            let target = min(max(0, seconds), state.lastPlace)
            let isSamePlay = state.active != nil
            player.start(
                &state, plays: false, crossfades: false, moment, seconds: target, isSamePlay: isSamePlay, sent)
        }
    }

    // MARK: Edits

    /// Inserts items into the list, before the one at `index`, or at the end that is nearer.
    ///
    /// - Throws: ``EngineError/duplicateItem(_:)`` if one of them is in the list already, or twice among them;
    ///   ``EngineError/invalidValue(name:value:)`` for a gain or frames that an item can't have.
    /// - Complexity: O(*n*) in the items of the list.
    public func insert(_ items: [PlaylistItem], at index: Int) throws(EngineError) {
        try change("\(PlaylistPlayer.names(items)) inserted at \(index)") { state throws(EngineError) in
            for item in items where state.items[item.id] != nil { throw .duplicateItem(item.id) }
            try PlaylistPlayer.check(items, beside: [])
            let index = min(max(0, index), state.queue.items.count)
            for (offset, item) in items.enumerated() {
                state.keep(item)
                state.queue.insert(item.id, at: index + offset)
            }
        }
    }

    /// Removes the item at `index`. If it plays, the one that follows starts.
    ///
    /// - Returns: whether it is the current one, so that `sent` will be called.
    /// - Throws: ``EngineError/unknownItem(index:count:)``.
    /// - Complexity: O(*n*) in the items of the list.
    @discardableResult
    public func remove(
        at index: Int, at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }
    ) throws(EngineError) -> Bool {
        var wasCurrent = false
        try change("the item at \(index) is removed") { state throws(EngineError) in
            let item = try state.item(at: index)
            wasCurrent = state.queue.current == item
            let continues = state.queue.remove(item)
            state.items[item] = nil
            if !wasCurrent { return }
            if continues { restartCurrent(&state, moment, sent) } else { halt(&state, moment, sent) }
        }
        return wasCurrent
    }

    /// Moves the item at `index` to index `target`.
    ///
    /// - Throws: ``EngineError/unknownItem(index:count:)``.
    /// - Complexity: O(*n*) in the items of the list.
    public func move(from index: Int, to target: Int) throws(EngineError) {
        try change("the item at \(index) is moved to \(target)") { state throws(EngineError) in
            _ = try state.item(at: index)
            state.queue.move(from: index, to: target)
        }
    }

    /// Replaces the item at `index`. If that plays, the new one starts.
    ///
    /// - Returns: whether it is the current one, so that `sent` will be called.
    /// - Throws: ``EngineError/unknownItem(index:count:)``, ``EngineError/duplicateItem(_:)`` if the new one is
    ///   elsewhere in the list, or ``EngineError/invalidValue(name:value:)`` for a gain or frames that an item can't have.
    /// - Complexity: O(*n*) in the items of the list.
    @discardableResult
    public func replace(
        at index: Int, with item: PlaylistItem, at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }
    ) throws(EngineError) -> Bool {
        var wasCurrent = false
        try change("the item at \(index) is replaced with \(item.name)") { state throws(EngineError) in
            let old = try state.item(at: index)
            try PlaylistPlayer.check([item], beside: state.queue.items.filter { $0 != old })
            wasCurrent = state.queue.current == old
            state.queue.replace(old, with: item.id)
            state.items[old] = nil
            state.keep(item)
            if wasCurrent { restartCurrent(&state, moment, sent) }
        }
        return wasCurrent
    }

    /// Replaces the list with `items`, and keeps playing the current item if it is still in it.
    ///
    /// - Throws: ``EngineError/duplicateItem(_:)`` if one is in `items` twice, or
    ///   ``EngineError/invalidValue(name:value:)`` for a gain or frames that an item can't have.
    /// - Complexity: O(*n*) in the items of both lists.
    public func `continue`(with items: [PlaylistItem], at moment: (any Moment)? = nil) throws(EngineError) {
        try PlaylistPlayer.check(items, beside: [])
        replaceItems(items, at: moment)
    }

    @discardableResult
    private func replaceItems(
        _ items: [PlaylistItem], at moment: (any Moment)?, _ sent: @escaping Sent = { _ in }
    ) -> Bool {
        var startsAnother = false
        edit(items.isEmpty ? "the list is emptied" : "the list becomes \(PlaylistPlayer.names(items))") { state in
            takeBack(&state)
            let old = state.queue.current
            let kept = state.items
            state.items = [:]
            for item in items {
                // An item that was in the list already is unchanged, and its prefetched audio stays valid.
                if let known = kept[item.id] { state.items[item.id] = known } else { state.keep(item) }
            }
            state.queue.replaceAll(with: items.map(\.id))
            startsAnother = state.queue.current != old
            if startsAnother { restartCurrent(&state, moment, sent) }
        }
        return startsAnother
    }

    /// Replaces the list with `items`, and plays the one at `index` from `seconds` on.
    ///
    /// - Throws: ``EngineError/unknownItem(index:count:)``, or ``EngineError/duplicateItem(_:)`` if an item is in
    ///   `items` twice.
    /// - Complexity: O(*n*) in the items of both lists.
    public func restart(
        from items: [PlaylistItem], at index: Int = 0, seconds: Double = 0, plays: Bool = true,
        at moment: (any Moment)? = nil
    ) throws(EngineError) {
        try PlaylistPlayer.check(items, beside: [])
        let what = "the list becomes \(PlaylistPlayer.names(items)), from \(index) at \(seconds) s"
        try change(what) { state throws(EngineError) in
            guard items.indices.contains(index) else { throw .unknownItem(index: index, count: items.count) }
            state.items = [:]
            for item in items { state.keep(item) }
            state.queue.replaceAll(with: items.map(\.id), current: items[index].id)
            state.queue.select(items[index].id)
            start(&state, plays: plays, crossfades: false, moment, seconds: seconds) { _ in }
        }
    }

    /// Empties the list.
    ///
    /// - Returns: whether it had an item, so that `sent` will be called.
    /// - Complexity: O(*n*) in the items of the list.
    @discardableResult
    public func clear(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) -> Bool {
        replaceItems([], at: moment, sent)
    }

    // MARK: State

    /// The items of the list.
    ///
    /// - Complexity: O(*n*) in the items.
    public var items: [PlaylistItem] {
        control.withLock { state in state.queue.items.compactMap { state.items[$0]?.item } }
    }

    /// The current item.
    ///
    /// - Complexity: O(*n*) in the items that have ended since the last look.
    public var currentItem: PlaylistItem? {
        control.withLock { state in
            follow(&state)
            return state.queue.current.flatMap { state.items[$0]?.item }
        }
    }

    /// The index of the current item in the list.
    ///
    /// - Complexity: O(*n*) in the items.
    public var currentIndex: Int? {
        control.withLock { state in
            follow(&state)
            return state.queue.current.flatMap { state.queue.index(of: $0) }
        }
    }

    /// The position in the current item, in seconds.
    public var position: Double { isCued ? engine.playlist.state.position : 0 }

    /// Whether the current item was opened and plays, or waits at its position.
    package var isCued: Bool {
        guard let heard = engine.playlist.state.currentItem else { return false }
        return heard == control.withLock { $0.queue.current }
    }

    /// The remaining time of the current item, in seconds: as its source reports it, and exact once it was read to its
    /// end. `nil` if its source does not know its length.
    ///
    /// - Complexity: O(*n*) in the items that were read ahead.
    public var remaining: Double? {
        let exact: Double? = control.withLock { state in
            follow(&state)
            let audible = engine.playlist.state
            guard let active = state.active, isCurrent(active, audible),
                let end = active.segments(from: state.playNumber).first?.end
            else { return nil }
            return max(0, Double(end - audible.framePosition) / audible.sampleRate.hertz)
        }
        return exact ?? currentItem?.duration.map { max(0, $0 - position) }
    }

    /// The number of frames until the list, as it is now, ends; `nil` until that is known.
    package var framesToEnd: Int64? {
        control.withLock { state in
            follow(&state)
            // What takes over counts its frames as what it takes over from does.
            guard let active = state.active, state.building == nil, let end = (state.next ?? active).end else {
                return state.active == nil && state.requests.isEmpty && state.queue.current == nil ? 0 : nil
            }
            let audible = engine.playlist.state
            return end - (isCurrent(active, audible) ? audible.framePosition : active.position)
        }
    }

    /// The current phase.
    public var phase: EngineState.Playlist.Phase { engine.playlist.state.phase }

    /// Counts edits: one that touches many items counts once.
    package var revision: Int { control.withLock { $0.revision } }

    /// Why items could not be played, by item, until they can.
    public var failures: [PlaylistItemID: String] { control.withLock { $0.failures } }

    // MARK: Requests

    private func ask(_ kind: RequestKind, _ name: String, at moment: (any Moment)?, _ sent: @escaping Sent) {
        let isKept = schedule(name, at: moment, .transport, sent) {
            $1.requests.append(Request(kind: kind, moment: $2, sent: $3))
        }
        if isKept { return }
        log(PlaylistLogEntry(.player, "\(name) is asked for"))
        control.withLock { state in
            follow(&state)
            cue(&state)
            state.requests.append(Request(kind: kind, moment: moment, sent: sent))
        }
        wake()
    }

    private func jump(
        _ name: String, at moment: (any Moment)?, _ sent: @escaping Sent, _ decide: @escaping Decision
    ) {
        if schedule(name, at: moment, .relativeJump, sent, decide) { return }
        edit("\(name) is asked for") { state in
            takeBack(&state)
            decide(self, &state, moment, sent)
        }
    }

    func edit(_ what: String, _ body: (inout State) -> Void) {
        // With manual feeding, an edit finds as much prefetched as if every frame had been a block of its own.
        feed()
        log(PlaylistLogEntry(.player, what))
        control.withLock { state in
            follow(&state)
            body(&state)
            state.revision += 1
            state.forgetPlan()
        }
        wake()
    }

    private func change(_ what: String, _ body: (inout State) throws(EngineError) -> Void) throws(EngineError) {
        feed()
        try control.withLock { state throws(EngineError) in
            follow(&state)
            takeBack(&state)
            try body(&state)
            state.revision += 1
            state.forgetPlan()
        }
        log(PlaylistLogEntry(.player, what))
        wake()
    }

    /// Restarts the current item, or stops if there is none.
    private func restartCurrent(_ state: inout State, _ moment: (any Moment)?, _ sent: @escaping Sent) {
        if state.queue.current == nil {
            halt(&state, moment, sent)
        } else {
            start(&state, plays: false, crossfades: false, moment, sent)
        }
    }

    func start(
        _ state: inout State, plays: Bool, crossfades: Bool, _ moment: (any Moment)?, seconds: Double = 0,
        isSamePlay: Bool = false, _ sent: @escaping Sent
    ) {
        // A pending start is superseded, except that it may have asked to play, and nobody to pause since.
        var wasToPlay = false
        for request in state.requests where request.moment == nil || isOfSameFrame(request, moment) {
            switch request.kind {
            case .start(_, true, _, _): wasToPlay = true
            case .pause, .stop: wasToPlay = false
            case .play, .start, .resume, .note: break
            }
        }
        let kind = RequestKind.start(
            seconds: seconds, plays: plays || wasToPlay, isSamePlay: isSamePlay, crossfades: crossfades)
        leave(&state, for: kind, moment, sent)
    }

    private func halt(_ state: inout State, _ moment: (any Moment)?, _ sent: @escaping Sent) {
        leave(&state, for: .stop, moment, sent)
        // What plays until then is not left for the beginning of the item.
        if moment != nil { cue(&state, at: moment) }
    }

    /// Leaves what plays for what is asked for, and so do other versions of it that have not taken over yet. Who has
    /// asked for one that was not sent, or for a start on the same frame, is told of this in its place.
    func leave(_ state: inout State, for kind: RequestKind, _ moment: (any Moment)?, _ sent: @escaping Sent) {
        let frame = PlaylistPlayer.frame(of: moment)
        let superseded = state.requests.filter { $0.isVersion || $0.isStart && isOfSameFrame($0, moment) }.map(\.sent)
        putOff(&state, until: moment)
        let waiting = [state.postponed, state.restarted?.version].compactMap { $0 }
        (state.postponed, state.restarted) = (nil, nil)
        // One that was to start before, and is not there yet, is passed over.
        state.requests.removeAll(where: \.isStart)
        state.discardBuilding()
        state.leaveActive()
        state.leavingFrames = 0
        if case .start(_, _, _, true) = kind {
            state.leavingFrames = engine.playlist.state.sampleRate.frames(seconds: state.settings.crossfade)
        }
        state.waitingSince = nil
        state.requests.append(
            Request(kind: kind, moment: moment) { command in
                for sent in superseded { sent(command) }
                for version in waiting { version.sent(command, frame) }
                sent(command)
            })
    }
}
