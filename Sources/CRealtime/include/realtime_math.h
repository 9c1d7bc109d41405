#ifndef BARLINE_REALTIME_MATH_H
#define BARLINE_REALTIME_MATH_H

// The part of libm that the render path calls. The attribute tells the Swift compiler that these
// neither lock nor allocate, so that functions marked @_noLocks may call them.
#define BARLINE_REALTIME __attribute__((swift_attr("@_noLocks")))

BARLINE_REALTIME double rt_exp(double x);
BARLINE_REALTIME double rt_expm1(double x);
BARLINE_REALTIME double rt_log1p(double x);
BARLINE_REALTIME double rt_pow(double x, double y);
BARLINE_REALTIME double rt_floor(double x);
BARLINE_REALTIME double rt_ceil(double x);
BARLINE_REALTIME double rt_log10(double x);
BARLINE_REALTIME double rt_sin(double x);
BARLINE_REALTIME double rt_asin(double x);
BARLINE_REALTIME double rt_tan(double x);
BARLINE_REALTIME double rt_exp2(double x);
BARLINE_REALTIME double rt_log2(double x);
BARLINE_REALTIME double rt_sqrt(double x);

#endif
