import BarlineTime

/// What is asked of a list for later.
struct ScheduledRequest: Sendable {
    /// What it depends on.
    enum Kind {
        /// The same place of the list plays on, or is paused.
        case transport
        /// A place of the list is heard, whatever plays by then.
        case jump
        /// A place that is counted from what plays by then.
        case relativeJump
    }

    /// When it is for: a frame, a beat or a bar.
    let moment: any Moment
    /// What it is, in the log.
    let name: String
    let kind: Kind
    /// Called with the command that is sent for it first.
    let sent: PlaylistPlayer.Sent
    let decide: PlaylistPlayer.Decision
    /// The command that was sent for it last, where it was taken back: ``sent`` was called, and is not to be again.
    var told: CommandID?
    /// The item whose place it is for, and how many times longer that has become since it was told of.
    var version: (item: PlaylistItemID, slower: Double)?
}

extension ScheduledRequest {
    /// The same, of which it was told before an item, whose place it is for, became `slower` times longer.
    func before(_ item: PlaylistItemID, slower: Double) -> ScheduledRequest {
        let former = version.flatMap { $0.item == item ? $0.slower : nil } ?? 1
        var request = self
        request.version = (item, former * slower)
        return request
    }

    /// The same, for which `command` was sent and taken back.
    func told(as command: CommandID?) -> ScheduledRequest {
        var request = self
        request.told = command
        return request
    }

    /// Whether another place of the list is heard by it, or none.
    var isJump: Bool { if case .transport = kind { false } else { true } }
}

/// What was decided last of that, and how things were before.
struct DecidedRequest {
    /// Those for one frame, in the order in which they were asked for; there is one at least.
    var requests: [ScheduledRequest]
    /// Whether it is asked for with a start alone, so that it can be taken back.
    let isReturnable: Bool
    let revision: Int
    let queue: PlaylistQueue
    let items: [PlaylistItemID: PlannedItem]
    let playNumber: Int
    let sentStart: Playlist.StartNumber
    let startSeconds: Double
    /// The version of what plays until then that was asked for since: too late to be heard.
    var left: PostponedVersion?
    /// Whether a stop was sent for it, which can't be taken back.
    var isFinal = false

    var moment: any Moment { requests[0].moment }
}

/// Doing things on time. What plays by then is known shortly before, when there is time enough to read it: until then what
/// plays is the current item, and what is done at once counts from that.
extension PlaylistPlayer {
    /// Decides what is done at a moment with the list as it is, and asks for that.
    typealias Decision = @Sendable (PlaylistPlayer, inout State, (any Moment)?, @escaping Sent) -> Void

    /// How long before its time a request is decided at the earliest, in seconds: time enough to open a file, and to read
    /// what is heard first.
    private static let decisionSeconds = 2.0
    /// How long before its time it is decided though something else is still being read, and until when what was sent can
    /// be called off, in seconds: some blocks, for what is sent is heard with the next one. With manual feeding both are
    /// known with each frame.
    var latestDecisionSeconds: Double {
        if feeder.isByHand { return 0 }
        let block = engine.sampleRate.seconds(frames: Int64(engine.blockFrames))
        return max(0.02, 2 * block + 0.01)
    }

    /// Keeps something for its moment.
    ///
    /// - Parameters:
    ///   - name: what it is, in the log.
    ///   - moment: when; `nil` for as soon as possible.
    ///   - kind: what it depends on.
    ///   - sent: called with the command that is sent for it first.
    ///   - decide: decides what it is with the list as it is, and asks for that.
    /// - Returns: whether it is kept; what is for now, or for a moment that only the engine knows, is not.
    func schedule(
        _ name: String, at moment: (any Moment)?, _ kind: ScheduledRequest.Kind, _ sent: @escaping Sent,
        _ decide: @escaping Decision
    ) -> Bool {
        guard let moment = moment.flatMap(coming) else { return false }
        let request = ScheduledRequest(moment: moment, name: name, kind: kind, sent: sent, decide: decide)
        feed()
        log(PlaylistLogEntry(.player, "\(name) for later"))
        control.withLock { state in
            follow(&state)
            cue(&state)
            let map = engine.transport.map
            if request.isJump, let decided = state.decided, let frame = map.expectedFrame(of: decided.moment),
                let asked = map.expectedFrame(of: moment), asked <= frame
            {
                takeBack(&state)
            }
            state.scheduled.append(request)
        }
        wake()
        return true
    }

    /// The moment that is waited for, which stays the same where it was the next bar line; `nil` for those that only the
    /// engine knows, or that have passed.
    private func coming(_ moment: any Moment) -> (any Moment)? {
        let map = engine.transport.map
        let coming: any Moment
        switch map.due(of: Engine.nearestMoment(to: moment)) {
        case .frame(let frame): coming = frame
        case .beat(let beat): coming = beat
        case .bar(let bar): coming = Bar(Int(bar) + 1)
        case .nextBar, .host: return nil
        }
        guard let frame = map.expectedFrame(of: coming), frame > engine.playlist.state.frame else { return nil }
        return coming
    }

