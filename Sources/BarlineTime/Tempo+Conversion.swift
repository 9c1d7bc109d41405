/// Seconds, beats and tempi from each other, where the tempo is constant. Over changes of tempo ``TempoMap`` converts.
extension Tempo {
    /// The seconds that `beats` quarter notes take at this tempo.
    @_noLocks @inlinable public func seconds(of beats: Double) -> Double {
        Tempo.seconds(of: beats, at: beatsPerMinute)
    }

    /// The quarter notes that there are in `seconds` at this tempo.
    @_noLocks @inlinable public func beats(in seconds: Double) -> Double {
        Tempo.beats(in: seconds, at: beatsPerMinute)
    }

    /// The quarter notes that there are in `frames` at this tempo.
    @_noLocks @inlinable package func beats(inFrames frames: Double, at sampleRate: SampleRate) -> Double {
        frames * beatsPerMinute / sampleRate.framesPerMinute
    }
}

/// The same for tempi that need not be within ``Tempo/range``: recorded and detected ones.
extension Tempo {
    /// The seconds that `beats` quarter notes take at `beatsPerMinute`, above 0.
    @_noLocks @inlinable package static func seconds(of beats: Double, at beatsPerMinute: Double) -> Double {
        60 * beats / beatsPerMinute
    }

    /// The quarter notes that there are in `seconds` at `beatsPerMinute`.
    @_noLocks @inlinable package static func beats(in seconds: Double, at beatsPerMinute: Double) -> Double {
        seconds * beatsPerMinute / 60
    }

    /// The tempo in BPM at which `beats` quarter notes take `seconds`, above 0.
    @_noLocks @inlinable package static func beatsPerMinute(of beats: Double, in seconds: Double) -> Double {
        60 * beats / seconds
    }

    /// The frames, not rounded, that `beats` quarter notes take at `beatsPerMinute`, above 0, with `rate` frames a
    /// second.
    @_noLocks @inlinable package static func frames(
        of beats: Double, at beatsPerMinute: Double, rate: Double
    ) -> Double {
        beats * 60 * rate / beatsPerMinute
    }

    /// The tempo in BPM at which `beats` quarter notes take `frames`, above 0, with `rate` frames a second.
    @_noLocks @inlinable package static func beatsPerMinute(
        of beats: Double, inFrames frames: Double, rate: Double
    ) -> Double {
        beats * 60 * rate / frames
    }
}

extension SampleRate {
    /// Frames per minute.
    @inlinable package var framesPerMinute: Double { @_noLocks get { 60 * hertz } }
}
