#if LibAV
    import BarlineTime
    import Foundation

    /// AAC and ALAC in MP4, AAC in ADTS, WavPack, Matroska and WebM, through libavformat and libavcodec.
    ///
    /// The decoder removes an encoder's delay; the padding at the end of AAC it leaves. The end is where the last
    /// packet of the file's own timing ends, which is exact to the frame, or where `iTunSMPB` says.
    final class LibAVDecoder: AudioDecoder {
        let hertz: Int
        let channelCount: Int
        let frameCount: Int64
        var isLengthKnown: Bool { end != nil }

        private let path: String
        private var input: LibAVInput
        /// Interleaved frames that were decoded and not read yet.
        private var pending: [Float] = []
        private var pendingStart = 0
        private var next: Int64 = 0
        /// The frame after the last one, where the file's timing gives it.
        private let end: Int64?
        /// The encoder's delay, where the file's edits would cut off its last packet.
        private let delay: Int64?

        /// Whether a file's first bytes are those of a container that is read here.
        static func recognizes(_ head: [UInt8]) -> Bool {
            guard head.count >= 12 else { return false }
            let isMP4 = Array(head[4..<8]) == Array("ftyp".utf8)
            let isMatroska = Array(head[0..<4]) == [0x1A, 0x45, 0xDF, 0xA3]
            let isWavPack = head.starts(with: Array("wvpk".utf8))
            let isADTS = head[0] == 0xFF && head[1] & 0xF6 == 0xF0
            return isMP4 || isMatroska || isWavPack || isADTS || isFLACInOgg(head)
        }

        /// Whether a file is FLAC in Ogg, which libsndfile does not read in all of its versions.
        private static func isFLACInOgg(_ head: [UInt8]) -> Bool {
            // The header of the first page, with one segment.
            let packet = head.dropFirst(28)
            return head.starts(with: Array("OggS".utf8)) && packet.starts(with: [0x7F] + Array("FLAC".utf8))
        }

        /// Opens a file; `descriptor` belongs to the decoder from now on.
        init(path: String, descriptor: Int32) throws(AudioFileError) {
            // The library opens files by name only.
            close(descriptor)
            self.path = path
            let followed = try LibAVInput(path: path)
            let times = followed.isMP4 ? try LibAVInput.exactTimes(ofMP4: path) : nil
            (end, delay) = (times?.end, times?.delay)
            input =
                try delay.map { delay throws(AudioFileError) in try LibAVInput(path: path, delay: delay) } ?? followed
            hertz = input.hertz
            channelCount = input.channelCount
            if let frames = end ?? input.statedFrames {
                frameCount = frames
            } else {
                // Written as a stream, or in packets alone, a file does not say how long it is: its packets do.
                frameCount = try LibAVInput.packetFrames(of: path)
            }
        }

        var metadata: AudioMetadata { AudioMetadata() }

        func read(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
            var done = 0
            let wanted = end.map { Int(min(Int64(frames), max(0, $0 - next))) } ?? frames
            while done < wanted {
                if pendingStart == pending.count {
                    pending.removeAll(keepingCapacity: true)
                    pendingStart = 0
                    guard input.decode(into: &pending) else { break }
                    continue
                }
                let count = min((wanted - done) * channelCount, pending.count - pendingStart)
                for index in 0..<count { samples[done * channelCount + index] = pending[pendingStart + index] }
                pendingStart += count
                done += count / channelCount
            }
            next += Int64(done)
            return done
        }

        /// Backwards the file is read again: timestamps of many containers are too coarse for a frame. Where they are
        /// not, what lies far before it is not decoded.
        func seek(to frame: Int64) -> Bool {
            if frame < next {
                guard restart(at: frame) else { return false }
            } else if frame - next > max(LibAVDecoder.nearFrames, frame / 16) {
                // Packets are passed over from the beginning on, which takes a fraction of the time.
                skip(to: frame)
            }
            let piece = 8_192
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: piece * channelCount)
            defer { samples.deallocate() }
            while next < frame {
                // Beyond the end there is nothing to read, and no error.
                if read(into: samples, frames: Int(min(Int64(piece), frame - next))) == 0 { next = frame }
            }
            return true
        }

        /// So many frames are decoded rather than passed over.
        private static let nearFrames: Int64 = 1 << 16

        /// Opens the file again, to be read from its beginning, or from shortly before a frame.
        private func restart(at frame: Int64) -> Bool {
            if frame > LibAVDecoder.nearFrames, skip(to: frame) { return true }
            guard let reopened = try? LibAVInput(path: path, delay: delay) else { return false }
            begin(reopened, at: 0)
            return true
        }

        /// Opens the file again, to be read from shortly before a frame; goes on where it is if that is not possible.
        @discardableResult
        private func skip(to frame: Int64) -> Bool {
            guard input.skips, let reopened = try? LibAVInput(path: path, delay: delay),
                let first = reopened.skip(before: frame)
            else {
                return false
            }
            begin(reopened, at: first)
            return true
        }

        private func begin(_ reopened: LibAVInput, at first: Int64) {
            input = reopened
            pending.removeAll()
            pendingStart = 0
            next = first
        }
    }
#endif
