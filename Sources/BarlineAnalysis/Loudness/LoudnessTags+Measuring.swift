import BarlineFiles
import Foundation

extension LoudnessTags {
    /// Measures a whole file by EBU R 128: its gain to −18 LUFS and its true peak.
    ///
    /// - Throws: `AudioFileError` if the file can't be read to its end.
    /// - Complexity: O(*n*) in the frames of the file.
    public init(measuring path: String) throws(AudioFileError) {
        self.init()
        let stream = try AudioFileStream(path: path)
        guard let meter = LoudnessMeter(sampleRate: stream.sampleRate) else { return }
        let frames = 65_536
        let left = UnsafeMutablePointer<Float>.allocate(capacity: frames)
        let right = UnsafeMutablePointer<Float>.allocate(capacity: frames)
        defer {
            left.deallocate()
            right.deallocate()
        }
        while true {
            let count = try stream.read(left: left, right: right, count: frames)
            if count == 0 { break }
            meter.add(left: left, right: right, frames: count)
        }
        guard meter.integrated.isFinite else { return }
        trackGain = LoudnessTags.referenceLoudness - meter.integrated
        trackPeak = pow(10, meter.truePeak / 20)
    }

    private static let referenceLoudness = -18.0
}
