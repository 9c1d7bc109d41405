import BarlineDSP
import BarlineTime

/// Stems whose pitch is kept while they follow the tempo.
extension Stems {
    /// Reads a stem at its own pitch.
    @_noLocks func readStretched(
        _ part: UnsafePointer<StemPart>, slot: Int, side: Int, head: StemHead, count: Int,
        _ context: inout RenderContext
    ) {
        guard let voices = head.reading.set.pointee.voices else {
            context.scratch.source.clear(count)
            return
        }
        let source = part.pointee.stretchSource(ofDeck: head.deck, sampleRate: context.sampleRate)
        voices.pool.pointee.render(
            voice: voices.index(slot: slot, lane: head.reading.lane, side: side), of: source,
            along: course(of: part, head.reading, context.timeline), from: context.now.rawValue, count: count,
            left: context.scratch.voiceLeft, right: context.scratch.voiceRight)
    }

    /// The course of a stem: its position at each frame, as far as the tempo is known.
    @_noLocks private func course(
        of part: UnsafePointer<StemPart>, _ reading: StemReading, _ timeline: borrowing Timeline
    ) -> StretchCourse {
        let segment = timeline.tempo.segment(at: timeline.now)
        let recorded = reading.set.pointee.recordedTempo
        if timeline.isRamping, recorded > 0 {
            let beats = Tempo.beats(
                in: reading.anchorSeconds + part.pointee.offset / part.pointee.sourceRate, at: recorded)
            return StretchCourse(
                segment: segment, originBeat: reading.anchorBeat + -beats,
                framesPerBeat: Tempo.frames(of: 1, at: recorded, rate: part.pointee.sourceRate), warp: .none)
        }
        let rate = reading.rate(of: part, sampleRate: timeline.sampleRate)
        return StretchCourse(
            anchorFrame: reading.lineFrame,
            anchor: reading.position(of: part, at: reading.lineFrame, sampleRate: timeline.sampleRate),
            step: SourcePosition(rate), rate: rate, segment: segment)
    }

    /// Claims a lane for a starting head. If all are taken, the one that has been fading longest is cut off.
    @_noLocks mutating func takeLane(for set: UnsafePointer<StemSetContent>) -> Int {
        guard let voices = set.pointee.voices else { return 0 }
        var oldest = -1
        var lane = -1
        for candidate in 0..<StemVoicesContent.laneCount where lane < 0 {
            var user = -1
            for index in 0..<heads.capacity
            where !heads[index].isFree && UnsafeRawPointer(readings[index].set) == UnsafeRawPointer(set)
                && readings[index].lane == candidate
            {
                user = index
            }
            if user < 0 {
                lane = candidate
            } else if oldest < 0 || heads[user].envelope.start < heads[oldest].envelope.start {
                oldest = user
            }
        }
        if lane < 0 {
            lane = readings[oldest].lane
            heads.drop(oldest)
        }
        voices.reset(lane: lane)
        return lane
    }

    /// Forces the voices of a head to replan, because its position changes from now on.
    @_noLocks func replanStretch(ofHead index: Int) {
        if let voices = readings[index].set.pointee.voices { voices.replan(lane: readings[index].lane) }
    }
}
