import CRealtime

/// The song position as a function of the monotonic beat.
///
/// Launches are queued on the monotonic beat, which never jumps. The song position follows it from where the song is
/// entered, until it is relocated, and loops while a loop is on.
@usableFromInline package struct SongPosition: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline var anchorBeat: Beat
    @usableFromInline var anchorPosition: Beat
    /// The position at which the song begins when the transport starts.
    @usableFromInline var entry: Beat
    /// The start of the region that is looped, or was.
    @usableFromInline package internal(set) var loopStart: Beat
    /// Its length in quarter notes; 0 if there is none.
    @usableFromInline package internal(set) var loopLength: Double
    /// Whether the loop is on.
    @usableFromInline package internal(set) var isLooping: Bool

    /// Creates a song position equal to the monotonic beat.
    @_noLocks @inlinable package init() {
        anchorBeat = Beat(rawValue: 0)
        anchorPosition = Beat(rawValue: 0)
        entry = Beat(rawValue: 0)
        loopStart = Beat(rawValue: 0)
        loopLength = 0
        isLooping = false
    }

    /// Whether the invariants hold: only a region that has a length is looped.
    @_noLocks package func checkInvariants() -> Bool { isLooping ? loopLength > 0 : loopLength >= 0 }

    /// The position at the monotonic `beat`.
    @_noLocks @inlinable package func position(at beat: Beat) -> Beat {
        let straight = anchorPosition + (beat - anchorBeat)
        let loopEnd = loopStart + loopLength
        guard isLooping, anchorPosition < loopEnd, straight >= loopEnd else { return straight }
        let cycles = rt_floor((straight - loopStart) / loopLength)
        return straight - cycles * loopLength
    }

    /// Jumps to `position` at the monotonic `beat`.
    @_noLocks @inlinable package mutating func relocate(at beat: Beat, to position: Beat) {
        anchorBeat = beat
        anchorPosition = position
    }

    /// Makes the song begin at `position` whenever the transport starts.
    @_noLocks @inlinable package mutating func enter(at position: Beat) {
        entry = position
        restart()
    }

    /// Returns to where the song begins, at beat 0.
    @_noLocks @inlinable package mutating func restart() { relocate(at: Beat(rawValue: 0), to: entry) }

    /// Loops from `start` over `length` quarter notes from the monotonic `beat` on; a length of 0 or less ends the
    /// loop. A position past the loop's end continues without looping.
    @_noLocks @inlinable package mutating func loop(at beat: Beat, start: Beat, length: Double) {
        relocate(at: beat, to: position(at: beat))
        loopStart = start
        loopLength = length > 0 ? length : 0
        isLooping = loopLength > 0
    }

    /// Turns the loop of the latest region on or off from the monotonic `beat` on; without a region it stays off.
    @_noLocks @inlinable package mutating func setLooping(_ isOn: Bool, at beat: Beat) {
        relocate(at: beat, to: position(at: beat))
        isLooping = isOn && loopLength > 0
    }
}
