import CKernels
import CRealtime

/// One sound whose pitch is kept, wherever its position goes.
///
/// It is a phase vocoder without a clock of its own: for each grain it asks the ``StretchCourse`` where the source is to be
/// in the grain's middle, and reads the source there and once more a hop before (Portnoff, "Time-scale modification of
/// speech based on short-time Fourier analysis", 1981). From the one reading to the other every partial has turned by
/// as much as it turns in a hop of the output, whatever the rate, also where the position jumps; so phases need not be
/// unwrapped, and no error adds up. Bins go with the peak that they surround, in both channels (Laroche and Dolson, "Improved
/// phase vocoder time-scale modification of audio", 1999).
///
/// Attacks are known beforehand, as marks. Each begins on its very frame: grains before it are cut off, the grain on it takes
/// the phases of what has risen from the source (Röbel, "A new approach to transient processing in the phase vocoder", 2003),
/// and the source goes on at its own pace for 43 ms, which the rest of the way to the next one makes up for.
///
/// Where grains would be the source itself, after a launch, at the beginning of a loop's turn and at the source's own tempo,
/// a ``StretchLine`` copies it. Computing grains is spread over the hops by ``slot``; when which grain is computed depends on
/// the timeline alone, so that blocks don't show.
package struct StretchVoice: BitwiseCopyable, @unchecked Sendable {
    /// The frame that is put out next; ``unstarted`` where there is none.
    var time = StretchVoice.unstarted
    /// The frame at which it is to be decided what comes next.
    var wake: Int64 = 0
    /// When in a hop this voice computes, in frames.
    let slot: Int64

    var line = StretchLine()
    /// The line before, until it is silent.
    var formerLine = StretchLine()
    /// Whether the latest line goes on, and no grain has been computed since.
    var isCopying = true
    /// The middle of the latest grain.
    var middle: Int64 = 0
    /// The middle of the next grain, unless it is too late for that.
    var nextMiddle: Int64 = 0
    /// The first frame after the latest cut: grains sound from there on.
    var cut = -StretchLine.never
    /// The first frame at which no grain sounds.
    var grainsEnd = -StretchLine.never
    /// Whether the course is another since it was decided last what comes next.
    var isStale = false
    /// Grains in a row at the source's own pace.
    var calmGrains = 0

    // The latest mark: what is heard at which frame, and from when on the position comes back to where it is to be.
    var hasAnchor = false
    var anchorFrame: Int64 = 0
    var anchorSource: Int64 = 0
    var anchorEnd: Int64 = 0
    /// How far ahead the source is at ``anchorEnd``.
    var deviation = 0.0
    /// The number of the next mark.
    var nextMark: Int64 = 0

    /// Transforms computed since the start: the measure of its work.
    package var transformCount: Int64 = 0

    /// The spectrum of the latest grain.
    let former: dsp_complex
    let sumLeft: UnsafeMutablePointer<Float>
    let sumRight: UnsafeMutablePointer<Float>
    let sumWeights: UnsafeMutablePointer<Float>
    /// The frames in the sums, which go round.
    let sumCount: Int

    /// Stands for a voice that has not begun.
    static var unstarted: Int64 { @_noLocks get { .min } }

    /// The floats that a voice needs.
    @_noLocks static func storageCount(_ tables: StretchTables) -> Int {
        2 * spectrumCount(tables) + 3 * sumCount(tables)
    }

    /// The floats of one half of a spectrum: those of a grain, and what vectors may touch beside them.
    @_noLocks static func spectrumCount(_ tables: StretchTables) -> Int { tables.size + 32 }

    /// The frames of each of the sums: of a grain, and half a hop.
    @_noLocks static func sumCount(_ tables: StretchTables) -> Int { tables.size + tables.size / 8 }

    init(storage: UnsafeMutablePointer<Float>, slot: Int, tables: StretchTables) {
        let row = StretchVoice.spectrumCount(tables)
        former = dsp_complex(real: storage, imaginary: storage + row)
        sumCount = StretchVoice.sumCount(tables)
        sumLeft = storage + 2 * row
        sumRight = sumLeft + sumCount
        sumWeights = sumRight + sumCount
        self.slot = Int64(slot % StretchTables.slotCount * tables.slot)
    }

    /// Forgets what it has put out: the next frames are a beginning.
    @_noLocks package mutating func reset() {
        if areSumsSilent { grainsEnd = -StretchLine.never }
        time = StretchVoice.unstarted
    }

    /// Whether all that grains have put into the sums has been taken out: most voices stop long after that, and silencing the sums would be the
    /// dearest part of a launch.
    var areSumsSilent: Bool {
        @_noLocks get { grainsEnd == -StretchLine.never || (time != StretchVoice.unstarted && grainsEnd <= time) }
    }

    /// Has what comes next decided anew, because the course is another from now on.
    @_noLocks package mutating func reconsider() {
        if time == StretchVoice.unstarted { return }
        wake = time
        isStale = true
    }
}
