// Nothing is linked: CLibAV opens the libraries when something needs them.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
