import CRealtime

/// Planning: which grain or line comes next, when it is computed, and from which source position.
extension StretchVoice {
    /// The next mark, the frame on which it plays, and its source frame.
    struct Arrival: BitwiseCopyable {
        var mark = StretchMark(position: 0, isCut: false, isRestart: false)
        var frame = StretchLine.never
        var source: Int64 = 0

        /// Creates an empty arrival.
        @_noLocks init() {}

        var exists: Bool { @_noLocks get { frame != StretchLine.never } }
    }

    /// Begins at `start` with the source unchanged, up to a mark close to where the sound starts, so that it is reached
    /// without a step.
    @_noLocks mutating func begin(
        _ source: StretchSource, _ course: StretchCourse, _ start: Int64, _ tables: StretchTables
    ) {
        adopt(tables)
        time = start
        wake = start
        grainsEnd = -StretchLine.never
        sumsEnd = -StretchLine.never
        cut = -StretchLine.never
        formerCut = -StretchLine.never
        (decayStart, formerDecayStart) = (cut, cut)
        grainsStop = StretchLine.never
        restsUntil = -StretchLine.never
        formerLine = StretchLine()
        isCopying = true
        hasAnchor = false
        calmGrains = 0
        let position = course.position(at: start)
        nextMark = source.firstMark(after: position - 0.75)
        line = StretchLine(base: start, source: position, fadeIn: .bare)
        if source.pace == 1 { line.source = rt_floor(position + 0.5) }
        middle = start
        let arrival = nextArrival(source, course, tables, isStart: true)
        if arrival.exists, arrival.frame - start <= Int64(tables.hop) {
            line.base = arrival.frame
            line.source = Double(arrival.source)
            take(arrival, source, course, tables)
            middle = arrival.frame
        }
        lineMark = StretchVoice.noMark
        nextMiddle = middle + tables.lead + slot
    }

    /// Decides what comes next, and computes at most one grain.
    @_noLocks mutating func decide(
        _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables, _ work: StretchWork,
        _ reader: borrowing VarispeedReader
    ) {
        let hop = Int64(tables.hop)
        let half = Int64(tables.size / 2)
        if isStale {
            isStale = false
            follow(source, course, tables)
        }
        // Marks in close succession are taken one after the other; how many fit is bounded.
        for _ in 0..<StretchVoice.marksAtOnce {
            let arrival = nextArrival(source, course, tables)
            if isCopying, lineMark != nextMark {
                lineMark = nextMark
                let due = arrival.exists ? arrival.frame : StretchLine.never
                line.end(before: source, nextMark, due: due, time, tables)
            }
            let grain = nextGrain(tables)
            if arrival.exists, arrival.frame - grain < hop / 4 {
                let due = dueFrame(of: arrival, source, tables)
                if due > time {
                    wake = due
                    return
                }
                if isCopying || source.isPutOut(from: arrival.mark) {
                    copy(from: arrival, source, course, tables)
                } else {
                    take(arrival, source, course, tables)
                    compute(at: arrival.frame, isAttack: true, source, course, tables, work, reader)
                    nextMiddle = arrival.frame + hop / 4 + Int64(tables.margin) + slot
                    // After those of other voices whose attacks coincide.
                    restsUntil = attackDue(arrival, tables) + Int64(tables.attackSpread)
                }
                continue
            }
            // Not before it begins to sound: the first one after a launch comes in a later block, which has less to do.
            let due = isCopying || grain - half > restsUntil ? grain - half : restsUntil
            if due > time {
                wake = due
                return
            }
            if isCopying {
                if isOnCourse(at: grain, source, course, tables) {
                    nextMiddle = grain + hop
                    continue
                }
                leaveLine(at: grain, source, course, tables, work, reader)
            } else if calmGrains >= StretchVoice.calmCount, arrival.frame - grain > half,
                returnToLine(at: grain, source, course, arrival, tables)
            {
                continue
            }
            compute(at: grain, isAttack: false, source, course, tables, work, reader)
            nextMiddle = grain + hop
        }
        wake = time + 1
    }

    /// The number of successive grains at the source's own pace after which the voice returns to playing the source
    /// unchanged.
    static var calmCount: Int { @_noLocks get { 12 } }

