import BarlineDSP
import BarlineTime

/// Conducting: the steps from the current state to the requested one.
extension PlaylistPlayer {
    func serveRequests() -> Bool {
        var report: (Request, CommandID, PlaylistItemID?)?
        let hasMoved = control.withLock { state in
            freeDiscarded(&state)
            follow(&state)
            if decideNext(&state) || resumePostponed(&state) { return true }
            guard let place = nextRequest(state) else { return state.requests.isEmpty && reconcile(&state) }
            let request = state.requests[place]
            if let seconds = request.startSeconds {
                guard state.building != nil else { return build(request, at: place, from: seconds, &state) }
                guard let command = sendStart(request, &state) else {
                    return state.building == nil
                }
                report = (request, command, state.queue.current)
                state.tellRestart()
            } else {
                guard let command = try? engine.send([request.kind.action], at: request.moment) else { return false }
                report = (request, command, state.queue.current)
                noteStop(request, &state)
            }
            state.requests.remove(at: place)
            return true
        }
        if let (request, command, item) = report {
            let item = item.map { " of item \($0.rawValue)" } ?? ""
            log(PlaylistLogEntry(.player, "\(request.name)\(item) is sent as command \(command.rawValue)"))
            request.sent(command)
        }
        return hasMoved
    }

    func freeDiscarded(_ state: inout State) {
        for feed in state.discarded where !feed.isBusy { feed.owner.abandon() }
        state.discarded.removeAll { !$0.isBusy }
    }

    // MARK: Playback

    /// Syncs with the audio thread's state.
    func follow(_ state: inout State) {
        let audible = engine.playlist.state
        if let next = state.next, audible.deck == next.deck, !next.segments(from: audible.playNumber).isEmpty {
            state.next = nil
            state.replace(\.active, with: next)
        }
        guard let active = state.active else { return }
        if active.owner.isIdle, state.next?.owner.isIdle ?? true {
            if audible.endCount == state.endCount { return followReturn(of: active, audible, &state) }
            state.endCount = audible.endCount
            // A deck that is shorter than a block may have taken over and ended since.
            let ended = state.next.flatMap { $0.deck == audible.endedDeck ? $0 : nil } ?? active
            advance(to: ended.lastPlayNumber ?? state.playNumber, &state)
            endList(with: ended, &state)
            return
        }
        state.releasedFrame = nil
        guard isCurrent(active, audible) else { return }
        state.endCount = audible.endCount
        if let heard = active.segments(from: audible.playNumber).first { state.lengths[active.deck] = heard.length }
        state.versions = []
        state.replace(\.leaving)
        advance(to: audible.playNumber, &state)
        active.forget(before: state.playNumber)
        state.building?.skip(to: audible.framePosition)
    }

    /// Follows the return of a deck before it was heard. Either a stop was due that had been asked for before the item
    /// was: it is at its beginning then. Or what it was to go on from is not where it was, because of a pause: then it
    /// is to go on from there.
    private func followReturn(of feed: PlaylistFeed, _ audible: EngineState.Playlist, _ state: inout State) {
        // A deck is given back before the block is over whose state says why.
        guard let released = state.releasedFrame, audible.frame > released else {
            state.releasedFrame = state.releasedFrame ?? audible.frame
            return
        }
        state.releasedFrame = nil
        if state.sentStart.version > 0, audible.deck != feed.deck, [.playing, .paused].contains(audible.phase) {
            state.replace(\.active)
            let (postponed, returned) = (state.postponed, state.versionSent)
            state.postponed = nil
            return resume(&state, nil, slower: 1, wasReturned: true) {
                returned?($0, $1)
                postponed?.sent($0, $1)
            }
        }
        state.replace(\.active)
        state.replace(\.next)
        if !state.requests.contains(where: \.isStart) { state.discardBuilding() }
        cue(&state)
    }

    func isCurrent(_ feed: PlaylistFeed, _ audible: EngineState.Playlist) -> Bool {
        audible.deck == feed.deck && !feed.segments(from: audible.playNumber).isEmpty
    }

    private func advance(to playNumber: Int, _ state: inout State) {
        while state.playNumber < playNumber {
            state.playNumber += 1
            state.play { $0.advance() }
            state.forgetPlan()
        }
    }

