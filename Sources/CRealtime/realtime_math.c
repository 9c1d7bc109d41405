#include "realtime_math.h"
#include <math.h>

double rt_exp(double x) { return exp(x); }
double rt_expm1(double x) { return expm1(x); }
double rt_log1p(double x) { return log1p(x); }
double rt_pow(double x, double y) { return pow(x, y); }
double rt_floor(double x) { return floor(x); }
double rt_ceil(double x) { return ceil(x); }
double rt_log10(double x) { return log10(x); }
double rt_sin(double x) { return sin(x); }
double rt_asin(double x) { return asin(x); }
double rt_tan(double x) { return tan(x); }
double rt_exp2(double x) { return exp2(x); }
double rt_log2(double x) { return log2(x); }
double rt_sqrt(double x) { return sqrt(x); }
