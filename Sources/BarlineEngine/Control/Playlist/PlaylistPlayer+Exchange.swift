import BarlineTime

/// Another version of the current item that was sent to take over.
struct SentVersion {
    /// The frame on which it does.
    let frame: FrameTime
    /// Its position there, in seconds of its own.
    let seconds: Double
    /// How many times longer it is than the item was at first.
    let length: Double
    /// How often the list had been paused or played on when its position was counted: it does not take over after
    /// another time.
    let pauseCount: Int64
}

/// A version of the current item that was asked for while another one is on its way: it is begun when that one is heard,
/// since the versions of a value that is dragged would hold more files open than there are decks, and none be in time.
struct PostponedVersion {
    let item: PlaylistItemID
    let sent: @Sendable (CommandID, FrameTime?) -> Void
}

/// A version in which a start that waits begins its item, asked for too late to be heard before it.
struct RestartedVersion {
    let version: PostponedVersion
    /// How many times longer it is than the one in which the start was to begin it.
    let slower: Double
}

/// Exchanging the version of an item, for example its speed.
extension PlaylistPlayer {
    /// Replaces the version in which an item of the list plays: at another speed, say. It stays the same item.
    ///
    /// If it is the current one, it continues across 5 ms at its current position: live after a quarter of a second, in
    /// which the new version is read, or so long after a version that is on its way is heard; where it fades in from the
    /// end of another item, when that has faded out. If it ends before that, it ends as it is, and the new version is for
    /// the next time.
    ///
    /// - Parameters:
    ///   - item: the new version, with the identifier of an item of the list.
    ///   - moment: when; `nil` for as soon as possible.
    ///   - scale: how many times longer the new version is than the former one.
    ///   - sent: called with the command that starts the new version and its frame, `nil` for the next block, or with
    ///     one on the frame on which the item ends as it is; not
    ///     called if another version replaces it first. Where another start or a stop does, it is called with that
    ///     one's command, if the engine was not told of the version yet. It is called again where a pause keeps the
    ///     version from taking over when it should have.
    /// - Returns: whether it is the current item, or plays until a jump that is on its way, so that `sent` will be called.
    @discardableResult
    package func exchange(
        with item: PlaylistItem, at moment: (any Moment)? = nil, slower scale: Double,
        sent: @escaping @Sendable (CommandID, FrameTime?) -> Void = { _, _ in }
    ) -> Bool {
        var isCurrent = false
        edit("\(item.name) is played in another version") { state in
            guard state.items[item.id] != nil else { return }
            if leavesTimeForVersion(state) { takeBack(&state) }
            state.keep(item, slower: scale)
            isCurrent = state.queue.current == item.id
            if isCurrent {
                resume(&state, moment, slower: scale, sent)
            } else {
                isCurrent = leaveAsHeard(item.id, &state, sent)
            }
        }
        return isCurrent
    }

    /// Leaves what plays until a jump that was decided as it is: the version that its item has become is not heard before.
    ///
    /// - Returns: whether it does, so that `sent` will be called.
    private func leaveAsHeard(
        _ item: PlaylistItemID, _ state: inout State, _ sent: @escaping @Sendable (CommandID, FrameTime?) -> Void
    ) -> Bool {
        guard let decided = state.decided, decided.queue.current == item,
            engine.playlist.state.deck == state.leaving?.deck
        else { return false }
        let former = decided.left
        let left = PostponedVersion(item: item) { command, frame in
            former?.sent(command, frame)
            sent(command, frame)
        }
        state.decided?.left = left
        let frame = engine.transport.map.expectedFrame(of: decided.moment)
        state.requests.append(Request(kind: .note, moment: decided.moment) { sent($0, frame) })
        return true
    }

    /// Whether what was decided for later is so far ahead that a version is heard before: it is decided anew then. What is
    /// nearer is left alone, for it is to be on time.
    private func leavesTimeForVersion(_ state: State) -> Bool {
        let audible = engine.playlist.state
        guard let decided = state.decided, let due = engine.transport.map.expectedFrame(of: decided.moment)
        else { return false }
        return audible.sampleRate.seconds(frames: due - audible.frame) > 2 * exchangeLead
    }

    /// Whether an item is the current one, or plays until a jump that is on its way, and what is heard is not what it is by
    /// now.
    package func isAwaiting(_ item: PlaylistItemID) -> Bool { awaited.contains(item) }

    /// The items that are heard, or about to be, in another version than what they are by now: the current one, and the one
    /// that plays until a jump that is on its way.
    package var awaited: [PlaylistItemID] {
        let audible = engine.playlist.state
        return control.withLock { state in
            follow(&state)
            var items: [PlaylistItemID] = []
            if let decided = state.decided, let left = decided.left, isOnItsWay(decided, audible, state) {
                items.append(left.item)
            }
            guard let item = state.queue.current, let planned = state.items[item] else { return items }
            let isHeard =
                !state.requests.contains(where: \.isStart) && state.active.map { isCurrent($0, audible) } ?? false
            if !isHeard || state.active?.segments(from: audible.playNumber).first?.matches(planned) != true {
                items.append(item)
            }
            return items
        }
    }

