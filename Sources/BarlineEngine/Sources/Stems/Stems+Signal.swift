import BarlineDSP
import BarlineTime
import CRealtime

/// How the stems sound.
extension Stems {
    /// Mixes the stems over a slice.
    @_noLocks mutating func fill(_ slice: BlockSlice, _ context: inout RenderContext) {
        let count = slice.count
        let segment = context.timeline.tempo.segment(at: context.now)
        let isRamping = context.timeline.isRamping
        if current >= 0 { supervise(count: count, &context) }
        for channel in context.mixer.layout.firstStem..<context.mixer.channelCount {
            let stem = channel - context.mixer.layout.firstStem
            var isHeard = false
            for index in 0..<Stems.headCapacity
            where !heads[index].isFree && stem < heads[index].set.pointee.count
                && !heads[index].isSilent(at: context.now)
            {
                if !isHeard {
                    context.scratch.signal.clear(count)
                    isHeard = true
                }
                if isRamping, heads[index].followsTempo {
                    readRamping(stem: stem, head: heads[index], segment: segment, count: count, &context)
                } else {
                    read(stem: stem, head: heads[index], count: count, &context)
                }
                add(headEnvelope: heads[index].envelope, entrance: heads[index].entrance(of: stem), count, &context)
            }
            if isHeard {
                context.mixer.mix(channel: channel, context.scratch.signal, slice)
            } else {
                context.mixer.rest(channel: channel, context.scratch.signal, slice)
            }
        }
    }

    @_noLocks private func add(
        headEnvelope envelope: Ramp, entrance: Ramp, _ count: Int, _ context: inout RenderContext
    ) {
        if envelope.isSettled(at: context.now), level.isSettled(at: context.now), entrance.isSettled(at: context.now) {
            context.scratch.signal.add(context.scratch.source, gain: envelope.target * level.target, count)
            return
        }
        context.scratch.signal.add(
            context.scratch.source, gains: envelope, level, entrance, at: context.now, count)
    }

    // MARK: Reading

    /// Reads a stem at constant speed. What is not in the ring is silent.
    @_noLocks private func read(stem: Int, head: StemHead, count: Int, _ context: inout RenderContext) {
        let rate = head.rate(of: stem, sampleRate: context.sampleRate)
        let step = SourcePosition(rate)
        let filter = context.reader.filter(rate: rate)
        let ring = head.set.pointee.decks[head.deck].rings + stem
        var position = head.position(of: stem, at: context.now, sampleRate: context.sampleRate)
        var done = 0
        while done < count {
            var piece = Int(StemRing.readFrames / rate)
            if piece < 1 { piece = 1 }
            if piece > count - done { piece = count - done }
            let ahead = ring.pointee.written.load(ordering: .acquiring) - StemRing.reach - 1 - position.whole
            // The last frames before a ring runs dry are still heard: a fade may need them.
            let ready = Int(Double(ahead) / rate)
            if ready > 0, ready < piece { piece = ready }
            let first = position.whole - StemRing.reach
            let end = position.advanced(by: step, times: Int64(piece) - 1).whole + StemRing.reach + 1
            if holds(ring, first, end) {
                let origin = SourcePosition(rawValue: position.rawValue &- Int128(first) << 64)
                context.reader.read(
                    ring.pointee.region(from: first, length: Int(end - first)), from: origin, step: step,
                    filter: filter, count: piece, left: context.scratch.voiceLeft + done,
                    right: context.scratch.voiceRight + done)
            } else {
                let missing = StereoBuffer(
                    left: context.scratch.voiceLeft + done, right: context.scratch.voiceRight + done)
                missing.clear(piece)
            }
            position = position.advanced(by: step, times: Int64(piece))
            done += piece
        }
    }

