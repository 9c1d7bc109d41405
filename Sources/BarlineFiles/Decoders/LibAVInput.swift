#if LibAV
    import CLibAV
    import Foundation
    import Synchronization

    /// One reading of a file's first audio stream, front to back.
    final class LibAVInput {
        let hertz: Int
        let channelCount: Int
        /// Whether the container is of the MP4 family.
        let isMP4: Bool

        private let av: barline_av
        private var format: UnsafeMutablePointer<AVFormatContext>?
        private var codec: UnsafeMutablePointer<AVCodecContext>?
        private var packet: UnsafeMutablePointer<AVPacket>?
        private var frame: UnsafeMutablePointer<AVFrame>?
        private let stream: Int32
        private let timeBase: AVRational
        /// How many packets a decoder needs before the one that is wanted; `nil` where it needs all, or that is not known.
        private let leadPackets: Int64?
        /// The encoder's delay, where the edits that say so are not followed: frames count from behind it.
        private let delay: Int64
        /// How many frames of the delay are still to come; `nil` until the first ones are there, which may lack some.
        private var delayLeft: Int64?
        private var isDrained = false
        private let cancellation: ReadCancellation?
        /// Why the connection ended before the file did, in words.
        private(set) var problem: String?
        /// Whether it is a stream without end.
        var isLive: Bool { format.map { LibAVConnection.isLive($0.pointee, av) } ?? false }

        /// A file on disk.
        ///
        /// - Parameters:
        ///   - path: its path.
        ///   - delay: how many frames to leave out at the beginning, in the place of an MP4 file's edits; `nil` to follow
        ///     those.
        /// - Throws: ``AudioFileError`` if it can't be opened, or there is nothing in it that can be decoded.
        convenience init(path: String, delay: Int64? = nil) throws(AudioFileError) {
            let av = try LibAVLibrary.functions(for: path)
            var options: OpaquePointer?
            if delay != nil { _ = av.av_dict_set(&options, "ignore_editlist", "1", 0) }
            try self.init(
                path, at: "file:" + path, context: nil, options: options, delay: delay ?? 0, cancellation: nil, av)
        }

        /// A file or a stream on the network.
        ///
        /// - Parameters:
        ///   - url: its address.
        ///   - delay: as of a file on disk.
        ///   - cancellation: cancels waits for the network.
        /// - Throws: ``AudioFileError`` if there is no connection, or nothing that can be decoded.
        convenience init(
            url: String, delay: Int64? = nil, cancellation: ReadCancellation
        ) throws(AudioFileError) {
            let av = try LibAVLibrary.functions(for: url)
            var options = LibAVConnection.options(av)
            if delay != nil { _ = av.av_dict_set(&options, "ignore_editlist", "1", 0) }
            try self.init(
                url, at: url, context: LibAVConnection.context(cancellation, av), options: options, delay: delay ?? 0,
                cancellation: cancellation, av)
        }

        private init(
            _ path: String, at location: String, context: UnsafeMutablePointer<AVFormatContext>?,
            options: OpaquePointer?, delay: Int64, cancellation: ReadCancellation?, _ av: barline_av
        ) throws(AudioFileError) {
            self.av = av
            self.delay = delay
            if delay == 0 { delayLeft = 0 }
            self.cancellation = cancellation
            var format = context
            var options = options
            defer { av.av_dict_free(&options) }
            cancellation?.allow(seconds: LibAVConnection.timeout)
            let code = av.avformat_open_input(&format, location, nil, &options)
            guard code == 0 else {
                if cancellation != nil { throw .cannotOpen(path: path, reason: LibAVConnection.words(code, av)) }
                throw .notAudio(path: path, reason: "its container can't be read")
            }
            var decoder: UnsafePointer<AVCodec>?
            guard av.avformat_find_stream_info(format, nil) >= 0, let context = format?.pointee,
                case let index = av.av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0), index >= 0,
                let stream = context.streams[Int(index)]?.pointee, let parameters = stream.codecpar, let decoder
            else {
                av.avformat_close_input(&format)
                throw .notAudio(path: path, reason: "there is no audio in it that can be decoded")
            }
            var codec = av.avcodec_alloc_context3(decoder)
            guard av.avcodec_parameters_to_context(codec, parameters) >= 0 else {
                av.avcodec_free_context(&codec)
                av.avformat_close_input(&format)
                throw .notAudio(path: path, reason: "its codec can't be set up")
            }
            codec?.pointee.pkt_timebase = stream.time_base
            guard av.avcodec_open2(codec, decoder, nil) == 0 else {
                av.avcodec_free_context(&codec)
                av.avformat_close_input(&format)
                throw .notAudio(path: path, reason: "its codec can't be opened")
            }
            hertz = Int(parameters.pointee.sample_rate)
            channelCount = Int(barline_av_channels(parameters))
            isMP4 = context.iformat.map { String(cString: $0.pointee.name).contains("mp4") } ?? false
            timeBase = stream.time_base
            leadPackets = LibAVInput.leadPackets(of: parameters.pointee)
            self.stream = index
            self.format = format
            self.codec = codec
            packet = av.av_packet_alloc()
            frame = av.av_frame_alloc()
        }

        deinit {
            av.av_packet_free(&packet)
            av.av_frame_free(&frame)
            av.avcodec_free_context(&codec)
            av.avformat_close_input(&format)
        }

        /// The length that the container states, rounded as it may be; `nil` where it states none, and the library guesses
        /// it by the size.
        var statedFrames: Int64? {
            format?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE ? nil : estimatedFrames
        }

        /// The length that the container states, or that the library guesses; `nil` where there is neither.
        var estimatedFrames: Int64? {
            guard let format, let stream = format.pointee.streams[Int(stream)]?.pointee else { return nil }
            if stream.duration > 0 {
                return av.av_rescale(stream.duration * Int64(timeBase.num), Int64(hertz), Int64(timeBase.den))
            }
            if format.pointee.duration > 0 {
                return av.av_rescale(format.pointee.duration, Int64(hertz), Int64(AV_TIME_BASE))
            }
            return nil
        }

        /// What was found of files that say nothing of their length, by what they are.
        private static let lengths = Mutex<[FileIdentity: Int64]>([:])
        private static let mostLengths = 256

        /// The length that the times of a file's packets give; the file is read to its end, once.
        static func packetFrames(of path: String) throws(AudioFileError) -> Int64 {
            let identity = FileIdentity(path)
            if let identity, let known = lengths.withLock({ $0[identity] }) { return known }
            let input = try LibAVInput(path: path)
            let seconds = Double(input.packetsEnd() ?? 0) * Double(input.timeBase.num) / Double(input.timeBase.den)
            let frames = seconds * Double(input.hertz)
            // Times that a broken file makes up are none.
            let length = frames > 0 && frames < Double(GaplessTag.longest) ? Int64(frames.rounded()) : 0
            if let identity {
                lengths.withLock { lengths in
                    if lengths.count >= mostLengths { lengths = [:] }
                    lengths[identity] = length
                }
            }
            return length
        }

        /// What an MP4 file's timing says.
        struct ExactTimes {
            /// The frame after the last one.
            let end: Int64
            /// The encoder's delay, if the edits are not to be followed.
            let delay: Int64?
        }

        /// The length of an MP4 file's audio in frames, exactly; the file is read to its end, twice.
        ///
        /// Its edit list is in milliseconds as a rule, by which the last packet may begin behind its end. What its table
        /// of packets adds up to, less the delay with which the list begins, is exact.
        static func exactTimes(ofMP4 path: String) throws(AudioFileError) -> ExactTimes? {
            let edited = try LibAVInput(path: path)
            guard edited.countsFrames else { return nil }
            let whole = try LibAVInput(path: path, delay: 0)
            guard let (start, editedEnd, _) = edited.packetTimes(), let (first, length, last) = whole.packetTimes()
            else {
                return nil
            }
            let delay = min(length, max(0, -start))
            let end = length - delay
            let lacks = end - editedEnd
            let isRounded = first == 0 && lacks > 0 && lacks <= last + edited.rounding
            if let frames = edited.framesByTag, frames <= length {
                return ExactTimes(end: frames, delay: isRounded && editedEnd < frames ? delay : nil)
            }
            return ExactTimes(end: end, delay: isRounded ? delay : nil)
        }

        /// Opens a file or a stream on the network.
        ///
        /// - Returns: it, and what the header of an MP4 file and its first packet say of its timing, by which it is read;
        ///   `nil` where its edits alone say where it ends.
        /// - Throws: as ``init(url:delay:cancellation:)``.
        static func open(
            url: String, cancellation: ReadCancellation
        ) throws(AudioFileError) -> (input: LibAVInput, times: ExactTimes?) {
            let edited = try LibAVInput(url: url, cancellation: cancellation)
            guard edited.isMP4, edited.countsFrames, let editedLength = edited.estimatedFrames else {
                return (edited, nil)
            }
            cancellation.allow(seconds: LibAVConnection.timeout)
            var tagged = edited.framesByTag
            if let start = edited.firstTimestamp(), start <= 0 {
                let whole = try LibAVInput(url: url, delay: -start, cancellation: cancellation)
                if let end = whole.estimatedFrames.map({ $0 + start }) {
                    if let frames = tagged, frames > end { tagged = nil }
                    let isExact = [end, tagged ?? end].contains { abs($0 - editedLength) <= edited.rounding }
                    if isExact { return (whole, ExactTimes(end: tagged ?? end, delay: -start)) }
                }
            }
            let byEdits = try LibAVInput(url: url, cancellation: cancellation)
            return (byEdits, tagged.map { ExactTimes(end: $0, delay: nil) })
        }

        private func firstTimestamp() -> Int64? {
            guard let packet else { return nil }
            while av.av_read_frame(format, packet) == 0 {
                defer { av.av_packet_unref(packet) }
                if packet.pointee.stream_index == stream {
                    return LibAVInput.isSound(packet.pointee.pts) ? packet.pointee.pts : nil
                }
            }
            return nil
        }

        /// Whether the container's times are frames.
        private var countsFrames: Bool { timeBase.num == 1 && Int(timeBase.den) == hertz }

        /// By how many frames times in milliseconds may be off, twice rounded.
        private var rounding: Int64 { Int64(hertz) / 500 }

        /// Whether a time is one, and none that a broken file made up.
        private static func isSound(_ time: Int64) -> Bool { time > -(1 << 50) && time < 1 << 50 }

        private func packetsEnd() -> Int64? { packetTimes()?.end }

        /// When the first packet begins, when the last one ends, and how long that is.
        private func packetTimes() -> (start: Int64, end: Int64, last: Int64)? {
            guard let packet else { return nil }
            var times: (start: Int64, end: Int64, last: Int64)?
            while av.av_read_frame(format, packet) == 0 {
                let (pts, duration) = (packet.pointee.pts, packet.pointee.duration)
                if packet.pointee.stream_index == stream, LibAVInput.isSound(pts), LibAVInput.isSound(duration) {
                    if pts + duration > times?.end ?? .min {
                        times = (times?.start ?? pts, pts + duration, duration)
                    }
                }
                av.av_packet_unref(packet)
            }
            return times
        }

        /// The length that `iTunSMPB` gives.
        private var framesByTag: Int64? {
            guard let entry = av.av_dict_get(format?.pointee.metadata, "iTunSMPB", nil, 0),
                let value = entry.pointee.value
            else {
                return nil
            }
            let numbers = String(cString: value).split { !$0.isHexDigit }.compactMap { Int64($0, radix: 16) }
            return numbers.count >= 4 && numbers[3] > 0 && numbers[3] < GaplessTag.longest ? numbers[3] : nil
        }

        /// Whether packets can be passed over: their times are frames, and a decoder needs few of them.
        var skips: Bool { leadPackets != nil && countsFrames }

        /// Passes over packets that need not be decoded for what begins with a frame; to be called before anything is
        /// decoded.
        ///
        /// - Parameter wanted: the frame.
        /// - Returns: the frame with which what is decoded next begins, which is not behind it; `nil` where the times of
        ///   the packets don't say that, and nothing is to be read from here any more.
        func skip(before wanted: Int64) -> Int64? {
            guard skips, let packet, let leadPackets else { return nil }
            var expected: Int64?
            while av.av_read_frame(format, packet) == 0 {
                defer { av.av_packet_unref(packet) }
                if packet.pointee.stream_index != stream { continue }
                let (pts, duration) = (packet.pointee.pts - delay, packet.pointee.duration)
                guard LibAVInput.isSound(packet.pointee.pts), duration > 0, LibAVInput.isSound(duration),
                    pts == expected ?? pts,
                    expected != nil || pts <= 0
                else { return nil }
                if pts > 0, pts + (leadPackets + 1) * duration > wanted {
                    delayLeft = 0
                    return pts <= wanted && av.avcodec_send_packet(codec, packet) == 0 ? pts : nil
                }
                expected = pts + duration
            }
            return nil
        }

        /// Decodes the next piece behind what `samples` has; false at the end.
        func decode(into samples: inout [Float]) -> Bool {
            guard let frame, let packet else { return false }
            while true {
                let status = av.avcodec_receive_frame(codec, frame)
                if status == 0 {
                    // A stream that changes its format ends here: the rest would be misread as noise.
                    guard Int(frame.pointee.sample_rate) == hertz, Int(barline_av_frame_channels(frame)) == channelCount
                    else { return false }
                    append(frame.pointee, to: &samples)
                    av.av_frame_unref(frame)
                    return true
                }
                // Packets that can't be decoded are skipped; only the end of the file ends reading.
                if isDrained || status == barline_av_error_end() { return false }
                cancellation?.allow(seconds: LibAVConnection.timeout)
                let code = av.av_read_frame(format, packet)
                if code == 0 {
                    if packet.pointee.stream_index == stream { _ = av.avcodec_send_packet(codec, packet) }
                    av.av_packet_unref(packet)
                } else {
                    note(code)
                    isDrained = true
                    _ = av.avcodec_send_packet(codec, nil)
                }
            }
        }

        /// Some demuxers take a broken connection for the end; the connection itself knows better.
        private func note(_ code: Int32) {
            let end = barline_av_error_end()
            let ofConnection = format?.pointee.pb?.pointee.error ?? 0
            if code != end { problem = LibAVConnection.words(code, av) }
            if ofConnection != 0, ofConnection != end { problem = LibAVConnection.words(ofConnection, av) }
            if let pb = format?.pointee.pb, LibAVConnection.endsWithConnection(pb, code, av) { problem = nil }
        }

        /// How many frames at the beginning of decoded ones are the encoder's delay.
        private func takeDelay(of frame: AVFrame) -> Int {
            let left = delayLeft ?? max(0, delay - (LibAVInput.isSound(frame.pts) ? frame.pts : 0))
            let count = min(left, Int64(frame.nb_samples))
            delayLeft = left - count
            return Int(count)
        }

        private func append(_ frame: AVFrame, to samples: inout [Float]) {
            let kind = AVSampleFormat(rawValue: frame.format)
            let isPlanar = av.av_sample_fmt_is_planar(kind) == 1
            let packed = av.av_get_packed_sample_fmt(kind)
            guard let planes = frame.extended_data else { return }
            for index in takeDelay(of: frame)..<Int(frame.nb_samples) {
                for channel in 0..<channelCount {
                    guard let plane = planes[isPlanar ? channel : 0] else { return }
                    samples.append(
                        LibAVInput.sample(
                            UnsafeRawPointer(plane), isPlanar ? index : index * channelCount + channel, packed))
                }
            }
        }

        private static func sample(_ plane: UnsafeRawPointer, _ index: Int, _ kind: AVSampleFormat) -> Float {
            switch kind {
            case AV_SAMPLE_FMT_FLT: plane.load(fromByteOffset: 4 * index, as: Float.self)
            case AV_SAMPLE_FMT_DBL: Float(plane.load(fromByteOffset: 8 * index, as: Double.self))
            case AV_SAMPLE_FMT_S32: Float(Double(plane.load(fromByteOffset: 4 * index, as: Int32.self)) * 0x1p-31)
            case AV_SAMPLE_FMT_S16: Float(plane.load(fromByteOffset: 2 * index, as: Int16.self)) * 0x1p-15
            case AV_SAMPLE_FMT_U8: (Float(plane.load(fromByteOffset: index, as: UInt8.self)) - 128) * 0x1p-7
            default: 0
            }
        }
    }
#endif
