#if LibAV
    import CLibAV

    /// The tags that libav finds in MP4 and Matroska files.
    enum LibAVTags {
        private static let mostEntries = 10_000

        static func collect(path: String, into collector: inout TagCollector) {
            guard let av = try? LibAVLibrary.functions(for: path) else { return }
            var format: UnsafeMutablePointer<AVFormatContext>?
            guard av.avformat_open_input(&format, "file:" + path, nil, nil) == 0, let context = format?.pointee else {
                return
            }
            defer { av.avformat_close_input(&format) }
            take(context.metadata, into: &collector, av)
            var ofStreams = TagCollector(wantsPictures: true)
            for index in 0..<Int(context.nb_streams) {
                guard let stream = context.streams[index]?.pointee, let parameters = stream.codecpar else { continue }
                if parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO { take(stream.metadata, into: &ofStreams, av) }
                if collector.wantsPictures, stream.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
                    let data = stream.attached_pic.data
                {
                    let bytes = UnsafeBufferPointer(start: data, count: Int(max(0, stream.attached_pic.size)))
                    collector.take(picture: CoverArt(bytes: bytes, mimeType: "", kind: CoverArt.frontCoverKind))
                }
            }
            collector.complete(from: ofStreams)
        }

        private static func take(_ dictionary: OpaquePointer?, into collector: inout TagCollector, _ av: barline_av) {
            var entry: UnsafeMutablePointer<AVDictionaryEntry>?
            for _ in 0..<mostEntries {
                entry = av.av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
                guard let key = entry?.pointee.key, let value = entry?.pointee.value else { return }
                collector.take(key: String(cString: key), value: String(cString: value))
            }
        }
    }
#endif