    /// The centre of the next grain: as planned, or later if it would have been heard already.
    @_noLocks private func nextGrain(_ tables: StretchTables) -> Int64 {
        let earliest = time + Int64(tables.size / 2)
        let isHeardLater = !isCopying && cut - Int64(tables.fade) >= time
        return nextMiddle > earliest || isHeardLater ? nextMiddle : earliest
    }

    /// The frame on which a voice computes the grain of an attack. Those of voices whose attacks coincide are spread.
    @_noLocks func attackDue(_ arrival: Arrival, _ tables: StretchTables) -> Int64 {
        arrival.frame - tables.lead + slot * Int64(tables.attackSpread) / Int64(tables.hop)
    }

    /// The frame at which to decide about a mark.
    @_noLocks private func dueFrame(of arrival: Arrival, _ source: StretchSource, _ tables: StretchTables) -> Int64 {
        let margin = Int64(tables.margin)
        if !arrival.mark.isCut { return arrival.frame - tables.lead }
        if isCopying || source.isPutOut(from: arrival.mark) { return arrival.frame - Int64(tables.fade) - margin }
        return attackDue(arrival, tables)
    }

    /// The maximum number of marks taken in one decision.
    private static var marksAtOnce: Int { @_noLocks get { 8 } }
    /// The number of grains over which the lead or lag of an attack is recovered: half a second.
    private static var recoveryGrains: Int64 { @_noLocks get { 6 } }
    /// The tolerated distance of a line from the course, in source frames: one frame, plus rounding errors.
    private static var frameTolerance: Double { @_noLocks get { 1.01 } }
    /// The maximum number of marks skipped at a time: marks are sparse, and anything denser is not music.
    private static var passedMarks: Int { @_noLocks get { 256 } }
    /// How many grains ahead a mark is looked for.
    private static var grainsAhead: Int64 { @_noLocks get { 64 } }

    /// The next mark that can still be reached in time. One that a tempo change has brought too near plays as soon as
    /// possible; those that follow another too closely are part of its attack.
    @_noLocks mutating func nextArrival(
        _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables, isStart: Bool = false
    ) -> Arrival {
        let hop = Int64(tables.hop)
        var arrival = Arrival()
        for _ in 0..<StretchVoice.passedMarks {
            if !source.hasMark(nextMark) { return Arrival() }
            let (mark, position) = source.mark(nextMark)
            arrival.mark = mark
            arrival.frame = frame(of: mark, at: position, source, course)
            arrival.source = position - Int64(mark.lead)
            if mark.lead > 0 { arrival.source += rounding(of: mark, at: position, arrival.frame, source, course) }
            let isTooClose = hasAnchor && arrival.frame < anchorFrame + hop / 4
            if !isTooClose, arrival.frame > time - hop, !isFollowed(arrival, source, course, hop) { break }
            nextMark += 1
        }
        if arrival.frame > time + StretchVoice.grainsAhead * Int64(tables.size) { return Arrival() }
        let earliest = time + Int64(arrival.mark.isCut ? tables.fade : tables.size / 2)
        if !isStart, arrival.frame < earliest { arrival.frame = earliest }
        return arrival
    }

    /// The next mark that is cut, where that is `next` or follows it: a turn of a loop at which nothing is cut may have an
    /// attack right after it, which no grain from before the turn has a part of.
    @_noLocks func nextCut(
        from next: Arrival, _ source: StretchSource, _ course: StretchCourse
    ) -> Arrival {
        if !next.exists || next.mark.isCut { return next }
        var arrival = Arrival()
        if !source.hasMark(nextMark + 1) { return arrival }
        let (mark, position) = source.mark(nextMark + 1)
        if !mark.isCut { return arrival }
        arrival.mark = mark
        arrival.source = position - Int64(mark.lead)
        arrival.frame = frame(of: mark, at: position, source, course)
        return arrival
    }

