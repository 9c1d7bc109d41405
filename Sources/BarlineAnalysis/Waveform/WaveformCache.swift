import BarlineFiles
import BarlineTime
import Foundation

/// Waveforms of files, kept in a folder under the hash of the file's content: a file that was moved or renamed is found
/// again, one that was changed is read again.
package struct WaveformCache: Sendable {
    private let files: ContentCache
    /// Where the waveforms are.
    package var folder: String { files.folder }

    /// A cache in a folder, which is made when something is kept.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - limit: the most bytes that are kept.
    package init(folder: String, limit: Int = 256 << 20) {
        files = ContentCache(folder: folder, ending: "waveform", limit: limit)
    }

    /// The user's own: `waveforms` in `$XDG_CACHE_HOME/barline`, of at most 256 MB.
    package static var standard: WaveformCache {
        WaveformCache(folder: UserFolders.cache.appendingPathComponent("waveforms").path)
    }

    /// The waveform of a file: the one that is kept, else it is computed and kept.
    ///
    /// A cache that can't be written to is no error: then nothing is kept.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - progress: is called with the share that is done, 0 … 1; what it throws ends the reading.
    /// - Returns: the waveform.
    /// - Throws: ``AudioFileError``, or what `progress` throws.
    package func pyramid(ofFile path: String, progress: (Double) throws -> Void = { _ in }) throws -> WaveformPyramid {
        guard let hash = try? ContentHash.ofFile(path) else {
            return try WaveformPyramid(path: path, progress: progress)
        }
        if let data = files.data(hash), let kept = WaveformPyramid(stored: data) { return kept }
        let pyramid = try WaveformPyramid(path: path, progress: progress)
        files.keep(pyramid.stored, hash)
        return pyramid
    }
}

extension WaveformPyramid {
    private static let mark = Array("barline waveform 1\n".utf8)

    /// Bytes from which ``init(stored:)`` makes it again: a mark, frames, sample rate and channels as 64-bit numbers,
    /// and for every cell of the finest level its low, high and RMS as 32-bit floats, little-endian.
    var stored: Data {
        var data = Data(WaveformPyramid.mark)
        for number in [frameCount, Int(sampleRate.hertz), channelCount] {
            withUnsafeBytes(of: Int64(number).littleEndian) { data.append(contentsOf: $0) }
        }
        for cell in levels.first ?? [] {
            let mean = Float((cell.energy / Double(max(1, cell.frames * channelCount))).squareRoot())
            for value in [cell.low, cell.high, mean] {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
        }
        return data
    }

    /// What was stored; `nil` where the bytes are something else, or not all there.
    init?(stored data: Data) {
        let bytes = [UInt8](data)
        let start = WaveformPyramid.mark.count
        guard bytes.count >= start + 24, Array(bytes[..<start]) == WaveformPyramid.mark else { return nil }
        func number(_ offset: Int, _ width: Int) -> UInt64 {
            (0..<width).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        }
        let frames = Int(Int64(bitPattern: number(start, 8)))
        let channels = Int(Int64(bitPattern: number(start + 16, 8)))
        guard let rate = SampleRate(Double(Int64(bitPattern: number(start + 8, 8)))), (1...2).contains(channels) else {
            return nil
        }
        let size = WaveformPyramid.cellFrames
        let count = (bytes.count - start - 24) / 12
        guard frames > 0, frames <= count * size, frames > (count - 1) * size, bytes.count == start + 24 + 12 * count
        else { return nil }
        let cells = (0..<count).map { index in
            let values = (0..<3).map { Float(bitPattern: UInt32(number(start + 24 + 12 * index + 4 * $0, 4))) }
            let inCell = min(size, frames - index * size)
            return Cell(
                low: values[0], high: values[1],
                energy: Double(values[2]) * Double(values[2]) * Double(inCell * channels), frames: inCell)
        }
        self.init(cells: cells, frameCount: frames, sampleRate: rate, channelCount: channels)
    }
}
