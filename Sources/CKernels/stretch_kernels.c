#include "stretch_kernels.h"

#include <float.h>
#include <math.h>
#include "dispatch.h"
#include "vectors.h"

#define TEMPLATE "stretch_template.h"
#include "instantiate.h"

// Whether a stage transforms eight positions at a time, each with factors of its own.
static int has_rows(ptrdiff_t stride) { return stride < 16; }

ptrdiff_t dsp_factor_count(ptrdiff_t size) {
    ptrdiff_t count = 0;
    for (ptrdiff_t stride = 1; size / stride >= 4; stride *= 4) {
        count += has_rows(stride) ? 6 * (size / 4) : 6 * (size / stride / 4);
    }
    return count;
}

void dsp_make_factors(float *factors, ptrdiff_t size) {
    for (ptrdiff_t stride = 1; size / stride >= 4; stride *= 4) {
        const ptrdiff_t length = size / stride;
        const ptrdiff_t places = has_rows(stride) ? size / 4 : length / 4;
        for (ptrdiff_t place = 0; place < places; place += 1) {
            const ptrdiff_t step = has_rows(stride) ? place / stride : place;
            for (ptrdiff_t power = 1; power <= 3; power += 1) {
                const double angle = -2 * M_PI * (double)(power * step) / (double)length;
                const ptrdiff_t row = 2 * (power - 1);
                factors[has_rows(stride) ? row * places + place : 6 * place + row] = (float)cos(angle);
                factors[has_rows(stride) ? (row + 1) * places + place : 6 * place + row + 1] = (float)sin(angle);
            }
        }
        factors += 6 * places;
    }
}

void dsp_run_transform(const dsp_transform *transform, dsp_complex input, dsp_complex output, dsp_complex work) {
    const ptrdiff_t size = transform->size;
    ptrdiff_t stages = 0;
    for (ptrdiff_t length = size; length >= 2; length /= 4) {
        stages += 1;
    }
    const float *factors = transform->factors;
    dsp_complex source = input;
    ptrdiff_t stride = 1;
    // The last stage writes to the output.
    for (; stages > 0; stages -= 1) {
        const dsp_complex target = stages % 2 == 1 ? output : work;
        const ptrdiff_t length = size / stride;
        if (length >= 4) {
            DISPATCH(
                radix4, source.real, source.imaginary, target.real, target.imaginary, factors, size, stride);
            factors += has_rows(stride) ? 6 * (size / 4) : 6 * (length / 4);
        } else {
            DISPATCH(radix2, source.real, source.imaginary, target.real, target.imaginary, size);
        }
        source = target;
        stride *= 4;
    }
}

void dsp_take_window(
    const float *left, const float *right, const float *window, dsp_complex output, ptrdiff_t size) {
    DISPATCH(take_window, left, right, window, output.real, output.imaginary, size);
}

void dsp_bin_energies(dsp_complex spectrum, float *energies, ptrdiff_t size) {
    dsp_bin_products(spectrum, spectrum, energies, size);
}

typedef struct turn {
    float real;
    float imaginary;
} turn;

// The rotation in the direction of a product; none where there is nothing.
static turn unit_turn(float real, float imaginary) {
    const float square = real * real + imaginary * imaginary;
    // Also true for NaN.
    if (!(square > FLT_MIN && square < FLT_MAX)) {
        return (turn){1, 0};
    }
    const float length = __builtin_sqrtf(square);
    return (turn){real / length, imaginary / length};
}

// The unit rotation from `earlier` to `former` at `bin`, weighted with the energy of each channel.
static turn turn_at(dsp_complex former, dsp_complex earlier, ptrdiff_t bin, ptrdiff_t size) {
    const ptrdiff_t other = bin == 0 ? 0 : size - bin;
    const float real = former.real[bin] * earlier.real[bin] + former.imaginary[bin] * earlier.imaginary[bin]
        + (former.real[other] * earlier.real[other] + former.imaginary[other] * earlier.imaginary[other]);
    const float imaginary = former.imaginary[bin] * earlier.real[bin] - former.real[bin] * earlier.imaginary[bin]
        - (former.imaginary[other] * earlier.real[other] - former.real[other] * earlier.imaginary[other]);
    return unit_turn(real, imaginary);
}

// The channels at a bin, times 2.
typedef struct channels {
    turn left;
    turn right;
} channels;

static channels channels_at(dsp_complex spectrum, ptrdiff_t bin, ptrdiff_t size) {
    const ptrdiff_t other = bin == 0 ? 0 : size - bin;
    const float lower_real = spectrum.real[bin];
    const float lower_imaginary = spectrum.imaginary[bin];
    const float upper_real = spectrum.real[other];
    const float upper_imaginary = spectrum.imaginary[other];
    return (channels){
        {lower_real + upper_real, lower_imaginary - upper_imaginary},
        {lower_imaginary + upper_imaginary, upper_real - lower_real}};
}

