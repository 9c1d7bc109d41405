import BarlineTime
import Foundation

/// A sound file that can be played whatever happens while it is written: stereo, 32-bit float, WAV, and RF64 past 4
/// GiB.
///
/// What is written is in the file at once, and ``update()`` brings the lengths in its header up to date. A write that
/// fails, on a full disk for one, takes nothing away from what was written before: the file ends with its last whole
/// frame. A file whose writer was killed is mended by ``mend(_:)``.
///
/// The header is as EBU Tech 3306 has it: a chunk `JUNK` keeps the place of the 64-bit lengths.
package final class TakeFile {
    /// Where it is.
    let path: String
    /// Frames that are in it.
    package private(set) var frames: Int64 = 0

    private let sampleRate: Int
    /// Where it is until it is complete, if it has another name then.
    private let temporaryPath: String?
    private var descriptor: Int32
    private var bytes: [UInt8] = []
    /// What follows the samples.
    private var trailer: [UInt8] = []

    static let frameBytes = 8
    /// What is looked through for ``TakeChunks``, in bytes.
    static let longestTrailer = 1 << 20
    private static let channels = 2

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: where; there must be none of that name, unless it appears when it is complete.
    ///   - sampleRate: rounded to whole hertz.
    ///   - makesFolder: whether the folder that it is in is made where there is none.
    ///   - appearsWhole: whether it has its name only when it is complete, in the place of what is there, and is gone
    ///     where it is not completed.
    /// - Throws: ``AudioFileError`` where it can't be made.
    package init(
        path: String, sampleRate: SampleRate, makesFolder: Bool = false, appearsWhole: Bool = false
    ) throws(AudioFileError) {
        self.path = path
        self.sampleRate = Int(sampleRate.hertz.rounded())
        temporaryPath = appearsWhole ? "\(path).part\(getpid())" : nil
        descriptor = -1
        if makesFolder {
            guard TakeFile.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent()) else { throw problem() }
        }
        descriptor =
            temporaryPath.map { NewFile.open($0, O_RDWR) } ?? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw problem() }
        do throws(AudioFileError) {
            try put(header, at: 0)
        } catch {
            Foundation.close(descriptor)
            unlink(temporaryPath ?? path)
            throw error
        }
    }

    deinit {
        if descriptor < 0 { return }
        Foundation.close(descriptor)
        if let temporaryPath { unlink(temporaryPath) }
    }

    /// Makes a folder and those that it is in; `false` where that can't be, for the reason in `errno`.
    private static func makeFolder(_ folder: URL) -> Bool {
        if mkdir(folder.path, 0o777) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, makeFolder(folder.deletingLastPathComponent()) else { return false }
        return mkdir(folder.path, 0o777) == 0 || errno == EEXIST
    }

    /// Appends frames; where that fails, the file ends with the last one that was appended before.
    package func write(
        left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>
    ) throws(AudioFileError) {
        bytes.removeAll(keepingCapacity: true)
        for (left, right) in zip(left, right) {
            for sample in [left, right] { bytes.append(littleEndian: sample.bitPattern) }
        }
        let end = TakeFile.headerBytes + Int(frames) * TakeFile.frameBytes
        do throws(AudioFileError) {
            try put(bytes, at: end)
        } catch {
            ftruncate(descriptor, off_t(end))
            throw error
        }
        frames += Int64(bytes.count / TakeFile.frameBytes)
    }

    /// Appends so many silent frames; none where that is below 1. They take no room on disks that can leave holes.
    package func append(silence count: Int64) throws(AudioFileError) {
        if count < 1 { return }
        let end = Int64(TakeFile.headerBytes) + (frames + count) * Int64(TakeFile.frameBytes)
        guard ftruncate(descriptor, off_t(end)) == 0 else { throw problem() }
        frames += count
    }

    /// Replaces frames that were written before, from frame `first` on.
    package func replace(
        from first: Int64, left: UnsafeBufferPointer<Float>, right: UnsafeBufferPointer<Float>
    ) throws(AudioFileError) {
        let count = min(Int64(min(left.count, right.count)), frames - first)
        if first < 0 || count < 1 { return }
        bytes.removeAll(keepingCapacity: true)
        for (left, right) in zip(left.prefix(Int(count)), right) {
            for sample in [left, right] { bytes.append(littleEndian: sample.bitPattern) }
        }
        try put(bytes, at: TakeFile.headerBytes + Int(first) * TakeFile.frameBytes)
    }

    /// Brings the lengths in the header up to date, and all to the disk.
    package func update() throws(AudioFileError) {
        try put(header, at: 0)
        guard fsync(descriptor) == 0 else { throw problem() }
    }

    /// Completes the file with what it says beside its samples; nothing can be written to it any more.
    package func close(with chunks: TakeChunks?) throws(AudioFileError) {
        guard descriptor >= 0 else { return }
        if let chunks {
            trailer = chunks.bytes
            let end = TakeFile.headerBytes + Int(frames) * TakeFile.frameBytes
            do throws(AudioFileError) {
                try put(trailer, at: end)
            } catch {
                // On a full disk the samples are worth more than what is said of them.
                trailer = []
                ftruncate(descriptor, off_t(end))
                if temporaryPath == nil { try close() }
                throw error
            }
        }
        try close()
    }

    /// Completes the file; nothing can be written to it any more.
    package func close() throws(AudioFileError) {
        guard descriptor >= 0 else { return }
        defer {
            Foundation.close(descriptor)
            descriptor = -1
        }
        do throws(AudioFileError) {
            try update()
            if let temporaryPath, rename(temporaryPath, path) != 0 { throw problem() }
        } catch {
            if let temporaryPath {
                unlink(temporaryPath)
                throw error
            }
            // Whoever repairs the file takes all that follows its header for samples.
            trailer = []
            ftruncate(descriptor, off_t(TakeFile.headerBytes + Int(frames) * TakeFile.frameBytes))
            try? put(header, at: 0)
            throw error
        }
    }

    private func put(_ bytes: [UInt8], at offset: Int) throws(AudioFileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw problem() }
            done += count
        }
    }

    private func problem() -> AudioFileError {
        .cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }

    // MARK: The header

    /// Bytes before the first frame.
    static let headerBytes = 12 + 36 + 26 + 12 + 8

    private var header: [UInt8] {
        let data = UInt64(frames) * UInt64(TakeFile.frameBytes)
        let form = data + UInt64(TakeFile.headerBytes + trailer.count) - 8
        let isLarge = form > UInt64(UInt32.max)
        func length(_ bytes: UInt64) -> UInt32 { isLarge ? .max : UInt32(bytes) }
        var header: [UInt8] = []
        header += Array((isLarge ? "RF64" : "RIFF").utf8)
        header.append(littleEndian: length(form))
        header += Array("WAVE".utf8)
        header += Array((isLarge ? "ds64" : "JUNK").utf8)
        header.append(littleEndian: UInt32(28))
        for value in [form, data, UInt64(frames)] { header.append(littleEndian: isLarge ? value : 0) }
        header.append(littleEndian: UInt32(0))
        header += Array("fmt ".utf8)
        header.append(littleEndian: UInt32(18))
        // IEEE float.
        for value in [3, UInt16(TakeFile.channels)] { header.append(littleEndian: value) }
        for value in [sampleRate, sampleRate * TakeFile.frameBytes] { header.append(littleEndian: UInt32(value)) }
        for value in [UInt16(TakeFile.frameBytes), 32, 0] { header.append(littleEndian: value) }
        header += Array("fact".utf8)
        header.append(littleEndian: UInt32(4))
        header.append(littleEndian: UInt32(clamping: frames))
        header += Array("data".utf8)
        header.append(littleEndian: length(data))
        return header
    }

    // MARK: Mending

    /// Brings the header of a file whose writer was killed into line with what is in it.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - least: the frames that it has at least, as others have that were written beside it; what is missing is silent.
    ///   - chunks: what it says beside its samples, where it says nothing yet; called with its frames and their rate.
    /// - Returns: its frames and their rate; `nil` where it is no file that a ``TakeFile`` has written.
    /// - Throws: ``AudioFileError`` where it can't be written to.
    package static func repair(
        _ path: String, atLeast least: Int64 = 0, with chunks: (Int64, SampleRate) -> TakeChunks? = { _, _ in nil }
    ) throws(AudioFileError) -> (frames: Int64, sampleRate: SampleRate)? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        var start = [UInt8](repeating: 0, count: headerBytes)
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            pread(descriptor, &start, headerBytes, 0) == headerBytes,
            ["RIFF", "RF64"].contains(String(decoding: start[..<4], as: UTF8.self)),
            String(decoding: start[48..<52], as: UTF8.self) == "fmt ",
            let rate = SampleRate(Double(start[60...].prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }))
        else {
            Foundation.close(descriptor)
            return nil
        }
        let file = TakeFile(path: path, descriptor: descriptor, sampleRate: rate)
        let written = Int64(status.st_size) - Int64(headerBytes)
        file.trailer = findTrailer(descriptor, bytes: written)
        file.frames = (written - Int64(file.trailer.count)) / Int64(frameBytes)
        let end = off_t(headerBytes) + off_t(file.frames) * off_t(frameBytes)
        if TakeChunks.find(inLast: file.trailer, stride: frameBytes)?.isWhole != true {
            file.trailer = []
            ftruncate(descriptor, end)
            try file.append(silence: least - file.frames)
        }
        if file.trailer.isEmpty, let chunks = chunks(file.frames, rate) {
            try file.close(with: chunks)
        } else {
            try file.close()
        }
        return (file.frames, rate)
    }

    /// The chunks after the samples of an open file, `bytes` bytes after its header: whoever wrote them may have been
    /// killed before the header told of them.
    private static func findTrailer(_ descriptor: Int32, bytes: Int64) -> [UInt8] {
        let frameBytes = Int64(frameBytes)
        let first = max(0, (bytes - Int64(longestTrailer)) / frameBytes * frameBytes)
        var last = [UInt8](repeating: 0, count: Int(max(0, bytes - first)))
        guard pread(descriptor, &last, last.count, off_t(headerBytes) + off_t(first)) == last.count,
            let found = TakeChunks.find(inLast: last, stride: Int(frameBytes))
        else { return [] }
        return Array(last[found.place...])
    }

    private init(path: String, descriptor: Int32, sampleRate: SampleRate) {
        self.path = path
        self.descriptor = descriptor
        self.sampleRate = Int(sampleRate.hertz.rounded())
        temporaryPath = nil
    }
}

extension [UInt8] {
    /// Appends a number, its lowest byte first.
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
