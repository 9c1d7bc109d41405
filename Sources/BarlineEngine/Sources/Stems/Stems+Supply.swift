import BarlineDSP
import BarlineTime
import CRealtime

/// Supplying the stems with audio.
extension Stems {
    /// Reports to the feeders which frames are needed, and fades all stems out before one of them underruns.
    @_noLocks mutating func supervise(count: Int, _ context: inout RenderContext) {
        let index = current
        if shift != 0, heads[index].isSilent(at: context.now) { catchUpStems(context.timeline) }
        let seconds = exactSeconds(ofHead: index, context.timeline)
        readings[index].set.pointee.positions[heads[index].deck].set(to: seconds)
        if changingSlots > 0 { releaseWaiting(head: head(index), at: seconds) }
        let ready = readyFrames(head: head(index), at: seconds, context.timeline)
        if !readings[index].isStarved {
            if ready < Int64(count) + context.fadeFrames {
                readings[index].isStarved = true
                countUnderrun(
                    ofHead: index,
                    fadeFrames: ready < context.fadeFrames ? (ready > 0 ? ready : 0) : context.fadeFrames, &context)
            }
        } else if !isWrapLate, heads[index].isSilent(at: context.now),
            ready >= recoveryFrames(head: head(index), context.timeline)
        {
            readings[index].isStarved = false
            heads[index].fadeIn(at: context.now, frames: context.fadeFrames)
            context.emit(.stems(.recovered(position: exactSeconds(ofHead: index, context.timeline))))
        }
    }

    /// Has the stems, which begin now, come in when enough of all of them is in memory, if that is not so yet.
    @_noLocks mutating func awaitSupply(_ context: inout RenderContext) {
        let head = head(current)
        let seconds = exactSeconds(ofHead: current, context.timeline)
        let wanted = recoveryFrames(head: head, context.timeline)
        if readyFrames(head: head, at: seconds, context.timeline) >= wanted { return }
        readings[current].isStarved = true
        heads[current].fade(to: 0, at: context.now, frames: 0)
    }

    /// The number of frames that must be ready before the stems resume.
    @_noLocks private func recoveryFrames(head: StemHead, _ timeline: borrowing Timeline) -> Int64 {
        var least = Int64.max
        for slot in 0..<head.reading.set.pointee.slotCount {
            guard let part = head.reading.set.pointee.slots[slot].part else { continue }
            let frames = recoveryFrames(of: part, head: head, timeline)
            if frames < least { least = frames }
        }
        return least
    }

    /// The length that must be ready before a stem that underran resumes, in seconds.
    private static var recoverySeconds: Double { @_noLocks get { 0.1 } }

    /// The number of frames of a stem that must be ready before it resumes: those of ``recoverySeconds``, or half of
    /// what rings hold at a high speed.
    @_noLocks func recoveryFrames(
        of part: UnsafePointer<StemPart>, head: StemHead, _ timeline: borrowing Timeline
    ) -> Int64 {
        let least = timeline.sampleRate.frames(seconds: Stems.recoverySeconds)
        let half = Int64(Double(SourceRing.capacity / 2) / head.reading.rate(of: part, sampleRate: timeline.sampleRate))
        return half < least ? half : least
    }

    @_noLocks mutating func countUnderrun(ofHead index: Int, fadeFrames: Int64, _ context: inout RenderContext) {
        readings[index].isStarved = true
        heads[index].fade(to: 0, at: context.now, frames: fadeFrames)
        underruns += 1
        context.emit(.stems(.underrun(position: exactSeconds(ofHead: index, context.timeline))))
    }

    /// The number of frames for which every stem can be read; reports to the feeders what has been read.
    @_noLocks private func readyFrames(head: StemHead, at seconds: Double, _ timeline: borrowing Timeline) -> Int64 {
        var least = Int64.max
        for slot in 0..<head.reading.set.pointee.slotCount {
            guard let part = head.reading.set.pointee.slots[slot].part else { continue }
            part.pointee.pass(seconds, onDeck: head.deck)
            let ready = readyFrames(of: part, head: head, at: seconds, timeline)
            if ready < least { least = ready }
        }
        return least
    }

    /// The number of frames for which a stem can be read by a head at `seconds`; below 0 if its ring is behind.
    @_noLocks func readyFrames(
        of part: UnsafePointer<StemPart>, head: StemHead, at seconds: Double, _ timeline: borrowing Timeline
    ) -> Int64 {
        let recorded = head.reading.set.pointee.recordedTempo
        let speed = recorded > 0 ? timeline.tempo.tempo(at: timeline.now).beatsPerMinute / recorded : 1
        let rate = part.pointee.sourceRate * speed / timeline.sampleRate.hertz
        let frames = part.pointee.ring(ofDeck: head.deck).readyFrames(
            from: part.pointee.frameBefore(seconds), rate: rate, part.pointee.reach)
        return Int64(Double(frames) / rate)
    }
}
