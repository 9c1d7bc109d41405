#if LibAV
    import CLibAV

    /// The network settings of libav: bounded waits, few attempts, and certificates that are checked.
    enum LibAVConnection {
        /// Seconds that a server may be silent.
        private static let silence = 10
        /// libav waits 0, 1 and 3 seconds before its attempts to resume where a connection broke off, and no longer.
        private static let longestPause = 4
        /// Seconds that opening or reading may take altogether, attempts included.
        static let timeout = 45.0

        /// The options of a connection; to be freed by the caller.
        static func options(_ av: barline_av) -> OpaquePointer? {
            var options: OpaquePointer?
            for (key, value) in [
                // Nothing that comes over the network may name a local file.
                ("protocol_whitelist", "http,https,tcp,tls"), ("rw_timeout", "\(silence * 1_000_000)"),
                ("reconnect", "1"), ("reconnect_on_network_error", "0"), ("reconnect_delay_max", "\(longestPause)"),
                ("tls_verify", "1"), ("user_agent", "Barline"),
            ] {
                _ = av.av_dict_set(&options, key, value, 0)
            }
            return options
        }

        /// A context whose waits end when `cancellation` says so; that must outlive it.
        static func context(_ cancellation: ReadCancellation, _ av: barline_av) -> UnsafeMutablePointer<
            AVFormatContext
        >? {
            let context = av.avformat_alloc_context()
            context?.pointee.interrupt_callback = AVIOInterruptCB(
                callback: { opaque in
                    guard let opaque else { return 0 }
                    return Unmanaged<ReadCancellation>.fromOpaque(opaque).takeUnretainedValue().shouldEnd ? 1 : 0
                }, opaque: Unmanaged.passUnretained(cancellation).toOpaque())
            return context
        }

        /// Whether a server sends a stream without end, as radio stations do.
        static func isLive(_ context: AVFormatContext, _ av: barline_av) -> Bool {
            guard let io = context.pb, io.pointee.seekable == 0 else { return false }
            var headers: UnsafeMutablePointer<UInt8>?
            defer { av.av_free(headers) }
            guard av.av_opt_get(io, "icy_metadata_headers", AV_OPT_SEARCH_CHILDREN, &headers) >= 0, let headers else {
                return false
            }
            return headers.pointee != 0
        }

        /// Whether reading ended with `code` because the connection did, and that is how a response ends: one of HTTP/1.0
        /// that does not say how long it is (RFC 9112, 6.3). libav takes it for an error.
        static func endsWithConnection(_ io: UnsafeMutablePointer<AVIOContext>, _ code: Int32, _ av: barline_av) -> Bool
        {
            let end = barline_av_error_end()
            let isCut = io.pointee.error == barline_av_error_io()
            guard isCut, [end, barline_av_error_io()].contains(code), av.avio_size(io) <= 0 else { return false }
            var version: UnsafeMutablePointer<UInt8>?
            defer { av.av_free(version) }
            guard av.av_opt_get(io, "http_version", AV_OPT_SEARCH_CHILDREN, &version) >= 0, let version else {
                return false
            }
            return String(cString: version) == "1.0"
        }

        /// An error code in words.
        static func words(_ code: Int32, _ av: barline_av) -> String {
            if code == barline_av_error_exit() { return "it took too long, or was called off" }
            var buffer = [CChar](repeating: 0, count: 256)
            _ = av.av_strerror(code, &buffer, buffer.count)
            let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return String(decoding: text, as: UTF8.self)
        }
    }
#endif
