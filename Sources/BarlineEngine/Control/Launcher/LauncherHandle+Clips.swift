import BarlineDSP
import BarlineTime

/// Loading and changing clips.
extension Engine.Launcher {
    /// Loads a clip, which can be launched from now on. Its data is prepared here, off the audio thread.
    ///
    /// - Complexity: O(1): the samples are shared, except around a loop's seam. O(*n*) in the frames of a clip whose
    ///   pitch is kept and whose sample rate or transposition requires resampling.
    /// - Throws: ``EngineError/clipTableFull(capacity:)``, ``EngineError/invalidRegion(_:frameCount:)``,
    ///   ``EngineError/invalidBeats(_:)``, ``EngineError/invalidValue(name:value:)``,
    ///   ``EngineError/unknownTrack(_:count:)`` or ``EngineError/busy(capacity:)``.
    public func load(_ buffer: SampleBuffer, settings: ClipSettings) throws(EngineError) -> ClipHandle {
        try check(settings, frameCount: buffer.frameCount)
        let prepared = PreparedClip(buffer: buffer, settings: settings, for: preparation)
        watch(prepared.stream)
        return try engine.withControl { state throws(EngineError) in
            guard let free = state.freeHandle else { throw .clipTableFull(capacity: state.clipCapacity) }
            let handle = free.handle
            try supplyStretching(for: settings, &state)
            try engine.push([.launcher(.install(clip: handle, prepared.content))], at: nil, &state)
            state.take(free)
            state.clips[handle] = prepared
            return ClipHandle(handle)
        }
    }

    /// Replaces a clip's samples and settings. If it plays, it continues with the new ones at its position in them,
    /// across a crossfade of 5 ms. With another start position, or when it begins or ceases to follow the tempo, that
    /// is the position it would have if it had been launched so, on the same boundary.
    ///
    /// - Complexity: O(*n*) in the frames of the region.
    @discardableResult
    public func replace(
        _ clip: ClipHandle, with buffer: SampleBuffer, settings: ClipSettings, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try replace(clip, with: buffer, settings: settings, at: moment, basis: 0)
    }

    /// Replaces a clip by one that is what ``ClipContent/serial`` `basis` is but for its start position.
    private func replace(
        _ clip: ClipHandle, with buffer: SampleBuffer, settings: ClipSettings, at moment: (any Moment)?, basis: Int
    ) throws(EngineError) -> CommandID {
        try check(settings, frameCount: buffer.frameCount)
        let prepared = PreparedClip(buffer: buffer, settings: settings, for: preparation, basis: basis)
        watch(prepared.stream)
        return try engine.withControl { state throws(EngineError) in
            guard let old = state.clips[clip.rawValue] else { throw .unknownClip(clip) }
            try supplyStretching(for: settings, &state)
            let command = try engine.push(
                [.launcher(.install(clip: clip.rawValue, prepared.content))], at: moment, &state)
            state.replaced[UInt(bitPattern: old.content)] = old
            state.clips[clip.rawValue] = prepared
            return command
        }
    }

    /// Computes what a clip whose pitch is kept plays, ahead of ``load(_:settings:)`` or
    /// ``replace(_:with:settings:at:)`` with the same samples and settings, which then don't take the time: they may be
    /// called where others wait. `nil` for other clips, and for those that would be refused.
    ///
    /// - Complexity: O(*n*) in the frames of the region.
    package func computeSound(of buffer: SampleBuffer, settings: ClipSettings) -> ClipSound? {
        guard settings.playback == .stretch, buffer.partial == nil,
            (try? check(settings, frameCount: buffer.frameCount)) != nil
        else { return nil }
        return ClipSound(of: buffer, settings: settings, for: preparation)
    }

    /// Whether the renderer waits for the frames of clips that are streamed, in place of fading out where they are
    /// missing: for rendering offline, where nothing may depend on time. Not while a device plays.
    public var waitsForClips: Bool {
        get { engine.link.counters.pointee.waitsForClips.load(ordering: .relaxed) }
        nonmutating set { engine.link.counters.pointee.waitsForClips.store(newValue, ordering: .relaxed) }
    }

    /// Whether a clip is streamed: it plays from its file, of which only a part is in memory.
    public func isStreamed(_ clip: ClipHandle) -> Bool { current(clip)?.stream != nil }

    /// Why a file of a streamed clip could not be read; what is missing of it is silent.
    package var streamProblems: [ClipHandle: String] {
        let clips = engine.control.withLock { $0.clips }
        return Dictionary(
            uniqueKeysWithValues: clips.compactMap { clip, prepared in
                prepared.stream?.window.problem.map { (ClipHandle(clip), $0) }
            })
    }

    /// Has the feeder of a streamed clip rest with the engine.
    private func watch(_ stream: PreparedStream?) {
        stream?.watch { [weak engine] in engine.map { $0.isAtRest && !$0.launcher.waitsForClips } ?? true }
    }

