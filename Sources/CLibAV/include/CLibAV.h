#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>

// libavformat brings more than a hundred libraries with it, which take the dynamic linker longer than everything else
// that a program does at its start. So it is opened when the first file needs it, and its functions are called through
// a table, which has them as the headers declare them.
#define BARLINE_AV_FUNCTIONS(F) \
    F(av_dict_free)             \
    F(av_dict_get)              \
    F(av_dict_set)              \
    F(av_find_best_stream)      \
    F(av_frame_alloc)           \
    F(av_frame_free)            \
    F(av_frame_unref)           \
    F(av_free)                  \
    F(av_get_packed_sample_fmt) \
    F(av_log_set_level)         \
    F(av_opt_get)               \
    F(av_packet_alloc)          \
    F(av_packet_free)           \
    F(av_packet_unref)          \
    F(av_read_frame)            \
    F(av_rescale)               \
    F(av_sample_fmt_is_planar)  \
    F(av_strerror)              \
    F(avcodec_alloc_context3)   \
    F(avcodec_free_context)     \
    F(avcodec_open2)            \
    F(avcodec_parameters_to_context) \
    F(avcodec_receive_frame)    \
    F(avcodec_send_packet)      \
    F(avformat_alloc_context)   \
    F(avformat_close_input)     \
    F(avformat_find_stream_info) \
    F(avformat_open_input)      \
    F(avformat_version)         \
    F(avio_size)

/// The functions of libavformat, libavcodec and libavutil that are called.
struct barline_av {
#define BARLINE_AV_MEMBER(name) __typeof__(name) *_Nonnull name;
    BARLINE_AV_FUNCTIONS(BARLINE_AV_MEMBER)
#undef BARLINE_AV_MEMBER
};

/// The functions, from the version of the libraries whose headers the program was built with. The first call opens the
/// libraries and tells them to keep quiet; any number of threads may call.
///
/// Returns NULL where they can't be opened.
const struct barline_av *_Nullable barline_av_open(void);

/// Why they can't be opened, in words; to be asked after `barline_av_open` returned NULL.
const char *_Nonnull barline_av_problem(void);

// Error codes are macros with arguments, which Swift cannot import.
static inline int barline_av_error_end(void) { return AVERROR_EOF; }
static inline int barline_av_error_exit(void) { return AVERROR_EXIT; }
static inline int barline_av_error_io(void) { return AVERROR(EIO); }

static inline int barline_av_frame_channels(const AVFrame *_Nonnull frame) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    return frame->ch_layout.nb_channels;
#else
    return frame->channels;
#endif
}

// Versions before 5.1 have the channel count in another place.
static inline int barline_av_channels(const AVCodecParameters *_Nonnull parameters) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    return parameters->ch_layout.nb_channels;
#else
    return parameters->channels;
#endif
}
