#if LibAV
    import CLibAV

    extension LibAVInput {
        /// How many packets a decoder needs before the one that is wanted; `nil` where it needs all, or that is not known.
        /// Lossless packets stand alone; one of AAC-LC overlaps with the one before it (ISO/IEC 14496-3, 4.6.11).
        static func leadPackets(of parameters: AVCodecParameters) -> Int64? {
            switch parameters.codec_id {
            case AV_CODEC_ID_ALAC, AV_CODEC_ID_WAVPACK: 0
            case AV_CODEC_ID_AAC where parameters.profile == lowComplexity: 2
            default: nil
            }
        }

        /// `FF_PROFILE_AAC_LOW`.
        private static let lowComplexity: Int32 = 1
    }
#endif
