import BarlineFiles
import Foundation

extension LoudnessTags {
    /// Measures a whole file by EBU R 128: its gain to −18 LUFS and its true peak.
    ///
    /// - Throws: `AudioFileError` if the file can't be read to its end.
    /// - Complexity: O(*n*) in the frames of the file.
    public init(measuring path: String) throws(AudioFileError) {
        try self.init(measuring: path, of: nil)
    }

    /// Measures a whole file, and adds it to what is measured of its album.
    package init(measuring path: String, of album: AlbumLoudness?) throws(AudioFileError) {
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
            album?.add(left: left, right: right, frames: count, at: stream.sampleRate)
        }
        album?.add(truePeak: meter.truePeak)
        guard meter.integrated.isFinite else { return }
        trackGain = LoudnessTags.referenceLoudness - meter.integrated
        trackPeak = pow(10, meter.truePeak / 20)
    }

    /// Takes what was measured of the album, where that has sound.
    package mutating func take(_ album: AlbumLoudness) {
        guard album.integrated.isFinite else { return }
        albumGain = LoudnessTags.referenceLoudness - album.integrated
        albumPeak = pow(10, album.truePeak / 20)
    }

    private static let referenceLoudness = -18.0
}
