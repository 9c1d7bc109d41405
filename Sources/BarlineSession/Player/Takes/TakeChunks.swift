import BarlineEngine
import BarlineFiles
import BarlineTime

extension TakeChunks {
    /// What a take's file says beside its samples, in which the take begins at frame `margin`; `nil` where its length
    /// is not known.
    init?(_ handle: TakeHandle, margin: Int) {
        guard let result = handle.result else { return nil }
        let first = result.region.lowerBound - margin
        let end = result.region.upperBound + margin
        self.init(
            loop: margin..<margin + result.region.count, beats: result.beats,
            timeReference: result.start.frame.rawValue - Int64(margin), sampleRate: result.start.sampleRate,
            gaps: handle.gaps.map { $0.clamped(to: first..<end) }.filter { !$0.isEmpty }.map {
                Int64($0.lowerBound - first)..<Int64($0.upperBound - first)
            })
    }
}

extension SessionWarning {
    /// What is said of a take that begins before its input did; `nil` where it does not.
    ///
    /// - Parameters:
    ///   - clip: what the clip is called.
    ///   - take: what was recorded.
    ///   - beginning: the first frame that was captured of the input.
    /// - Returns: `nil` where all of it was there.
    static func silence(of clip: String, _ take: RecordedTake, since beginning: FrameTime?) -> SessionWarning? {
        let length = Int64(take.region.count)
        let first = take.start.frame + Int64(take.start.latency)
        guard let beginning, beginning > first else { return nil }
        let missing = min(length, beginning - first)
        func text(_ frames: Int64) -> String {
            "\((100 * take.start.sampleRate.seconds(frames: frames)).rounded() / 100) s"
        }
        let what =
            missing < length
            ? "of its \(text(length)) the first \(text(missing)) are silence: the input was not there yet"
            : "it is silence: the input was not there yet"
        return SessionWarning("\"\(clip)\": \(what)", words: "“\(clip)”: \(what).")
    }

    /// What is said of a clip whose sound is missing in places; `nil` where none of them is played.
    ///
    /// - Parameters:
    ///   - gaps: the frames of its file that are missing.
    ///   - region: those that are played.
    ///   - clip: what the clip is called.
    ///   - rate: of the file.
    /// - Returns: `nil` if there are none.
    static func missing(
        _ gaps: [Range<Int>], in region: Range<Int>, of clip: String, _ rate: SampleRate
    ) -> SessionWarning? {
        let missing = gaps.map { $0.clamped(to: region) }.filter { !$0.isEmpty }
        if missing.isEmpty { return nil }
        func text(_ frames: Int) -> String {
            let milliseconds = Int((1_000 * rate.seconds(frames: Int64(frames))).rounded())
            return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(Double(milliseconds) / 1_000) s"
        }
        let places = missing.prefix(3).map { "\(text($0.count)) at \(text($0.lowerBound - region.lowerBound))" }
        let more = missing.count > places.count ? " and \(missing.count - places.count) more" : ""
        let what = "the device passed over what was played, which is silence: \(places.joined(separator: ", "))\(more)"
        return SessionWarning("\"\(clip)\": \(what)", words: SessionError.sentence("\"\(clip)\": \(what)"))
    }
}
