import BarlineDSP
import BarlineTime

/// The audio thread's sampler: one-shots held in memory, each begun on the very frame of its command.
///
/// ``voiceCount`` can sound at once; where they do, the oldest fades out for a new one. Filling is O(voices), a command
/// O(``poolCount``).
struct Sampler: ~Copyable, Source, @unchecked Sendable {
    /// Voices that sound at once, those that fade out apart.
    static var voiceCount: Int { @_noLocks get { 64 } }
    /// As many again may fade out.
    static var poolCount: Int { @_noLocks get { 128 } }

    private let pads: UnsafeMutablePointer<UnsafePointer<PadContent>?>
    private let padCapacity: Int
    private let voices: UnsafeMutablePointer<PadVoice>
    /// Places of the pool from this one on are free; those before are in the order in which their voices began.
    private var voiceEnd = 0
    private var begun = 0

    init(padCapacity: Int) {
        self.padCapacity = padCapacity
        pads = .allocate(capacity: padCapacity)
        pads.initialize(repeating: nil, count: padCapacity)
        voices = .allocate(capacity: Sampler.poolCount)
    }

    deinit {
        pads.deallocate()
        voices.deallocate()
    }

    @_noLocks mutating func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .ends: removeEnded(at: context.now)
        case .fill(let slice): fill(slice, &context)
        case .boundaries, .wraps, .leadIns, .streams, .clicks, .wake, .pass, .publish: break
        }
    }

    @_noLocks mutating func perform(_ action: SamplerAction, at frame: FrameTime, _ context: inout RenderContext) {
        switch action {
        case .install(let pad, let content):
            retire(pad, &context)
            pads[pad] = content
        case .remove(let pad):
            leave(pad: pad, choke: 0, context.timeline)
            retire(pad, &context)
            pads[pad] = nil
        case .trigger(let pad, let velocity): trigger(pad, velocity: velocity, context.timeline)
        case .stop(let pad): leave(pad: pad, choke: 0, context.timeline)
        case .stopAll:
            for index in 0..<voiceEnd {
                voices[index].leave(at: context.now, fadeFrames: context.fadeFrames)
            }
        }
        assert(checkInvariants(), "voices are in the order in which they began")
    }

    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        guard case .sampleRate = retiming.change else { return }
        for index in 0..<voiceEnd {
            voices[index].changeSampleRate(
                to: retiming.to.sampleRate, at: context.now, fadeFrames: retiming.to.fadeFrames)
        }
    }

    /// It plays beside the beats.
    var holdsBeats: Bool { @_noLocks get { false } }

    @_noLocks func isReading(_ content: UnsafeRawPointer, at now: FrameTime) -> Bool {
        for index in 0..<voiceEnd where voices[index].end > now && UnsafeRawPointer(voices[index].content) == content {
            return true
        }
        return false
    }

    /// Whether no more sound than may, and the pool is in the order in which its voices began.
    @_noLocks func checkInvariants() -> Bool {
        var sounding = 0
        for index in 0..<voiceEnd {
            if !voices[index].isLeaving { sounding += 1 }
            if index > 0, voices[index].order <= voices[index - 1].order { return false }
        }
        return voiceEnd <= Sampler.poolCount && sounding <= Sampler.voiceCount
    }

    // MARK: Voices

    @_noLocks private mutating func retire(_ pad: Int, _ context: inout RenderContext) {
        if let old = pads[pad] { context.retire(UnsafeRawPointer(old)) }
    }

    @_noLocks private mutating func trigger(_ pad: Int, velocity: Float, _ timeline: borrowing Timeline) {
        guard let content = pads[pad] else { return }
        if content.pointee.choke > 0 { leave(pad: -1, choke: content.pointee.choke, timeline) }
        removeEnded(at: timeline.now)
        steal(timeline)
        voices[voiceEnd] = PadVoice(
            content, pad: pad, velocity: velocity, order: begun, at: timeline.now, sampleRate: timeline.sampleRate,
            fadeFrames: timeline.fadeFrames)
        voiceEnd += 1
        begun += 1
    }

    /// Fades out what sounds of a pad, or of a choke group.
    @_noLocks private mutating func leave(pad: Int, choke: Int, _ timeline: borrowing Timeline) {
        for index in 0..<voiceEnd
        where voices[index].pad == pad || (choke > 0 && voices[index].content.pointee.choke == choke) {
            voices[index].leave(at: timeline.now, fadeFrames: timeline.fadeFrames)
        }
    }

    /// Makes room for a voice.
    @_noLocks private mutating func steal(_ timeline: borrowing Timeline) {
        var sounding = 0
        var oldest = -1
        for index in 0..<voiceEnd where !voices[index].isLeaving {
            sounding += 1
            if oldest < 0 { oldest = index }
        }
        if sounding == Sampler.voiceCount {
            voices[oldest].leave(at: timeline.now, fadeFrames: timeline.fadeFrames)
            // One in the last milliseconds of its sample is over before it could be faded.
            if !voices[oldest].isLeaving { remove(at: oldest) }
        }
        if voiceEnd < Sampler.poolCount { return }
        var leaving = 0
        while leaving < voiceEnd - 1, !voices[leaving].isLeaving { leaving += 1 }
        remove(at: leaving)
    }

    @_noLocks private mutating func removeEnded(at now: FrameTime) {
        var kept = 0
        for index in 0..<voiceEnd where voices[index].end > now {
            voices[kept] = voices[index]
            kept += 1
        }
        voiceEnd = kept
    }

    @_noLocks private mutating func remove(at index: Int) {
        voiceEnd -= 1
        for place in index..<voiceEnd { voices[place] = voices[place + 1] }
    }

    // MARK: Sound

    @_noLocks private func fill(_ slice: BlockSlice, _ context: inout RenderContext) {
        let channel = context.mixer.layout.pads
        if voiceEnd == 0 {
            context.mixer.rest(channel: channel, context.scratch.signal, slice)
            return
        }
        context.scratch.signal.clear(slice.count)
        for index in 0..<voiceEnd where voices[index].end > slice.start {
            let voice = voices[index]
            let left = context.scratch.voiceLeft
            let right = context.scratch.voiceRight
            context.reader.read(
                voice.content.pointee.region, from: voice.position(at: slice.start), step: voice.step,
                filter: context.reader.filter(rate: voice.rate), count: slice.count, left: left, right: right)
            for frame in 0..<slice.count {
                let gain = voice.gain * voice.envelope.value(at: slice.start + Int64(frame))
                context.scratch.trackLeft[frame] += left[frame] * gain
                context.scratch.trackRight[frame] += right[frame] * gain
            }
        }
        context.mixer.mix(channel: channel, context.scratch.signal, slice)
    }
}
