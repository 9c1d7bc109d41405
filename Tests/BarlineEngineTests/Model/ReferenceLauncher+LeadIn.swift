import BarlineEngine

/// Starts on a clip's own first frame: faded in over the 5 ms before the boundary where they are there to be had.
extension ReferenceLauncher {
    /// What comes in before its boundary, or came in for one that was taken back.
    struct LeadIn {
        var clip: Int
        var lane: Int
        var first: Int
        /// The boundary's frame; it may move.
        var due: Int
        var origin: Double
        var run: Int
        var envelope: Envelope
        /// From here on it plays, or fades out.
        var end: Int?
        var wasTakenBack = false
    }

    /// Half a millisecond, and no less.
    var leastFade: Int { ReferenceTempo.atOrAfter(0.0005 * rate) }

    /// Where a clip that is launched on `boundary` is at its first frame, and whether that is on the boundary.
    func origin(of index: Int, _ lane: Int, boundary: Double) -> (origin: Double, isFirstFrame: Bool) {
        let clip = clips[index]
        var origin = clip.beats == nil ? tempo.exactFrame(of: boundary) : boundary
        if clip.start == .synced {
            origin = clip.beats == nil ? tempo.exactFrame(of: 0) : 0
        } else if clip.start == .legato, let outgoing = lanes[lane].playing, let length = clips[outgoing.clip].beats {
            let cycles = ((boundary - outgoing.origin) / length + 1e-9).rounded(.down)
            origin = outgoing.origin + (clips[outgoing.clip].loops ? cycles * length : 0)
        }
        guard let beats = clip.beats else { return (origin, abs(tempo.exactFrame(of: boundary) - origin) < 1e-6) }
        let cycles = (boundary - origin) / beats
        let distance = clip.loops ? cycles - cycles.rounded() : cycles
        return (origin, abs(distance) * clip.length < 1e-6)
    }

    /// When the clip that waits on a lane may begin to come in; a clip that plays once has only so much of its file
    /// before its first frame.
    func leadInStart(_ lane: Int) -> Int? {
        guard let waiting = lanes[lane].waiting, case .launch(let index) = waiting.request else { return nil }
        let clip = clips[index]
        let boundary = waiting.boundary.beat(in: bars)
        var start = tempo.frame(of: boundary) - fade
        if !clip.loops {
            let before = Double(Quadrature.margin)
            let file =
                clip.beats.map { _ in tempo.exactFrame(of: boundary - before / clip.position(atBeat: 1e-6) * 1e-6) }
                ?? tempo.exactFrame(of: boundary) - before * rate / clip.sourceRate
            start = max(start, ReferenceTempo.atOrAfter(file))
        }
        return start
    }

    /// Sees to what comes in on a lane: begins it, turns it towards a boundary that has moved, or takes it back.
    func leadIn(_ lane: Int) {
        let start = leadInStart(lane)
        if let coming = lanes[lane].coming, let start, start <= now, let waiting = lanes[lane].waiting,
            case .launch(let clip) = waiting.request, isSame(leads[coming], clip, lane, waiting)
        {
            let due = frame(of: waiting)
            if due == leads[coming].due { return }
            leads[coming].due = due
            // As steep as from silence over 5 ms at most; else half a millisecond is added.
            let missing = (1 - leads[coming].envelope.level(at: now)) * Double(fade)
            let room = due - now
            leads[coming].envelope.ramp(
                to: 1, at: now, over: Double(room) + 0.01 < missing ? room + leastFade : room)
            return
        }
        takeBack(lane)
        guard let start, start <= now, let waiting = lanes[lane].waiting, case .launch(let clip) = waiting.request
        else {
            return
        }
        let due = frame(of: waiting)
        let (origin, isFirstFrame) = origin(of: clip, lane, boundary: waiting.boundary.beat(in: bars))
        if !isFirstFrame || due <= now { return }
        let room = due - now
        lanes[lane].coming = leads.count
        leads.append(
            LeadIn(
                clip: clip, lane: lane, first: now, due: due, origin: origin, run: runs.count - 1,
                envelope: .rise(at: now, over: room < fade ? room + leastFade : room)))
    }

    private func isSame(_ lead: LeadIn, _ clip: Int, _ lane: Int, _ waiting: Waiting) -> Bool {
        let (origin, _) = origin(of: clip, lane, boundary: waiting.boundary.beat(in: bars))
        return lead.clip == clip && lead.run == runs.count - 1
            && abs(origin - lead.origin) < (clips[clip].beats == nil ? 1e-3 : 1e-6)
    }

    private func takeBack(_ lane: Int) {
        guard let coming = lanes[lane].coming else { return }
        lanes[lane].coming = nil
        leads[coming].end = now
        leads[coming].wasTakenBack = true
    }

    /// How what starts now on a lane comes in; a lead-in for the same goes on.
    func fadeIn(_ clip: Int, _ lane: Int, origin: Double, isFirstFrame: Bool, isOnTime: Bool) -> Envelope {
        if let coming = lanes[lane].coming, leads[coming].clip == clip, leads[coming].run == runs.count - 1,
            abs(origin - leads[coming].origin) < (clips[clip].beats == nil ? 1e-3 : 1e-6)
        {
            lanes[lane].coming = nil
            leads[coming].end = now
            return leads[coming].envelope
        }
        // Every clip of a script begins on the crest of its right channel.
        return .rise(at: now, over: isOnTime && isFirstFrame ? leastFade : fade)
    }
}
