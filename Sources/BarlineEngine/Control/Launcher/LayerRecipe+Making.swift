import BarlineDSP
import BarlineTime

/// Layers that are made again.
extension LayerRecipe {
    /// The audio that was played, from the frame on that belongs to the layer's first one.
    package struct Played {
        let samples: SampleBuffer
        let first: Int

        package init(_ samples: SampleBuffer, from first: Int) { (self.samples, self.first) = (samples, first) }
    }

    /// Makes the layer, by the operations of the audio thread: bit for bit what it makes of the same, where the loop
    /// plays at its own tempo.
    ///
    /// - Parameters:
    ///   - loop: the audio of the loop that it is recorded over.
    ///   - region: the frames of it that are the loop.
    ///   - played: what was played; not needed for a change. What it does not have is silent.
    ///   - rate: the layer's sample rate.
    /// - Returns: half a second before the layer, ``marginFrames(at:)``, and the layer; `nil` if there is no such
    ///   layer.
    /// - Complexity: O(*n*) in the layer's length.
    package func make(
        over loop: SampleBuffer, _ region: Range<Int>, played: Played?, at rate: SampleRate
    ) -> SampleBuffer? {
        guard length > 0, !region.isEmpty, region.lowerBound >= 0, region.upperBound <= loop.frameCount,
            position.magnitude < Double(Int32.max)
        else { return nil }
        let settings = ClipSettings(track: TrackIndex(0), region: region, beats: nil, playback: .original)
        let base = PreparedClip(
            buffer: loop, settings: settings, for: ClipPreparation(sampleRate: loop.sampleRate))
        var take = TakeSettings(track: TrackIndex(0), input: InputIndex(0))
        take.longestSeconds = Double(length) / rate.hertz + 1
        let layer = PreparedClip(0, take, channels: 2, sampleRate: rate, serial: 0, layerOf: settings)
        guard let memory = layer.take else { return nil }
        if let played { memory.setPlayed(played, needed(at: rate)) }
        let scratch = RenderScratch()
        defer { scratch.deallocate() }
        withExtendedLifetime((base, layer)) {
            memory.take.pointee.remake(cycle(over: base.content, at: rate), VarispeedReader(), scratch)
        }
        return SampleBuffer(memory.storage, frameCount: memory.margin + length, sampleRate: rate)
    }

    private func cycle(over base: UnsafePointer<ClipContent>, at rate: SampleRate) -> LayerCycle {
        switch making {
        case .overdub(let feedback, let recorded):
            var cycle = LayerCycle(
                remaking: .overdub(feedback: feedback), over: base, from: position, length: Int64(length))
            let end = min(length, recorded + LayerRecipe.margin(at: rate))
            cycle.extent =
                recorded < length
                ? .part(recorded: Int64(recorded), inputEnd: Int64(end), restFrom: .never) : .whole
            return cycle
        case .change(let change):
            var cycle = LayerCycle(
                remaking: .change(change, baseLayerLength: Int64(base.pointee.region.length), beats: 0), over: base,
                from: position, length: Int64(length))
            cycle.extent = .part(recorded: 0, inputEnd: 0, restFrom: .never)
            return cycle
        }
    }
}

extension TakeMemory {
    /// Has some of what was played for what the input gave.
    fileprivate func setPlayed(_ played: LayerRecipe.Played, _ frames: Range<Int>) {
        guard let storage = playedStorage else { return }
        for frame in frames {
            let source = played.first + frame
            guard source >= 0, source < played.samples.frameCount else { continue }
            storage.left[margin + frame] = played.samples.left[source]
            storage.right[margin + frame] = played.samples.right[source]
        }
    }
}
