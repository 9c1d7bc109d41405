import BarlineDSP
import BarlineTime

/// Overdubbing loops.
extension Engine.Launcher {
    /// Overdubs an input onto a loop, from the boundary on which a clip would start until the next call for the same
    /// clip, which takes effect on a boundary too.
    ///
    /// Each pass of the loop from there on is a layer: the loop at the level of its feedback plus the input over that
    /// pass. It becomes audible at the end of the pass; a layer of part of a pass does so across 5 ms, as soon as it is
    /// complete. Layers have the loop's length and phase, and a loop played at its own rate is copied unchanged:
    /// nothing below a layer loses quality. A clip that does not play is launched. A tempo change ends overdubbing, and
    /// so does whatever stops the clip.
    ///
    /// - Parameters:
    ///   - clip: a loop that follows the tempo by varispeed, or a take.
    ///   - settings: what is recorded, and how.
    ///   - moment: when; `nil` for the next block.
    /// - Returns: the command, as carried by events.
    /// - Throws: ``EngineError/unknownClip(_:)``, ``EngineError/notLayered(_:)``, ``EngineError/streamed(_:)``,
    ///   ``EngineError/unknownInput(_:count:)``, ``EngineError/invalidValue(name:value:)`` or
    ///   ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the frames of the layers that are preallocated.
    @discardableResult
    public func overdub(
        _ clip: ClipHandle, _ settings: OverdubSettings, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(settings.input)
        guard OverdubSettings.feedbackRange.contains(settings.feedback) else {
            throw .invalidValue(name: "feedback", value: settings.feedback)
        }
        if let bars = settings.bars, !TakeSettings.barsRange.contains(bars) {
            throw .invalidValue(name: "bars", value: Double(bars))
        }
        try prepareLayers(of: clip)
        let plan = OverdubPlan(
            input: settings.input.rawValue, feedback: Float(settings.feedback), bars: settings.bars ?? 0)
        return try engine.send([.launcher(.overdub(clip: clip.rawValue, plan))], for: [clip], at: moment)
    }

