import BarlineDSP
import BarlineTime

/// Loops that are recorded over.
extension Engine.Launcher {
    /// Records an input over a loop, from the boundary on which a clip would start until it is asked for again, which takes effect on a boundary too.
    ///
    /// Each turn of the loop from there on is a layer: the loop at the level of its feedback and what belongs there of the input. It is heard from the
    /// turn's end on; of a part of a turn, across 5 ms, as soon as all of it is there. Layers are of the loop's length and phase, and a loop
    /// that is heard at its own rate is taken as it is: what is below a layer loses nothing. A clip that does not play is launched. Another tempo ends
    /// it, and so does whatever stops the clip.
    ///
    /// - Parameters:
    ///   - clip: a loop that follows the tempo by varispeed, or a take.
    ///   - settings: what is recorded, and how.
    ///   - moment: when; `nil` for the next block.
    /// - Returns: the command, to be recognised in events.
    /// - Throws: ``EngineError/unknownClip(_:)``, ``EngineError/notLayered(_:)``, ``EngineError/unknownInput(_:count:)``,
    ///   ``EngineError/invalidValue(name:value:)`` or ``EngineError/busy(capacity:)``.
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

    /// Takes the latest layer of a clip away, across 5 ms: the one that is recorded, where one is. 64 layers can be taken away.
    ///
    /// - Throws: ``EngineError/unknownClip(_:)`` or ``EngineError/busy(capacity:)``.
    @discardableResult
    public func undoLayer(of clip: ClipHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.undoLayer(clip: clip.rawValue))], for: [clip], at: moment)
    }

    /// Has the layer of a clip heard again that was taken away last, across 5 ms. There is none any more once another one was recorded.
    ///
    /// - Throws: ``EngineError/unknownClip(_:)`` or ``EngineError/busy(capacity:)``.
    @discardableResult
    public func redoLayer(of clip: ClipHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.redoLayer(clip: clip.rawValue))], for: [clip], at: moment)
    }

    /// Changes a loop as a whole, as a layer that can be taken away again. It is made of what the loop has, and heard from the boundary on which a clip would
    /// start, or as soon as all of it is there, which takes a 64th of its length; where the clip does not play, at once. What is
    /// recorded over the loop ends. A take whose end is open is not changed.
    ///
    /// - Parameters:
    ///   - clip: a loop that follows the tempo by varispeed, or a take.
    ///   - change: what is done to it.
    ///   - quantization: the grid of the boundary; `nil` for the clip's own.
    ///   - moment: when; `nil` for the next block.
    /// - Returns: the command, to be recognised in events.
    /// - Throws: ``EngineError/unknownClip(_:)``, ``EngineError/notLayered(_:)``, ``EngineError/invalidValue(name:value:)`` or
    ///   ``EngineError/busy(capacity:)``.
    @discardableResult
    public func changeLoop(
        of clip: ClipHandle, _ change: LoopChange, quantization: Quantization? = nil, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        if let quantization { try engine.check(quantization) }
        try lendLayers(of: clip, isWhole: true) { _ in 1 }
        let plan = LoopChangePlan(change: change, hasGrid: quantization != nil, grid: quantization ?? .none)
        return try engine.send([.launcher(.changeLoop(clip: clip.rawValue, plan))], for: [clip], at: moment)
    }

    /// Lends the audio thread memory for the next layers of a clip; to be called again with every layer that was added.
    ///
    /// - Throws: ``EngineError/unknownClip(_:)``, ``EngineError/notLayered(_:)`` or ``EngineError/busy(capacity:)``.
    public func prepareLayers(of clip: ClipHandle) throws(EngineError) {
        try lendLayers(of: clip) { 2 + Int(min(Engine.Launcher.mostTurns, (1 / $0).rounded(.up))) }
    }

    /// Lends memory for as many layers as `wanted` says of a turn's seconds.
    ///
    /// - Parameters:
    ///   - clip: the loop.
    ///   - isWhole: whether all of the first one is written at once, and its pages are to be ready.
    ///   - wanted: how many.
    /// - Throws: as ``prepareLayers(of:)`` does.
    private func lendLayers(
        of clip: ClipHandle, isWhole: Bool = false, _ wanted: (Double) -> Int
    ) throws(EngineError) {
        let rate = engine.sampleRate
        let tempo = engine.transport.tempo
        try engine.withControl { state throws(EngineError) in
            guard let loop = state.clips[clip.rawValue] else { throw .unknownClip(clip) }
            let settings = loop.settings
            let isTake = loop.take.map { $0.result == nil } ?? false
            guard isTake || settings.isLayered else { throw .notLayered(clip) }
            let layers = state.layers(of: clip.rawValue)
            state.layers[clip.rawValue] = layers.map { UInt(bitPattern: $0.content) }
            var seconds = isTake ? Engine.Launcher.unknownSeconds : loop.turnSeconds(at: tempo)
            for layer in layers { if let own = layer.take?.turnSeconds { seconds = max(seconds, own) } }
            let room = Engine.Launcher.growth * seconds + 1
            let waiting = layers.count { $0.take.map { $0.stage == .waiting && $0.seconds > room - 0.01 } ?? false }
            let wanted = wanted(seconds)
            for _ in min(waiting, wanted)..<wanted {
                var take = TakeSettings(track: settings.track, input: InputIndex(0))
                take.longestSeconds = room
                let layer = PreparedClip(
                    clip.rawValue, take, channels: 2, sampleRate: rate, serial: state.nextLayer, layerOf: settings)
                guard let memory = layer.take else { throw .noTake(clip) }
                try engine.push([.launcher(.lendLayer(memory.take))], at: nil, &state)
                state.nextLayer += 1
                let address = UInt(bitPattern: layer.content)
                state.replaced[address] = layer
                state.layers[clip.rawValue, default: []].append(address)
            }
            let first = state.layers(of: clip.rawValue).lazy.compactMap(\.take).first {
                $0.stage == .waiting && $0.seconds > room - 0.01
            }
            if isWhole, !isTake { first?.populate(seconds: 2 * min(seconds, Engine.Launcher.populatedSeconds)) }
        }
    }

    /// Gives a clip layers that were recorded before: those below what it plays, the latest one first, and those that were undone, the latest one
    /// first.
    package func setLayers(
        _ below: [(SampleBuffer, ClipSettings)], undone: [(SampleBuffer, ClipSettings)], of clip: ClipHandle
    ) throws(EngineError) {
        let rate = engine.sampleRate
        func prepared(_ layers: [(SampleBuffer, ClipSettings)]) throws(EngineError) -> [PreparedClip] {
            var prepared: [PreparedClip] = []
            for (buffer, settings) in layers.prefix(Engine.Launcher.layerCapacity) {
                try check(settings, frameCount: buffer.frameCount)
                prepared.append(PreparedClip(buffer: buffer, settings: settings, sampleRate: rate))
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

    /// How many layers of a clip can be undone.
    public static var layerCapacity: Int { LayerLinks.depth }

    /// How much longer than what is known of a loop its layers may become: at another tempo, and by changes that are asked for ahead.
    private static let growth = 8.0

    /// The longest loop that has memory ready for a change, in seconds; the system gives that of longer ones while they are changed.
    private static let populatedSeconds = 120.0

    /// What a turn of a loop is taken to be that is recorded still, in seconds.
    private static let unknownSeconds = 300.0

    /// Turns of a short loop for which there are layers at once.
    private static let mostTurns = 30.0

    /// The layers of a clip that have begun, the first one first, and what is recorded of each.
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
    /// Whether it can be recorded over.
    package var isLayered: Bool { loops && beats != nil && playback == .repitch && warp.isEmpty }
}

extension TakeMemory {
    /// The seconds of a layer that has its length.
    fileprivate var turnSeconds: Double? {
        result.map { Double($0.region.count) / $0.start.sampleRate.hertz }
    }
}

extension PreparedClip {
    /// The seconds that a turn takes at most, at its own rate or at `tempo`.
    fileprivate func turnSeconds(at tempo: Tempo) -> Double {
        let settings = settings
        let frames = settings.region?.count ?? buffer.frameCount
        let own = Double(frames) / buffer.sampleRate.hertz
        return max(1e-3, own, (settings.beats ?? 0) * 60 / tempo.beatsPerMinute)
    }
}
