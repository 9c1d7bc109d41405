import CRealtime

/// The song's position as a function of the monotonic beat.
///
/// Launches are queued on the monotonic beat, which never jumps. The song position follows it until it is relocated,
/// and runs in a circle while a loop is set.
@usableFromInline package struct SongPosition: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline var anchorBeat: Beat
    @usableFromInline var anchorPosition: Beat
    @usableFromInline var loopStart: Beat
    @usableFromInline var loopLength: Double

    /// A song position equal to the monotonic beat.
    @_noLocks @inlinable package init() {
        anchorBeat = Beat(rawValue: 0)
        anchorPosition = Beat(rawValue: 0)
        loopStart = Beat(rawValue: 0)
        loopLength = 0
    }

    /// The position at the monotonic `beat`.
    @_noLocks @inlinable package func position(at beat: Beat) -> Beat {
        let straight = anchorPosition + (beat - anchorBeat)
        let loopEnd = loopStart + loopLength
        guard loopLength > 0, anchorPosition < loopEnd, straight >= loopEnd else { return straight }
        let turns = rt_floor((straight - loopStart) / loopLength)
        return straight - turns * loopLength
    }

    /// Jumps to `position` at the monotonic `beat`.
    @_noLocks @inlinable package mutating func relocate(at beat: Beat, to position: Beat) {
        anchorBeat = beat
        anchorPosition = position
    }

    /// Loops from `start` over `length` quarter notes from the monotonic `beat` on; a length of 0 or less ends the
    /// loop. A position past the loop's end plays on without looping.
    @_noLocks @inlinable package mutating func loop(at beat: Beat, start: Beat, length: Double) {
        relocate(at: beat, to: position(at: beat))
        loopStart = start
        loopLength = length > 0 ? length : 0
    }
}
