#if LibAV
    import BarlineTime
    import Foundation

    /// A file or a stream on the network (`http`, `https`), in any format that libav decodes.
    ///
    /// A file whose server is lost midway resumes at the very byte, where the server can send parts; else it ends with
    /// an error. A live stream is rejoined, where it is then. Attempts and waits are bounded.
    final class RemoteDecoder: AudioDecoder {
        let hertz: Int
        let channelCount: Int
        let frameCount: Int64
        let isLengthKnown = false
        let metadata = AudioMetadata()
        private(set) var failure: AudioFileError?

        /// Between the attempts to rejoin a live stream, in seconds.
        private static let pauses = [0.5, 1, 2, 4]

        private let url: String
        private let cancellation: ReadCancellation
        private var input: LibAVInput
        private var pending: [Float] = []
        private var pendingStart = 0
        private var next: Int64 = 0
        /// What an MP4 file's header says of its timing.
        private let times: LibAVInput.ExactTimes?

        init(url: String, cancellation: ReadCancellation) throws(AudioFileError) {
            self.url = url
            self.cancellation = cancellation
            (input, times) = try LibAVInput.open(url: url, cancellation: cancellation)
            hertz = input.hertz
            channelCount = input.channelCount
            frameCount = input.isLive ? 0 : times?.end ?? input.estimatedFrames ?? 0
        }

        func read(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
            var done = 0
            let frames = times.map { Int(min(Int64(frames), max(0, $0.end - next))) } ?? frames
            while done < frames, failure == nil {
                if pendingStart == pending.count {
                    // What is there is handed out before there is a wait.
                    if done > 0 { break }
                    pending.removeAll(keepingCapacity: true)
                    pendingStart = 0
                    guard input.decode(into: &pending) || rejoin() else { break }
                    continue
                }
                let count = min((frames - done) * channelCount, pending.count - pendingStart)
                for index in 0..<count { samples[done * channelCount + index] = pending[pendingStart + index] }
                pendingStart += count
                done += count / channelCount
            }
            next += Int64(done)
            return done
        }

        /// After the end: whether more is to come. A file has ended, or is lost; a live stream never ends.
        private func rejoin() -> Bool {
            guard input.isLive else {
                // Without a length the end of a connection looks like its loss.
                if frameCount > 0, next >= frameCount { return false }
                failure = input.problem.map { .connectionLost(url: url, reason: $0) }
                return false
            }
            for pause in RemoteDecoder.pauses where cancellation.sleep(seconds: pause) {
                guard let reopened = try? LibAVInput(url: url, cancellation: cancellation) else { continue }
                // The format of the samples can't change for the reader.
                guard reopened.hertz == hertz, reopened.channelCount == channelCount else { break }
                input = reopened
                return true
            }
            let reason = cancellation.isCancelled ? "called off" : "the stream broke off and could not be joined anew"
            failure = .connectionLost(url: url, reason: reason)
            return false
        }

        /// Backwards the file is fetched again. A live stream has nothing but what comes now: it goes on, and is counted
        /// from `frame` on.
        func seek(to frame: Int64) -> Bool {
            if input.isLive {
                next = frame
                return true
            }
            if frame < next {
                guard
                    let reopened = try? LibAVInput(url: url, delay: times?.delay, cancellation: cancellation)
                else { return false }
                input = reopened
                pending.removeAll()
                pendingStart = 0
                next = 0
            }
            let piece = 8_192
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: piece * channelCount)
            defer { samples.deallocate() }
            while next < frame {
                if read(into: samples, frames: Int(min(Int64(piece), frame - next))) == 0 {
                    if failure != nil { return false }
                    next = frame
                }
            }
            return true
        }
    }
#endif
