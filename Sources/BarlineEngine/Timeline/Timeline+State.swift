import BarlineDSP
import BarlineTime

/// Publishing the timeline for displays.
extension Timeline {
    /// The timeline at the end of a block.
    struct Snapshot: BitwiseCopyable {
        let frame: FrameTime
        let sampleRate: SampleRate
        let isRolling: Bool
        let beat: Beat
        let songPosition: Beat
        let isLooping: Bool
        /// The loop's region; the length is 0 if none was set.
        let loopStart: Beat
        let loopLength: Double
        let tempo: Tempo
        let position: BarPosition
        let timeSignature: TimeSignature
        /// The current segment of the tempo map, that of the metre map, and the latter's last one.
        let tempoSegment: TempoSegment
        let metreSegment: MetreSegment
        let laterMetreSegment: MetreSegment
    }

    @_noLocks func publish(to board: Board.Writer, at place: BoardPlace<Snapshot>) {
        let beat = currentBeat
        board.put(
            Snapshot(
                frame: now, sampleRate: sampleRate, isRolling: isRolling, beat: beat,
                songPosition: song.position(at: beat), isLooping: song.isLooping, loopStart: song.loopStart,
                loopLength: song.loopLength, tempo: tempo.tempo(at: now),
                position: metre.position(at: beat), timeSignature: metre.timeSignature(at: beat),
                tempoSegment: tempo.segment(at: now), metreSegment: metre.segment(at: beat),
                laterMetreSegment: metre.segment(at: Beat(rawValue: .greatestFiniteMagnitude))),
            at: place)
    }
}

extension EngineState.Transport {
    init(_ timeline: Timeline.Snapshot) {
        let loop = EngineState.SongLoop(
            start: timeline.loopStart, length: timeline.loopLength, isOn: timeline.isLooping)
        self.init(
            isRolling: timeline.isRolling, beat: timeline.beat, songPosition: timeline.songPosition,
            songLoop: timeline.loopLength > 0 ? loop : nil, tempo: timeline.tempo, bar: Int(timeline.position.bar) + 1,
            pulse: timeline.position.pulse + 1,
            timeSignature: timeline.timeSignature)
    }
}

extension TimelineMap {
    init(_ timeline: Timeline.Snapshot) {
        tempo = timeline.tempoSegment
        metre = timeline.metreSegment
        laterMetre = timeline.laterMetreSegment
        isRolling = timeline.isRolling
        now = timeline.frame
    }
}
