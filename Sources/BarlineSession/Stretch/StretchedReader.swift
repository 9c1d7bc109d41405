import BarlineDSP
import BarlineEngine
import BarlineTime

/// Reads a song faster or slower, higher or lower, from what reads it as it is.
///
/// It is read ahead by the threads that feed rings: what is to be heard of a song at a speed of its own does not depend
/// on what the timeline will be, so nothing of it need be computed on the audio thread. Every frame is a function of
/// its number, whatever is read at a time and wherever reading began.
final class StretchedReader: StreamReader {
    private let source: any StreamReader
    private let stretch: SongStretch
    /// The file's frame that is the first, and how many frames of the file are played at most.
    private let offset: Int64
    private let limit: Int64
    /// How many frames the source seems to have; `nil` where nobody knows.
    private let frameCount: Int64?
    private let pool: StretchPool
    private let reader: VarispeedReader
    private let course: StretchCourse

    /// What was read, and what of it is at the pitch that is to be heard; frames count from ``offset``.
    private var sound = FrameWindow()
    private var pitched = FrameWindow()
    private var marks: SongMarks
    /// How many frames the source has, once its end was read.
    private var length: Int64?
    /// The frame that is put out next.
    private var next: Int64 = 0

    /// Frames that are put out at a time.
    private static let pieceFrames = 1_024
    /// Frames of the source that are read at a time.
    private static let readFrames = 8_192

    init(
        _ source: any StreamReader, _ stretch: SongStretch, sampleRate: SampleRate, frameCount: Int64?,
        start: Int64 = 0, end: Int64? = nil
    ) throws {
        self.source = source
        self.stretch = stretch
        reader = VarispeedReader(quality: stretch.quality)
        offset = start
        self.frameCount = frameCount
        limit = end.map { max(0, $0 - start) } ?? .max
        pool = StretchPool(voiceCount: 1, sampleRate: sampleRate)
        marks = SongMarks(
            stretch.onsets, scale: stretch.pitch, sampleRate: sampleRate, grain: pool.grainFrames, offset: start)
        let tempo = Tempo(clamping: 120)
        let segment = TempoSegment(
            startFrame: FrameTime(rawValue: 0), startBeat: Beat(rawValue: 0), tempo: tempo, endTempo: tempo,
            rampBeats: 0, sampleRate: sampleRate)
        course = StretchCourse(
            anchorFrame: FrameTime(rawValue: 0), anchor: SourcePosition(0), step: SourcePosition(stretch.rate),
            rate: stretch.rate, segment: segment)
        if start > 0 { try source.seek(to: start) }
    }

    // MARK: Reading

