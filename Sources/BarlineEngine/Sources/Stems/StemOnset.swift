import BarlineDSP
import BarlineTime

/// The fade-in of a stem at its own first frame, if nothing lies before it: over half a millisecond if that frame would
/// click, otherwise none.
struct StemOnset: Sendable {
    /// The first audible frame of the source.
    let frame: Int64
    /// The length of the fade, in source frames.
    private let frames: Int64
    private var isLoud = false

    /// - Parameters:
    ///   - stem: the stem.
    ///   - followsTempo: whether it may play at twice its rate and more.
    init(_ stem: Stem, followsTempo: Bool) {
        frame = max(0, Int64(stem.offset))
        frames = ClipFades.leastFrames(stem.source.sampleRate) * (followsTempo ? 2 : 1)
    }

    /// Examines a piece of the source that begins at `first`; if that contains the file's beginning, fades it in.
    ///
    /// A stream's peak is not known before its end: that of the piece is used instead.
    ///
    /// - Returns: whether the stem's first frame would click, if the piece contains it.
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
