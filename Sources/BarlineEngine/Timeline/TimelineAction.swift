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
        /// Moves the song position, or loops it.
        case relocate(SongPlace)
        case loop(SongRegion, isOn: Bool)
        case looping(Bool)
        /// Moves the beats to where they are as if the device's clock had jumped by so many frames.
        case clock(frames: Int64)
    }
}
