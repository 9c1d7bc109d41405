#include "varispeed_kernels.h"

#include <string.h>
#include "dispatch.h"
#include "vectors.h"

// A position in a source, with 64 fractional bits, or a step; negative ones wrap around.
typedef unsigned __int128 position;

// What is read from one piece of memory.
typedef struct reading {
    // Where the taps of the filter that has more of them begin for the position `lowest`.
    const float *left;
    const float *right;
    // The frames at which a position may be for all that it depends on to be in the piece.
    ptrdiff_t lowest;
    ptrdiff_t highest;
    const dsp_filter *lower;
    const dsp_filter *upper;
    float blend;
    // How many taps later those of the lower filter begin.
    ptrdiff_t inset;
    position step;
} reading;

#define TEMPLATE "varispeed_template.h"
#include "instantiate.h"

ptrdiff_t dsp_find_filter(const dsp_filter *filters, ptrdiff_t count, double rate) {
    ptrdiff_t low = 0;
    ptrdiff_t high = count - 2;
    while (low < high) {
        const ptrdiff_t middle = (low + high + 1) / 2;
        if (filters[middle].ratio <= rate) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static position position_at(int64_t whole, uint64_t fraction) {
    return (position)(uint64_t)whole << 64 | fraction;
}

static ptrdiff_t within_loop(ptrdiff_t frame, ptrdiff_t length) {
    if (frame >= 0 && frame < length) {
        return frame;
    }
    frame %= length;
    return frame < 0 ? frame + length : frame;
}

// Frames from `first` on, those beyond what may be read silent.
static void gather(const dsp_region *region, ptrdiff_t first, ptrdiff_t count, float *left, float *right) {
    for (ptrdiff_t index = 0; index < count; index += 1) {
        ptrdiff_t frame = first + index;
        left[index] = 0;
        right[index] = 0;
        if (region->loops) {
            frame = within_loop(frame, region->length);
            const ptrdiff_t into_seam = frame - (region->length - region->seam_length);
            left[index] = into_seam >= 0 ? region->seam_left[into_seam] : region->left[frame];
            right[index] = into_seam >= 0 ? region->seam_right[into_seam] : region->right[frame];
        } else if (frame >= -region->frames_before && frame < region->length + region->frames_after) {
            left[index] = region->left[frame];
            right[index] = region->right[frame];
        }
    }
}

void dsp_read(
    const dsp_region *region, const dsp_filter *lower, const dsp_filter *upper, float blend, int64_t whole,
    uint64_t fraction, int64_t step_whole, uint64_t step_fraction, ptrdiff_t count, float *left, float *right) {
    // The upper one of two filters has as many taps as the lower one, or more.
    const ptrdiff_t taps = blend != 0 ? upper->taps : lower->taps;
    const ptrdiff_t reach = taps / 2;
    position at = position_at(whole, fraction);
    float gathered_left[DSP_LARGEST_SPAN];
    float gathered_right[DSP_LARGEST_SPAN];
    reading task = {
        .lower = lower,
        .upper = upper,
        .blend = blend,
        .inset = (taps - lower->taps) / 2,
        .step = position_at(step_whole, step_fraction),
    };
    while (count > 0) {
        ptrdiff_t frame = (ptrdiff_t)(at >> 64);
        if (region->loops) {
            frame = within_loop(frame, region->length);
        }
        ptrdiff_t first = region->loops ? 0 : -region->frames_before;
        ptrdiff_t end =
            region->loops ? region->length - region->seam_length : region->length + region->frames_after;
        task.left = region->left + first;
        task.right = region->right + first;
        if (frame - (reach - 1) < first || frame + reach >= end) {
            if (region->wrap_left) {
                first = region->length - region->wrap_before;
                end = region->length + DSP_LARGEST_SPAN;
                task.left = region->wrap_left;
                task.right = region->wrap_right;
                frame = frame - (reach - 1) < first ? frame + region->length : frame;
            } else {
                first = frame - (reach - 1);
                end = first + taps;
                gather(region, first, taps, gathered_left, gathered_right);
                task.left = gathered_left;
                task.right = region->left == region->right ? gathered_left : gathered_right;
            }
        }
        task.lowest = first + (reach - 1);
        task.highest = end - 1 - reach;
        const position within = position_at(frame, (uint64_t)at);
        const ptrdiff_t made = task.left == task.right ? DISPATCH(read_mono, &task, within, left, right, count)
                                                       : DISPATCH(read_stereo, &task, within, left, right, count);
        at += task.step * (position)(uint64_t)made;
        left += made;
        right += made;
        count -= made;
    }
}

// How many of `count` frames from `first` on lie in one piece, and where, or null for silence.
typedef struct stretch {
    const float *left;
    const float *right;
    ptrdiff_t count;
} stretch;

static stretch stretch_at(const dsp_region *region, ptrdiff_t first, ptrdiff_t count) {
    ptrdiff_t end = first + count;
    if (region->loops) {
        first = within_loop(first, region->length);
        end = first + count;
        const ptrdiff_t seam = region->length - region->seam_length;
        if (first >= seam) {
            end = end < region->length ? end : region->length;
            return (stretch){region->seam_left + (first - seam), region->seam_right + (first - seam), end - first};
        }
        end = end < seam ? end : seam;
        return (stretch){region->left + first, region->right + first, end - first};
    }
    const ptrdiff_t low = -region->frames_before;
    const ptrdiff_t high = region->length + region->frames_after;
    if (first < low || first >= high) {
        return (stretch){0, 0, first < low && low < end ? low - first : end - first};
    }
    return (stretch){region->left + first, region->right + first, (end < high ? end : high) - first};
}

void dsp_copy_frames(const dsp_region *region, ptrdiff_t first, ptrdiff_t count, float *left, float *right) {
    while (count > 0) {
        const stretch piece = stretch_at(region, first, count);
        const size_t bytes = (size_t)piece.count * sizeof(float);
        if (piece.left) {
            memcpy(left, piece.left, bytes);
            memcpy(right, piece.right, bytes);
        } else {
            memset(left, 0, bytes);
            memset(right, 0, bytes);
        }
        left += piece.count;
        right += piece.count;
        first += piece.count;
        count -= piece.count;
    }
}
