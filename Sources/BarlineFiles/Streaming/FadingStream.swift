import BarlineTime

/// A file's audio, which fades out where it breaks off: its last 5 ms are held back until more was read, or it is known
/// why there is none.
///
/// Where a file was cut off while it plays, lost its disk or has a sample that is no number, the sound would otherwise
/// end on whatever sample came last.
final class FadingStream {
    private let stream: AudioFileStream
    private let capacity: Int
    private let held: UnsafeMutablePointer<Float>
    private let scratch: UnsafeMutablePointer<Float>
    private var heldCount = 0
    /// The frame that is read next.
    private var position: Int64 = 0
    private var failure: AudioFileError?
    private var isOver = false

    private static let seconds = 0.005

    init(_ stream: AudioFileStream) {
        self.stream = stream
        capacity = max(1, Int(stream.sampleRate.frames(seconds: FadingStream.seconds)))
        held = .allocate(capacity: 2 * capacity)
        held.initialize(repeating: 0, count: 2 * capacity)
        scratch = .allocate(capacity: 6 * capacity)
        scratch.initialize(repeating: 0, count: 6 * capacity)
    }

    deinit {
        held.deallocate()
        scratch.deallocate()
    }

    var sampleRate: SampleRate { stream.sampleRate }

    /// Continues at `frame`; see ``AudioFileStream/seek(to:)``.
    func seek(to frame: Int64) throws(AudioFileError) {
        if frame == position { return }
        (heldCount, failure, isOver) = (0, nil, false)
        position = frame
        try stream.seek(to: frame)
    }

    /// Reads the next frames, up to `count`; see ``AudioFileStream/read(left:right:count:)``.
    func read(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(AudioFileError) -> Int {
        if count <= 0 { return 0 }
        while !isOver {
            // A few frames have no room for what is held back.
            let isShort = count <= 2 * capacity
            let (first, second) = isShort ? (scratch, scratch + 3 * capacity) : (left, right)
            first.update(from: held, count: heldCount)
            second.update(from: held + capacity, count: heldCount)
            let frames = readOn(first + heldCount, second + heldCount, isShort ? count : count - heldCount)
            if frames == 0 { break }
            let whole = heldCount + frames
            let given = max(0, whole - capacity)
            heldCount = whole - given
            held.update(from: first + given, count: heldCount)
            (held + capacity).update(from: second + given, count: heldCount)
            if given == 0 { continue }
            if isShort {
                left.update(from: first, count: given)
                right.update(from: second, count: given)
            }
            position += Int64(given)
            return given
        }
        return try readRest(left, right, count)
    }

    /// Reads from the file; 0 where that is over.
    private func readOn(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int) -> Int
    {
        do throws(AudioFileError) {
            let frames = try stream.read(left: left, right: right, count: count)
            isOver = frames == 0
            return frames
        } catch {
            isOver = true
            failure = error
            for frame in 0..<heldCount {
                let gain = Float(heldCount - frame) / Float(heldCount + 1)
                held[frame] *= gain
                held[capacity + frame] *= gain
            }
            return 0
        }
    }

    /// What was held back, and then why there is no more.
    private func readRest(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
    ) throws(AudioFileError) -> Int {
        let given = min(count, heldCount)
        if given == 0, let failure { throw failure }
        left.update(from: held, count: given)
        right.update(from: held + capacity, count: given)
        heldCount -= given
        held.update(from: held + given, count: heldCount)
        (held + capacity).update(from: held + capacity + given, count: heldCount)
        position += Int64(given)
        return given
    }
}