    /// Reads a stem while the tempo moves: every frame has a position and a rate of its own.
    @_noLocks private func readRamping(
        stem: Int, head: StemHead, segment: TempoSegment, count: Int, _ context: inout RenderContext
    ) {
        let place = head.set.pointee.stems[stem]
        let recorded = head.set.pointee.recordedTempo
        let ring = head.set.pointee.decks[head.deck].rings + stem
        for frame in 0..<count {
            let beat = context.scratch.beats[frame]
            let bpm = segment.startTempo.beatsPerMinute + segment.slope * (beat - segment.startBeat.rawValue)
            let rate = place.sourceRate * bpm / (recorded * context.sampleRate.hertz)
            let position = SourcePosition(place.offset + head.seconds(atBeat: beat) * place.sourceRate)
            let first = position.whole - StemRing.reach
            var sample = StereoFrame(left: 0, right: 0)
            if holds(ring, first, position.whole + StemRing.reach + 1) {
                let origin = SourcePosition(rawValue: position.rawValue &- Int128(first) << 64)
                sample = context.reader.frame(
                    of: ring.pointee.region(from: first, length: Int(2 * StemRing.reach) + 1), at: origin,
                    filter: context.reader.filter(rate: rate))
            }
            context.scratch.voiceLeft[frame] = sample.left
            context.scratch.voiceRight[frame] = sample.right
        }
    }

    @_noLocks private func holds(_ ring: UnsafePointer<StemRing>, _ first: Int64, _ end: Int64) -> Bool {
        let written = ring.pointee.written.load(ordering: .acquiring)
        return end <= written && first >= ring.pointee.firstReadable
    }

    // MARK: Supply

    /// Tells the feeders what is needed, and fades all stems out before one of them runs dry.
    @_noLocks mutating func supervise(count: Int, _ context: inout RenderContext) {
        let index = current
        if shift != 0, heads[index].isSilent(at: context.now) { catchUpStems(context.timeline) }
        let ready = readyFrames(head: heads[index], context.timeline)
        if !heads[index].isStarved {
            if ready < Int64(count) + context.fadeFrames {
                heads[index].isStarved = true
                countUnderrun(
                    ofHead: index,
                    fadeFrames: ready < context.fadeFrames ? (ready > 0 ? ready : 0) : context.fadeFrames, &context)
            }
        } else if !isWrapLate, heads[index].isSilent(at: context.now),
            ready >= recoveryFrames(head: heads[index], context.timeline)
        {
            heads[index].isStarved = false
            heads[index].envelope = Ramp(from: 0, to: 1, start: context.now, frames: context.fadeFrames)
            context.emit(.stemsRecovered(position: exactSeconds(of: heads[index], context.timeline)))
        }
    }

    /// Frames that must be ready before the stems are heard again: 0.1 s, or half of what rings hold at a high speed.
    @_noLocks private func recoveryFrames(head: StemHead, _ timeline: borrowing Timeline) -> Int64 {
        var least = timeline.sampleRate.frames(seconds: 0.1)
        for stem in 0..<head.set.pointee.count {
            let half = Int64(Double(StemRing.capacity / 2) / head.rate(of: stem, sampleRate: timeline.sampleRate))
            if half < least { least = half }
        }
        return least
    }

    @_noLocks mutating func countUnderrun(ofHead index: Int, fadeFrames: Int64, _ context: inout RenderContext) {
        heads[index].isStarved = true
        heads[index].envelope = heads[index].envelope.redirected(to: 0, at: context.now, frames: fadeFrames)
        underruns += 1
        context.emit(.stemsUnderrun(position: exactSeconds(of: heads[index], context.timeline)))
    }

    /// How many frames every stem can be read for, and tells the feeders what has been read.
    @_noLocks private func readyFrames(head: StemHead, _ timeline: borrowing Timeline) -> Int64 {
        var least = Int64.max
        let seconds = exactSeconds(of: head, timeline)
        let recorded = head.set.pointee.recordedTempo
        let speed = recorded > 0 ? timeline.tempo.tempo(at: timeline.now).beatsPerMinute / recorded : 1
        for stem in 0..<head.set.pointee.count {
            let ring = head.set.pointee.decks[head.deck].rings + stem
            let place = head.set.pointee.stems[stem]
            let position = Int64(rt_floor(place.offset + seconds * place.sourceRate)) - 1
            ring.pointee.release(before: position - StemRing.reach)
            let written = ring.pointee.written.load(ordering: .acquiring)
            // After a step back of the device's clock the ring has moved on: it is waited for.
            if position - StemRing.reach < ring.pointee.firstReadable { return 0 }
            let frames = written - position - StemRing.reach - 2
            let ready = Int64(Double(frames) / (place.sourceRate * speed / timeline.sampleRate.hertz))
            if ready < least { least = ready }
        }
        return least
    }
}
