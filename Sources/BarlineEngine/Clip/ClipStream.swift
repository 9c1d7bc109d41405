import Synchronization

/// A streamed clip on the audio thread: which of its frames are in memory, and the places at which it is read.
///
/// Its frames have the addresses that they would have if all of them were in memory, so voices read them as those of any
/// clip; before that they ask for what they need. Positions are source frames from the region's start, not wrapped: those
/// of a loop's later passes are beyond its length.
///
/// A place is published before the presence of its frames is looked at, and frames are marked as absent before the
/// published places are looked at, all in one order: frames found present stay so until the place is published anew.
struct ClipStream: BitwiseCopyable, @unchecked Sendable {
    /// A place at which the clip is read, or soon will be: the frames `from ..< until` are needed.
    struct Place: ~Copyable {
        let from = Atomic<Int64>(.max)
        let until = Atomic<Int64>(.min)
        /// Counts the publications.
        let count = Atomic<Int>(0)
    }

    /// The places: that of the launch, and those of the voices that can play the clip at a time, all but one of which
    /// fade.
    private let places: UnsafeMutablePointer<Place>
    private let placeCount: Int
    /// One more than the highest place that was ever claimed.
    private let usedPlaces: UnsafeMutablePointer<Atomic<Int>>
    private let chunks: UnsafeMutablePointer<Atomic<Bool>>
    /// The region's first frame in the file.
    private let first: Int64
    /// The region's length.
    private let length: Int64
    /// The file's length.
    private let frameCount: Int64
    private let loops: Bool

    /// The frames of a chunk, the unit that is read and given back: 0.34 s at 48 kHz.
    static var chunkFrames: Int64 { @_noLocks get { 16_384 } }
    /// The place at which a queued launch will start.
    static var launchPlace: Int { @_noLocks get { 0 } }
    /// The frames on either side of a position that may be read with it.
    static var reach: Int64 { @_noLocks get { 512 } }
    /// The seconds of output for which frames are kept ahead.
    static var secondsAhead: Double { @_noLocks get { 1.5 } }
    /// The most chunks looked at in one go.
    private static var mostChunks: Int { @_noLocks get { 1_024 } }

    init(
        places: UnsafeMutablePointer<Place>, placeCount: Int, usedPlaces: UnsafeMutablePointer<Atomic<Int>>,
        chunks: UnsafeMutablePointer<Atomic<Bool>>, region: Range<Int>, frameCount: Int, loops: Bool
    ) {
        self.places = places
        self.placeCount = placeCount
        self.usedPlaces = usedPlaces
        self.chunks = chunks
        first = Int64(region.lowerBound)
        length = Int64(region.count)
        self.frameCount = Int64(frameCount)
        self.loops = loops
    }

    // MARK: Places

    /// Claims a place for a voice; −1 if none is free. O(places).
    @_noLocks func claimPlace() -> Int {
        for place in 1..<placeCount where places[place].from.load(ordering: .relaxed) == .max {
            if place >= usedCount { usedPlaces.pointee.store(place + 1, ordering: .sequentiallyConsistent) }
            return place
        }
        return -1
    }

    /// The number of places that are looked at; those beyond it are free.
    var usedCount: Int { @_noLocks get { usedPlaces.pointee.load(ordering: .sequentiallyConsistent) } }

    /// Publishes that the frames `from ..< until` are needed at a place.
    @_noLocks func publish(_ place: Int, from: Int64, until: Int64) {
        places[place].from.store(from, ordering: .sequentiallyConsistent)
        places[place].until.store(until, ordering: .sequentiallyConsistent)
        places[place].count.wrappingAdd(1, ordering: .relaxed)
    }

    /// Gives a place back: nothing is needed there.
    @_noLocks func leave(_ place: Int) {
        places[place].until.store(.min, ordering: .sequentiallyConsistent)
        places[place].from.store(.max, ordering: .sequentiallyConsistent)
    }

    /// The frames needed at a place; none if it is free.
    @_noLocks func needed(at place: Int) -> (from: Int64, until: Int64) {
        (
            places[place].from.load(ordering: .sequentiallyConsistent),
            places[place].until.load(ordering: .sequentiallyConsistent)
        )
    }

    /// The number of publications at a place.
    @_noLocks func publications(at place: Int) -> Int { places[place].count.load(ordering: .relaxed) }

    // MARK: Presence

    /// The number of frames from `from` on that are in memory, up to `until`. O(chunks).
    @_noLocks func presentFrames(from: Int64, until: Int64) -> Int64 {
        var position = from
        var steps = 0
        while position < until, steps < ClipStream.mostChunks {
            // What follows a whole turn are the same frames.
            if loops, position - from >= length { return until - from }
            let (frame, run) = fileFrame(at: position)
            var count = run
            if frame >= 0 {
                let chunk = frame / ClipStream.chunkFrames
                if !chunks[Int(chunk)].load(ordering: .sequentiallyConsistent) { break }
                let rest = (chunk + 1) * ClipStream.chunkFrames - frame
                if rest < count { count = rest }
            }
            position += until - position < count ? until - position : count
            steps += 1
        }
        return position - from
    }

    /// The file's frame at a position, and the number of frames that follow each other from there; −1 where there is
    /// silence beside the file.
    @_noLocks func fileFrame(at position: Int64) -> (frame: Int64, run: Int64) {
        if loops {
            var within = position % length
            if within < 0 { within += length }
            return (first + within, length - within)
        }
        let frame = first + position
        if frame < 0 { return (-1, -frame) }
        return frame < frameCount ? (frame, frameCount - frame) : (-1, .max)
    }
}
