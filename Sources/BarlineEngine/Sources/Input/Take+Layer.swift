import BarlineDSP
import BarlineTime
import CKernels

/// Takes that are layers: a pass of a loop with an input mixed over it.
///
/// Frame `i` of a layer is the loop `i` frames after the beginning of the pass, at the level of its feedback, plus the
/// input at that frame. So a single voice plays any number of layers, and each of them is a loop of its own that can be
/// kept, stretched and undone. Its end leads to the input before its beginning, as that of any take.
extension Take {
    /// Begins recording over a pass of the loop.
    @_noLocks mutating func begin(
        _ cycle: LayerCycle, input: Int, latency: Int64, now: FrameTime, sampleRate: SampleRate
    ) {
        guard let baseLayer = cycle.baseLayer else { return }
        self.cycle = cycle
        self.input = input
        length = cycle.length
        content.pointee.setLayer(of: baseLayer, firstBeat: cycle.firstBeat)
        progress.pointee.beats.store(baseLayer.pointee.beats.bitPattern, ordering: .relaxed)
        progress.pointee.firstBeat.store(Int(cycle.firstFrame), ordering: .relaxed)
        progress.pointee.position.store(cycle.start.frames.bitPattern, ordering: .relaxed)
        progress.pointee.feedback.store(cycle.feedback.bitPattern, ordering: .relaxed)
        begin(at: cycle.origin, beat: cycle.beat, latency: latency, now: now, sampleRate: sampleRate)
    }

    /// Begins computing a change of a whole loop: nothing is recorded.
    @_noLocks mutating func begin(change cycle: LayerCycle, now: FrameTime, sampleRate: SampleRate) {
        begin(cycle, input: input, latency: 0, now: now, sampleRate: sampleRate)
        next = 0
        self.cycle.extent = .part(
            recorded: 0, inputEnd: 0, restFrom: cycle.baseLayerReady < now ? now : cycle.baseLayerReady)
        let beats = cycle.beats(ofLoop: content.pointee.beats)
        progress.pointee.beats.store(beats.bitPattern, ordering: .relaxed)
        if case .change(let change, _, _) = cycle.kind {
            progress.pointee.change.store(change.number, ordering: .relaxed)
        }
        self.cycle.isPending = true
        closeLayer(sampleRate)
    }

    /// The frame at which the pass ends, or, of one that has begun late, at which it is caught up with.
    var endOfPass: FrameTime {
        @_noLocks get { later(cycle.end, caughtUp(to: length)) }
    }

    /// Ends the pass, now or, if it is not yet caught up with, when it is complete.
    @_noLocks mutating func closeCycle(now: FrameTime, sampleRate: SampleRate) {
        cycle.isPending = endOfPass > now
        cycle.extent = .whole
        closeLayer(sampleRate)
    }

    /// Ends recording after the first `frames` frames of the pass, with a fade-out over the next 5 ms. Frames already
    /// mixed beyond them are mixed again.
    @_noLocks mutating func closePart(_ frames: Int64, now: FrameTime, sampleRate: SampleRate) {
        var recorded = frames > 0 ? frames : 0
        // Frames that may have been written to the file are kept.
        if recorded < next - Int64(memory.framesAfter) { recorded = next - Int64(memory.framesAfter) }
        if next > recorded { next = recorded }
        var inputEnd = recorded + Int64(memory.seamFrames)
        if inputEnd > length { inputEnd = length }
        var restFrom = frameOfCopy(of: inputEnd)
        if restFrom < cycle.baseLayerReady { restFrom = cycle.baseLayerReady }
        if restFrom < now { restFrom = now }
        cycle.extent = .part(recorded: recorded, inputEnd: inputEnd, restFrom: restFrom)
        cycle.isPending = true
        closeLayer(sampleRate)
    }

    @_noLocks private mutating func closeLayer(_ sampleRate: SampleRate) {
        stage = .closed
        content.pointee.setLoop(
            memory.region(length: Int(length), seam: 0), beats: cycle.beats(ofLoop: content.pointee.beats),
            rate: sampleRate)
        progress.pointee.recorded.store(Int(cycle.recorded), ordering: .relaxed)
        progress.pointee.length.store(Int(length), ordering: .relaxed)
        progress.pointee.stage.store(stage.number, ordering: .releasing)
    }

    /// Keeps the layer from becoming audible; if nothing was recorded, none of it is kept.
    @_noLocks mutating func drop() {
        cycle.isDropped = true
        if cycle.recorded < Int64(memory.seamFrames) { progress.pointee.length.store(0, ordering: .releasing) }
    }

    /// It is undone before it is over.
    @_noLocks mutating func cancel() {
        drop()
        progress.pointee.isCancelled.store(true, ordering: .releasing)
    }

