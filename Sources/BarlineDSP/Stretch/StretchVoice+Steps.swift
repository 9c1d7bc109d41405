import CRealtime

/// Steps of the tempo: what was planned, and computed ahead, for another course.
///
/// What is computed ahead of attacks is spread over the slots of all voices; after a step it is too late for that. So no
/// grain is computed for what the step has moved: the source plays unchanged there, up to the first grain of the voice's
/// own slot after it.
extension StretchVoice {
    /// Follows a new course: marks that are not heard yet, and what was computed up to them, get their new places.
    @_noLocks mutating func follow(
        _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let isPending = !isCopying && hasAnchor && cut == anchorFrame && time < cut - Int64(tables.fade)
        var isTakenBack = false
        if isPending, source.hasMark(anchorMark) {
            let (mark, position) = source.mark(anchorMark)
            let moved = frame(of: mark, at: position, source, course) - anchorFrame
            isTakenBack = moved > tables.tolerance || moved < -tables.tolerance
        }
        if isTakenBack {
            nextMark = anchorMark
            hasAnchor = false
            grainsStop = cut
            decayStart = formerDecayStart
        } else if isPending {
            keepPace(until: nextArrival(source, course, tables), source, course, tables)
        } else if hasAnchor {
            reanchor(source, course, tables)
        }
        if !isCopying { moveStop(isTakenBack: isTakenBack, source, course, tables) }
    }

    /// Has the grains computed so far end before the next attack on the new course, instead of where they would have. If
    /// that comes later, grains go on from there, or the source; if it is too near for a grain of its own, the source.
    @_noLocks private mutating func moveStop(
        isTakenBack: Bool, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let next = nextArrival(source, course, tables)
        let stop = nextCut(from: next, source, course).frame
        let isAttack = next.exists && next.mark.isCut && !source.isPutOut(from: next.mark)
        let isLate = isAttack && attackDue(next, tables) < time
        if stop == grainsStop, !isLate { return }
        let earliest = time + Int64(tables.fade)
        var end = stop < grainsStop ? stop : grainsStop
        // A step before this one may have ended them sooner.
        if sumsEnd < end { end = sumsEnd }
        if end < earliest { end = earliest }
        if end >= grainsEnd, !isLate { return }
        let gap = stop - end
        let begin = nextMiddle - Int64(tables.size / 2)
        let shortest = Int64(tables.hop / 4)
        let isFilled = begin <= end + shortest && nextMiddle < stop - shortest
        let playsOn = isTakenBack || isLate || (gap > shortest && !isFilled)
        if gap > 0, gap < Int64(tables.fade), !playsOn, !isFilled {
            // They have faded out before the attack fades in.
            end = stop - Int64(tables.fade)
            if end < earliest { end = earliest }
        }
        let isFollowed = gap == 0 || playsOn || isFilled
        endGrains(at: end, isFollowed: isFollowed, tables)
        line.end(at: end, fadingOut: !isFollowed)
        formerLine.end(at: end, fadingOut: !isFollowed)
        if grainsStop < stop {
            if cut <= time { formerCut = cut }
            (cut, entry) = (end, .none)
        } else if cut > end {
            // Grains were to go on from there, or an attack was; they go on up to the end as if nothing had been ended.
            (cut, entry) = (formerCut, .none)
        }
        grainsStop = stop
        if playsOn { playOn(from: end, next, source, course, tables) }
        if begin < time {
            // The grain that had waited for the attack goes on where that would have been, in the voice's own slot.
            let latest = end - Int64(tables.fade + tables.margin)
            restsUntil = time + slot < latest ? time + slot : latest
        }
    }

    /// Goes on with the source unchanged from `frame` on, up to the next mark.
    @_noLocks private mutating func playOn(
        from frame: Int64, _ next: Arrival, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        var position = position(at: frame, source, course, next, tables)
        if next.exists, next.frame - frame < Int64(tables.size / 2) {
            // So that it leads up to the attack, and through it, unless that would repeat the one before.
            let start = Double(next.source) - Double(next.frame - frame) * source.pace
            let former = nextMark - 1
            if !source.hasMark(former) || Double(source.mark(former).position) < start { position = start }
        }
        setLineAside(until: frame, tables)
        line = StretchLine(
            base: frame, source: source.pace == 1 ? rt_floor(position + 0.5) : position, fadeIn: .cut)
        lineMark = StretchVoice.noMark
        isCopying = true
        calmGrains = 0
        middle = frame
        nextMiddle = frame + tables.lead + slot
    }

    /// Places the latest mark on a new course: where it would have played on that.
    @_noLocks private mutating func reanchor(_ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables)
    {
        if source.hasMark(anchorMark) {
            let (mark, position) = source.mark(anchorMark)
            anchorFrame = frame(of: mark, at: position, source, course)
            anchorSource = position - Int64(mark.lead)
            if mark.lead > 0 { anchorSource += rounding(of: mark, at: position, anchorFrame, source, course) }
        } else {
            anchorFrame = course.frame(of: Double(anchorSource))
        }
        keepPace(until: nextArrival(source, course, tables), source, course, tables)
    }
}
