import BarlineDSP
import BarlineTime
import CKernels

/// Rendering the stems.
extension Stems {
    /// Renders a slice of the stems.
    @_noLocks mutating func fill(_ slice: BlockSlice, _ context: inout RenderContext) {
        let count = slice.count
        if current >= 0 { supervise(count: count, &context) }
        for channel in context.mixer.layout.firstStem..<context.mixer.channelCount {
            let stem = channel - context.mixer.layout.firstStem
            var isAudible = false
            for index in 0..<heads.capacity
            where !heads[index].isFree && stem < readings[index].set.pointee.slotCount
                && !heads[index].isSilent(at: context.now)
            {
                let slot = readings[index].set.pointee.slots[stem]
                if let part = slot.part {
                    add(
                        part, in: stem, side: slot.side, head: head(index), gate: slot.gate, isFirst: !isAudible, count,
                        &context)
                    isAudible = true
                }
                if let former = slot.former {
                    add(
                        former, in: stem, side: 1 - slot.side, head: head(index), gate: slot.exit, isFirst: !isAudible,
                        count, &context)
                    isAudible = true
                }
            }
            if isAudible {
                context.mixer.mix(channel: channel, context.scratch.signal, slice)
            } else {
                context.mixer.rest(channel: channel, context.scratch.signal, slice)
            }
        }
    }

    /// Mixes a stem, as read by one head, into the channel's signal.
    @_noLocks private func add(
        _ part: UnsafePointer<StemPart>, in slot: Int, side: Int, head: StemHead, gate: Ramp, isFirst: Bool,
        _ count: Int,
        _ context: inout RenderContext
    ) {
        let fileFadeIn = head.fileFadeIn(of: part)
        let isSteady =
            isFirst && gate.isSettled(at: context.now) && gate.target == 1 && head.envelope.isSettled(at: context.now)
            && level.isSettled(at: context.now) && fileFadeIn.isSettled(at: context.now)
        let isRamping = context.timeline.isRamping && head.reading.followsTempo
        if isSteady, !isRamping, !part.pointee.isStretched {
            let gain = head.envelope.target * level.target
            if let frames = wholeFrames(part, head: head, count: count, &context) {
                context.scratch.signal.set(frames, gain: gain, count)
                // Of the next block, which other cores have written.
                dsp_prefetch(frames.left + count, count)
                dsp_prefetch(frames.right + count, count)
            } else {
                read(part, head: head, count: count, &context)
                context.scratch.signal.set(context.scratch.source, gain: gain, count)
            }
            return
        }
        if isFirst { context.scratch.signal.clear(count) }
        if part.pointee.isStretched {
            readStretched(part, slot: slot, side: side, head: head, count: count, &context)
        } else if isRamping {
            readRamping(part, head: head, count: count, &context)
        } else {
            read(part, head: head, count: count, &context)
        }
        context.scratch.source.apply(gate, at: context.now, count)
        add(headEnvelope: head.envelope, fileFadeIn: fileFadeIn, count, &context)
    }

    @_noLocks private func add(
        headEnvelope envelope: Ramp, fileFadeIn: Ramp, _ count: Int, _ context: inout RenderContext
    ) {
        if envelope.isSettled(at: context.now), level.isSettled(at: context.now), fileFadeIn.isSettled(at: context.now)
        {
            context.scratch.signal.add(context.scratch.source, gain: envelope.target * level.target, count)
            return
        }
        context.scratch.signal.add(
            context.scratch.source, gains: envelope, level, fileFadeIn, at: context.now, count)
    }

    // MARK: Reading

    /// Reads a stem at constant speed. Frames missing in the ring are silent.
    @_noLocks private func read(
        _ part: UnsafePointer<StemPart>, head: StemHead, count: Int, _ context: inout RenderContext
    ) {
        part.pointee.ring(ofDeck: head.deck).read(
            from: head.reading.position(of: part, at: context.now, sampleRate: context.sampleRate),
            rate: head.reading.rate(of: part, sampleRate: context.sampleRate), count: count, with: context.reader,
            into: context.scratch.source)
    }

    /// The frames of a stem as they lie in its ring, where they are played as they are: on their own frames, at their
    /// own rate. To copy them first costs as much as mixing them does.
    @_noLocks private func wholeFrames(
        _ part: UnsafePointer<StemPart>, head: StemHead, count: Int, _ context: inout RenderContext
    ) -> SourceRegion? {
        if head.reading.rate(of: part, sampleRate: context.sampleRate) != 1 { return nil }
        let position = head.reading.position(of: part, at: context.now, sampleRate: context.sampleRate)
        return position.fraction == 0 ? part.pointee.ring(ofDeck: head.deck).frames(from: position.whole, count) : nil
    }

    /// Reads a stem during a tempo ramp: every frame has its own position and rate.
    @_noLocks private func readRamping(
        _ part: UnsafePointer<StemPart>, head: StemHead, count: Int, _ context: inout RenderContext
    ) {
        let segment = context.timeline.tempo.segment(at: context.now)
        let sourceRate = part.pointee.sourceRate
        let recorded = head.reading.set.pointee.recordedTempo
        let ring = part.pointee.ring(ofDeck: head.deck)
        for frame in 0..<count {
            let beat = context.scratch.beats[frame]
            let bpm = segment.startTempo.beatsPerMinute + segment.slope * (beat - segment.startBeat.rawValue)
            let rate = sourceRate * bpm / (recorded * context.sampleRate.hertz)
            let position = SourcePosition(part.pointee.offset + head.reading.seconds(atBeat: beat) * sourceRate)
            let sample = ring.frame(at: position, rate: rate, with: context.reader)
            context.scratch.voiceLeft[frame] = sample.left
            context.scratch.voiceRight[frame] = sample.right
        }
    }
}