static float energy_of(turn value) { return value.real * value.real + value.imaginary * value.imaginary; }

// Whether one energy is at least 6 dB above another.
static int dominates(float energy, float other) { return energy > 4 * other; }

// The bin within a main lobe of the peak at `bin` at which the other channel than the one whose peak that is has one of
// its own; -1 if there is none.
static ptrdiff_t other_peak(dsp_complex spectrum, ptrdiff_t bin, ptrdiff_t size) {
    const channels peak = channels_at(spectrum, bin, size);
    const float peak_left = energy_of(peak.left);
    const float peak_right = energy_of(peak.right);
    const int is_left = dominates(peak_right, peak_left);
    if (!is_left && !dominates(peak_left, peak_right)) {
        return -1;
    }
    const ptrdiff_t reach = 3;
    const ptrdiff_t first = bin > reach ? bin - reach : 1;
    const ptrdiff_t end = bin + reach < size / 2 ? bin + reach + 1 : size / 2;
    ptrdiff_t found = -1;
    float highest = is_left ? peak_left : peak_right;
    for (ptrdiff_t place = first; place < end; place += 1) {
        const channels there = channels_at(spectrum, place, size);
        const float own = energy_of(is_left ? there.left : there.right);
        if (own > highest) {
            highest = own;
            found = dominates(own, energy_of(is_left ? there.right : there.left)) ? place : -1;
        }
    }
    // What only rises towards the edge belongs to another peak.
    return found == first || found == end - 1 ? -1 : found;
}

// The rotation from `earlier` to `former`.
static turn turn_between(turn former, turn earlier) {
    const float real = former.real * earlier.real + former.imaginary * earlier.imaginary;
    const float imaginary = former.imaginary * earlier.real - former.real * earlier.imaginary;
    return unit_turn(real, imaginary);
}

// The rotation halfway between two others.
static turn middle_turn(turn low, turn high) {
    const turn sum = {low.real + high.real, low.imaginary + high.imaginary};
    const float square = sum.real * sum.real + sum.imaginary * sum.imaginary;
    if (square < 1e-6f) {
        return (turn){-low.imaginary, low.real};
    }
    const float length = __builtin_sqrtf(square);
    return (turn){sum.real / length, sum.imaginary / length};
}

// The rotation `pull` of the way from one to another: by halving, so that the angle moves evenly.
static turn pulled_turn(turn low, turn high, float pull) {
    for (int step = 0; step < 8; step += 1) {
        if (pull >= 1) {
            return high;
        }
        const turn middle = middle_turn(low, high);
        pull *= 2;
        if (pull < 1) {
            high = middle;
        } else {
            low = middle;
            pull -= 1;
        }
    }
    return low;
}

static void fill_turns(dsp_complex turns, turn value, ptrdiff_t first, ptrdiff_t end) {
    for (ptrdiff_t bin = first; bin < end; bin += 1) {
        turns.real[bin] = value.real;
        turns.imaginary[bin] = value.imaginary;
    }
}

static void copy_turns(dsp_complex from, dsp_complex to, ptrdiff_t end) {
    for (ptrdiff_t bin = 0; bin < end; bin += 1) {
        to.real[bin] = from.real[bin];
        to.imaginary[bin] = from.imaginary[bin];
    }
}

// The rotations of both channels around a peak.
typedef struct peak_turns {
    turn left;
    turn right;
    int are_apart;
} peak_turns;

static peak_turns turns_at(
    dsp_complex former, dsp_complex earlier, float pull, dsp_complex spectrum, dsp_complex aim, ptrdiff_t bin,
    ptrdiff_t size) {
    const ptrdiff_t other = other_peak(spectrum, bin, size);
    if (other < 0) {
        turn both = turn_at(former, earlier, bin, size);
        if (pull > 0) {
            both = pulled_turn(both, turn_at(aim, spectrum, bin, size), pull);
        }
        return (peak_turns){both, both, 0};
    }
    const channels peak = channels_at(spectrum, bin, size);
    const int is_left = energy_of(peak.left) > energy_of(peak.right);
    const ptrdiff_t left = is_left ? bin : other;
    const ptrdiff_t right = is_left ? other : bin;
    peak_turns found = {
        turn_between(channels_at(former, left, size).left, channels_at(earlier, left, size).left),
        turn_between(channels_at(former, right, size).right, channels_at(earlier, right, size).right), 1};
    if (pull > 0) {
        const turn left_aim = turn_between(channels_at(aim, left, size).left, channels_at(spectrum, left, size).left);
        const turn right_aim
            = turn_between(channels_at(aim, right, size).right, channels_at(spectrum, right, size).right);
        found.left = pulled_turn(found.left, left_aim, pull);
        found.right = pulled_turn(found.right, right_aim, pull);
    }
    return found;
}

