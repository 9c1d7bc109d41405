import BarlineDSP
import BarlineTime

extension Renderer {
    /// Publishes what a display needs, as of `now`.
    @_noLocks func publish() {
        let board = link.board
        board.beginUpdate()
        let beat = timeline.currentBeat
        let position = timeline.metre.position(at: beat)
        let signature = timeline.metre.timeSignature(at: beat)
        board.set(StateLayout.frame, timeline.now.rawValue)
        board.set(StateLayout.flags, timeline.isRolling ? Int64(1) : Int64(0))
        board.set(StateLayout.beat, beat.rawValue)
        board.set(StateLayout.songPosition, timeline.song.position(at: beat).rawValue)
        board.set(StateLayout.tempo, timeline.tempo.tempo(at: timeline.now).beatsPerMinute)
        board.set(StateLayout.bar, position.bar)
        board.set(StateLayout.pulse, Int64(position.pulse))
        board.set(StateLayout.timeSignature, Int64(signature.numerator * 256 + signature.denominator))
        board.set(StateLayout.sampleRate, timeline.sampleRate.hertz)
        var inUse: Int64 = 0
        for index in 0..<voiceEnd where !voices[index].isFree { inUse += 1 }
        board.set(StateLayout.voices, inUse)
        publishStems()
        publishPlaylist()
        publishBeats()
        board.set(StateLayout.metronome, metronome.settings.isEnabled ? Int64(1) : Int64(0))
        for track in 0..<trackCount { publish(track: track) }
        mixer.publish(to: board)
        board.endUpdate()
    }

    @_noLocks private func publishStems() {
        let board = link.board
        var phase: Int64 = multitrack.wantsToPlay || multitrack.isQueued ? 1 : 0
        var seconds = multitrack.heldSeconds
        if multitrack.current >= 0 {
            let head = heads[multitrack.current]
            phase = head.isStarved ? 3 : 2
            seconds = exactSeconds(of: head)
        }
        board.set(StateLayout.stemsPhase, phase)
        board.set(StateLayout.stemsPosition, seconds)
        board.set(StateLayout.stemsUnderruns, multitrack.underruns)
    }

    @_noLocks private func publishPlaylist() {
        let board = link.board
        var phase: Int64 = playlist.wantsToPlay ? 2 : playlist.isStopped ? 0 : 1
        var deck = playlist.heldDeck
        var position = playlist.heldPosition
        if playlist.current >= 0 {
            phase = 3
            deck = listHeads[playlist.current].deck
            position = listHeads[playlist.current].position(at: timeline.now)
        } else if deck < 0 {
            phase = playlist.wantsToPlay ? 2 : 0
        }
        board.set(StateLayout.playlistPhase, phase)
        board.set(StateLayout.playlistDeck, Int64(deck))
        board.set(StateLayout.playlistPosition, position)
        board.set(StateLayout.playlistItem, Int64(playlist.item.rawValue))
        board.set(StateLayout.playlistTurn, Int64(playlist.turn))
        board.set(StateLayout.playlistOrigin, playlist.origin)
        board.set(StateLayout.playlistUnderruns, playlist.underruns)
    }

    @_noLocks private func publish(track: Int) {
        let board = link.board
        let word = StateLayout.track(track)
        let state = tracks[track]
        if state.voice >= 0 {
            let voice = voices[state.voice]
            let length = Double(voice.content.pointee.region.length)
            let position = sourcePosition(ofVoice: state.voice)
            board.set(word + StateLayout.Track.clip, Int64(voice.clip))
            board.set(word + StateLayout.Track.progress, position > 0 ? position / length : 0)
            board.set(word + StateLayout.Track.sourceFrame, position)
            board.set(word + StateLayout.Track.iteration, voice.iteration)
        } else {
            board.set(word + StateLayout.Track.clip, Int64(-1))
        }
        switch state.queue.request {
        case .nothing: board.set(word + StateLayout.Track.queued, Int64(-1))
        case .stop: board.set(word + StateLayout.Track.queued, Int64(-2))
        case .launch(let clip): board.set(word + StateLayout.Track.queued, Int64(clip))
        }
        board.set(word + StateLayout.Track.queuedFrame, state.queue.frame.rawValue)
    }
}
