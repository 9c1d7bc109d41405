// Without the package's trait there need be no headers of libav.
#ifdef BARLINE_LIBAV

#include "CLibAV.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define BARLINE_TEXT(x) #x
#define BARLINE_NUMBER(x) BARLINE_TEXT(x)
#define BARLINE_LIBRARY "libavformat.so." BARLINE_NUMBER(LIBAVFORMAT_VERSION_MAJOR)

static struct barline_av functions;
static int is_open;
static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_problem(void) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : "libavformat can't be opened");
}

static void open_libraries(void) {
#ifdef __APPLE__
    // There the package manager links what has headers.
    void *library = RTLD_DEFAULT;
#else
    // The other two are what this one needs itself, and found through it.
    void *library = dlopen(BARLINE_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        note_problem();
        return;
    }
#endif
#define BARLINE_AV_FIND(name)                         \
    {                                                 \
        void *address = dlsym(library, #name);        \
        if (!address) {                               \
            note_problem();                           \
            return;                                   \
        }                                             \
        memcpy(&functions.name, &address, sizeof address); \
    }
    BARLINE_AV_FUNCTIONS(BARLINE_AV_FIND)
#undef BARLINE_AV_FIND
    functions.av_log_set_level(AV_LOG_QUIET);
    is_open = 1;
}

const struct barline_av *barline_av_open(void) {
    pthread_once(&once, open_libraries);
    return is_open ? &functions : NULL;
}

const char *barline_av_problem(void) { return problem; }

#endif
