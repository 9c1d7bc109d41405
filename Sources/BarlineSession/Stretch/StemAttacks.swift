import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Synchronization

/// The attacks of a stem's file, found a piece at a time and kept: a loop, a seek back and every deck ask for the same
/// ones.
final class StemAttacks: StemMarks, Sendable {
    private let source: any StemSource
    private let onsets: [Int]?
    private let scale: Double
    private let shift: Double
    /// On its own, for the reader asks for it: it would keep what keeps the reader.
    private let cancellation = ReadCancellation()
    private let state = Mutex(State())

    private struct State {
        /// The marks of each piece.
        var pieces: [Int64: [StretchMark]] = [:]
        var reader: (any StemReader)?
        /// What was read of the file last.
        var sound = FrameWindow()
        /// How many frames the file has, once its end was read.
        var length: Int64?
    }

    private static let readFrames = 8_192

    /// - Parameters:
    ///   - source: the file.
    ///   - onsets: the frames of the file at which attacks begin; `nil` for those that are heard.
    ///   - scale: frames of the file to a frame of those in which marks are counted.
    ///   - shift: how many of those the file's first frame lies before theirs.
    init(_ source: any StemSource, onsets: [Int]?, scale: Double, shift: Double) {
        self.source = source
        self.onsets = onsets
        self.scale = scale
        self.shift = shift
    }

    func cancel() { cancellation.cancel() }

    func marks(in range: Range<Int64>) throws -> [StretchMark] {
        try state.withLock { state in
            var finder = SongMarks(
                onsets, scale: scale, shift: shift, sampleRate: source.sampleRate,
                grain: StretchTables.size(at: source.sampleRate))
            let (low, high) = (sourceFrame(range.lowerBound), sourceFrame(range.upperBound))
            guard high >= 0 else { return [] }
            var found: [StretchMark] = []
            for number in max(0, low / finder.piece)...high / finder.piece {
                if let length = state.length, number * finder.piece >= length { break }
                let marks = try state.pieces[number] ?? find(number, &finder, &state)
                state.pieces[number] = marks
                found += marks.filter { range.contains(Int64($0.position)) }
            }
            return found
        }
    }

    private func sourceFrame(_ frame: Int64) -> Int64 { Int64(((Double(frame) + shift) * scale).rounded(.down)) }

    private func find(_ number: Int64, _ finder: inout SongMarks, _ state: inout State) throws -> [StretchMark] {
        finder.restart(atPiece: number)
        if onsets == nil { try read(finder, &state) }
        finder.findNext(in: state.sound, length: state.length)
        return finder.marks
    }

    /// Has what is looked at for the next piece there.
    private func read(_ finder: SongMarks, _ state: inout State) throws {
        let first = max(0, finder.end - finder.lead)
        let reader = try state.reader ?? source.open { [cancellation] in !cancellation.isCancelled }
        if state.reader == nil || first < state.sound.first || first > state.sound.end {
            state.reader = nil
            try reader.seek(to: first)
            state.sound.restart(at: first)
            state.reader = reader
        }
        state.sound.drop(before: first)
        let end = finder.end + finder.piece + finder.tail
        while state.sound.end < end, state.length.map({ state.sound.end < $0 }) ?? true {
            let count = try state.sound.append(StemAttacks.readFrames) {
                try reader.read(left: $0, right: $1, count: StemAttacks.readFrames)
            }
            if count == 0 { state.length = state.sound.end }
        }
    }
}