bool dsp_find_turns(
    const float *energies, const float *risen, dsp_complex former, dsp_complex earlier, float pull,
    dsp_complex spectrum, dsp_complex aim, dsp_complex turns, dsp_complex right_turns, ptrdiff_t size) {
    const ptrdiff_t end = size / 2 + 1;
    ptrdiff_t first = 0;
    ptrdiff_t lowest = 0;
    peak_turns current = {{1, 0}, {1, 0}, 0};
    int has_peak = 0;
    bool are_apart = false;
    for (ptrdiff_t bin = 0; bin < end; bin += 1) {
        const float energy = energies[bin];
        if (energy < energies[lowest]) {
            lowest = bin;
        }
        // Notes a whole tone apart at 220 Hz are hardly more than two bins apart: each has a peak of its own.
        if (!(energy > energies[bin - 1] && energy >= energies[bin + 1])) {
            continue;
        }
        if (has_peak) {
            fill_turns(turns, current.left, first, lowest);
            if (are_apart) {
                fill_turns(right_turns, current.right, first, lowest);
            }
            first = lowest;
        }
        has_peak = 1;
        lowest = bin;
        if (risen && energy > risen[bin]) {
            current = (peak_turns){{1, 0}, {1, 0}, 0};
            continue;
        }
        current = turns_at(former, earlier, pull, spectrum, aim, bin, size);
        if (current.are_apart && !are_apart) {
            are_apart = true;
            copy_turns(turns, right_turns, first);
        }
    }
    fill_turns(turns, current.left, first, end);
    if (are_apart) {
        fill_turns(right_turns, current.right, first, end);
    }
    return are_apart;
}

void dsp_turn(dsp_complex input, dsp_complex turns, dsp_complex output, ptrdiff_t size) {
    DISPATCH(
        turn, input.real, input.imaginary, turns.real, turns.imaginary, output.real, output.imaginary, size);
    // Bins 0 and `size` / 2 have no mirror image to rotate the other way: real signals stay real.
    output.real[0] = input.real[0] * turns.real[0];
    output.imaginary[0] = input.imaginary[0] * turns.real[0];
    output.real[size / 2] = input.real[size / 2] * turns.real[size / 2];
    output.imaginary[size / 2] = input.imaginary[size / 2] * turns.real[size / 2];
}

void dsp_turn_apart(
    dsp_complex input, dsp_complex turns, dsp_complex right_turns, dsp_complex output, ptrdiff_t size) {
    DISPATCH(
        turn_apart, input.real, input.imaginary, turns.real, turns.imaginary, right_turns.real, right_turns.imaginary,
        output.real, output.imaginary, size);
    output.real[0] = input.real[0] * turns.real[0];
    output.imaginary[0] = input.imaginary[0] * right_turns.real[0];
    output.real[size / 2] = input.real[size / 2] * turns.real[size / 2];
    output.imaginary[size / 2] = input.imaginary[size / 2] * right_turns.real[size / 2];
}

void dsp_bin_products(dsp_complex spectrum, dsp_complex other, float *products, ptrdiff_t size) {
    DISPATCH(products, spectrum.real, spectrum.imaginary, other.real, other.imaginary, products, size);
}

void dsp_hold_levels(
    dsp_complex turns, const float *products, const float *energies, const float *other_energies,
    const float *overlaps, float share, ptrdiff_t size) {
    DISPATCH(
        hold_levels, turns.real, turns.imaginary, products, energies, other_energies, overlaps, share, size / 2 + 1);
}

void dsp_add_grain(
    dsp_complex grain, const float *window, const float *gains, float scale, float *left, float *right, float *weights,
    ptrdiff_t count) {
    DISPATCH(add_grain, grain.real, grain.imaginary, window, gains, scale, left, right, weights, count);
}

void dsp_multiply_table(
    float *values, const float *table, ptrdiff_t table_count, ptrdiff_t place, ptrdiff_t count) {
    for (ptrdiff_t index = 0; index < count; index += 1) {
        const ptrdiff_t entry = place + index;
        values[index] = values[index] * table[entry < 0 ? 0 : (entry < table_count ? entry : table_count - 1)];
    }
}

void dsp_add_weighted(
    const float *left, const float *right, const float *sample_weights, const float *gains, float *sum_left,
    float *sum_right, float *weights, ptrdiff_t count) {
    DISPATCH(add_weighted, left, right, sample_weights, gains, sum_left, sum_right, weights, count);
}

void dsp_divide_weights(float *left, float *right, const float *weights, ptrdiff_t count) {
    // A hundredth of what regularly spaced grains add up to.
    const float least = 0.02f;
    DISPATCH(divide, left, weights, least, count);
    DISPATCH(divide, right, weights, least, count);
}
