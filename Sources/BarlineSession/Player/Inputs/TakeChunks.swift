import BarlineEngine
import BarlineFiles

extension TakeChunks {
    /// What a take's file says beside its samples, in which the take begins at frame `margin`; `nil` where its length
    /// is not known.
    init?(_ handle: TakeHandle, margin: Int) {
        guard let result = handle.result else { return nil }
        self.init(
            loop: margin..<margin + result.region.count, beats: result.beats,
            timeReference: result.start.frame.rawValue - Int64(margin), sampleRate: result.start.sampleRate)
    }
}
