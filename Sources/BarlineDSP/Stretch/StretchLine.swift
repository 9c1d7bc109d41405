import CKernels
import CRealtime

/// A stretch of the source that is played unchanged, from an attack or a launch on.
///
/// Its ends crossfade with grains as if it consisted of grains itself; or, if an attack cuts it off, it fades out over
/// the frames before that.
struct StretchLine: BitwiseCopyable, Sendable {
    /// The fade-in.
    enum FadeIn: BitwiseCopyable, Sendable {
        /// Full level from the first frame on.
        case bare
        /// Fades in over the frames before its base.
        case cut
        /// Fades in like a series of grains, the first of which is centred on the base.
        case grains
    }

    /// Stands for a frame that is never reached.
    static var never: Int64 { @_noLocks get { .max / 4 } }

    /// A frame, and the source frame that plays on it.
    var base: Int64
    var source: Double
    var fadeIn: FadeIn
    /// The first frame after a cut, or ``never``.
    var end = StretchLine.never
    /// The centre of the last grain of its fade-out, or ``never``.
    var lastMiddle = StretchLine.never
    /// Whether it fades out before its end by itself, because nothing takes over there.
    var fadesOut = false
    /// Whether it reads the end of a loop as it is, without the seam that leads up to the beginning.
    var isBare = false

    @_noLocks init(base: Int64, source: Double, fadeIn: FadeIn) {
        self.base = base
        self.source = source
        self.fadeIn = fadeIn
    }

    /// Creates an empty line.
    @_noLocks init() {
        self.init(base: 0, source: 0, fadeIn: .bare)
        end = -StretchLine.never
    }

    /// The source frame that plays on `frame`.
    @_noLocks func source(at frame: Int64, pace: Double) -> Double { source + Double(frame - base) * pace }

    /// Ends it before mark `number` of the source, but not before it has faded out from `time` on: if that mark would
    /// play in it before its own frame, `due`, nothing else of the line is left until then.
    @_noLocks mutating func end(
        before source: StretchSource, _ number: Int64, due: Int64, _ time: Int64, _ tables: StretchTables
    ) {
        end = StretchLine.never
        fadesOut = false
        if !source.hasMark(number) { return }
        let (mark, position) = source.mark(number)
        if !mark.isCut, !source.style.leavesGaps { return }
        let first = position - Int64(mark.lead)
        let reached = base + Int64(rt_floor((Double(first) - self.source) / source.pace))
        let earliest = time + Int64(tables.fade)
        end = reached > earliest ? reached : earliest
        fadesOut = true
        // What leads up to an attack leads nowhere before a pause. Where some of it was heard, so is the rest.
        if reached - Int64(source.region.seamReach) > time {
            isBare = source.isTailBare && due - reached > Int64(tables.fade)
        }
    }

    /// Ends it on `frame`, if it does not end before; it fades out by itself if nothing takes over there.
    @_noLocks mutating func end(at frame: Int64, fadingOut: Bool) {
        if end < frame { return }
        if fadingOut { fadesOut = true }
        end = frame
    }

    /// Whether it fades in over the frames before its base.
    var isCutIn: Bool {
        @_noLocks get {
            switch fadeIn {
            case .cut: true
            case .bare, .grains: false
            }
        }
    }

    /// Has it crossfade at its end with what takes over there, unless it fades out by itself on `time` already.
    @_noLocks mutating func crossfadesOut(from time: Int64, _ tables: StretchTables) {
        if end - Int64(tables.fade) >= time { fadesOut = false }
    }

    /// How many of `count` frames from `time` on lead up to the beginning of a loop, and have the seam.
    @_noLocks func seamed(_ time: Int64, _ count: Int) -> Int {
        let left = base + StretchLine.longestLead - time
        return !isBare || left >= Int64(count) ? count : left > 0 ? Int(left) : 0
    }

    /// The frames of an attack that a line may begin before it; see ``StretchMark/lead``.
    private static var longestLead: Int64 { @_noLocks get { 128 } }

    /// The first frame from which on it is silent.
    @_noLocks func silentFrom(_ tables: StretchTables) -> Int64 {
        let last = lastMiddle + Int64(tables.size / 2)
        return last < end ? last : end
    }

    /// The first frame on which it is audible.
    @_noLocks func soundsFrom(_ tables: StretchTables) -> Int64 {
        switch fadeIn {
        case .bare: -StretchLine.never
        case .cut: base - Int64(tables.fade)
        case .grains: base - Int64(tables.size / 2)
        }
    }

    /// Whether it fades out by itself within `count` frames from `start` on.
    @_noLocks func isFadingOut(_ start: Int64, _ count: Int, _ tables: StretchTables) -> Bool {
        fadesOut && end < start + Int64(count + tables.fade)
    }

    /// Whether it is at full weight, and plays alone, over `count` frames from `start` on.
    @_noLocks func isWhole(_ start: Int64, _ count: Int, _ tables: StretchTables) -> Bool {
        let stop = start + Int64(count)
        switch fadeIn {
        case .bare: break
        case .cut: if start < base { return false }
        case .grains: if start < base + Int64(tables.hop) { return false }
        }
        return stop <= end - Int64(tables.fade) && stop <= lastMiddle - Int64(tables.hop)
    }

    /// Writes its weights, and the gains of its samples, for `count` frames from `start` on.
    @_noLocks func shape(
        _ weights: UnsafeMutablePointer<Float>, _ gains: UnsafeMutablePointer<Float>, _ start: Int64, _ count: Int,
        _ tables: StretchTables
    ) {
        dsp_copy(tables.ones, gains, count)
        dsp_clear(weights, count)
        let left = end - start
        let full = left < 0 ? 0 : (left < Int64(count) ? Int(left) : count)
        dsp_add_scaled(tables.ones, 2, weights, full)
        switch fadeIn {
        case .bare: break
        case .cut: dsp_multiply_table(weights, tables.rise, tables.fadeCount, Int(start - base) + tables.fade, count)
        case .grains:
            dsp_multiply_table(
                weights, tables.fadeIn, tables.overlapCount, Int(start - base) + tables.size / 2, count)
        }
        if lastMiddle != StretchLine.never {
            dsp_multiply_table(
                weights, tables.fadeOut, tables.overlapCount, Int(start - lastMiddle) + tables.hop, count)
        }
        if end != StretchLine.never {
            dsp_multiply_table(
                fadesOut ? gains : weights, tables.fall, tables.fadeCount, Int(start - end) + tables.fade, count)
        }
    }
}