    /// Ends overdubbing a clip at once, without waiting for a boundary: what was recorded of the pass becomes a layer,
    /// as soon as the rest of the loop is copied. An overdub that waits for its boundary goes on waiting.
    ///
    /// - Throws: ``EngineError/unknownClip(_:)`` or ``EngineError/busy(capacity:)``.
    @discardableResult
    package func endOverdub(of clip: ClipHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.endOverdub(clip: clip.rawValue))], for: [clip], at: moment)
    }

    /// Undoes the latest layer of a clip, across 5 ms: the one being recorded, if any. Up to 64 layers can be undone.
    ///
    /// - Throws: ``EngineError/unknownClip(_:)`` or ``EngineError/busy(capacity:)``.
    @discardableResult
    public func undoLayer(of clip: ClipHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.undoLayer(clip: clip.rawValue))], for: [clip], at: moment)
    }

    /// Redoes the layer of a clip that was undone last, across 5 ms. Recording another layer discards undone ones.
    ///
    /// - Throws: ``EngineError/unknownClip(_:)`` or ``EngineError/busy(capacity:)``.
    @discardableResult
    public func redoLayer(of clip: ClipHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.redoLayer(clip: clip.rawValue))], for: [clip], at: moment)
    }

    /// Changes a whole loop, as a layer that can be undone. It is computed from the loop's content, and takes over on
    /// the boundary on which a clip would start, or as soon as it is complete, which takes a 64th of the loop's length;
    /// if the clip does not play, at once. Overdubbing of the loop ends. A take whose end is open is not changed.
    ///
    /// - Parameters:
    ///   - clip: a loop that follows the tempo by varispeed, or a take.
    ///   - change: the change.
    ///   - quantization: the grid of the boundary; `nil` for the clip's own.
    ///   - moment: when; `nil` for the next block.
    /// - Returns: the command, as carried by events.
    /// - Throws: ``EngineError/unknownClip(_:)``, ``EngineError/notLayered(_:)``, ``EngineError/streamed(_:)``,
    ///   ``EngineError/invalidValue(name:value:)`` or ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the loop's frames.
    @discardableResult
    public func changeLoop(
        of clip: ClipHandle, _ change: LoopChange, quantization: Quantization? = nil, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        if let quantization { try engine.check(quantization) }
        try supplyLayers(of: clip, isWhole: true) { _ in 1 }
        let plan = LoopChangePlan(change: change, hasGrid: quantization != nil, grid: quantization ?? .none)
        return try engine.send([.launcher(.changeLoop(clip: clip.rawValue, plan))], for: [clip], at: moment)
    }

    /// Preallocates memory for the next layers of a clip; to be called again after every added layer.
    ///
    /// - Throws: ``EngineError/unknownClip(_:)``, ``EngineError/notLayered(_:)``, ``EngineError/streamed(_:)`` or
    ///   ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the frames of the layers that are preallocated.
    public func prepareLayers(of clip: ClipHandle) throws(EngineError) {
        try supplyLayers(of: clip) { 2 + Int(min(Engine.Launcher.mostCycles, (1 / $0).rounded(.up))) }
    }

    /// Preallocates as many layers as `wanted` returns for the length of a pass in seconds.
    ///
    /// - Parameters:
    ///   - clip: the loop.
    ///   - isWhole: whether the first one is written all at once, so that its pages must be populated.
    ///   - wanted: the number of layers.
    /// - Throws: as ``prepareLayers(of:)`` does.
    private func supplyLayers(
        of clip: ClipHandle, isWhole: Bool = false, _ wanted: (Double) -> Int
    ) throws(EngineError) {
        let rate = engine.sampleRate
        let tempo = engine.transport.tempo
        try engine.withControl { state throws(EngineError) in
            guard let loop = state.clips[clip.rawValue] else { throw .unknownClip(clip) }
            let settings = loop.settings
            let openTake = loop.take.flatMap { $0.result == nil ? $0 : nil }
            guard openTake != nil || settings.isLayered else { throw .notLayered(clip) }
            let layers = state.layers(of: clip.rawValue)
            if (layers.first { $0.isAudible } ?? loop).stream != nil { throw .streamed(clip) }
            state.layers[clip.rawValue] = layers.map { UInt(bitPattern: $0.content) }
            var seconds =
                openTake.map { min($0.seconds, Engine.Launcher.unknownSeconds) } ?? loop.cycleSeconds(at: tempo)
            for layer in layers { if let own = layer.take?.cycleSeconds { seconds = max(seconds, own) } }
            let room = Engine.Launcher.growth * seconds + 1
            let waiting = layers.count {
                $0.take.map { $0.stage == .waiting && $0.seconds > room - Engine.Launcher.roomTolerance } ?? false
            }
            let wanted = wanted(seconds)
            for _ in min(waiting, wanted)..<wanted {
                var take = TakeSettings(track: settings.track, input: InputIndex(0))
                take.longestSeconds = room
                let layer = PreparedClip(
                    clip.rawValue, take, channels: 2, sampleRate: rate, serial: state.nextLayer, layerOf: settings)
                guard let memory = layer.take else { throw .noTake(clip) }
                try engine.push([.launcher(.supplyLayer(memory.take))], at: nil, &state)
                state.nextLayer += 1
                let address = UInt(bitPattern: layer.content)
                state.replaced[address] = layer
                state.layers[clip.rawValue, default: []].append(address)
            }
            let first = state.layers(of: clip.rawValue).lazy.compactMap(\.take).first {
                $0.stage == .waiting && $0.seconds > room - Engine.Launcher.roomTolerance
            }
            if isWhole, openTake == nil { first?.populate(seconds: 2 * min(seconds, Engine.Launcher.populatedSeconds)) }
        }
    }

    /// Gives a clip previously recorded layers: those below what it plays, latest first, and those that were undone,
    /// latest first.
    package func setLayers(
        _ below: [(SampleBuffer, ClipSettings)], undone: [(SampleBuffer, ClipSettings)], of clip: ClipHandle
    ) throws(EngineError) {
        func prepared(_ layers: [(SampleBuffer, ClipSettings)]) throws(EngineError) -> [PreparedClip] {
            var prepared: [PreparedClip] = []
            for (buffer, settings) in layers.prefix(Engine.Launcher.layerCapacity) {
                try check(settings, frameCount: buffer.frameCount)
                prepared.append(PreparedClip(buffer: buffer, settings: settings, for: preparation))
            }
            return prepared
        }
        let (below, undone) = (try prepared(below), try prepared(undone))
        try engine.withControl { state throws(EngineError) in
            guard state.clips[clip.rawValue] != nil else { throw .unknownClip(clip) }
            for (layers, isAbove) in [(below, false), (undone, true)] {
                for layer in layers {
                    try engine.push(
                        [.launcher(.link(clip: clip.rawValue, layer.content, isAbove: isAbove))], at: nil, &state)
                    let address = UInt(bitPattern: layer.content)
                    state.replaced[address] = layer
                    state.layers[clip.rawValue, default: []].append(address)
                }
            }
        }
    }

    /// The maximum number of layers of a clip that can be undone.
    public static var layerCapacity: Int { LayerLinks.depth }

    /// How much longer than a loop's known length its layers may become: at another tempo, and by changes that are
    /// scheduled.
    private static let growth = 8.0

    /// The longest loop whose memory is populated in advance of a change, in seconds; for longer ones pages are faulted
    /// in during the change.
    private static let populatedSeconds = 120.0

    /// The assumed length of a pass of a loop that is still being recorded, in seconds.
    private static let unknownSeconds = 300.0

    /// By how much less than another room counts as the same, in seconds: a whole number of frames is less than what
    /// was asked for.
    private static let roomTolerance = 0.01

    /// The shortest duration that is reckoned with for a pass, in seconds.
    fileprivate static let shortestCycle = 1e-3

    /// The number of layers preallocated for a short loop.
    private static let mostCycles = 30.0

    /// The layers of a clip that have started, in order, and the recording of each.
    package func layers(of clip: ClipHandle) -> [(id: LayerID, take: TakeHandle)] {
        engine.control.withLock { state in
            state.layers(of: clip.rawValue).compactMap { layer in
                guard let take = layer.take, take.stage != .waiting else { return nil }
                return (LayerID(take.serial), TakeHandle(take))
            }
        }
    }
}

extension Engine.ControlState {
    /// The layers of a clip that the audio thread has not retired.
    func layers(of clip: Int) -> [PreparedClip] {
        (layers[clip] ?? []).compactMap { replaced[$0] as? PreparedClip }
    }
}

extension ClipSettings {
    /// Whether it supports overdubbing.
    package var isLayered: Bool { loops && beats != nil && playback == .repitch && warp.isEmpty }
}

extension TakeMemory {
    /// The length of a completed layer, in seconds.
    fileprivate var cycleSeconds: Double? {
        result.map { Double($0.region.count) / $0.start.sampleRate.hertz }
    }
}

extension PreparedClip {
    /// The longest duration of a pass, in seconds: at its own rate or at `tempo`.
    fileprivate func cycleSeconds(at tempo: Tempo) -> Double {
        let settings = settings
        let frames = settings.region?.count ?? buffer.frameCount
        let own = Double(frames) / buffer.sampleRate.hertz
        return max(Engine.Launcher.shortestCycle, own, tempo.seconds(of: settings.beats ?? 0))
    }
}
