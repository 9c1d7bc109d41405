import CKernels
import CRealtime

/// Rendering: lines and grains are mixed into the output.
extension StretchVoice {
    @_noLocks mutating func render(
        _ source: StretchSource, _ course: StretchCourse, _ start: Int64, _ count: Int,
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, tables: StretchTables,
        work: StretchWork, reader: borrowing VarispeedReader
    ) {
        if time != start || sumCount != StretchVoice.sumCount(tables) { begin(source, course, start, tables) }
        var done = 0
        while done < count {
            if wake <= time { decide(source, course, tables, work, reader) }
            var frames = count - done
            if Int64(frames) > wake - time { frames = Int(wake - time) }
            if frames > tables.hop { frames = tables.hop }
            frames = pieceLength(of: line, frames, tables)
            frames = pieceLength(of: formerLine, frames, tables)
            fill(source, frames, left + done, right + done, tables, work, reader)
            if source.style.decay > 0 { decay(source.style.decay, frames, left + done, right + done, tables) }
            time += Int64(frames)
            done += frames
        }
    }

    /// How many of `count` frames a line is mixed in one way: before its base, up to where it fades out, until it is silent,
    /// or after that.
    @_noLocks private func pieceLength(of line: StretchLine, _ count: Int, _ tables: StretchTables) -> Int {
        var stop = time + Int64(count)
        if line.base > time, line.base < stop { stop = line.base }
        let fades = line.end - Int64(tables.fade)
        if line.fadesOut, fades > time, fades < stop { stop = fades }
        let silent = line.silentFrom(tables)
        if silent > time, silent < stop { stop = silent }
        return Int(stop - time)
    }

    /// Has slices decay from their attacks on, by `rate` octaves of the amplitude per frame.
    @_noLocks private func decay(
        _ rate: Double, _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ tables: StretchTables
    ) {
        for index in 0..<count {
            let frame = time + Int64(index)
            var level = 1.0
            if frame >= decayStart {
                if decayStart >= 0 { level = rt_exp2(-Double(frame - decayStart) * rate) }
            } else {
                // The next attack fades in at its own level.
                if formerDecayStart >= 0 { level = rt_exp2(-Double(frame - formerDecayStart) * rate) }
                let entered = tables.fade - Int(decayStart - frame)
                if entered > 0 { level += (1 - level) * Double(tables.rise[entered]) }
            }
            left[index] *= Float(level)
            right[index] *= Float(level)
        }
    }

    /// Renders `count` frames, at most a hop.
    @_noLocks private mutating func fill(
        _ source: StretchSource, _ count: Int, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>, _ tables: StretchTables, _ work: StretchWork,
        _ reader: borrowing VarispeedReader
    ) {
        let hasFormer = formerLine.silentFrom(tables) > time
        let hasGrains = grainsEnd > time
        if !hasFormer, !hasGrains, line.isWhole(time, count, tables) {
            read(line, source, count, left, right, reader)
            // NaN is silenced here as it is in grains.
            _ = dsp_copy_finite(left, left, count)
            _ = dsp_copy_finite(right, right, count)
            return
        }
        if hasGrains {
            takeSums(count, left, right, work.energies)
        } else {
            dsp_clear(left, count)
            dsp_clear(right, count)
            dsp_clear(work.energies, count)
        }
        // A line that is cut in may be left for another one before it is whole.
        let isFormerEntering = time < formerLine.base && formerLine.isCutIn
        if hasFormer, !isFormerEntering { add(formerLine, source, count, left, right, tables, work, reader) }
        let stop = time + Int64(count)
        let isAudible = line.silentFrom(tables) > time && line.soundsFrom(tables) < stop
        let isEntering = time < line.base && line.isCutIn
        if isAudible, !isEntering { add(line, source, count, left, right, tables, work, reader) }
        dsp_divide_weights(left, right, work.energies, count)
        if hasFormer, isFormerEntering {
            var entering = formerLine
            // What follows it crossfades with it.
            if !entering.fadesOut { entering.end = StretchLine.never }
            enter(entering, source, count, left, right, tables, work, reader)
        }
        if isAudible, isEntering { enter(line, source, count, left, right, tables, work, reader) }
    }

