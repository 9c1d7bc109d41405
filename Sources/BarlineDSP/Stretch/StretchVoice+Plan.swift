import CRealtime

/// What is computed when, and where the source is for it.
extension StretchVoice {
    /// The next mark, the frame on which it is heard, and its source frame.
    struct Arrival: BitwiseCopyable {
        var mark = StretchMark(position: 0, isCut: false, isFresh: false)
        var frame = StretchLine.never
        var source: Int64 = 0

        /// None.
        @_noLocks init() {}

        var exists: Bool { @_noLocks get { frame != StretchLine.never } }
    }

    /// Begins at `start` with the source as it is; up to a mark at which the sound starts in a moment, so that it is reached
    /// without a step.
    @_noLocks mutating func begin(
        _ source: StretchSource, _ course: StretchCourse, _ start: Int64, _ tables: StretchTables
    ) {
        if !areSumsSilent { clearSums() }
        time = start
        wake = start
        grainsEnd = -StretchLine.never
        cut = -StretchLine.never
        formerLine = StretchLine()
        isCopying = true
        hasAnchor = false
        calmGrains = 0
        let position = course.position(at: start)
        nextMark = source.firstMark(after: position - 0.75)
        line = StretchLine(base: start, source: position, entrance: .bare)
        if source.pace == 1 { line.source = rt_floor(position + 0.5) }
        middle = start
        let arrival = nextArrival(source, course, tables, isStart: true)
        if arrival.exists, arrival.frame - start <= Int64(tables.hop) {
            line.base = arrival.frame
            line.source = Double(arrival.source)
            take(arrival, source, course, tables)
            middle = arrival.frame
        }
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
            if source.isSliced, hasAnchor { settle(source, course, tables) }
        }
        // Marks that follow each other closely are taken one after the other; there is a bound to how many fit.
        for _ in 0..<StretchVoice.marksAtOnce {
            let arrival = nextArrival(source, course, tables)
            let grain = nextMiddle > time + half ? nextMiddle : time + half
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
                    // Voices whose attacks fall together go on each in a place of its own.
                    nextMiddle = arrival.frame + hop / 4 + Int64(tables.slot) + slot
                }
                continue
            }
            if grain - tables.lead > time {
                wake = grain - tables.lead
                return
            }
            if isCopying {
                if isOnCourse(at: grain, source, course, tables) {
                    nextMiddle = grain + hop
                    continue
                }
                leaveLine(at: grain, source, tables, work, reader)
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

    /// As many grains at the source's own pace lead back to the source itself.
    static var calmCount: Int { @_noLocks get { 12 } }

    /// When it is to be decided about a mark.
    @_noLocks private func dueFrame(of arrival: Arrival, _ source: StretchSource, _ tables: StretchTables) -> Int64 {
        let margin = Int64(tables.slot)
        if !arrival.mark.isCut { return arrival.frame - tables.lead }
        if isCopying || source.isPutOut(from: arrival.mark) { return arrival.frame - Int64(tables.fade) - margin }
        return arrival.frame - tables.lead + slot
    }

    /// Marks that are taken in one decision.
    private static var marksAtOnce: Int { @_noLocks get { 8 } }
    /// The grains over which the way that an attack was ahead or behind is made up for: half a second.
    private static var recoveryGrains: Int64 { @_noLocks get { 6 } }
    /// How far a line may be off the course, in source frames: a frame, and what arithmetic leaves over.
    private static var frameTolerance: Double { @_noLocks get { 1.01 } }
    /// Marks that are passed over at a time: they are sparse, and what is denser is no music.
    private static var passedMarks: Int { @_noLocks get { 256 } }
    /// Grains that are looked ahead for a mark.
    private static var grainsAhead: Int64 { @_noLocks get { 64 } }

    /// The next mark that can still be met. One that a change of tempo has brought nearer than it can be met comes as soon as
    /// it can; those that follow another too closely are part of its attack.
    @_noLocks mutating func nextArrival(
        _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables, isStart: Bool = false
    ) -> Arrival {
        let hop = Int64(tables.hop)
        var arrival = Arrival()
        for _ in 0..<StretchVoice.passedMarks {
            if !source.hasMark(nextMark) { return Arrival() }
            let (mark, position) = source.mark(nextMark)
            arrival.mark = mark
            arrival.source = position
            arrival.frame = course.frame(of: Double(position))
            let isTooClose = hasAnchor && arrival.frame < anchorFrame + hop
            if !isTooClose, arrival.frame > time - hop, !isFollowed(arrival, source, course, hop) { break }
            nextMark += 1
        }
        if arrival.frame > time + StretchVoice.grainsAhead * Int64(tables.size) { return Arrival() }
        let earliest = time + Int64(arrival.mark.isCut ? tables.fade : tables.size / 2)
        if !isStart, arrival.frame < earliest { arrival.frame = earliest }
        return arrival
    }

    /// Whether a turn begins so soon after a mark that it is left to that.
    @_noLocks private func isFollowed(
        _ arrival: Arrival, _ source: StretchSource, _ course: StretchCourse, _ hop: Int64
    ) -> Bool {
        if arrival.mark.isFresh || !source.hasMark(nextMark + 1) { return false }
        let (mark, position) = source.mark(nextMark + 1)
        return mark.isFresh && course.frame(of: Double(position)) < arrival.frame + hop
    }

    /// Takes a mark for the latest: from here on the source keeps its own pace for a while.
    @_noLocks mutating func take(
        _ arrival: Arrival, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        hasAnchor = true
        anchorFrame = arrival.frame
        anchorSource = arrival.source
        nextMark += 1
        keepPace(until: nextArrival(source, course, tables), source, course, tables)
        if arrival.mark.isCut { cut = arrival.frame }
    }

    /// How much of the way to the next attack the source keeps its own pace, at most.
    private static var keptShare: Double { @_noLocks get { 0.6 } }
    /// The same where each attack is put out as it is.
    private static var slicedShare: Double { @_noLocks get { 0.8 } }

    /// Finds up to where the source keeps its own pace from the latest mark on, and how far ahead it is then. What is sliced does so up
    /// to the next attack, where that comes sooner than in the source.
    @_noLocks private mutating func keepPace(
        until next: Arrival, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let share = source.isSliced ? StretchVoice.slicedShare : StretchVoice.keptShare
        var room = source.isSliced ? Double(StretchLine.never / 4) : Double(tables.size / 2)
        if next.exists {
            let frames = Double(next.frame - anchorFrame)
            let sourceFrames = Double(next.source - anchorSource) / source.pace
            let isCutOff = source.isSliced && next.mark.isCut && sourceFrames >= frames
            let kept = isCutOff ? frames : share * (frames < sourceFrames ? frames : sourceFrames)
            if kept < room { room = kept }
        } else if source.isSliced {
            room = Double(tables.size / 2)
        }
        let kept = Int64(rt_floor(room))
        anchorEnd = anchorFrame + kept
        deviation = Double(anchorSource) + Double(kept) * source.pace - course.position(at: anchorEnd)
    }

    /// Places the latest mark on a course that is another now: where it would have been heard on that.
    @_noLocks private mutating func settle(_ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables) {
        anchorFrame = course.frame(of: Double(anchorSource))
        keepPace(until: nextArrival(source, course, tables), source, course, tables)
    }

    /// The source frame in the middle of a grain.
    @_noLocks func position(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ next: Arrival, _ tables: StretchTables
    ) -> Double {
        var position = 0.0
        if hasAnchor, frame <= anchorEnd {
            position = Double(anchorSource) + Double(frame - anchorFrame) * source.pace
        } else {
            position = course.position(at: frame)
            // The way that the attack was ahead, or behind, is made up for until the next one, or in half a second.
            var end = anchorFrame + StretchVoice.recoveryGrains * Int64(tables.size)
            if next.frame < end { end = next.frame }
            if hasAnchor, frame < end, end > anchorEnd {
                position += deviation * Double(end - frame) / Double(end - anchorEnd)
            }
        }
        if source.pace != 1 { return position }
        // So that turns that are equal but for what the arithmetic leaves over are equal.
        return rt_floor(StretchCourse.settled(position) + 0.5)
    }

    // MARK: Lines

    /// Whether the line under way is where the source is to be around `frame`, at the source's own tempo.
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

    /// Copies the source from a mark on.
    @_noLocks private mutating func copy(
        from arrival: Arrival, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let frame = arrival.frame
        take(arrival, source, course, tables)
        middle = frame
        nextMiddle = frame + tables.lead + slot
        calmGrains = 0
        if isCopying, line.source(at: frame, pace: source.pace) == Double(arrival.source) { return }
        formerLine = line
        line = StretchLine(
            base: frame, source: Double(arrival.source), entrance: arrival.mark.isCut ? .cut : .grains)
        if isCopying, !arrival.mark.isCut {
            formerLine.lastMiddle = frame - Int64(tables.hop)
        } else if arrival.mark.isCut, formerLine.end > frame {
            formerLine.end = frame
            // Where it would be through the attack already, it waits for it in silence.
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

    /// Lets grains take over from the line, the first of them in the middle of `frame`.
    @_noLocks private mutating func leaveLine(
        at frame: Int64, _ source: StretchSource, _ tables: StretchTables, _ work: StretchWork,
        _ reader: borrowing VarispeedReader
    ) {
        isCopying = false
        middle = frame - Int64(tables.hop)
        line.lastMiddle = middle
        calmGrains = 0
        // The line is what a grain in its last middle would have been.
        readSpectrum(
            at: line.source(at: middle, pace: source.pace), to: former, limit: tables.size, source, tables, work, reader
        )
    }

    /// Has the source itself take over, as grains that are nothing else do; false where it is not yet where it is to be.
    @_noLocks private mutating func returnToLine(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ next: Arrival, _ tables: StretchTables
    ) -> Bool {
        let position = position(at: frame, source, course, next, tables)
        let distance = position - course.position(at: frame)
        if distance > 1 || distance < -1 { return false }
        formerLine = line
        line = StretchLine(base: frame, source: position, entrance: .grains)
        isCopying = true
        middle = frame
        nextMiddle = frame + Int64(tables.hop)
        calmGrains = 0
        return true
    }
}