    /// Decides what comes next of what was asked for later, once it is time for that.
    ///
    /// - Returns: whether something was.
    func decideNext(_ state: inout State) -> Bool {
        let audible = engine.playlist.state
        if let decided = state.decided, !isOnItsWay(decided, audible, state) { state.decided = nil }
        let map = engine.transport.map
        func frame(_ request: ScheduledRequest) -> FrameTime { map.expectedFrame(of: request.moment) ?? audible.frame }
        guard let place = state.scheduled.indices.min(by: { frame(state.scheduled[$0]) < frame(state.scheduled[$1]) })
        else { return false }
        let request = state.scheduled[place]
        let due = frame(request)
        let seconds = audible.sampleRate.seconds(frames: due - audible.frame)
        // What follows what plays is known about twice as far.
        let lead = min(PlaylistPlayer.decisionSeconds, audible.sampleRate.seconds(frames: target) / 2)
        guard seconds <= lead else { return false }
        if request.isJump, seconds > 0 {
            if let decided = state.decided, frame(decided.requests[0]) < due { return false }
            if case .relativeJump = request.kind, let change = framesToChange(audible, state),
                audible.frame + change <= due
            {
                return false
            }
            // What was sent is heard with the next block; what is read for may take its time.
            if let active = state.active, !isCurrent(active, audible) { return false }
            if !state.requests.isEmpty, seconds > latestDecisionSeconds { return false }
            // A version that waits for another one is there sooner.
            if state.postponed != nil, seconds > 2 * exchangeLead { return false }
        }
        // What is for one frame is heard as the last of it: nothing is heard in between.
        let requests = request.isJump ? state.scheduled.filter { $0.isJump && frame($0) == due } : [request]
        if request.isJump {
            state.scheduled.removeAll { $0.isJump && frame($0) == due }
        } else {
            state.scheduled.remove(at: place)
        }
        let isReturnable =
            state.decided == nil && state.requests.isEmpty && state.versions.isEmpty
            && state.active.map { isCurrent($0, audible) } ?? false && followsLater(than: due, audible, state)
        if request.isJump {
            state.decided = DecidedRequest(
                requests: requests, isReturnable: isReturnable, revision: state.revision + 1, queue: state.queue,
                items: state.items, playNumber: state.playNumber, sentStart: state.sentStart,
                startSeconds: state.startSeconds)
        }
        let resent = state.resent
        for request in requests {
            request.decide(self, &state, request.moment) { command in
                if let told = request.told { resent(told, command) } else { request.sent(command) }
            }
            if let version = request.version, version.item == state.queue.current {
                state.scaleStart(slower: version.slower)
            }
        }
        state.revision += 1
        state.forgetPlan()
        return true
    }

    /// Calls `resent` with the command by which a jump was sent that was taken back, and the one by which it is sent anew.
    package func followResent(_ resent: @escaping @Sendable (CommandID, CommandID) -> Void) {
        control.withLock { $0.resent = resent }
    }

    /// Forgets what was asked for later.
    package func callOffScheduled() {
        control.withLock { state in
            takeBack(&state)
            state.scheduled = []
        }
    }

    /// The number of frames until something has come that what is asked for later may wait for: what was decided before it,
    /// or the next item, or a stop that is held back until then; `nil` where nothing does.
    func framesToDecision(_ state: State) -> Int? {
        let audible = engine.playlist.state
        if let due = heldStop(state) { return max(1, Int(min(due - audible.frame, Int64(Int32.max)))) }
        if state.scheduled.isEmpty { return nil }
        let decided = state.decided.flatMap { engine.transport.map.expectedFrame(of: $0.moment) }
        let frames = [decided.map { $0 - audible.frame + 1 }, framesToChange(audible, state)].compactMap { $0 }.min()
        return frames.map { max(1, Int(min($0, Int64(Int32.max)))) }
    }

    /// The number of frames until the item that plays is followed by another one, or has ended, with the frame on which it
    /// is; `nil` where that is not known, or none plays.
    private func framesToChange(_ audible: EngineState.Playlist, _ state: State) -> Int64? {
        guard audible.phase == .playing, let active = state.active, isCurrent(active, audible) else { return nil }
        let next = active.segments(from: audible.playNumber + 1).first?.position
        let last = [next, state.next?.position, active.end].compactMap { $0 }.min()
        return last.map { max(0, $0 - audible.framePosition) + 1 }
    }

    /// Whether what was sent to take over from what is heard does so so long after `frame` that it can be sent anew before,
    /// or there is none.
    private func followsLater(
        than frame: FrameTime, _ audible: EngineState.Playlist, _ state: State
    ) -> Bool {
        guard let next = state.next else { return true }
        // Of what is paused nothing has gone by until then.
        let played = audible.phase == .playing ? frame - audible.frame : 0
        return next.position - audible.framePosition
            > played + audible.sampleRate.frames(seconds: 2 * exchangeLead)
    }
}
