/// What displays are shown of the launcher.
extension Launcher {
    @_noLocks func publish(_ context: inout RenderContext) {
        var inUse: Int64 = 0
        for index in 0..<voiceEnd where !voices[index].isFree { inUse += 1 }
        context.link.board.set(StateLayout.voices, inUse)
        for track in 0..<trackCount { publishTrack(track, &context) }
    }

    @_noLocks private func publishTrack(_ track: Int, _ context: inout RenderContext) {
        let board = context.link.board
        let word = StateLayout.track(track)
        let state = tracks[track]
        if state.voice >= 0 {
            let voice = voices[state.voice]
            let length = Double(voice.content.pointee.region.length)
            let position = sourcePosition(ofVoice: state.voice, context.timeline)
            board.set(word + StateLayout.Track.clip, Int64(voice.clip))
            board.set(word + StateLayout.Track.progress, position > 0 ? position / length : 0)
            board.set(word + StateLayout.Track.sourceFrame, position * voice.content.pointee.sourceScale)
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
