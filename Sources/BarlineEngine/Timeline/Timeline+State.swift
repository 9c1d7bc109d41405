import BarlineTime

/// What displays are shown of the timeline.
extension Timeline {
    @_noLocks func publish(to board: StateBoard) {
        let beat = currentBeat
        let position = metre.position(at: beat)
        let signature = metre.timeSignature(at: beat)
        board.set(StateLayout.frame, now.rawValue)
        board.set(StateLayout.flags, isRolling ? Int64(1) : Int64(0))
        board.set(StateLayout.beat, beat.rawValue)
        board.set(StateLayout.songPosition, song.position(at: beat).rawValue)
        board.set(StateLayout.tempo, tempo.tempo(at: now).beatsPerMinute)
        board.set(StateLayout.bar, position.bar)
        board.set(StateLayout.pulse, Int64(position.pulse))
        board.set(StateLayout.timeSignature, Int64(signature.numerator * 256 + signature.denominator))
        board.set(StateLayout.sampleRate, sampleRate.hertz)
    }
}