    /// Whether a pass of the loop begins so soon after a mark that the mark is left to it.
    @_noLocks private func isFollowed(
        _ arrival: Arrival, _ source: StretchSource, _ course: StretchCourse, _ hop: Int64
    ) -> Bool {
        if arrival.mark.isRestart || !source.hasMark(nextMark + 1) { return false }
        let (mark, position) = source.mark(nextMark + 1)
        return mark.isRestart && frame(of: mark, at: position, source, course) < arrival.frame + hop
    }

    /// The frame on which a mark's sound begins: where its attack is heard, less what belongs to that before it.
    @_noLocks func frame(
        of mark: StretchMark, at position: Int64, _ source: StretchSource, _ course: StretchCourse
    ) -> Int64 {
        course.frame(of: Double(position) + mark.fraction) - Int64(rt_floor(Double(mark.lead) / source.pace + 0.5))
    }

    /// Takes a mark as the latest: from here on the source keeps its own pace for a while.
    @_noLocks mutating func take(
        _ arrival: Arrival, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let followsClosely = hasAnchor && arrival.source - anchorSource < Int64(tables.size)
        silentUntil = followsClosely ? anchorSource : arrival.source
        hasAnchor = true
        anchorFrame = arrival.frame
        anchorSource = arrival.source
        anchorMark = nextMark
        nextMark += 1
        keepPace(until: nextArrival(source, course, tables), source, course, tables)
        if arrival.mark.isCut {
            (formerCut, formerDecayStart) = (cut, decayStart)
            (cut, decayStart) = (arrival.frame, arrival.frame)
            entry = .none
        }
    }

    /// The maximum share of the distance to the next attack over which the source keeps its own pace.
    private static var keptShare: Double { @_noLocks get { 0.6 } }
    /// Finds how long the source keeps its own pace from the latest mark on, and how far ahead it is then. A sliced
    /// source does so up to the next attack, where that comes sooner than in the source.
    @_noLocks mutating func keepPace(
        until next: Arrival, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let share = source.isSliced ? source.style.keptShare : StretchVoice.keptShare
        var room = source.isSliced ? Double(StretchLine.never / 4) : Double(tables.size / 2)
        if next.exists {
            let frames = Double(next.frame - anchorFrame)
            let sourceFrames = Double(next.source - anchorSource) / source.pace
            let isCutOff =
                source.isSliced && next.mark.isCut && (sourceFrames >= frames || source.style.leavesGaps)
            let kept = isCutOff ? frames : share * (frames < sourceFrames ? frames : sourceFrames)
            if kept < room { room = kept }
        } else if source.isSliced {
            room = Double(
                source.style.leavesGaps ? StretchVoice.grainsAhead * Int64(tables.size) : Int64(tables.size / 2))
        }
        let kept = Int64(rt_floor(room))
        anchorEnd = anchorFrame + kept
        deviation = Double(anchorSource) + Double(kept) * source.pace - course.position(at: anchorEnd)
    }

    /// The source frame at the centre of a grain.
    @_noLocks func position(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ next: Arrival, _ tables: StretchTables
    ) -> Double {
        var position = 0.0
        if hasAnchor, frame <= anchorEnd {
            position = Double(anchorSource) + Double(frame - anchorFrame) * source.pace
        } else {
            position = course.position(at: frame)
            // The lead or lag of the attack is recovered by the next one, or within half a second.
            var end = anchorFrame + StretchVoice.recoveryGrains * Int64(tables.size)
            if next.frame < end { end = next.frame }
            if hasAnchor, frame < end, end > anchorEnd {
                position += deviation * Double(end - frame) / Double(end - anchorEnd)
            }
        }
        if source.pace != 1 { return position }
        // So that passes of a loop that differ by rounding errors only are equal.
        return rt_floor(StretchCourse.settled(position) + 0.5)
    }

    /// The frame of the source that an attack between two frames is nearest to on the frame on which it is heard, from
    /// `position` on: both are rounded together, so that it is half a frame off at most.
    @_noLocks func rounding(
        of mark: StretchMark, at position: Int64, _ frame: Int64, _ source: StretchSource, _ course: StretchCourse
    ) -> Int64 {
        let heard = frame + Int64(rt_floor(Double(mark.lead) / source.pace + 0.5))
        let reached = course.position(at: heard)
        let slope = course.position(at: heard + 1) - reached
        if slope < 1e-6 { return 0 }
        let late = (reached - Double(position) - mark.fraction) / slope * source.pace
        return Int64(rt_floor(StretchCourse.settled(mark.fraction + late) + 0.5))
    }

