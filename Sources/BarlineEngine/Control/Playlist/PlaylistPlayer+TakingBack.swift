import BarlineTime

/// Taking back what was decided for later, where something else is done before it.
extension PlaylistPlayer {
    /// Whether a request is for the frame that `moment` is for.
    func isOfSameFrame(_ request: Request, _ moment: (any Moment)?) -> Bool {
        guard let asked = request.moment, let moment, let frame = engine.transport.map.expectedFrame(of: moment) else {
            return false
        }
        return engine.transport.map.expectedFrame(of: asked) == frame
    }

    func isOnItsWay(_ decided: DecidedRequest, _ audible: EngineState.Playlist, _ state: State) -> Bool {
        let frame = engine.transport.map.expectedFrame(of: decided.moment) ?? audible.frame
        return frame >= audible.frame || state.requests.contains { $0.isStart && !$0.isVersion }
    }

    /// Takes back what was decided and is to come later than what is asked for now: it is decided anew, with the list as it
    /// is then.
    func takeBack(_ state: inout State) {
        let audible = engine.playlist.state
        guard let decided = state.decided, decided.isReturnable, let leaving = state.leaving,
            audible.deck == leaving.deck, isInTime(decided, audible, state),
            state.requests.allSatisfy({ request in
                request.isNote || isStop(request, of: decided)
                    || request.isStart && !request.isVersion && request.moment != nil
            })
        else { return }
        if !state.requests.contains(where: { $0.isStart || isStop($0, of: decided) }) {
            let start = state.sentStart.start
            guard let active = state.active, audible.lastStart < start, start > decided.sentStart.start,
                (try? engine.send([.playlist(.cancelStart(start: start, deck: active.deck))], at: nil)) != nil
            else { return }
            state.replace(\.active)
        }
        var requests = decided.requests
        let isSent = state.sentStart.start > decided.sentStart.start
        if isSent { requests = requests.map { $0.told(as: state.sentCommand) } }
        state.requests.removeAll { $0.isStart || isStop($0, of: decided) }
        state.discardBuilding()
        // In which version it is heard is known when that is decided anew.
        if let restarted = state.restarted {
            (state.postponed, state.restarted) = (restarted.version, nil)
            if isSent { requests = requests.map { $0.before(restarted.version.item, slower: restarted.slower) } }
        }
        if let left = decided.left {
            if let other = state.postponed {
                state.requests.append(Request(kind: .note, moment: nil) { other.sent($0, nil) })
            }
            state.postponed = left
        }
        (state.active, state.leaving) = (leaving, nil)
        state.leavingFrames = 0
        state.waitingSince = nil
        state.playNumber = decided.playNumber
        state.sentStart = decided.sentStart
        state.sentRequest = nil
        state.startSeconds = decided.startSeconds
        if state.revision == decided.revision {
            (state.queue, state.items) = (decided.queue, decided.items)
        } else if let current = decided.queue.current {
            state.queue.select(current)
        }
        state.decided = nil
        state.scheduled.insert(contentsOf: requests, at: 0)
        state.forgetPlan()
    }

    /// Has what was decided, and can't be taken back as if it had not been, come after what is asked for at once all the
    /// same: it is decided anew.
    func putOff(_ state: inout State, until moment: (any Moment)?) {
        let audible = engine.playlist.state
        let map = engine.transport.map
        guard let decided = state.decided, let due = map.expectedFrame(of: decided.moment),
            isInTime(decided, audible, state), moment.flatMap(map.expectedFrame).map({ $0 < due }) ?? true
        else { return }
        var requests = decided.requests
        if state.sentStart.start > decided.sentStart.start {
            guard let active = state.active, audible.lastStart < state.sentStart.start,
                (try? engine.send(
                    [.playlist(.cancelStart(start: state.sentStart.start, deck: active.deck))], at: nil)) != nil
            else { return }
            state.replace(\.active)
            state.sentStart = decided.sentStart
            state.sentRequest = nil
            requests = requests.map { $0.told(as: state.sentCommand) }
        } else if !state.requests.contains(where: {
            isStop($0, of: decided) || $0.isStart && !$0.isVersion && $0.moment != nil
        }) {
            return
        }
        state.requests.removeAll { isStop($0, of: decided) }
        state.decided = nil
        state.scheduled.insert(contentsOf: requests, at: 0)
    }

    /// Whether there is time to take back what was decided: what was sent for it must not be on its way by now.
    private func isInTime(_ decided: DecidedRequest, _ audible: EngineState.Playlist, _ state: State) -> Bool {
        guard !decided.isFinal, let due = engine.transport.map.expectedFrame(of: decided.moment) else { return false }
        let isSent = state.sentStart.start > decided.sentStart.start
        return audible.sampleRate.seconds(frames: due - audible.frame) > (isSent ? latestDecisionSeconds : 0)
    }

    /// Whether a request is the stop that was decided, and not sent.
    private func isStop(_ request: Request, of decided: DecidedRequest) -> Bool {
        guard case .stop = request.kind, !decided.isFinal else { return false }
        return isOfSameFrame(request, decided.moment)
    }

    /// Notes that a request was sent, which can't be taken back where it is a stop.
    func noteStop(_ request: Request, _ state: inout State) {
        if let decided = state.decided, isStop(request, of: decided) { state.decided?.isFinal = true }
    }

    /// The frame of a stop that is held back, `nil` where none is: nothing is to be read for it, so that it is sent as late
    /// as may be, and can be taken back until then.
    func heldStop(_ state: State) -> FrameTime? {
        guard let decided = state.decided, state.requests.contains(where: { isStop($0, of: decided) }),
            let due = engine.transport.map.expectedFrame(of: decided.moment)
        else { return nil }
        let audible = engine.playlist.state
        return audible.sampleRate.seconds(frames: due - audible.frame) > latestDecisionSeconds ? due : nil
    }

    /// The place of the request that is served next: the first one, or where that is a stop that is held back, what is for
    /// before it. What is to be read for later is read meanwhile.
    func nextRequest(_ state: State) -> Int? {
        guard let due = heldStop(state) else { return state.requests.isEmpty ? nil : 0 }
        let before = state.requests.firstIndex { request in
            guard let moment = request.moment else { return true }
            return (engine.transport.map.expectedFrame(of: moment) ?? due) < due
        }
        return before ?? (state.building == nil ? state.requests.firstIndex(where: \.isStart) : nil)
    }
}