    func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
        var done = 0
        while done < count {
            let wanted = min(count - done, StretchedReader.pieceFrames)
            let frames = try render(wanted, left + done, right + done)
            if frames == 0 { break }
            done += frames
        }
        return done
    }

    /// The frames on either side of where the source is to be that grains and the way back from attacks may reach.
    private var reach: Int64 { Int64(2 * Double(pool.grainFrames) * (1 + stretch.rate)) }

    private func render(
        _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) throws -> Int {
        let grain = Int64(pool.grainFrames)
        let low = Int64(course.position(at: next).rounded(.down)) - reach
        let high = Int64(course.position(at: next + Int64(count) + grain).rounded(.up)) + reach
        // Far enough that what is not known yet changes nothing: how long an attack keeps its pace, and how phases are
        // led back.
        let ahead = Int64(Double(12 * grain) * max(1, 1.2 / stretch.rate))
        let horizon = course.position(at: next + Int64(count) + ahead) * stretch.pitch
        try findMarks(before: Int64(horizon))
        // Beyond the end nothing is made that nobody hears.
        if let length, stretch.frames(of: length) <= next { return 0 }
        try fill(through: high)
        var frames = count
        if let length { frames = min(count, Int(clamping: stretch.frames(of: length) - next)) }
        if frames <= 0 { return 0 }
        marks.marks.withUnsafeBufferPointer { marks in
            (stretch.pitch == 1 ? sound : pitched).withRegion { region, origin in
                guard let first = marks.baseAddress else { return }
                let source = StretchSource(window: region, origin: origin, marks: first, markCount: marks.count)
                pool.render(
                    voice: 0, of: source, along: course, from: next, count: frames, left: left, right: right)
            }
        }
        next += Int64(frames)
        // What the source's end is continued with lies as far back as it reaches ahead.
        let needed = Int64(Double(low - (high - low)) * stretch.pitch) - 2 * Int64(VarispeedKernel.largestSpan)
        pitched.drop(before: low)
        sound.drop(before: min(needed, marks.end - marks.lead))
        return frames
    }

    private func findMarks(before frame: Int64) throws {
        while marks.end <= frame, length.map({ marks.end < $0 }) ?? true {
            try readSound(through: marks.end + marks.piece + marks.tail)
            marks.findNext(in: sound, length: length)
        }
    }

    // MARK: The source

    /// Makes the frames at the pitch that is to be heard up to `end`.
    private func fill(through end: Int64) throws {
        if stretch.pitch == 1 {
            try readSound(through: end)
            reflect(through: end)
            return
        }
        let count = Int(end - pitched.end)
        if count <= 0 { return }
        let last = Int64(Double(end) * stretch.pitch) + Int64(VarispeedKernel.largestSpan)
        try readSound(through: last)
        reflect(through: last)
        let step = SourcePosition(stretch.pitch)
        let start = SourcePosition(rawValue: 0).advanced(by: step, times: pitched.end)
        let place = SourcePosition(rawValue: start.rawValue &- Int128(sound.first) << 64)
        _ = pitched.append(count) { left, right in
            sound.withRegion { region, _ in
                reader.read(
                    region, from: place, step: step, filter: reader.steadyFilter(rate: stretch.pitch), count: count,
                    left: left, right: right)
            }
            return count
        }
    }

    /// Reads up to `end`, or the end.
    private func readSound(through end: Int64) throws {
        while length == nil, sound.end < end {
            let count = Int(min(Int64(StretchedReader.readFrames), limit - sound.end))
            let found =
                count <= 0
                ? 0 : try sound.append(count) { try source.read(left: $0, right: $1, count: count) }
            if found == 0 { length = sound.end }
        }
    }

    /// Has the source continue backwards after its end, for grains that reach beyond it: it is as loud there as it was.
    private func reflect(through end: Int64) {
        guard let length else { return }
        while sound.end < end { sound.append(sound.frame(2 * length - 1 - sound.end)) }
    }

    // MARK: Places

    func seek(to frame: Int64) throws {
        let grain = Int64(pool.grainFrames)
        let distance = marks.piece * SongMarks.restartPieces
        var group = max(0, min(stretch.sourceFrame(at: frame - grain), frameCount ?? .max)) / distance
        var start = try begin(atGroup: group)
        // The place from which on it does not matter what was before may come too late.
        while group > 0, start > frame - grain {
            group -= 1
            start = try begin(atGroup: group)
        }
        next = start
        var ahead = frame - start
        let left = UnsafeMutablePointer<Float>.allocate(capacity: 2 * StretchedReader.pieceFrames)
        defer { left.deallocate() }
        while ahead > 0 {
            let count = Int(min(ahead, Int64(StretchedReader.pieceFrames)))
            let frames = try render(count, left, left + StretchedReader.pieceFrames)
            if frames == 0 { break }
            ahead -= Int64(frames)
        }
        next = max(next, frame)
    }

    /// Restarts where the source is put out as it is, whatever sounded before.
    ///
    /// - Returns: the frame from which on that is so.
    private func begin(atGroup group: Int64) throws -> Int64 {
        let first = group * SongMarks.restartPieces
        marks.restart(atPiece: first)
        let place = max(0, first * marks.piece - max(marks.lead, 2 * Int64(VarispeedKernel.largestSpan)) - rearSource)
        sound.restart(at: place)
        length = nil
        pool.voices[0].reset()
        try source.seek(to: offset + place)
        try findMarks(before: first * marks.piece)
        guard let restart = marks.marks.first(where: \.isRestart)?.position else { return .max }
        let frame = restart == 0 ? 0 : max(0, course.frame(of: Double(restart)) - 2)
        pitched.restart(at: max(0, Int64(course.position(at: frame)) - reach))
        return frame
    }

    /// Source frames before a beginning that grains may reach.
    private var rearSource: Int64 { Int64(Double(reach + 4) * stretch.pitch) }
}