    /// Ends at once, with the frames recorded so far.
    @_noLocks mutating func abandonLayer() {
        if isWhole {
            finish()
            return
        }
        if isRecording || cycle.isPending { cycle.isDropped = true }
        stage = .finished
        progress.pointee.stage.store(stage.number, ordering: .releasing)
    }

    /// Captures no more of what is played.
    ///
    /// - Returns: whether it can go on so: it has ended, and needs only the rest of its loop, which is copied.
    @_noLocks mutating func cut() -> Bool {
        guard isLayer, !isWhole, cycle.isPending, cycle.isChange || (cycle.isPart && nextPlayed >= cycle.inputEnd)
        else { return false }
        cycle.isCut = true
        return true
    }

    /// The frame by which a layer that records only a part of the pass is complete.
    var dueOfPart: FrameTime {
        @_noLocks get {
            let isThere = cycle.restFrom + (length - cycle.inputEnd + Take.copyRate - 1) / Take.copyRate
            return cycle.isChange && cycle.end > isThere ? cycle.end : isThere
        }
    }

    // MARK: Mixing

    /// Mixes the frames available before `end`.
    @_noLocks mutating func copyLayer(_ context: borrowing RenderContext, until end: FrameTime) {
        var last = end - latency - origin
        let allowed = Take.copyRate * (end - copiesFrom) - Int64(memory.framesBefore)
        if allowed < last { last = allowed }
        capturePlayed(context.capture, upTo: last)
        if isWhole { return }
        if cycle.isPart {
            if last > cycle.inputEnd { last = cycle.inputEnd }
            if end > cycle.restFrom { last = cycle.inputEnd + Take.copyRate * (end - cycle.restFrom) }
        }
        if last > length { last = length }
        if last <= next { return }
        while next < last {
            let count = pieceLength(until: last)
            mix(count, context.reader, context.scratch)
            next += Int64(count)
        }
        // While recording, the end may still be set slightly in the past.
        let kept = isRecording ? next - Int64(memory.framesAfter) : next
        let written = Int(kept) + memory.framesBefore
        progress.pointee.written.store(written > 0 ? written : 0, ordering: .releasing)
    }

    /// Captures what is played during the pass, and continues for its margin after the last frame that is mixed.
    @_noLocks private mutating func capturePlayed(_ capture: borrowing Capture, upTo end: Int64) {
        guard let played, !cycle.isChange else { return }
        let bound = playedEnd
        let end = end < bound ? end : bound
        if end <= nextPlayed { return }
        played.copy(
            capture, input: input, from: origin + nextPlayed + latency, to: Int(nextPlayed),
            count: Int(end - nextPlayed))
        nextPlayed = end
        progress.pointee.played.store(played.framesBefore + Int(end), ordering: .releasing)
    }

    /// The frame of the pass at which capturing what is played ends.
    var playedEnd: Int64 {
        @_noLocks get {
            let mixed = cycle.inputEnd < length ? cycle.inputEnd : length
            guard let played, !cycle.isChange, !cycle.isDropped else { return mixed }
            if cycle.isCut { return nextPlayed }
            return mixed + Int64(played.framesAfter)
        }
    }

    /// The number of frames from the next one on that are mixed in the same way.
    @_noLocks private func pieceLength(until last: Int64) -> Int {
        var end = next + Int64(BlockSlice.largestCount)
        if last < end { end = last }
        if next < 0, end > 0 { end = 0 }
        if next < cycle.recorded, end > cycle.recorded { end = cycle.recorded }
        if next < cycle.inputEnd, end > cycle.inputEnd { end = cycle.inputEnd }
        return Int(end - next)
    }

    /// Mixes `count` frames from the next one on, all in the same way.
    @_noLocks private func mix(_ count: Int, _ reader: borrowing VarispeedReader, _ scratch: RenderScratch) {
        let place = memory.framesBefore + Int(next)
        if next < cycle.inputEnd, let played {
            dsp_copy(played.left + place, memory.left + place, count)
            if !memory.isMono { dsp_copy(played.right + place, memory.right + place, count) }
        } else {
            dsp_clear(memory.left + place, count)
            if !memory.isMono { dsp_clear(memory.right + place, count) }
        }
        // The lead-up to the pass gets the loop mixed in once that is complete.
        if next < 0 { return }
        if next < cycle.recorded, cycle.feedback == 0 { return }
        readBaseLayer(at: next, count: count, reader, scratch)
        if next < cycle.recorded || next >= cycle.inputEnd {
            addBaseLayer(to: place, gain: next < cycle.recorded ? cycle.feedback : 1, count: count, scratch)
            return
        }
        for frame in 0..<count {
            let weight = Float(next - cycle.recorded + Int64(frame) + 1) / Float(memory.seamFrames)
            let gain = cycle.feedback + weight * (1 - cycle.feedback)
            let own = memory.left[place + frame] * (1 - weight)
            memory.left[place + frame] = own + gain * scratch.voiceLeft[frame]
            if memory.isMono { continue }
            let other = memory.right[place + frame] * (1 - weight)
            memory.right[place + frame] = other + gain * scratch.voiceRight[frame]
        }
    }

