import CKernels
import CRealtime

/// A voice that plays a source at constant pitch, whatever its position does.
///
/// It is a phase vocoder without a clock of its own: for each grain it asks the ``StretchCourse`` for the source
/// position at the grain's centre, and reads the source there and once more a hop before (Portnoff, "Time-scale
/// modification of speech based on short-time Fourier analysis", 1981). Between the two readings the phase of every
/// partial advances by as much as it does in a hop of the output, whatever the rate, even where the position jumps; so
/// phases need not be unwrapped, and no error accumulates. Bins are locked to the peak that they surround, in both
/// channels (Laroche and Dolson, "Improved phase vocoder time-scale modification of audio", 1999).
///
/// Attacks are known in advance, as marks. Each begins on its exact frame: grains before it are cut off, the grain on
/// it takes the phases of what has risen from the source (Röbel, "A new approach to transient processing in the phase
/// vocoder", 2003), and the source continues at its own pace for 43 ms, which is recovered on the way to the next
/// attack.
///
/// Where grains would reproduce the source itself (after a launch, at the beginning of a pass of a loop, and at the
/// source's own tempo) a ``StretchLine`` copies it. Grain computation is spread over the hops by ``slot``; which grain
/// is computed when depends on the timeline alone, so that the output does not depend on the block size.
package struct StretchVoice: BitwiseCopyable, @unchecked Sendable {
    /// The next frame to render; ``unstarted`` before the first.
    var time = StretchVoice.unstarted
    /// The frame at which to decide what comes next.
    var wake: Int64 = 0
    /// The number of the voice's time slot for computing within a hop, and where that begins, in frames.
    private var slotNumber: Int
    private(set) var slot: Int64

    var line = StretchLine()
    /// The former line, until it is silent.
    var formerLine = StretchLine()
    /// Whether the latest line continues, and no grain has been computed since.
    var isCopying = true
    /// The centre of the latest grain.
    var middle: Int64 = 0
    /// The centre of the next grain, if it is still in time.
    var nextMiddle: Int64 = 0
    /// The first frame after the latest cut: grains are audible from there on.
    var cut = -StretchLine.never
    /// How grains enter there.
    var entry = Entry.none
    /// The cut before that.
    var formerCut = -StretchLine.never
    /// The latest attack that is cut at, from which on slices decay, and the one before it.
    var decayStart = -StretchLine.never
    var formerDecayStart = -StretchLine.never
    /// The first frame on which no grain is audible.
    var grainsEnd = -StretchLine.never
    /// The first frame from which on nothing is left of them: that, or an earlier one on which they were ended.
    var sumsEnd = -StretchLine.never
    /// The attack before which the grains computed so far fade out, or ``StretchLine/never``.
    var grainsStop = StretchLine.never
    /// The frame before which no grain is computed: those of other voices are until then.
    var restsUntil = -StretchLine.never
    /// Whether the course has changed since the last decision about what comes next.
    var isStale = false
    /// The number of successive grains at the source's own pace.
    var calmGrains = 0

    // The latest mark: what plays on which frame, and from when on the position returns to the course.
    var hasAnchor = false
    var anchorFrame: Int64 = 0
    var anchorSource: Int64 = 0
    var anchorEnd: Int64 = 0
    /// Its number.
    var anchorMark: Int64 = 0
    /// Where what it is compared with ends, to find what is new in it: the source frame of it, or of a mark that it
    /// follows closely.
    var silentUntil: Int64 = 0
    /// How far ahead of the course the source is at ``anchorEnd``.
    var deviation = 0.0
    /// The number of the next mark.
    var nextMark: Int64 = 0
    /// The number of the mark before which the line ends, or ``noMark``.
    var lineMark = StretchVoice.noMark

    /// The number of transforms computed since the start: a measure of the work done.
    package var transformCount: Int64 = 0

    /// The spectrum of the latest grain.
    let former: dsp_complex
    let sumLeft: UnsafeMutablePointer<Float>
    let sumRight: UnsafeMutablePointer<Float>
    let sumWeights: UnsafeMutablePointer<Float>
    /// What grains enter with before the latest cut: the samples of both channels in turn.
    let entered: UnsafeMutablePointer<Float>
    /// The number of frames in the circular overlap-add sums, as long as the grains need.
    private(set) var sumCount: Int

    /// Stands for a line of which it is not known before which mark it ends.
    static var noMark: Int64 { @_noLocks get { .min } }
    /// Stands for a voice that has not started.
    static var unstarted: Int64 { @_noLocks get { .min } }

    /// How grains enter before a cut.
    enum Entry: BitwiseCopyable, Sendable {
        /// None was computed since the cut.
        case none
        /// By their weight, as a line leaves.
        case byWeight
        /// They crossfade with what the sums have.
        case aside

        /// Whether that is not decided.
        var isOpen: Bool {
            @_noLocks get {
                switch self {
                case .none: true
                case .byWeight, .aside: false
                }
            }
        }

        /// Whether it is by their weight.
        var isByWeight: Bool {
            @_noLocks get {
                switch self {
                case .byWeight: true
                case .none, .aside: false
                }
            }
        }
    }

    /// The number of floats that a voice needs.
    @_noLocks static func storageCount(_ tables: StretchTables) -> Int {
        2 * spectrumCount(tables) + 3 * sumCount(tables) + 2 * tables.fade
    }

    /// The number of floats in one half of a spectrum: those of a grain, plus padding for vector instructions.
    @_noLocks static func spectrumCount(_ tables: StretchTables) -> Int { tables.size + 32 }

    /// The number of frames of each sum: those of a grain, and half a hop.
    @_noLocks static func sumCount(_ tables: StretchTables) -> Int { tables.size + tables.size / 8 }

    init(storage: UnsafeMutablePointer<Float>, slot: Int, tables: StretchTables) {
        let row = StretchVoice.spectrumCount(tables)
        former = dsp_complex(real: storage, imaginary: storage + row)
        sumCount = StretchVoice.sumCount(tables)
        sumLeft = storage + 2 * row
        sumRight = sumLeft + sumCount
        sumWeights = sumRight + sumCount
        entered = sumWeights + sumCount
        slotNumber = StretchVoice.slotNumber(ofPlace: slot)
        self.slot = Int64(slotNumber * tables.slot)
    }

    /// Prepares for grains of the length of `tables`, with nothing left of others.
    @_noLocks mutating func adopt(_ tables: StretchTables) {
        if !areSumsSilent { clearSums() }
        sumCount = StretchVoice.sumCount(tables)
        slot = Int64(slotNumber * tables.slot)
    }

    /// Discards all state: the next frames are a new start.
    @_noLocks package mutating func reset() {
        if areSumsSilent { grainsEnd = -StretchLine.never }
        time = StretchVoice.unstarted
    }

    /// Resets it, and has it compute in the time slot of a place, such as a track: what it sounds like depends on that a
    /// little, and must not depend on which voice happens to be free.
    @_noLocks package mutating func reset(place: Int) {
        reset()
        slotNumber = StretchVoice.slotNumber(ofPlace: place)
    }

    /// Those of successive places are far apart, so that few voices share the work as evenly as many.
    @_noLocks private static func slotNumber(ofPlace place: Int) -> Int {
        let step = 4
        let columns = StretchTables.slotCount / step
        return place % columns * step + place / columns % step
    }

    /// Whether everything that grains have added to the sums has been taken out: most voices stop long after that, and
    /// clearing the sums would be the most expensive part of a launch.
    var areSumsSilent: Bool {
        @_noLocks get { grainsEnd == -StretchLine.never || (time != StretchVoice.unstarted && grainsEnd <= time) }
    }

    /// Forces a new decision about what comes next, because the course changes from now on.
    @_noLocks package mutating func replan() {
        if time == StretchVoice.unstarted { return }
        wake = time
        isStale = true
    }
}