    private func endList(with feed: PlaylistFeed, _ state: inout State) {
        state.replace(\.active)
        state.replace(\.next)
        state.discardBuilding()
        // Items may have been appended during the last frames.
        let continues = !feed.hasGivenUp && state.play { $0.advance() }
        if !continues { state.play { $0.finish() } }
        state.forgetPlan()
        if continues {
            state.requests.append(
                Request(kind: .start(seconds: 0, plays: true, isSamePlay: false, crossfades: false), moment: nil))
        } else {
            cue(&state)
        }
    }

    /// Cues the beginning of the current item, unless a start was requested.
    ///
    /// - Parameters:
    ///   - state: the control side's state.
    ///   - moment: when; `nil` for as soon as possible.
    func cue(_ state: inout State, at moment: (any Moment)? = nil) {
        if state.active != nil || state.queue.current == nil || state.requests.contains(where: \.isStart) { return }
        state.requests.append(
            Request(kind: .start(seconds: 0, plays: false, isSamePlay: false, crossfades: false), moment: moment))
    }

    // MARK: Starting

    private func build(_ request: Request, at place: Int, from seconds: Double, _ state: inout State) -> Bool {
        guard let current = state.queue.current, let item = state.items[current]?.item else {
            state.requests.remove(at: place)
            return true
        }
        guard let deck = state.takeDeck(of: engine.link.playlist.owners) else { return false }
        state.startSeconds = seconds
        if state.active != nil { state.leaveActive() }
        if !request.isSamePlay {
            state.lastPlayNumber += 1
            state.playNumber = state.lastPlayNumber
        }
        let rate = engine.playlist.state.sampleRate
        let start = PlaylistPlayer.placeRange.clamp(seconds)
        state.building = PlaylistFeed(
            deck: deck, of: engine.link.playlist, purpose: .start,
            state: PlaylistSerializer.State(position: 0), segments: [],
            entry: PlaylistFeed.Entry(into: item, at: start * item.source.sampleRate.hertz, outputRate: rate),
            outputRate: rate, settings: state.settings, plan: plan)
        return true
    }

    private func sendStart(_ request: Request, _ state: inout State) -> CommandID? {
        guard let feed = state.building else { return nil }
        if isStale(feed, state) || state.firstDifference(of: feed) != nil {
            state.discardBuilding()
            return nil
        }
        guard isReady(feed, at: feed.position), hasReadFade(&state) else { return nil }
        var (plays, fade) = (false, Int64(0))
        var number = Playlist.StartNumber(start: state.startCount + 1)
        switch request.kind {
        case .start(_, let isToPlay, _, let crossfades):
            plays = isToPlay
            if crossfades { fade = feed.outputRate.frames(seconds: state.settings.crossfade) }
        case .resume(_, let pauseCount):
            number = state.sentStart
            number.version += 1
            number.pauseCount = pauseCount
        case .play, .pause, .stop, .note: return nil
        }
        feed.owner.send()
        let start = EngineAction.playlist(.start(deck: feed.deck, fade: fade, plays: plays, number: number))
        guard let command = try? engine.send([start], at: request.moment) else {
            feed.owner.takeBack()
            return nil
        }
        state.sentStart = number
        state.startCount = max(state.startCount, number.start)
        state.sentRequest = request.isVersion || request.moment == nil ? nil : request
        if !request.isVersion { state.sentCommand = command }
        note(feed, request, number, &state)
        state.building = nil
        state.replace(\.active, with: feed)
        log(PlaylistLogEntry(.serializer, "deck \(feed.deck) begins"))
        return command
    }

    /// Whether all is read of what fades out under a start, or its source is too slow to be waited for: it fades out
    /// sooner then.
    private func hasReadFade(_ state: inout State) -> Bool {
        let audible = engine.playlist.state
        guard state.leavingFrames > 0, let leaving = state.leaving, audible.phase == .playing,
            audible.deck == leaving.deck, !leaving.hasEnded, !leaving.isSaturated,
            leaving.lead(from: audible.framePosition) < state.leavingFrames + PlaylistPlayer.fadeMargin
        else { return true }
        if feeder.isByHand { return false }
        let since = state.waitingSince ?? .now
        state.waitingSince = since
        return HostTime.now - since > PlaylistPlayer.longestWait
    }

