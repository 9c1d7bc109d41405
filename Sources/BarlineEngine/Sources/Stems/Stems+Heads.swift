import BarlineDSP
import BarlineTime
import CRealtime

/// The heads of the stems and their positions.
extension Stems {
    @_noLocks mutating func startHead(
        _ set: UnsafePointer<StemSetContent>, deck: Int, seconds: Double, at frame: FrameTime, isWhole: Bool,
        _ timeline: borrowing Timeline
    ) {
        var reading = StemReading(set: set, seconds: seconds, frame: frame, beat: timeline.tempo.beat(at: frame))
        reading.lane = takeLane(for: set)
        var head = StreamHead(set.pointee.decks, deck: deck)
        if isWhole {
            reading.fileFadeIn = Ramp(
                from: 0, to: 1, start: timeline.now, frames: ClipFades.leastFrames(timeline.sampleRate))
        } else {
            head.fadeIn(at: timeline.now, frames: timeline.fadeFrames)
        }
        heads.start(head)
        readings[current] = reading
        reanchorLine(ofHead: current, timeline)
        findStemEdges(timeline)
    }

    @_noLocks mutating func leaveCurrentHead(_ timeline: borrowing Timeline) {
        if current < 0 { return }
        shift = 0
        isWrapLate = false
        heads.leave(at: timeline.now, frames: timeline.fadeFrames)
        wrapFrame = .never
        endFrame = .never
    }

    // MARK: Position

    /// The current position of a head, in seconds.
    @_noLocks func exactSeconds(ofHead index: Int, _ timeline: borrowing Timeline) -> Double {
        readings[index].seconds(at: timeline.now, timeline.moment)
    }

    /// The position, now, of the current head, which was at `seconds` on `frame`: a later one where it comes in past its
    /// place in the bar, in phase.
    @_noLocks func enteredSeconds(
        _ seconds: Double, at frame: FrameTime, _ timeline: borrowing Timeline
    ) -> Double {
        frame < timeline.now ? exactSeconds(ofHead: current, timeline) : seconds
    }

    /// Restates a head's position for the segment of constant tempo that begins now.
    @_noLocks func reanchorLine(ofHead index: Int, _ timeline: borrowing Timeline) {
        readings[index].lineFrame = timeline.now
        readings[index].lineSeconds = exactSeconds(ofHead: index, timeline)
        let recorded = readings[index].set.pointee.recordedTempo
        readings[index].speed = recorded > 0 ? timeline.tempo.tempo(at: timeline.now).beatsPerMinute / recorded : 1
        replanStretch(ofHead: index)
    }

    /// Restates everything that follows from the tempo after it changed.
    @_noLocks mutating func reanchorLines(_ timeline: borrowing Timeline) {
        for index in 0..<heads.capacity where !heads[index].isFree && readings[index].followsTempo {
            reanchorLine(ofHead: index, timeline)
        }
        findStemEdgesAnew(timeline)
    }

    /// Anchors every head at its position on the timeline that has ended.
    @_noLocks mutating func anchorStems(from old: Retiming.Moment, _ timeline: borrowing Timeline) {
        for index in 0..<heads.capacity where !heads[index].isFree {
            readings[index].anchorSeconds = readings[index].seconds(at: timeline.now, old)
            readings[index].anchorFrame = timeline.now
            readings[index].anchorBeat = timeline.tempo.beat(at: timeline.now)
            reanchorLine(ofHead: index, timeline)
        }
        findStemEdgesAnew(timeline)
    }

    /// Fades the stems out, to continue as if they had played `frames` frames later.
    @_noLocks mutating func shiftStems(by frames: Int64, _ timeline: borrowing Timeline) {
        let index = current
        if index < 0 { return }
        shift += frames
        readings[index].isStarved = true
        heads[index].fade(to: 0, at: timeline.now, frames: timeline.fadeFrames)
    }

    /// Moves the stems, which are silent now, to their position on the timeline.
    @_noLocks mutating func catchUpStems(_ timeline: borrowing Timeline) {
        let index = current
        readings[index].anchorSeconds -= Double(shift) * readings[index].speed / timeline.sampleRate.hertz
        shift = 0
        reanchorLine(ofHead: index, timeline)
        findStemEdgesAnew(timeline)
    }
}