    /// Crossfades from what is heard to a line that is cut in, up to its base. Their weights would not do: of grains
    /// before an attack there may be little, which the line would put out within a few frames.
    @_noLocks private func enter(
        _ line: StretchLine, _ source: StretchSource, _ count: Int, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>, _ tables: StretchTables, _ work: StretchWork,
        _ reader: borrowing VarispeedReader
    ) {
        readShaped(line, source, count, tables, work, reader)
        for index in 0..<count {
            // The full weight is 2.
            let share = work.weights[index] * 0.5
            left[index] += share * (work.gains[index] * work.left[index] - left[index])
            right[index] += share * (work.gains[index] * work.right[index] - right[index])
        }
    }

    /// Reads the next `count` frames of a line.
    @_noLocks private func read(
        _ line: StretchLine, _ source: StretchSource, _ count: Int, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>, _ reader: borrowing VarispeedReader
    ) {
        let lead = line.seamed(time, count)
        source.read(
            from: line.source(at: time, pace: source.pace), count: lead, reader, left: left, right: right)
        if lead == count { return }
        source.read(
            from: line.source(at: time + Int64(lead), pace: source.pace), count: count - lead, reader,
            left: left + lead, right: right + lead, isBare: true)
    }

    /// Reads the next `count` frames of a line, with its weights and gains, into `work`.
    @_noLocks private func readShaped(
        _ line: StretchLine, _ source: StretchSource, _ count: Int, _ tables: StretchTables, _ work: StretchWork,
        _ reader: borrowing VarispeedReader
    ) {
        read(line, source, count, work.left, work.right, reader)
        line.shape(work.weights, work.gains, time, count, tables)
        _ = dsp_copy_finite(work.left, work.left, count)
        _ = dsp_copy_finite(work.right, work.right, count)
    }

    /// Mixes a line into `left` and `right`, and adds its weights to `work.energies`.
    @_noLocks private func add(
        _ line: StretchLine, _ source: StretchSource, _ count: Int, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>, _ tables: StretchTables, _ work: StretchWork,
        _ reader: borrowing VarispeedReader
    ) {
        readShaped(line, source, count, tables, work, reader)
        if !line.isFadingOut(time, count, tables) {
            dsp_add_weighted(work.left, work.right, work.weights, work.gains, left, right, work.energies, count)
            return
        }
        // From what is heard with it to what is without: by weights that would be within a few frames where grains have
        // little weight beside it, and to silence where they have none.
        for index in 0..<count {
            let (weight, level) = (work.energies[index], work.gains[index])
            let mixed = level / StretchVoice.divisor(weight + work.weights[index])
            let after = weight + work.weights[index] * level
            let scale = StretchVoice.divisor(after)
            let own = scale * mixed * work.weights[index]
            let others = scale * ((1 - level) / StretchVoice.divisor(weight) + mixed)
            left[index] = others * left[index] + own * work.left[index]
            right[index] = others * right[index] + own * work.right[index]
            work.energies[index] = after
        }
    }

    /// What a sum of this weight is divided by.
    @_noLocks private static func divisor(_ weight: Float) -> Float { weight > leastWeight ? weight : leastWeight }

    /// Takes frames out of the overlap-add sums.
    @_noLocks private func takeSums(
        _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ weights: UnsafeMutablePointer<Float>
    ) {
        var done = 0
        while done < count {
            let place = Int((time + Int64(done)) % Int64(sumCount))
            let frames = count - done < sumCount - place ? count - done : sumCount - place
            dsp_copy(sumLeft + place, left + done, frames)
            dsp_copy(sumRight + place, right + done, frames)
            dsp_copy(sumWeights + place, weights + done, frames)
            dsp_clear(sumLeft + place, frames)
            dsp_clear(sumRight + place, frames)
            dsp_clear(sumWeights + place, frames)
            done += frames
        }
    }