    /// Remembers which version of the current item a deck that was sent has, and when it takes over.
    private func note(
        _ feed: PlaylistFeed, _ request: Request, _ number: Playlist.StartNumber, _ state: inout State
    ) {
        let length = feed.segments(from: state.playNumber).first?.length ?? 1
        state.lengths[feed.deck] = length
        state.sentVersion = request.isVersion ? PlaylistPlayer.frame(of: request.moment) : nil
        guard let frame = state.sentVersion, let seconds = request.startSeconds else {
            state.versions = []
            return
        }
        state.versions.removeAll { $0.frame >= frame }
        state.versions.append(
            SentVersion(frame: frame, seconds: seconds, length: length, pauseCount: number.pauseCount))
    }

    private func isStale(_ feed: PlaylistFeed, _ state: State) -> Bool {
        feed.settings != state.settings || feed.outputRate != engine.playlist.state.sampleRate
    }

    // MARK: Editing

    /// Brings the prefetched audio into line with the queue.
    private func reconcile(_ state: inout State) -> Bool {
        state.lacksDeck = false
        guard let active = state.active else {
            cue(&state)
            return !state.requests.isEmpty
        }
        if let latest = state.building ?? state.next, !isStale(latest, state),
            state.firstDifference(of: latest) == nil
        {
            return sendChange(&state)
        }
        if isStale(active, state) {
            state.discardBuilding()
            return refresh(active, &state)
        }
        guard let playNumber = state.firstDifference(of: active) else { return cancelChange(&state) }
        state.discardBuilding()
        // What is sent to take over from it would take over from what plays before it.
        if isToBegin(active, state) { return restartPending(&state, slower: 1) }
        return rebuild(active, from: playNumber, &state)
    }

    /// Sends a deck that is filled far enough to take over.
    private func sendChange(_ state: inout State) -> Bool {
        guard let feed = state.building, case .change(let fade) = feed.purpose else { return false }
        guard isReady(feed, at: engine.playlist.state.framePosition) else { return false }
        feed.owner.send()
        let change = EngineAction.playlist(.changeOver(deck: feed.deck, position: feed.position, fade: fade))
        guard (try? engine.send([change], at: nil)) != nil else {
            feed.owner.takeBack()
            return false
        }
        state.building = nil
        if let heard = feed.segments(from: state.playNumber).first { state.lengths[feed.deck] = heard.length }
        state.replace(\.next, with: feed)
        log(PlaylistLogEntry(.serializer, "deck \(feed.deck) takes over at \(feed.position)"))
        return true
    }

    /// The active deck is correct as it is: cancels a pending change-over.
    private func cancelChange(_ state: inout State) -> Bool {
        state.discardBuilding()
        if state.next == nil { return false }
        let change = EngineAction.playlist(.changeOver(deck: -1, position: .max, fade: 0))
        guard (try? engine.send([change], at: nil)) != nil else { return false }
        state.replace(\.next)
        return true
    }

    /// Prefetches again from after the last item that is still valid.
    private func rebuild(_ active: PlaylistFeed, from playNumber: Int, _ state: inout State) -> Bool {
        if playNumber <= state.playNumber {
            state.requests.append(
                Request(kind: .start(seconds: 0, plays: false, isSamePlay: false, crossfades: false), moment: nil))
            return true
        }
        let segments = active.segments(from: state.playNumber)
        let differing = segments.dropFirst(playNumber - state.playNumber).first
        guard let decided = differing.map({ $0.before }) ?? active.stateAfterEnd else { return false }
        guard let deck = state.takeDeck(of: engine.link.playlist.owners) else {
            state.lacksDeck = true
            return false
        }
        state.building = PlaylistFeed(
            deck: deck, of: engine.link.playlist, purpose: .change(fade: 0), state: decided,
            segments: Array(segments.prefix(playNumber - state.playNumber)), entry: nil, outputRate: active.outputRate,
            settings: state.settings, plan: plan)
        return true
    }

