import BarlineDSP
import BarlineTime
import CRealtime
import Synchronization

/// A stem on the audio thread: how its source's frames lie on the multitrack's timeline, and a ring of them for every
/// deck.
struct StemPart: ~Copyable, @unchecked Sendable {
    private let rings: UnsafeMutablePointer<StreamRing>
    private let onsets: UnsafeMutablePointer<Atomic<Bool>>
    private let marks: UnsafeMutablePointer<StemMarkRing>
    /// Frames of the source per second.
    let sourceRate: Double
    /// The source frame at position 0.
    let offset: Double
    /// The frames that its rings must hold around a position.
    let reach: SourceReach
    /// The sample rate at which its source's frames have the intended pitch; 0 if it is not stretched.
    private let pitchRate: Double
    /// Set by the audio thread when it has retired the part, and will not read it again.
    let isLeft = Atomic<Bool>(false)

    /// A frame that no source comes near, up to which numbers are exact.
    private static let farthestFrame: Int64 = 1 << 53

    init(_ stem: Stem) {
        sourceRate = stem.source.sampleRate.hertz
        offset = Double(min(max(stem.offset, -StemPart.farthestFrame), StemPart.farthestFrame))
        pitchRate = stem.stretching?.pitchRate.hertz ?? 0
        reach =
            stem.stretching.map { SourceReach(grainFrames: StretchTables.size(at: $0.pitchRate)) } ?? .interpolated
        rings = .allocate(capacity: StemSetContent.deckCount)
        onsets = .allocate(capacity: StemSetContent.deckCount)
        marks = .allocate(capacity: StemSetContent.deckCount)
        for deck in 0..<StemSetContent.deckCount {
            (rings + deck).initialize(to: SourceRing.make(reach))
            (onsets + deck).initialize(to: Atomic(false))
            (marks + deck).initialize(to: StemMarkRing(isNeeded: stem.stretching != nil))
        }
    }

    deinit {
        for deck in 0..<StemSetContent.deckCount {
            rings[deck].deallocate()
            marks[deck].deallocate()
        }
        rings.deallocate()
        marks.deallocate()
        onsets.deinitialize(count: StemSetContent.deckCount)
        onsets.deallocate()
    }

    /// The audio thread's end of a deck's ring.
    @_noLocks borrowing func ring(ofDeck deck: Int) -> StreamRing.Reader { rings[deck].reader }

    /// The feeder's end of a deck's ring.
    @_noLocks borrowing func feed(ofDeck deck: Int) -> StreamRing.Writer { rings[deck].writer }

    /// The marks around the frames in a deck's ring.
    @_noLocks borrowing func markRing(ofDeck deck: Int) -> StemMarkRing { marks[deck] }

    /// Whether its pitch is kept.
    var isStretched: Bool { @_noLocks get { pitchRate > 0 } }

    /// The stretch source of a voice that reads a deck, at the engine's `sampleRate`.
    @_noLocks borrowing func stretchSource(ofDeck deck: Int, sampleRate: SampleRate) -> StretchSource {
        marks[deck].source(ring(ofDeck: deck), pace: pitchRate / sampleRate.hertz)
    }

    /// Whether a deck's ring holds the frames needed for a start.
    @_noLocks borrowing func isStocked(onDeck deck: Int) -> Bool {
        let ring = ring(ofDeck: deck)
        return ring.written - ring.first >= reach.startFrames(sourceRate)
    }

    /// Releases the frames in a deck's ring before `seconds`, except those still needed.
    @_noLocks borrowing func pass(_ seconds: Double, onDeck deck: Int) {
        ring(ofDeck: deck).release(before: frameBefore(seconds) - reach.behind)
    }

    /// Whether a start on the stem's first frame would click; known once that frame is in a deck's ring.
    @_noLocks borrowing func startsLoud(onDeck deck: Int) -> Bool { onsets[deck].load(ordering: .relaxed) }

    /// Sets whether a start on the stem's first frame would click. For a deck's feeder.
    @_noLocks borrowing func setStartsLoud(_ isLoud: Bool, onDeck deck: Int) {
        onsets[deck].store(isLoud, ordering: .relaxed)
    }

    /// The source frame before the one that is read at `seconds`.
    @_noLocks borrowing func frameBefore(_ seconds: Double) -> Int64 {
        Int64(rt_floor(offset + seconds * sourceRate)) - 1
    }

    /// The number of source frames before a position that are cued as well. A loop wraps on a whole frame, which may be
    /// half a frame before the loop's start: at the highest speed (999 BPM of 20, 192 kHz at 44.1) some 110 source
    /// frames.
    private static var leadFrames: Int64 { @_noLocks get { 128 } }

    /// The first frame in a deck's ring when it is cued to `seconds`.
    @_noLocks borrowing func firstFrame(at seconds: Double) -> Int64 {
        Int64(rt_floor(offset + seconds * sourceRate)) - reach.behind - StemPart.leadFrames
    }
}
