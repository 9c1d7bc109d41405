import BarlineTime

extension Timeline {
    /// A command to the timeline.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case start
        case stop
        case tempo(Tempo, RampLength)
        case timeSignature(TimeSignature)
        case countIn(Int)
        case snapTolerance(Double)
        /// Moves the song's position, or lets it run in a circle.
        case relocate(SongPlace)
        case loop(SongRegion, isOn: Bool)
        case looping(Bool)
    }
}
