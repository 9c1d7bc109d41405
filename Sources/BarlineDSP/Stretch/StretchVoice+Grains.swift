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
        // What is pulled away from an attack within the grain would be heard elsewhere.
        let isFree = calmGrains == 0 && cut <= frame - half
        let restart = isFree ? restartPull(at: frame, source, course, tables) : RestartPull()
        let pull = calmGrains > 0 ? calmPull : restart.pull
        let isTested = isAttack || isNearWeakAttack(frame, position, source, course, tables)
        // What an attack is compared with is what sounded before it: without one that it follows closely, which may be
        // louder, and without it itself, which the latest grain has much of after a step of the tempo.
        let isCompared = isAttack && (silentUntil != anchorSource || frame - middle < Int64(tables.hop / 4))
        if isCompared {
            readSpectrum(
                at: Double(silentUntil) - Double(half) * source.pace, to: work.aim, limit: size, source, tables, work,
                reader)
            dsp_bin_energies(work.aim, work.earlierEnergies, size)
        }
        readSpectrum(at: position, to: work.spectrum, limit: size, source, tables, work, reader)
        readSpectrum(
            at: position - Double(frame - middle) * source.pace, to: work.earlier, limit: size, source, tables, work,
            reader)
        dsp_bin_energies(work.spectrum, work.energies, size)
        if isTested, !isCompared { dsp_bin_energies(work.earlier, work.earlierEnergies, size) }
        if restart.pull > 0 { readSpectrum(at: restart.aim, to: work.aim, limit: size, source, tables, work, reader) }
        let areApart = dsp_find_turns(
            work.energies, isTested ? UnsafePointer(work.earlierEnergies) : nil, former, work.earlier, pull,
            work.spectrum, restart.pull > 0 ? work.aim : work.spectrum, work.rotations, work.rightRotations, size)
        // What rises does not continue what sounded.
        if !isTested { holdLevels(at: frame, areApart: areApart, tables, work) }
        StretchVoice.turn(work.spectrum, areApart: areApart, to: former, work, size)
        dsp_copy(tables.ones, work.gains, size)
        var output = former
        let attack = nextCut(from: next, source, course)
        grainsStop = attack.frame
        if attack.exists {
            // The attack itself belongs to the grains after it.
            let limit = half + Int64(rt_ceil((Double(attack.source) - position) / source.pace))
            if limit < Int64(size) {
                readSpectrum(at: position, to: work.spectrum, limit: Int(limit), source, tables, work, reader)
                StretchVoice.turn(work.spectrum, areApart: areApart, to: work.earlier, work, size)
                output = work.earlier
            }
            if attack.frame < frame + half {
                let place = Int(frame - half - attack.frame) + tables.fade
                dsp_multiply_table(work.gains, tables.fall, tables.fadeCount, place, size)
            }
        }
        let place = Int(frame - half - cut) + tables.fade
        let rises = cut > frame - half
        let isFirst = rises && entry.isOpen
        if isFirst { entry = hasLine(on: cut - Int64(tables.fade), tables) ? .byWeight : .aside }
        if rises, entry.isByWeight {
            dsp_multiply_table(work.gains, tables.rise, tables.fadeCount, place, size)
        } else if rises {
            let before = cut - frame + half
            dsp_clear(work.gains, before < Int64(size) ? Int(before) : size)
        }
        var transform = tables.transform
        dsp_run_transform(&transform, output.exchanged, work.time.exchanged, work.stage.exchanged)
        transformCount += 1
        if rises, !entry.isByWeight { enterSums(with: frame - half, isFirst: isFirst, tables, work) }
        addToSums(from: frame - half, tables, work)
        if isAttack {
            line.end = line.end < frame ? line.end : frame
            formerLine.end = formerLine.end < frame ? formerLine.end : frame
        }
        calmGrains = course.keeps(source.pace, at: frame) ? calmGrains + 1 : 0
        middle = frame
    }

    /// Rotates the bins of a spectrum by the rotations that were found, which are other ones for the right channel if they
    /// are apart.
    @_noLocks static func turn(
        _ spectrum: dsp_complex, areApart: Bool, to output: dsp_complex, _ work: StretchWork, _ size: Int
    ) {
        if areApart {
            dsp_turn_apart(spectrum, work.rotations, work.rightRotations, output, size)
        } else {
            dsp_turn(spectrum, work.rotations, output, size)
        }
    }

    /// Whether a line is heard on `frame`.
    @_noLocks private func hasLine(on frame: Int64, _ tables: StretchTables) -> Bool {
        line.silentFrom(tables) > frame || formerLine.silentFrom(tables) > frame
    }

    /// Whether the grain centred on `frame`, at `position`, is the nearest one to a weak attack. Each such attack has
    /// one grain: in a second one, what rises would restart.
    @_noLocks private func isNearWeakAttack(
        _ frame: Int64, _ position: Double, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) -> Bool {
        if source.weakCount == 0 { return false }
        let half = Int64(tables.hop / 2)
        let shift = position - course.position(at: frame)
        return source.hasWeak(
            after: course.position(at: frame - half) + shift, through: course.position(at: frame + half) + shift)
    }

    /// Transforms the grain around `position` in the source, leaving out everything from index `limit` on.
    @_noLocks mutating func readSpectrum(
        at position: Double, to output: dsp_complex, limit: Int, _ source: StretchSource, _ tables: StretchTables,
        _ work: StretchWork, _ reader: borrowing VarispeedReader
    ) {
        let size = tables.size
        source.read(
            from: position - Double(size / 2) * source.pace, count: size, reader, left: work.left, right: work.right,
            isBare: source.isTailBare)
        if limit < size {
            let first = limit > 0 ? limit : 0
            // Cut off within its swing a tone would end in a click.
            let half = tables.fade / 2
            for index in 0..<half where first > half {
                work.left[first - half + index] *= tables.fall[2 * index]
                work.right[first - half + index] *= tables.fall[2 * index]
            }
            dsp_clear(work.left + first, size - first)
            dsp_clear(work.right + first, size - first)
        }
        dsp_take_window(work.left, work.right, tables.window, work.time, size)
        var transform = tables.transform
        dsp_run_transform(&transform, work.time, output, work.stage)
        transformCount += 1
    }

    /// The maximum number of hops over which phases converge; before an attack, which covers more; and for streams,
    /// which have fewer frames at hand.
    private static var pullHops: Double { @_noLocks get { 32 } }
    private static var cutPullHops: Double { @_noLocks get { 8 } }
    private static var streamedPullHops: Double { @_noLocks get { 10 } }
    private static var streamedCutPullHops: Double { @_noLocks get { 3 } }

    /// How many hops from where it plays a stream is read for phases: at four times the speed as many as before an attack.
    private static var streamedReach: Double { @_noLocks get { 9 } }

    /// The number of hops over which a stream's phases converge where no attack covers it.
    @_noLocks private static func streamedPullHops(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) -> Double {
        let advance = course.position(at: frame + Int64(tables.hop)) - course.position(at: frame)
        let deviation = advance / (Double(tables.hop) * source.pace) - 1
        let distance = deviation < 0 ? -deviation : deviation
        return streamedPullHops * distance > streamedReach ? streamedReach / distance : streamedPullHops
    }

    /// How strongly phases are pulled towards the source's once it has settled at its own pace.
    private var calmPull: Float {
        @_noLocks get {
            calmGrains < StretchVoice.calmCount ? 1 / Float(StretchVoice.calmCount - calmGrains) : 1
        }
    }

    /// The pull of a grain's phases towards those of the source before the frame on which that takes over unchanged,
    /// and the position from which it would have to play here to do so without a step.
    ///
    /// That is not the grain's own position, which is nearer or farther, as the rate has it: phases pulled towards
    /// those would be met by others of the source, and partials detuned on the way.
    private struct RestartPull: BitwiseCopyable {
        var pull: Float = 0
        var aim = 0.0

        @_noLocks init() {}

        @_noLocks init(_ pull: Float, position: Int64, left: Int64, pace: Double) {
            self.pull = pull
            aim = Double(position) - Double(left) * pace
        }
    }

    /// The pull of the next position at which the source takes over unchanged.
    @_noLocks private func restartPull(
        at frame: Int64, _ source: StretchSource, _ course: StretchCourse, _ tables: StretchTables
    ) -> RestartPull {
        let hop = Double(tables.hop)
        if source.isStreamed {
            let restart = source.restartInStream(from: nextMark)
            if restart.position < 0 { return RestartPull() }
            let left = course.frame(of: Double(restart.position)) - frame
            let hops =
                restart.isCut
                ? StretchVoice.streamedCutPullHops : StretchVoice.streamedPullHops(at: frame, source, course, tables)
            let pull = StretchVoice.pull(left, room: hops * hop, hop)
            return RestartPull(pull, position: restart.position, left: left, pace: source.pace)
        }
        if !source.region.loops || source.restartMark < 0 { return RestartPull() }
        let restart = source.restartPosition(from: nextMark)
        let restartFrame = course.frame(of: Double(restart))
        let cycle = restartFrame - course.frame(of: Double(restart - Int64(source.region.length)))
        let isCut = source.marks[source.restartMark].isCut
        let longest = (isCut ? StretchVoice.cutPullHops : StretchVoice.pullHops) * hop
        let room = Double(cycle) < 2 * longest ? 0.5 * Double(cycle) : longest
        let left = restartFrame - frame
        return RestartPull(
            StretchVoice.pull(left, room: room, hop), position: restart, left: left, pace: source.pace)
    }

    /// How strongly phases are pulled over the last `room` frames before a position that is `left` frames ahead.
    @_noLocks private static func pull(_ left: Int64, room: Double, _ hop: Double) -> Float {
        let left = Double(left)
        if left > room { return 0 }
        return left < hop ? 1 : Float(hop / left)
    }
}