    /// Changes a clip's start position. If it plays, its origin moves, across a crossfade of 5 ms: to the grid's origin
    /// for ``StartPosition/synced``, to the boundary on which it was launched for ``StartPosition/fromStart``.
    ///
    /// - Complexity: O(*n*) in the frames of the region.
    @discardableResult
    public func setStartPosition(
        _ startPosition: StartPosition, of clip: ClipHandle, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard let prepared = current(clip) else { throw .unknownClip(clip) }
        var settings = prepared.settings
        settings.startPosition = startPosition
        // What it is by then may be another one, of which this is no more than where it starts.
        return try replace(
            clip, with: prepared.buffer, settings: settings, at: moment, basis: prepared.content.pointee.serial)
    }

    /// Unloads a clip. If it plays, it fades out; its memory is freed when the audio thread has retired it.
    public func unload(_ clip: ClipHandle) throws(EngineError) {
        try engine.withControl { state throws(EngineError) in
            guard let old = state.clips[clip.rawValue] else { throw .unknownClip(clip) }
            try engine.push([.launcher(.remove(clip: clip.rawValue))], at: nil, &state)
            state.replaced[UInt(bitPattern: old.content)] = old
            state.clips[clip.rawValue] = nil
            state.layers[clip.rawValue] = nil
            state.freeHandles.append(clip.rawValue)
        }
    }

    /// The content that a clip plays: its latest layer, or itself.
    private func current(_ clip: ClipHandle) -> PreparedClip? {
        engine.control.withLock { state in
            state.layers(of: clip.rawValue).first { $0.isAudible } ?? state.clips[clip.rawValue]
        }
    }

    /// The settings of a loaded clip; `nil` if it is not, or no longer, loaded.
    ///
    /// - Complexity: O(*n*) in the clip's layers.
    public func settings(of clip: ClipHandle) -> ClipSettings? {
        current(clip)?.settings
    }

    /// What clips are prepared for.
    var preparation: ClipPreparation {
        ClipPreparation(
            sampleRate: engine.sampleRate, quality: engine.configuration.varispeed,
            voiceCount: engine.configuration.voiceCount)
    }

    /// Preallocates what the audio thread needs for clips whose pitch is kept, once there is one: its voices are among
    /// those of all tracks.
    private func supplyStretching(
        for settings: ClipSettings, _ state: inout Engine.ControlState
    ) throws(EngineError) {
        state.clipTrackCount = max(state.clipTrackCount, settings.track.rawValue + 1)
        guard state.stretching != nil || settings.playback == .stretch else { return }
        let stretching =
            state.stretching
            ?? PreparedStretching(voiceCount: engine.configuration.voiceCount, sampleRate: engine.sampleRate)
        stretching.prepare(trackCount: state.clipTrackCount)
        if state.stretching != nil { return }
        try engine.push([.launcher(.supply(stretching.pool))], at: nil, &state)
        state.stretching = stretching
    }

    func check(_ settings: ClipSettings, frameCount: Int) throws(EngineError) {
        try engine.check(settings.track)
        if let region = settings.region, region.isEmpty || region.lowerBound < 0 || region.upperBound > frameCount {
            throw .invalidRegion(region, frameCount: frameCount)
        }
        if let beats = settings.beats, !ClipSettings.beatsRange.contains(beats) { throw .invalidBeats(beats) }
        guard (0...(settings.beats ?? ClipSettings.beatsRange.upperBound)).contains(settings.firstBeat) else {
            throw .invalidValue(name: "firstBeat", value: settings.firstBeat)
        }
        guard ClipSettings.transpositionRange.contains(settings.transposition) else {
            throw .invalidValue(name: "transposition", value: settings.transposition)
        }
        _ = try Engine.amplitude(settings.gain)
        try check(settings.stretch)
        try check(settings.warp, of: settings, frameCount: frameCount)
        if let quantization = settings.quantization { try engine.check(quantization) }
        try check(settings.fadeIn, named: "fade-in", in: ClipSettings.fadeRange)
        try check(settings.fadeOut, named: "fade-out", in: ClipSettings.fadeRange)
    }

    private func check(_ stretch: StretchParameters) throws(EngineError) {
        try check(stretch.kept, named: "kept", in: StretchParameters.keptRange)
        try check(stretch.decay, named: "decay", in: StretchParameters.decayRange)
        try check(stretch.cutRise, named: "cutRise", in: StretchParameters.cutRiseRange)
        try check(stretch.formants, named: "formants", in: ClipSettings.transpositionRange)
    }

    private func check(_ value: Double?, named name: String, in range: ClosedRange<Double>) throws(EngineError) {
        if let value, !range.contains(value) { throw .invalidValue(name: name, value: value) }
    }

    /// Rejects markers that don't ascend from the region's first frame and beat 0 to its last frame and beat.
    private func check(_ markers: [WarpMarker], of settings: ClipSettings, frameCount: Int) throws(EngineError) {
        guard let beats = settings.beats else { return }
        let region = settings.region ?? 0..<frameCount
        var last = WarpMarker(frame: region.lowerBound, beat: 0)
        for marker in markers {
            guard marker.frame > last.frame, marker.beat > last.beat, marker.frame < region.upperBound,
                marker.beat < beats
            else { throw .invalidValue(name: "warp", value: marker.beat) }
            last = marker
        }
    }
}