    /// Has another version of what is heard take over; `wasReturned` says that the one before it was not heard.
    func resume(
        _ state: inout State, _ moment: (any Moment)?, slower: Double, wasReturned: Bool = false,
        _ sent: @escaping @Sendable (CommandID, FrameTime?) -> Void
    ) {
        let audible = engine.playlist.state
        let asked = state.requests.last(where: \.isStart)
        let waiting = asked?.startSeconds
        let isThere = waiting == nil && state.active.map { isCurrent($0, audible) } ?? false
        let isSent = wasReturned || (state.active != nil && state.sentStart.version > 0)
        let isOnItsWay = asked?.isVersion ?? isSent
        guard let item = state.queue.current, let length = state.items[item]?.length, isThere || isOnItsWay else {
            if restartPending(&state, slower: slower, sent) { return }
            if let item = state.queue.current, isStartOnItsWay(audible, state) {
                state.postponed = PostponedVersion(item: item, sent: sent)
                return
            }
            let isSamePlay = asked?.isSamePlay ?? (state.active != nil)
            start(
                &state, plays: false, crossfades: false, moment, seconds: (waiting ?? state.startSeconds) * slower,
                isSamePlay: isSamePlay
            ) { [frame = PlaylistPlayer.frame(of: moment)] in sent($0, frame) }
            return
        }
        let rate = audible.sampleRate
        let isPlaying = audible.phase == .playing
        var moment = moment
        if isPlaying, moment == nil, !feeder.isByHand {
            if isAwaitingVersion(audible, state) {
                state.postponed = PostponedVersion(item: item, sent: sent)
                return
            }
            moment = audible.frame + rate.frames(seconds: exchangeLead)
        }
        if isPlaying, let faded = endOfFade(audible, state), PlaylistPlayer.frame(of: moment) ?? audible.frame < faded {
            moment = faded
        }
        let frame = PlaylistPlayer.frame(of: moment)
        if isPlaying, let end = endOfPlay(audible, state), end <= frame ?? audible.frame {
            endAsHeard(audible, &state)
            state.requests.append(Request(kind: .note, moment: end) { sent($0, end) })
            return
        }
        let place = place(in: audible, at: isPlaying ? frame : nil, state)
        let seconds = place.seconds * length / (place.length ?? length)
        // A version that this one replaces is told of by this one's command.
        state.requests.removeAll(where: \.isVersion)
        // Whatever is done before it on its frame, the list is at that place.
        let isAtOnce = feeder.isByHand && frame ?? audible.frame <= audible.frame
        let kind = RequestKind.resume(seconds: seconds, pauseCount: isAtOnce ? -1 : audible.pauseCount)
        state.versionSent = sent
        leave(&state, for: kind, moment) { sent($0, frame) }
    }

    /// The frame on which what was played before the current item has faded out into it; `nil` where nothing does. The deck
    /// that fades in has what fades out in it.
    private func endOfFade(_ audible: EngineState.Playlist, _ state: State) -> FrameTime? {
        guard let active = state.active, isCurrent(active, audible),
            let current = active.segments(from: audible.playNumber).first, current.position < .max,
            let end = endOfFade(into: current, active), audible.framePosition < end
        else { return nil }
        return audible.frame + (end - audible.framePosition)
    }

    /// Where what is heard, or is by then, is on `frame`, or now: in seconds of its version, and how many times longer
    /// that is than the item was at first.
    private func place(
        in audible: EngineState.Playlist, at frame: FrameTime?, _ state: State
    ) -> (seconds: Double, length: Double?) {
        let rate = audible.sampleRate
        let versions = state.versions.filter { $0.pauseCount == audible.pauseCount }
        if let frame, let version = versions.last(where: { $0.frame <= frame }) {
            return (version.seconds + rate.seconds(frames: frame - version.frame), version.length)
        }
        if audible.playNumber < 0 { return (0, nil) }
        // Counted in whole frames, it is the same place whenever it is asked for.
        let ahead = frame.map { $0 - audible.frame } ?? 0
        let position = Double(audible.framePosition + ahead) - audible.origin
        return (max(0, position / rate.hertz), audible.deck < 0 ? nil : state.lengths[audible.deck])
    }

    /// Begins the version that was asked for while another one was on its way, once that is heard.
    ///
    /// - Returns: whether there was one.
    func resumePostponed(_ state: inout State) -> Bool {
        guard let postponed = state.postponed, !isAwaitingVersion(engine.playlist.state, state) else { return false }
        state.postponed = nil
        if state.queue.current == postponed.item {
            resume(&state, nil, slower: 1, postponed.sent)
        } else {
            state.requests.append(Request(kind: .note, moment: nil) { postponed.sent($0, nil) })
        }
        return true
    }

