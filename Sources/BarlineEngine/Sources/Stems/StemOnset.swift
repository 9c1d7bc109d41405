import BarlineDSP
import BarlineTime

/// The fade-in of a stem at its own first frame, where nothing lies before it: over half a millisecond where that frame
/// would click, and at once where it would not.
struct StemOnset: Sendable {
    /// The source frame that sounds first.
    let frame: Int64
    /// How many source frames the fade takes.
    private let frames: Int64
    private var isLoud = false

    /// - Parameters:
    ///   - stem: the stem.
    ///   - followsTempo: whether it may be played at twice its rate and more.
    init(_ stem: Stem, followsTempo: Bool) {
        frame = max(0, Int64(stem.offset))
        frames = ClipFades.leastFrames(stem.source.sampleRate) * (followsTempo ? 2 : 1)
    }

    /// Looks at a piece of the source that begins at `first`; where that is the file's beginning, it is faded in.
    ///
    /// A stream's peak is not known before its end: that of the piece stands for it.
    ///
    /// - Returns: whether the stem's first frame would click, where the piece has it.
    mutating func enter(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, from first: Int64, count: Int
    ) -> Bool? {
        let place = Int(frame - first)
        let hasFirst = place >= 0 && place < count
        if hasFirst { isLoud = StemOnset.isLoud(left, right, at: place, of: count) }
        if frame == 0, isLoud, first < frames {
            for index in 0..<min(count, Int(frames - first)) {
                let level = Float(first + Int64(index)) / Float(frames)
                left[index] *= level
                right[index] *= level
            }
        }
        return hasFirst ? isLoud : nil
    }

    private static func isLoud(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, at place: Int, of count: Int
    ) -> Bool {
        let level = max(abs(left[place]), abs(right[place]))
        return level > 0
            && !(0..<count).contains { max(abs(left[$0]), abs(right[$0])) * ClipFades.inaudible >= level }
    }
}
