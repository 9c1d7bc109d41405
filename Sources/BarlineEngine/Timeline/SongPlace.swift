import BarlineTime

/// A position in the song.
enum SongPlace: BitwiseCopyable, Sendable {
    case beat(Beat)
    /// The line of a bar, counted from 0, in the metre at the time of the request.
    case bar(Int64)
}

/// A region of the song.
enum SongRegion: BitwiseCopyable, Sendable {
    /// A number of quarter notes from a beat on.
    case beats(start: Beat, length: Double)
    /// A number of bars from one on, counted from 0, in the metre at the time of the request.
    case bars(first: Int64, count: Int64)
}