    // MARK: Lines

    /// Whether the current line is where the source should be around `frame`, at the source's own tempo.
    @_noLocks private func isOnCourse(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) -> Bool {
        let isKept = source.isSliced && hasAnchor && frame <= anchorEnd
        if !isKept, !course.keeps(source.pace, at: frame) { return false }
        let wanted =
            isKept
            ? Double(anchorSource) + Double(frame - anchorFrame) * source.pace : course.position(at: frame)
        let distance = wanted - line.source(at: frame, pace: source.pace)
        return distance < StretchVoice.frameTolerance && distance > -StretchVoice.frameTolerance
    }

    /// Plays the source unchanged from a mark on.
    @_noLocks private mutating func copy(
        from arrival: Arrival, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let frame = arrival.frame
        take(arrival, source, course, tables)
        middle = frame
        nextMiddle = frame + tables.lead + slot
        calmGrains = 0
        lineMark = StretchVoice.noMark
        if isCopying, line.source(at: frame, pace: source.pace) == Double(arrival.source) { return }
        if arrival.mark.isCut, sumsEnd > frame { endGrains(at: frame, isFollowed: true, tables) }
        setLineAside(until: frame, tables)
        line = StretchLine(
            base: frame, source: Double(arrival.source), fadeIn: arrival.mark.isCut ? .cut : .grains)
        if isCopying, !arrival.mark.isCut {
            formerLine.lastMiddle = frame - Int64(tables.hop)
        } else if arrival.mark.isCut, formerLine.end > frame {
            formerLine.end = frame
            formerLine.fadesOut = false
            // If the source would already be past the attack there, it waits for it in silence.
            let reached =
                formerLine.base
                + Int64(rt_floor((Double(arrival.source) - formerLine.source) / source.pace))
            if isCopying, reached < frame {
                let earliest = time + Int64(tables.fade)
                formerLine.end = reached > earliest ? reached : earliest
                formerLine.fadesOut = true
            }
        }
        isCopying = true
    }

    /// Makes room for a line from `frame` on. One that is not heard yet never will be where the one before it lasts until
    /// then.
    @_noLocks mutating func setLineAside(until frame: Int64, _ tables: StretchTables) {
        let isUnheard = line.isCutIn && line.soundsFrom(tables) >= time
        if isUnheard, formerLine.silentFrom(tables) >= frame { return }
        formerLine = line
    }

    /// Hands over from the line to grains, the first of them centred on `frame`.
    @_noLocks private mutating func leaveLine(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables, _ work: StretchWork,
        _ reader: borrowing VarispeedReader
    ) {
        isCopying = false
        middle = frame - Int64(tables.hop)
        line.lastMiddle = middle
        let next = nextArrival(source, course, tables)
        let left = Double(next.source) - position(at: frame, source, course, next, tables)
        // Where the grains have hardly begun, or come to the same end, nothing takes over there.
        let isOutlasted =
            line.end - Int64(tables.fade) >= frame - Int64(tables.hop)
            && (!next.exists || frame + Int64(left / source.pace) > line.end)
        if isOutlasted { line.crossfadesOut(from: time, tables) }
        calmGrains = 0
        // The line stands for a grain at its last centre.
        readSpectrum(
            at: line.source(at: middle, pace: source.pace), to: former, limit: tables.size, source, tables, work, reader
        )
    }

    /// Hands over from grains to the unchanged source, which fades in like grains; `false` if it is not yet in
    /// position.
    @_noLocks private mutating func returnToLine(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ next: Arrival, _ tables: StretchTables
    ) -> Bool {
        let position = position(at: frame, source, course, next, tables)
        let distance = position - course.position(at: frame)
        if distance > 1 || distance < -1 { return false }
        formerLine = line
        line = StretchLine(base: frame, source: position, fadeIn: .grains)
        lineMark = StretchVoice.noMark
        isCopying = true
        middle = frame
        nextMiddle = frame + Int64(tables.hop)
        calmGrains = 0
        return true
    }
}