    /// Adds the grain in `work.time`, whose first frame is `first`, to the sums, except for frames already past.
    @_noLocks mutating func addToSums(from first: Int64, _ tables: StretchTables, _ work: StretchWork) {
        var done = first < time ? Int(time - first) : 0
        let scale = 1 / Float(tables.size)
        while done < tables.size {
            let place = Int((first + Int64(done)) % Int64(sumCount))
            let frames = tables.size - done < sumCount - place ? tables.size - done : sumCount - place
            dsp_add_grain(
                dsp_complex(real: work.time.real + done, imaginary: work.time.imaginary + done), tables.window + done,
                work.gains + done, scale, sumLeft + place, sumRight + place, sumWeights + place, frames)
            done += frames
        }
        let end = first + Int64(tables.size)
        if end > grainsEnd { grainsEnd = end }
        sumsEnd = grainsEnd
    }

    /// Crossfades from what grains have added to the sums to the grain in `work.time`, whose first frame is `first`, up
    /// to the cut, as far as it is heard there beside those that have entered before it, if it is not the first one.
    /// Their weights would not do: of those before an attack there may be little, which the new one's would put out
    /// within a few frames.
    @_noLocks mutating func enterSums(
        with first: Int64, isFirst: Bool, _ tables: StretchTables, _ work: StretchWork
    ) {
        let scale = 1 / Float(tables.size)
        let added = StretchVoice.ownWeight(Int(cut - first), tables)
        let entering = sumWeights[Int(cut % Int64(sumCount))] + added
        let part = added / entering
        for index in 0..<tables.fade {
            let frame = cut - Int64(tables.fade - index)
            let offset = Int(frame - first)
            if frame < time || offset < 0 || offset >= tables.size { continue }
            let place = Int(frame % Int64(sumCount))
            let weight = StretchVoice.divisor(sumWeights[place])
            if isFirst {
                entered[2 * index] = sumLeft[place] / weight
                entered[2 * index + 1] = sumRight[place] / weight
            }
            // As it is heard from the cut on: divided by its own weight.
            let level = scale * tables.window[offset] / StretchVoice.ownWeight(offset, tables)
            // It leads to the weight from the cut on, by which it is mixed with what comes or is ended later.
            let whole = weight + tables.rise[index] * (entering - weight)
            let share = whole * tables.rise[index]
            let left = part * (level * work.time.real[offset] - entered[2 * index])
            let right = part * (level * work.time.imaginary[offset] - entered[2 * index + 1])
            entered[2 * index] += left
            entered[2 * index + 1] += right
            sumLeft[place] = sumLeft[place] * whole / weight + share * left
            sumRight[place] = sumRight[place] * whole / weight + share * right
            sumWeights[place] = whole
        }
    }

    /// The weight of a grain by itself at one of its frames, or the least one.
    @_noLocks private static func ownWeight(_ offset: Int, _ tables: StretchTables) -> Float {
        let window = offset < tables.size ? tables.window[offset] : 0
        return divisor(window * window)
    }

    /// The weight by which sums are divided at least: a hundredth of what regularly spaced grains add up to.
    private static var leastWeight: Float { @_noLocks get { 0.02 } }

    /// Fades out what grains have added to the sums before `end`, and clears what comes from there on. If something fades
    /// in before `end`, they are followed: the sum of both has the usual weight.
    @_noLocks mutating func endGrains(at end: Int64, isFollowed: Bool, _ tables: StretchTables) {
        for index in 0..<tables.fade {
            let place = Int((end - Int64(tables.fade - index)) % Int64(sumCount))
            sumLeft[place] *= tables.fall[index]
            sumRight[place] *= tables.fall[index]
            if isFollowed { sumWeights[place] *= tables.fall[index] }
        }
        var done = Int(end - time)
        while done < sumCount {
            let place = Int((time + Int64(done)) % Int64(sumCount))
            let frames = sumCount - done < sumCount - place ? sumCount - done : sumCount - place
            dsp_clear(sumLeft + place, frames)
            dsp_clear(sumRight + place, frames)
            dsp_clear(sumWeights + place, frames)
            done += frames
        }
        sumsEnd = end
    }

    /// Clears the sums.
    @_noLocks func clearSums() {
        dsp_clear(sumLeft, sumCount)
        dsp_clear(sumRight, sumCount)
        dsp_clear(sumWeights, sumCount)
    }
}
