import BarlineAnalysis
import BarlineDSP
import BarlineTime

/// The attacks of a song that is streamed, found a piece at a time.
///
/// Pieces begin at multiples of their length, so that what is found does not depend on where reading began. From the
/// first attack of every other piece the source is put out as it is whatever sounded before: a reader that begins there
/// yields from then on, to the bit, what one that began further back yields. Of what has no attacks it is so from the
/// middle of one piece in eight, and from its end: phases are led there, which is heard in tones that are held.
struct SongMarks {
    /// The marks, at the pitch that is to be heard.
    private(set) var marks: [StretchMark] = []
    /// The first source frame that is not looked through yet.
    private(set) var end: Int64 = 0
    /// The frames of a piece.
    let piece: Int64
    private let onsets: [Int]?
    /// Source frames to a frame at the pitch that is to be heard, and how many of those frames before the source's own
    /// first one they are counted from.
    private let scale: Double
    private let shift: Double
    private let sampleRate: SampleRate
    private let grain: Int
    /// The file's frame that the source's first is.
    private let offset: Int

    private static let pieceSeconds = 2.0
    private static let leadSeconds = 0.25
    private static let tailSeconds = 0.1
    /// Without an attack for so long a sound may be led to its end.
    private static let calmSeconds = 0.25

    init(
        _ onsets: [Int]?, scale: Double, shift: Double = 0, sampleRate: SampleRate, grain: Int, offset: Int64 = 0
    ) {
        self.onsets = onsets
        self.scale = scale
        self.shift = shift
        self.sampleRate = sampleRate
        self.grain = grain
        self.offset = Int(offset)
        piece = Int64(SongMarks.pieceSeconds * sampleRate.hertz)
    }

    /// Source frames before and behind a piece that are looked at with it.
    var lead: Int64 { Int64(SongMarks.leadSeconds * sampleRate.hertz) }
    var tail: Int64 { Int64(SongMarks.tailSeconds * sampleRate.hertz) }

    /// The pieces from one attack that is a restart to the next.
    static let restartPieces: Int64 = 2
    /// The pieces from one restart to the next where there are no attacks.
    private static let quietPieces: Int64 = 8

    /// Restarts with the piece of a number.
    mutating func restart(atPiece number: Int64) {
        marks.removeAll(keepingCapacity: true)
        end = number * piece
    }

    /// Looks through the next piece, of a source that is `length` frames long where that is known.
    mutating func findNext(in sound: FrameWindow, length: Int64?) {
        let number = end / piece
        let range = end..<min(end + piece, max(end, length ?? .max))
        end += piece
        let reach = Int64(grain / 8)
        var attacks = heard(in: sound, range, length).filter { number > 0 || $0 >= reach }
        for index in attacks.indices.dropFirst().reversed()
        where attacks[index] - attacks[index - 1] < reach / 2 { attacks.remove(at: index) }
        if number == 0 {
            marks.append(StretchMark(position: 0, isCut: true, isRestart: true))
        } else if number % SongMarks.quietPieces == 0, attacks.isEmpty {
            // As far from attacks in other pieces as can be.
            let middle = range.lowerBound + piece / 2
            marks.append(StretchMark(position: place(middle), isCut: false, isRestart: true))
        }
        for (index, attack) in attacks.enumerated() {
            let isRestart = index == 0 && number > 0 && number % SongMarks.restartPieces == 0
            let exact = Double(attack) / scale - shift
            marks.append(
                StretchMark(
                    position: place(attack), isCut: true, isRestart: isRestart,
                    fraction: exact - exact.rounded(.down), lead: StretchMark.lead(scale: scale)))
        }
        guard let length, range.upperBound == length, !range.isEmpty else { return }
        // What follows begins as the source does: where the two were one sound, they are when phases are led to its end.
        if length - (attacks.last ?? range.lowerBound) > Int64(SongMarks.calmSeconds * sampleRate.hertz) {
            marks.append(StretchMark(position: place(length), isCut: false, isRestart: true))
        }
    }

    private func place(_ frame: Int64) -> Int { Int((Double(frame) / scale - shift).rounded(.down)) }

    /// The source frames of `range` at which attacks begin.
    private func heard(in sound: FrameWindow, _ range: Range<Int64>, _ length: Int64?) -> [Int64] {
        if range.isEmpty { return [] }
        if let onsets {
            let (low, high) = (Int(range.lowerBound) + offset, Int(range.upperBound) + offset)
            return onsets[onsets.partition(at: low)..<onsets.partition(at: high)].map { Int64($0 - offset) }
        }
        let first = max(sound.first, range.lowerBound - lead)
        let last = min(sound.end, min(range.upperBound + tail, length ?? .max))
        guard last > first else { return [] }
        let frames = Int(first - sound.first)..<Int(last - sound.first)
        let buffer = SampleBuffer(
            left: Array(sound.left[frames]), right: Array(sound.right[frames]),
            sampleRate: sampleRate)
        return AttackAnalysis.attacks(in: buffer, range: 0..<buffer.frameCount, loops: false)
            .map { Int64($0) + first }.filter(range.contains)
    }
}

extension [Int] {
    /// The first index of a sorted list whose number is not below `value`.
    fileprivate func partition(at value: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
