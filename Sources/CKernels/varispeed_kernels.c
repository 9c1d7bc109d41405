#include "varispeed_kernels.h"

#include <stdbool.h>
#include <string.h>
#include "dispatch.h"
#include "vectors.h"

// A position in a source, with 64 fractional bits, or a step; negative ones wrap around.
typedef unsigned __int128 position;

// A read from contiguous memory.
typedef struct reading {
    // The start of the taps for the position `origin`, of the filter that has more of them; those of the narrow filter
    // begin at a midpoint.
    const float *left;
    const float *right;
    const float *middle_left;
    const float *middle_right;
    ptrdiff_t origin;
    // The range of frames that a position may have for everything it depends on to be in the memory.
    ptrdiff_t lowest;
    ptrdiff_t highest;
    const dsp_filter *lower;
    const dsp_filter *upper;
    float blend;
    // The offset at which the taps of the lower filter begin.
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

// Copies frames from `first` on, silent beyond what may be read.
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

// The reach of the narrow filter on each side of a position, in frames.
#define NARROW_REACH (DSP_NARROW_TAPS / 4)

// Memory that holds frames and their midpoints, and the range of frames in it at which the narrow filter may be used.
typedef struct narrow_piece {
    const float *left;
    const float *right;
    const float *middle_left;
    const float *middle_right;
    // The frame at the pointers above.
    ptrdiff_t first;
    ptrdiff_t lowest;
    ptrdiff_t highest;
} narrow_piece;

// The range in which the midpoints of a region are those of an endless one: for a loop, excluding those that depend on
// frames beside it in the file.
static narrow_piece narrow_piece_of(const dsp_region *region) {
    const ptrdiff_t reach = region->loops ? DSP_MIDPOINT_REACH + NARROW_REACH : NARROW_REACH;
    const ptrdiff_t before =
        region->midpoints_before < region->frames_before ? region->midpoints_before : region->frames_before;
    const ptrdiff_t after =
        region->midpoints_after < region->frames_after ? region->midpoints_after : region->frames_after;
    const ptrdiff_t first = region->loops ? 0 : -before;
    const ptrdiff_t end = region->loops ? region->length - region->seam_length : region->length + after;
    return (narrow_piece){
        .left = region->left,
        .right = region->right,
        .middle_left = region->middle_left,
        .middle_right = region->middle_right,
        .first = 0,
        .lowest = first + reach,
        .highest = end - 1 - reach,
    };
}

// The frames around a loop's wrap.
static narrow_piece narrow_wrap_of(const dsp_region *region) {
    const ptrdiff_t first = region->length - region->wrap_before;
    const ptrdiff_t reach = DSP_MIDPOINT_REACH + NARROW_REACH;
    return (narrow_piece){
        .left = region->wrap_left,
        .right = region->wrap_right,
        .middle_left = region->wrap_middle_left,
        .middle_right = region->wrap_middle_right,
        .first = first,
        .lowest = first + reach,
        .highest = region->length + DSP_LARGEST_SPAN - 1 - reach,
    };
}

// Sets `task` up for the narrow filter, if that may be used at `frame`.
static bool finds_narrow(reading *task, const dsp_region *region, ptrdiff_t *frame) {
    narrow_piece piece = narrow_piece_of(region);
    if (*frame < piece.lowest || *frame > piece.highest) {
        if (!region->wrap_middle_left) {
            return false;
        }
        const ptrdiff_t lowest = piece.lowest;
        piece = narrow_wrap_of(region);
        *frame = *frame < lowest && *frame < piece.lowest ? *frame + region->length : *frame;
    }
    const ptrdiff_t skipped = piece.lowest - NARROW_REACH - piece.first;
    task->left = piece.left + skipped;
    task->right = piece.right + skipped;
    task->middle_left = piece.middle_left + skipped;
    task->middle_right = piece.middle_right + skipped;
    task->origin = piece.lowest;
    task->lowest = piece.lowest;
    task->highest = piece.highest;
    return true;
}

// Sets `task` up for the filters that need no midpoints.
static void find_wide(
    reading *task, const dsp_region *region, ptrdiff_t *frame, ptrdiff_t taps, float *gathered_left,
    float *gathered_right) {
    const ptrdiff_t reach = taps / 2;
    ptrdiff_t first = region->loops ? 0 : -region->frames_before;
    ptrdiff_t end = region->loops ? region->length - region->seam_length : region->length + region->frames_after;
    task->left = region->left + first;
    task->right = region->right + first;
    if (*frame - (reach - 1) < first || *frame + reach >= end) {
        if (region->wrap_left) {
            first = region->length - region->wrap_before;
            end = region->length + DSP_LARGEST_SPAN;
            task->left = region->wrap_left;
            task->right = region->wrap_right;
            *frame = *frame - (reach - 1) < first ? *frame + region->length : *frame;
        } else {
            first = *frame - (reach - 1);
            end = first + taps;
            gather(region, first, taps, gathered_left, gathered_right);
            task->left = gathered_left;
            task->right = region->left == region->right ? gathered_left : gathered_right;
        }
    }
    task->origin = first + (reach - 1);
    task->lowest = task->origin;
    task->highest = end - 1 - reach;
}

void dsp_read(
    const dsp_region *region, const dsp_filter *lower, const dsp_filter *upper, float blend, int64_t whole,
    uint64_t fraction, int64_t step_whole, uint64_t step_fraction, ptrdiff_t count, float *left, float *right) {
    // The upper one of two filters has at least as many taps as the lower one.
    const ptrdiff_t taps = blend != 0 ? upper->taps : lower->taps;
    const bool prefers_narrow = blend == 0 && lower->narrow_weights && region->middle_left
        && (!region->wrap_left || region->wrap_middle_left);
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
        ptrdiff_t made = 0;
        if (prefers_narrow && finds_narrow(&task, region, &frame)) {
            const position within = position_at(frame, (uint64_t)at);
            made = task.left == task.right ? DISPATCH(read_narrow_mono, &task, within, left, right, count)
                                           : DISPATCH(read_narrow_stereo, &task, within, left, right, count);
        } else if (lower->exact_weights) {
            find_wide(&task, region, &frame, taps, gathered_left, gathered_right);
            made = DISPATCH(read_exact, &task, position_at(frame, (uint64_t)at), left, right, count);
        } else {
            find_wide(&task, region, &frame, taps, gathered_left, gathered_right);
            if (prefers_narrow) {
                // Up to where the narrow filter becomes usable.
                const narrow_piece piece = narrow_piece_of(region);
                if (frame < piece.lowest && task.highest >= piece.lowest) {
                    task.highest = piece.lowest - 1;
                }
                if (frame > piece.highest && task.lowest <= piece.highest) {
                    task.lowest = piece.highest + 1;
                }
            }
            const position within = position_at(frame, (uint64_t)at);
            made = task.left == task.right ? DISPATCH(read_mono, &task, within, left, right, count)
                                           : DISPATCH(read_stereo, &task, within, left, right, count);
        }
        at += task.step * (position)(uint64_t)made;
        left += made;
        right += made;
        count -= made;
    }
}

void dsp_find_midpoints(
    const float *samples, const double *weights, ptrdiff_t reach, float *midpoints, ptrdiff_t count) {
    DISPATCH(find_midpoints, samples, weights, reach, midpoints, count);
}

// The number of frames, of `count` from `first` on, that are contiguous, and their address, or null for silence.
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

int dsp_find_frames(
    const dsp_region *region, ptrdiff_t first, ptrdiff_t count, const float **left, const float **right) {
    const stretch piece = stretch_at(region, first, count);
    *left = piece.left;
    *right = piece.right;
    return piece.left && piece.count == count;
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