    /// Reads the base layer as it plays `index` frames after the beginning of the pass.
    @_noLocks private func readBaseLayer(
        at index: Int64, count: Int, _ reader: borrowing VarispeedReader, _ scratch: RenderScratch
    ) {
        guard let baseLayer = cycle.baseLayer else { return }
        if case .change(.reverse, let baseLayerLength, _) = cycle.kind {
            readBackwards(baseLayer, at: index, of: baseLayerLength, count: count, reader, scratch)
            return
        }
        reader.read(
            baseLayer.pointee.region, from: cycle.start.advanced(by: cycle.step, times: index), step: cycle.step,
            filter: reader.steadyFilter(rate: cycle.rate), count: count, left: scratch.voiceLeft,
            right: scratch.voiceRight)
        if case .change(.insert, let baseLayerLength, _) = cycle.kind {
            fadeOut(at: index, of: baseLayerLength, count: count, scratch)
        }
    }

    @_noLocks private func readBackwards(
        _ baseLayer: UnsafePointer<ClipContent>, at index: Int64, of baseLayerLength: Int64, count: Int,
        _ reader: borrowing VarispeedReader, _ scratch: RenderScratch
    ) {
        let first = baseLayerLength - index - Int64(count)
        let (left, right) = (scratch.voiceLeft, scratch.voiceRight)
        reader.read(
            baseLayer.pointee.region, from: cycle.start.advanced(by: cycle.step, times: first), step: cycle.step,
            filter: reader.steadyFilter(rate: 1), count: count, left: left, right: right)
        for frame in 0..<count / 2 {
            let other = count - 1 - frame
            (left[frame], left[other]) = (left[other], left[frame])
            (right[frame], right[other]) = (right[other], right[frame])
        }
    }

    /// At the loop's end, its beginning follows and fades out over the first 5 ms of the inserted silence.
    @_noLocks private func fadeOut(
        at index: Int64, of baseLayerLength: Int64, count: Int, _ scratch: RenderScratch
    ) {
        let (left, right) = (scratch.voiceLeft, scratch.voiceRight)
        for frame in 0..<count {
            let beyond = index + Int64(frame) - baseLayerLength
            if beyond < 0 { continue }
            let weight = 1 - Float(beyond + 1) / Float(memory.seamFrames)
            let gain = weight > 0 ? weight : 0
            left[frame] *= gain
            right[frame] *= gain
        }
    }

    @_noLocks private func addBaseLayer(to place: Int, gain: Float, count: Int, _ scratch: RenderScratch) {
        dsp_add_scaled(scratch.voiceLeft, gain, memory.left + place, count)
        if !memory.isMono { dsp_add_scaled(scratch.voiceRight, gain, memory.right + place, count) }
    }

    /// Mixes the loop into the lead-up to the pass, to which its end leads.
    @_noLocks private func mixLead(_ reader: borrowing VarispeedReader, _ scratch: RenderScratch) {
        if cycle.feedback == 0 { return }
        var index = -memory.seamFrames
        while index < 0 {
            let count = -index < BlockSlice.largestCount ? -index : BlockSlice.largestCount
            readBaseLayer(at: Int64(index), count: count, reader, scratch)
            addBaseLayer(to: memory.framesBefore + index, gain: cycle.feedback, count: count, scratch)
            index += count
        }
    }

    /// Completes the layer: if its ends don't match, the last frames are blended to lead to the first. What is played
    /// is still captured for its margin.
    @_noLocks mutating func completeLayer(_ context: borrowing RenderContext) {
        mixLead(context.reader, context.scratch)
        content.pointee.setRegion(memory.wholeRegion(length: Int(length)))
        progress.pointee.written.store(memory.framesBefore + Int(length), ordering: .releasing)
        stage = .complete
        progress.pointee.stage.store(stage.number, ordering: .releasing)
    }

    /// Finishes a layer whose margin was captured.
    @_noLocks mutating func finishPlayed() {
        if case .complete = stage, nextPlayed >= playedEnd || cycle.isChange || cycle.isDropped { finish() }
    }

    /// Mixes a pass again from what was played, on the control side.
    mutating func remake(_ cycle: LayerCycle, _ reader: borrowing VarispeedReader, _ scratch: RenderScratch) {
        self.cycle = cycle
        length = cycle.length
        next = cycle.isChange ? 0 : -Int64(memory.framesBefore)
        while next < length {
            let count = pieceLength(until: length)
            mix(count, reader, scratch)
            next += Int64(count)
        }
        mixLead(reader, scratch)
    }
}