    /// Prefetches again from a position slightly ahead, with other settings or at another sample rate.
    private func refresh(_ active: PlaylistFeed, _ state: inout State) -> Bool {
        let audible = engine.playlist.state
        guard let current = active.segments(from: state.playNumber).first, current.position < .max,
            let item = state.items[current.item]?.item
        else { return false }
        if audible.sampleRate != active.outputRate {
            let seconds = (Double(audible.framePosition) - current.origin) / active.outputRate.hertz
            state.requests.append(
                Request(
                    kind: .start(
                        seconds: max(0, seconds), plays: false, isSamePlay: true, crossfades: false), moment: nil))
            return true
        }
        if !isCurrent(active, audible) {
            // What is to start on a frame that is to come starts on that.
            if restartPending(&state, slower: 1) { return true }
            state.requests.append(
                Request(
                    kind: .start(seconds: state.startSeconds, plays: false, isSamePlay: true, crossfades: false),
                    moment: nil))
            return true
        }
        // What fades out fades to its end.
        if let end = endOfFade(into: current, active), audible.framePosition < end { return false }
        let position = audible.framePosition + refreshLead
        if isTooLate(state.settings.crossfade, for: current, of: item, active, state) { return false }
        guard let deck = state.takeDeck(of: engine.link.playlist.owners) else {
            state.lacksDeck = true
            return false
        }
        let ratio = item.source.sampleRate.hertz / active.outputRate.hertz
        let offset = max(0, Double(position) - current.origin) * ratio
        state.building = PlaylistFeed(
            deck: deck, of: engine.link.playlist,
            purpose: .change(fade: active.outputRate.frames(seconds: Ramp.fadeSeconds)),
            state: PlaylistSerializer.State(position: position), segments: [],
            entry: PlaylistFeed.Entry(
                into: item, at: offset, outputRate: active.outputRate, origin: current.origin),
            outputRate: active.outputRate, settings: state.settings, plan: plan)
        return true
    }

    /// Whether an item ends so soon that the next one has begun, or would have to, before other settings can take
    /// effect: it ends as it would have without them, and they are the next one's. The same in every run, however far
    /// ahead was read.
    private func isTooLate(
        _ crossfade: Double, for segment: PlaylistSegment, of item: PlaylistItem, _ active: PlaylistFeed, _ state: State
    ) -> Bool {
        let rate = active.outputRate
        let earliest = engine.playlist.state.framePosition + rate.frames(seconds: PlaylistPlayer.refreshSeconds)
        if let next = active.segments(from: state.playNumber + 1).first, next.position <= earliest { return true }
        guard crossfade > 0, let duration = item.duration else { return false }
        let end = segment.origin + duration * rate.hertz
        return end - min(crossfade, duration / 2) * rate.hertz < Double(earliest)
    }

    /// The number of frames until settings that came too late for the current item take effect, which is the frame after
    /// the next one has begun; `nil` where none do.
    func framesToRefresh(_ state: State) -> Int? {
        let audible = engine.playlist.state
        guard let active = state.active, state.building == nil, state.next == nil, isStale(active, state),
            audible.phase == .playing
        else { return nil }
        if let current = active.segments(from: state.playNumber).first, current.position < .max,
            let end = endOfFade(into: current, active), audible.framePosition < end
        {
            return Int(end - audible.framePosition)
        }
        guard let next = active.segments(from: state.playNumber + 1).first, next.position < .max else { return nil }
        return max(1, Int(next.position - audible.framePosition))
    }

    /// The position at which what was played before an item has faded out and its end was told, at the latest; `nil` where
    /// it began by itself.
    func endOfFade(into segment: PlaylistSegment, _ feed: PlaylistFeed) -> Int64? {
        guard segment.before != nil, feed.settings.crossfade > 0 else { return nil }
        let seconds = min(feed.settings.crossfade, (segment.duration ?? .infinity) / 2)
        return segment.position + feed.outputRate.frames(seconds: seconds) + 1
    }

    /// How far ahead of the playback position other settings take effect, in frames: time enough to open a file.
    private var refreshLead: Int64 {
        feeder.isByHand ? 0 : engine.playlist.state.sampleRate.frames(seconds: PlaylistPlayer.refreshSeconds)
    }

    private static let refreshSeconds = 0.05
}
