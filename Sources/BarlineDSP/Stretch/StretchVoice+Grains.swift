import CKernels
import CRealtime

/// Computing grains.
extension StretchVoice {
    /// Computes the grain centred on `frame`, and adds it to the sums.
    @_noLocks mutating func compute(
        at frame: Int64, isAttack: Bool, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables,
        _ work: StretchWork, _ reader: borrowing VarispeedReader
    ) {
        let size = tables.size
        let half = Int64(size / 2)
        let next = nextArrival(source, course, tables)
        let position = position(at: frame, source, course, next, tables)
        let pull = pull(at: frame, source, course, tables)
        readSpectrum(at: position, to: work.spectrum, limit: size, source, tables, work, reader)
        readSpectrum(
            at: position - Double(frame - middle) * source.pace, to: work.earlier, limit: size, source, tables, work,
            reader)
        dsp_bin_energies(work.spectrum, work.energies, size)
        if isAttack { dsp_bin_energies(work.earlier, work.earlierEnergies, size) }
        dsp_find_turns(
            work.energies, isAttack ? UnsafePointer(work.earlierEnergies) : nil, former, work.earlier, pull,
            work.rotations,
            size)
        dsp_turn(work.spectrum, work.rotations, former, size)
        dsp_copy(tables.ones, work.gains, size)
        var output = former
        if next.exists, next.mark.isCut {
            // The attack itself belongs to the grains after it.
            let limit = half + Int64(rt_ceil((Double(next.source) - position) / source.pace))
            if limit < Int64(size) {
                readSpectrum(at: position, to: work.spectrum, limit: Int(limit), source, tables, work, reader)
                dsp_turn(work.spectrum, work.rotations, work.earlier, size)
                output = work.earlier
            }
            if next.frame < frame + half {
                let place = Int(frame - half - next.frame) + tables.fade
                dsp_multiply_table(work.gains, tables.fall, tables.fadeCount, place, size)
            }
        }
        if cut > frame - half {
            let place = Int(frame - half - cut) + tables.fade
            dsp_multiply_table(work.gains, tables.rise, tables.fadeCount, place, size)
        }
        var transform = tables.transform
        dsp_run_transform(&transform, output.exchanged, work.time.exchanged, work.stage.exchanged)
        transformCount += 1
        addToSums(from: frame - half, tables, work)
        if isAttack {
            line.end = line.end < frame ? line.end : frame
            formerLine.end = formerLine.end < frame ? formerLine.end : frame
        }
        calmGrains = course.keeps(source.pace, at: frame) ? calmGrains + 1 : 0
        middle = frame
    }

    /// Transforms the grain around `position` in the source, leaving out everything from index `limit` on.
    @_noLocks mutating func readSpectrum(
        at position: Double, to output: dsp_complex, limit: Int, _ source: StretchSource, _ tables: StretchTables,
        _ work: StretchWork, _ reader: borrowing VarispeedReader
    ) {
        let size = tables.size
        source.read(
            from: position - Double(size / 2) * source.pace, count: size, reader, left: work.left, right: work.right)
        if limit < size {
            let first = limit > 0 ? limit : 0
            dsp_clear(work.left + first, size - first)
            dsp_clear(work.right + first, size - first)
        }
        dsp_take_window(work.left, work.right, tables.window, work.time, size)
        var transform = tables.transform
        dsp_run_transform(&transform, work.time, output, work.stage)
        transformCount += 1
    }

    /// The maximum number of hops over which phases converge.
    private static var pullHops: Double { @_noLocks get { 32 } }

    /// How strongly the phases are pulled towards the source's: before a position at which the source takes over
    /// unchanged, and once it has settled at its own pace.
    @_noLocks private func pull(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) -> Float {
        if calmGrains > 0 {
            return calmGrains < StretchVoice.calmCount ? 1 / Float(StretchVoice.calmCount - calmGrains) : 1
        }
        let hop = Double(tables.hop)
        if source.isStreamed {
            let fresh = source.freshPositionInStream(from: nextMark)
            return fresh < 0
                ? 0 : StretchVoice.pull(course.frame(of: Double(fresh)) - frame, room: StretchVoice.pullHops * hop, hop)
        }
        if !source.region.loops || source.freshMark < 0 { return 0 }
        let fresh = source.freshPosition(from: nextMark)
        let freshFrame = course.frame(of: Double(fresh))
        let cycle = freshFrame - course.frame(of: Double(fresh - Int64(source.region.length)))
        let longest = StretchVoice.pullHops * hop
        let room = Double(cycle) < 2 * longest ? 0.5 * Double(cycle) : longest
        return StretchVoice.pull(freshFrame - frame, room: room, hop)
    }

    /// How strongly phases are pulled over the last `room` frames before a position that is `left` frames ahead.
    @_noLocks private static func pull(_ left: Int64, room: Double, _ hop: Double) -> Float {
        let left = Double(left)
        if left > room { return 0 }
        return left < hop ? 1 : Float(hop / left)
    }
}
