import BarlineEngine
import BarlineFiles
import BarlineTime

/// The file of a strip that is recorded: its frames are those of all other files of the recording.
///
/// Silence is a hole in the file, which takes no room on the disk. Sound that is missing, because nobody took it in
/// time, is silence too, with a marker where it begins.
final class StripFile {
    /// Where it is; there may be no file, where nothing sounded.
    let path: String
    private let sampleRate: SampleRate
    private var file: TakeFile?
    private var since = FrameTime.zero
    /// How many frames before its delivery what is in it was played; `nil` where it is not what an input took in.
    var latency: Int?
    /// Silent frames after those that are written.
    private var silent: Int64 = 0
    private var hasBegun = false
    private var gaps: [Range<Int64>] = []

    /// - Parameters:
    ///   - path: where; there must be none of that name.
    ///   - sampleRate: of its frames.
    ///   - isOptional: whether it is made only when something sounds.
    /// - Throws: `AudioFileError` where it can't be made.
    init(path: String, sampleRate: SampleRate, isOptional: Bool) throws(AudioFileError) {
        self.path = path
        self.sampleRate = sampleRate
        file = isOptional ? nil : try TakeFile(path: path, sampleRate: sampleRate)
    }

    /// Whether there is a file.
    var isThere: Bool { file != nil }

    /// Sets the first frame, before anything is written.
    func begin(at frame: FrameTime) { since = frame }

    private var length: Int64 { (file?.frames ?? 0) + silent }

    /// Appends frames, where they belong; none before those of the last call, or of the first frame.
    func write(_ piece: StripPiece) throws(AudioFileError) {
        let missing = piece.frame - since - length
        if missing > 0 {
            // An input that is ahead of what is played has nothing at the beginning.
            if hasBegun { gaps.append(length..<length + missing) }
            silent += missing
        }
        hasBegun = true
        if piece.isSilent {
            silent += Int64(piece.left.count)
            return
        }
        let file = try opened()
        try writeSilence()
        try piece.left.withUnsafeBufferPointer { left throws(AudioFileError) in
            try piece.right.withUnsafeBufferPointer { right throws(AudioFileError) in
                try file.write(left: left, right: right)
            }
        }
    }

    /// The file, which is made where nothing sounded before.
    private func opened() throws(AudioFileError) -> TakeFile {
        if let file { return file }
        let made = try TakeFile(path: path, sampleRate: sampleRate)
        file = made
        return made
    }

    private func writeSilence() throws(AudioFileError) {
        guard let file else { return }
        try file.append(silence: silent)
        silent = 0
    }

    /// Brings all to the disk.
    func update() throws(AudioFileError) {
        try writeSilence()
        try file?.update()
    }

    /// Completes the file.
    ///
    /// - Parameter frames: how many it has in the end; what is missing is silent. `nil` for those that it has.
    /// - Throws: `AudioFileError` where it can't be written.
    func close(frames: Int64?) throws(AudioFileError) {
        if let frames { silent += max(0, frames - length) }
        try writeSilence()
        try file?.close(
            with: TakeChunks(
                timeReference: since.rawValue, sampleRate: sampleRate, gaps: gaps, latency: latency))
    }
}

extension StripPiece {
    /// Whether every sample is zero, the sign included.
    fileprivate var isSilent: Bool {
        left.allSatisfy { $0.bitPattern == 0 } && right.allSatisfy { $0.bitPattern == 0 }
    }

    /// The frames of it that are within a range; `nil` for none.
    func within(_ range: Range<FrameTime>) -> StripPiece? {
        let first = range.lowerBound > frame ? Int(clamping: range.lowerBound - frame) : 0
        let end = range.upperBound < frame + Int64(left.count) ? Int(clamping: range.upperBound - frame) : left.count
        if first >= end { return nil }
        if first == 0, end == left.count { return self }
        return StripPiece(
            strip: strip, left: Array(left[first..<end]), right: Array(right[first..<end]),
            frame: frame + Int64(first))
    }
}
