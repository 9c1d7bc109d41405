import BarlineDSP

/// A snapshot of a pad, for displays.
struct PadState: BitwiseCopyable {
    /// The number of hits that have sounded since the engine was created.
    var hits: Int64 = 0
    /// The velocity of the latest hit.
    var velocity: Float = 0
    /// How far through the sample the latest hit is.
    var progress: Float = 0
    var voices: Int64 = 0
    var waiting: Int64 = 0

    @_noLocks init() {}
}

/// Publishing the sampler for displays.
extension Sampler {
    /// O(pads + voices).
    @_noLocks mutating func publish(_ context: inout RenderContext) {
        for pad in 0..<padCapacity {
            states[pad].voices = 0
            states[pad].waiting = 0
            states[pad].progress = 0
        }
        var inUse = 0
        for index in 0..<voiceEnd where voices[index].end > context.now {
            inUse += 1
            let voice = voices[index]
            let length = Double(voice.content.pointee.region.length)
            let position = voice.position(at: context.now).frames
            states[voice.pad].voices += 1
            states[voice.pad].progress = length > 0 && position > 0 ? Float(position / length) : 0
        }
        for index in 0..<waitingCount { states[waiting[index].pad].waiting += 1 }
        context.note(voicesInUse: inUse, isBusy: inUse > 0 || waitingCount > 0)
        let board = context.link.board
        for pad in 0..<padCapacity { board.put(states[pad], at: padPlace, pad) }
    }
}

extension EngineState.Pad {
    init(_ pad: PadState) {
        self.init(
            hits: Int(pad.hits), voices: Int(pad.voices), waiting: Int(pad.waiting), velocity: pad.velocity,
            progress: pad.progress)
    }
}
