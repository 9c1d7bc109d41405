import BarlineDSP
import BarlineTime

/// How the stems sound.
extension Stems {
    /// Mixes the stems over a slice.
    @_noLocks mutating func fill(_ slice: BlockSlice, _ context: inout RenderContext) {
        let count = slice.count
        if current >= 0 { supervise(count: count, &context) }
        for channel in context.mixer.layout.firstStem..<context.mixer.channelCount {
            let stem = channel - context.mixer.layout.firstStem
            var isHeard = false
            for index in 0..<Stems.headCapacity
            where !heads[index].isFree && stem < heads[index].set.pointee.slotCount
                && !heads[index].isSilent(at: context.now)
            {
                let slot = heads[index].set.pointee.slots[stem]
                if let part = slot.part {
                    add(part, head: heads[index], gate: slot.gate, isFirst: !isHeard, count, &context)
                    isHeard = true
                }
                if let former = slot.former {
                    add(former, head: heads[index], gate: slot.exit, isFirst: !isHeard, count, &context)
                    isHeard = true
                }
            }
            if isHeard {
                context.mixer.mix(channel: channel, context.scratch.signal, slice)
            } else {
                context.mixer.rest(channel: channel, context.scratch.signal, slice)
            }
        }
    }

    /// Adds a stem as one head reads it to the channel's signal.
    @_noLocks private func add(
        _ part: UnsafePointer<StemPart>, head: StemHead, gate: Ramp, isFirst: Bool, _ count: Int,
        _ context: inout RenderContext
    ) {
        if isFirst { context.scratch.signal.clear(count) }
        if context.timeline.isRamping, head.followsTempo {
            readRamping(part, head: head, count: count, &context)
        } else {
            read(part, head: head, count: count, &context)
        }
        context.scratch.source.apply(gate, at: context.now, count)
        add(headEnvelope: head.envelope, entrance: head.entrance(of: part), count, &context)
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
    @_noLocks private func read(
        _ part: UnsafePointer<StemPart>, head: StemHead, count: Int, _ context: inout RenderContext
    ) {
        let rate = head.rate(of: part, sampleRate: context.sampleRate)
        let step = SourcePosition(rate)
        let filter = context.reader.filter(rate: rate)
        let ring = part.pointee.ring(ofDeck: head.deck)
        var position = head.position(of: part, at: context.now, sampleRate: context.sampleRate)
        var done = 0
        while done < count {
            var piece = Int(StemRing.readFrames / rate)
            if piece < 1 { piece = 1 }
            if piece > count - done { piece = count - done }
            let ahead = ring.written - StemRing.reach - 1 - position.whole
            // The last frames before a ring runs dry are still heard: a fade may need them.
            let ready = Int(Double(ahead) / rate)
            if ready > 0, ready < piece { piece = ready }
            let first = position.whole - StemRing.reach
            let end = position.advanced(by: step, times: Int64(piece) - 1).whole + StemRing.reach + 1
            if holds(ring, first, end) {
                let origin = SourcePosition(rawValue: position.rawValue &- Int128(first) << 64)
                context.reader.read(
                    ring.region(from: first, length: Int(end - first)), from: origin, step: step,
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
        _ part: UnsafePointer<StemPart>, head: StemHead, count: Int, _ context: inout RenderContext
    ) {
        let segment = context.timeline.tempo.segment(at: context.now)
        let sourceRate = part.pointee.sourceRate
        let recorded = head.set.pointee.recordedTempo
        let ring = part.pointee.ring(ofDeck: head.deck)
        for frame in 0..<count {
            let beat = context.scratch.beats[frame]
            let bpm = segment.startTempo.beatsPerMinute + segment.slope * (beat - segment.startBeat.rawValue)
            let rate = sourceRate * bpm / (recorded * context.sampleRate.hertz)
            let position = SourcePosition(part.pointee.offset + head.seconds(atBeat: beat) * sourceRate)
            let first = position.whole - StemRing.reach
            var sample = StereoFrame(left: 0, right: 0)
            if holds(ring, first, position.whole + StemRing.reach + 1) {
                let origin = SourcePosition(rawValue: position.rawValue &- Int128(first) << 64)
                sample = context.reader.frame(
                    of: ring.region(from: first, length: Int(2 * StemRing.reach) + 1), at: origin,
                    filter: context.reader.filter(rate: rate))
            }
            context.scratch.voiceLeft[frame] = sample.left
            context.scratch.voiceRight[frame] = sample.right
        }
    }

    @_noLocks private func holds(_ ring: StemRing.Reader, _ first: Int64, _ end: Int64) -> Bool {
        let written = ring.written
        return end <= written && first >= ring.firstReadable
    }
}
