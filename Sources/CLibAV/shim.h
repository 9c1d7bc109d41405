#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>

// Error codes are macros with arguments, which Swift cannot import.
static inline int barline_av_error_again(void) { return AVERROR(EAGAIN); }

static inline int barline_av_error_end(void) { return AVERROR_EOF; }
static inline int barline_av_error_exit(void) { return AVERROR_EXIT; }

static inline int barline_av_frame_channels(const AVFrame *frame) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    return frame->ch_layout.nb_channels;
#else
    return frame->channels;
#endif
}

// Versions before 5.1 have the channel count in another place.
static inline int barline_av_channels(const AVCodecParameters *parameters) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    return parameters->ch_layout.nb_channels;
#else
    return parameters->channels;
#endif
}
