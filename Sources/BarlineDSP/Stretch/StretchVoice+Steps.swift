/// Steps of the tempo: what was planned, and computed ahead, for another course.
extension StretchVoice {
    /// Follows a new course: marks that are not heard yet, and what was computed up to them, get their new places.
    @_noLocks mutating func follow(
        _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) {
        let takesBack = !isCopying && hasAnchor && cut == anchorFrame && time < cut - Int64(tables.fade)
        if takesBack, source.hasMark(anchorMark) {
            let (mark, position) = source.mark(anchorMark)
            if frame(of: mark, at: position, source, course) != anchorFrame {
                nextMark = anchorMark
                hasAnchor = false
                grainsStop = cut
                nextMiddle = time + Int64(tables.size / 2)
                // Voices whose attacks coincide compute in different slots this time as well.
                takenFrom = time + slot
                calmGrains = 0
            }
        }
        if hasAnchor { reanchor(source, course, tables) }
        if !isCopying {
            moveStop(to: nextCut(from: nextArrival(source, course, tables), source, course).frame, tables)
        }
    }

    /// Has the grains computed so far end before an attack at `frame`, instead of where they would have: there they fade
    /// out, and if the attack comes later, new ones go on from there.
    @_noLocks private mutating func moveStop(to frame: Int64, _ tables: StretchTables) {
        if frame == grainsStop { return }
        let earliest = time + Int64(tables.fade)
        var end = frame < grainsStop ? frame : grainsStop
        if end < earliest { end = earliest }
        if end >= grainsEnd { return }
        endGrains(at: end, tables)
        line.end = line.end < end ? line.end : end
        formerLine.end = formerLine.end < end ? formerLine.end : end
        if grainsStop < frame { cut = end }
        // A shorter gap is not heard beside the attack after it.
        gapStart = frame - end > Int64(tables.hop / 4) ? end : StretchLine.never
        grainsStop = frame
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
