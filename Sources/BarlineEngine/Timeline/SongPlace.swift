import BarlineTime

/// A place of the song.
enum SongPlace: BitwiseCopyable, Sendable {
    case beat(Beat)
    /// The line of a bar, counted from 0, in the metre of the moment at which it is asked for.
    case bar(Int64)
}

/// A region of the song.
enum SongRegion: BitwiseCopyable, Sendable {
    /// So many quarter notes from a beat on.
    case beats(start: Beat, length: Double)
    /// So many bars from one on, counted from 0, in the metre of the moment at which they are asked for.
    case bars(first: Int64, count: Int64)
}
