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
        board.set(StateLayout.songLoop, song.isLooping ? Int64(1) : Int64(0))
        board.set(StateLayout.songLoop + 1, song.loopStart.rawValue)
        board.set(StateLayout.songLoop + 2, song.loopLength)
        publishMap(to: board, at: beat)
    }

    @_noLocks private func publishMap(to board: StateBoard, at beat: Beat) {
        let segment = tempo.segment(at: now)
        board.set(StateLayout.map, segment.startFrame.rawValue)
        board.set(StateLayout.map + 1, segment.startBeat.rawValue)
        board.set(StateLayout.map + 2, segment.startTempo.beatsPerMinute)
        board.set(StateLayout.map + 3, segment.endTempo.beatsPerMinute)
        board.set(StateLayout.map + 4, segment.rampBeats)
        publish(metre.segment(at: beat), to: board, StateLayout.map + 5)
        publish(metre.segment(at: Beat(rawValue: .greatestFiniteMagnitude)), to: board, StateLayout.map + 8)
    }

    @_noLocks private func publish(_ segment: MetreSegment, to board: StateBoard, _ word: Int) {
        board.set(word, segment.startBar)
        board.set(word + 1, segment.startBeat.rawValue)
        board.set(word + 2, Int64(segment.timeSignature.numerator * 256 + segment.timeSignature.denominator))
    }
}
