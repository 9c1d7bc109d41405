import BarlineDSP
import BarlineTime

/// The sampler, on the audio thread: one-shots held in memory, each started on the exact frame of its command.
///
/// Up to ``voiceCount`` can sound at once; beyond that, the oldest fades out for a new one. Filling is O(voices), a
/// command O(``poolCount``). Up to ``waitingCapacity`` hits can wait for the grid; further ones start at once.
struct Sampler: ~Copyable, Source, @unchecked Sendable {
    /// The number of voices that sound at once, not counting those that fade out.
    static var voiceCount: Int { @_noLocks get { 64 } }
    /// The size of the pool: as many again may fade out.
    static var poolCount: Int { @_noLocks get { 128 } }

    /// The number of hits that can wait for the grid.
    static var waitingCapacity: Int { @_noLocks get { 64 } }

    let pads: UnsafeMutablePointer<UnsafePointer<PadContent>?>
    let padCapacity: Int
    let states: UnsafeMutablePointer<PadState>
    let voices: UnsafeMutablePointer<PadVoice>
    /// Voices of the pool from this index on are free; those before are in the order in which they began.
    private(set) var voiceEnd = 0
    private var begun = 0
    /// Pending hits, in order of arrival.
    let waiting: UnsafeMutablePointer<PadHit>
    var waitingCount = 0

    /// Its channel of the mixer.
    private let channel: Int
    /// The board place of its pads.
    let padPlace: BoardPlace<PadState>

    init(_ setup: inout SourceSetup) {
        padCapacity = setup.configuration.padCapacity
        channel = setup.channel
        padPlace = setup.places.claim(PadState.self, count: padCapacity)
        pads = .allocate(capacity: padCapacity)
        pads.initialize(repeating: nil, count: padCapacity)
        states = .allocate(capacity: padCapacity)
        states.initialize(repeating: PadState(), count: padCapacity)
        voices = .allocate(capacity: Sampler.poolCount)
        waiting = .allocate(capacity: Sampler.waitingCapacity)
    }

    deinit {
        pads.deallocate()
        states.deallocate()
        voices.deallocate()
        waiting.deallocate()
    }

    static var strip: Channel? { .pads }

    static var shown: (any PartState.Type)? { Shown.self }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase): run(phase, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .isReading(let content): return isReading(content, at: context.now) ? 1 : 0
        case .countSheddable: return sheddableCount
        case .shed(let count): return shed(count, context.timeline)
        case .countFaults: return checkInvariants() ? 0 : 1
        // It does not hold the beats.
        case .holdsBeats: break
        }
        return 0
    }

    @_noLocks private mutating func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .ends: removeEnded(at: context.now)
        case .boundaries: startDue(&context)
        case .wake: wakeForHits(&context)
        case .fill(let slice): fill(slice, &context)
        case .publish: publish(&context)
        case .wraps, .leadIns, .streams, .clicks, .pass: break
        }
    }

    @_noLocks mutating func perform(
        _ action: Sampler.Action, at frame: FrameTime, _ context: inout RenderContext
    ) {
        switch action {
        case .install(let pad, let content):
            retire(pad, &context)
            pads[pad] = content
        case .remove(let pad):
            forgetHits(of: pad)
            leave(pad: pad, choke: 0, context.timeline)
            retire(pad, &context)
            pads[pad] = nil
        case .trigger(let pad, let velocity, let grid): hit(pad, velocity: velocity, on: grid, at: frame, &context)
        case .stop(let pad):
            forgetHits(of: pad)
            leave(pad: pad, choke: 0, context.timeline)
        case .stopAll:
            forgetHits(of: -1)
            for index in 0..<voiceEnd {
                voices[index].leave(at: context.now, fadeFrames: context.fadeFrames)
            }
        }
        assert(checkInvariants(), "voices are in the order in which they began")
    }

    @_noLocks private mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        switch retiming.change {
        case .started: placeHits(context.timeline)
        case .stopped: forgetHits(of: -1)
        case .sampleRate: changeSampleRate(retiming, at: context.now)
        case .tempo, .rampEnded, .metre, .clock: break
        }
    }

    @_noLocks private mutating func changeSampleRate(_ retiming: Retiming, at now: FrameTime) {
        for index in 0..<voiceEnd {
            voices[index].changeSampleRate(
                to: retiming.to.sampleRate, at: now, fadeFrames: retiming.to.fadeFrames)
        }
    }

    @_noLocks private func isReading(_ content: UnsafeRawPointer, at now: FrameTime) -> Bool {
        for index in 0..<voiceEnd where voices[index].end > now && UnsafeRawPointer(voices[index].content) == content {
            return true
        }
        return false
    }

    /// Whether the invariants hold: no more voices sound than allowed, and the pool is in the order in which they
    /// began.
    @_noLocks func checkInvariants() -> Bool {
        var sounding = 0
        for index in 0..<voiceEnd {
            if !voices[index].checkInvariants() { return false }
            if !voices[index].isLeaving { sounding += 1 }
            if index > 0, voices[index].order <= voices[index - 1].order { return false }
        }
        return voiceEnd <= Sampler.poolCount && sounding <= Sampler.voiceCount
            && waitingCount <= Sampler.waitingCapacity
    }

    // MARK: Voices

    @_noLocks private mutating func retire(_ pad: Int, _ context: inout RenderContext) {
        if let old = pads[pad] { context.retire(UnsafeRawPointer(old)) }
    }

    /// Starts a voice of a pad.
    @_noLocks mutating func start(_ pad: Int, velocity: Double, _ context: inout RenderContext) {
        guard let content = pads[pad] else { return }
        if content.pointee.choke > 0 { leave(pad: -1, choke: content.pointee.choke, context.timeline) }
        removeEnded(at: context.now)
        steal(context.timeline)
        voices[voiceEnd] = PadVoice(
            content, pad: pad, velocity: velocity, order: begun, at: context.now, sampleRate: context.sampleRate,
            fadeFrames: context.fadeFrames)
        voiceEnd += 1
        begun += 1
        states[pad].hits += 1
        states[pad].velocity = Float(velocity)
        context.emit(.sampler(.hit(pad: PadHandle(pad), velocity: velocity)))
    }

    /// Fades out the voices of a pad, or of a choke group.
    @_noLocks private mutating func leave(pad: Int, choke: Int, _ timeline: borrowing Timeline) {
        for index in 0..<voiceEnd
        where voices[index].pad == pad || (choke > 0 && voices[index].content.pointee.choke == choke) {
            voices[index].leave(at: timeline.now, fadeFrames: timeline.fadeFrames)
        }
    }

    /// Steals a voice to make room.
    @_noLocks private mutating func steal(_ timeline: borrowing Timeline) {
        var sounding = 0
        var oldest = -1
        for index in 0..<voiceEnd where !voices[index].isLeaving {
            sounding += 1
            if oldest < 0 { oldest = index }
        }
        if sounding == Sampler.voiceCount {
            voices[oldest].leave(at: timeline.now, fadeFrames: timeline.fadeFrames)
            // A voice in the last milliseconds of its sample ends before it could be faded.
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
                filter: context.reader.steadyFilter(rate: voice.rate), count: slice.count, left: left, right: right)
            for frame in 0..<slice.count {
                let envelope = voice.envelope.value(at: slice.start + Int64(frame))
                context.scratch.trackLeft[frame] += left[frame] * (voice.gainLeft * envelope)
                context.scratch.trackRight[frame] += right[frame] * (voice.gainRight * envelope)
            }
        }
        context.mixer.mix(channel: channel, context.scratch.signal, slice)
    }
}