    /// Whether a version of what is heard was asked for or sent, and has not taken over yet.
    private func isAwaitingVersion(_ audible: EngineState.Playlist, _ state: State) -> Bool {
        if state.requests.contains(where: \.isVersion) || isStartOnItsWay(audible, state) { return true }
        guard state.sentStart.version > 0, let active = state.active else { return false }
        return !isCurrent(active, audible)
    }

    /// Whether a start was sent for the next block, which is not over yet. What follows it then goes on from there, and
    /// does not begin where it began.
    private func isStartOnItsWay(_ audible: EngineState.Playlist, _ state: State) -> Bool {
        guard !feeder.isByHand, let active = state.active, state.sentRequest == nil, state.sentStart.version == 0 else {
            return false
        }
        return !isCurrent(active, audible) && audible.lastStart < state.sentStart.start
    }

    /// Whether a deck was sent for a moment that has not come: until then the one that it leaves is heard. What is for
    /// the next frame comes before whatever is sent after it.
    func isToBegin(_ active: PlaylistFeed, _ state: State) -> Bool {
        let audible = engine.playlist.state
        if isCurrent(active, audible) || audible.deck != state.leaving?.deck { return false }
        if state.sentStart.version > 0 { return state.sentVersion.map { $0 > audible.frame } ?? false }
        guard audible.lastStart < state.sentStart.start, let moment = state.sentRequest?.moment else { return false }
        return engine.transport.map.expectedFrame(of: moment).map { $0 > audible.frame } ?? false
    }

    /// The frame on which what is heard of the current item, or was sent to take over from it, ends or is followed by the
    /// next item; `nil` where that is not known, or another start is on its way.
    private func endOfPlay(_ audible: EngineState.Playlist, _ state: State) -> FrameTime? {
        if state.requests.contains(where: { $0.isStart && !$0.isVersion }) { return nil }
        guard let feed = state.active ?? state.leaving else { return nil }
        let begin =
            isCurrent(feed, audible)
            ? audible.frame - audible.framePosition : state.sentVersion.map { $0 - feed.position }
        let segments = feed.segments(from: audible.playNumber)
        guard let begin, let current = segments.first, current.playNumber == audible.playNumber,
            current.position < .max
        else { return nil }
        let expected = current.duration.map { Int64((current.origin + $0 * feed.outputRate.hertz).rounded()) }
        let ends = [current.end ?? expected, segments.dropFirst().first?.position].compactMap { $0 }
        guard let last = ends.min(), last < .max else { return nil }
        return max(begin + last, audible.frame)
    }

    /// Has the current item end in the version in which it is heard: what it is by now is for the next time.
    private func endAsHeard(_ audible: EngineState.Playlist, _ state: inout State) {
        state.requests.removeAll(where: \.isVersion)
        state.discardBuilding()
        if state.active == nil { (state.active, state.leaving) = (state.leaving, nil) }
        state.endingPlay = audible.playNumber
    }

    /// Has a start that was asked for, and is not heard yet, begin what its item is by now, as the settings are by now.
    ///
    /// - Returns: whether there is one whose moment is known.
    func restartPending(
        _ state: inout State, slower: Double, _ sent: (@Sendable (CommandID, FrameTime?) -> Void)? = nil
    ) -> Bool {
        let index = state.requests.lastIndex(where: \.isStart)
        guard let asked = index.map({ state.requests[$0] }) ?? state.sentRequest,
            case .start(let seconds, let plays, let isSamePlay, let crossfades) = asked.kind
        else { return false }
        let frame = PlaylistPlayer.frame(of: asked.moment)
        let request = Request(
            kind: .start(
                seconds: seconds * slower, plays: plays, isSamePlay: isSamePlay, crossfades: crossfades),
            moment: asked.moment
        ) { [former = index == nil ? state.sentCommand : nil, asked = asked.sent, resent = state.resent] command in
            if let former { resent(former, command) } else { asked(command) }
            sent?(command, frame)
        }
        state.discardBuilding()
        if let index {
            state.requests[index] = request
            state.noteRestart(slower: slower, sent)
            return true
        }
        let start = state.sentStart.start
        guard let active = state.active, engine.playlist.state.lastStart < start,
            (try? engine.send([.playlist(.cancelStart(start: start, deck: active.deck))], at: nil)) != nil
        else { return false }
        // What plays until then is left alone.
        state.replace(\.active)
        state.requests.append(request)
        state.noteRestart(slower: slower, sent)
        return true
    }

    /// The frame that a command for `moment` is for; `nil` if an event tells on which frame it was taken.
    static func frame(of moment: (any Moment)?) -> FrameTime? {
        guard case .frame(let frame) = moment.map(Engine.nearestMoment(to:))?.due else { return nil }
        return frame
    }

    /// How far ahead of the playback position another version takes over, in seconds: time enough to open a file and to
    /// read some seconds.
    var exchangeLead: Double { 0.25 }
}
