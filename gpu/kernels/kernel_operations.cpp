// The operators and functions of interpreted kernels, each for all lanes.

#include <bit>
#include <cmath>
#include <limits>

#include "gpu/kernels/kernel_interpreter.h"

namespace texelscope {
namespace {

constexpr int lanes = kernel_lanes;

// Cheap operations act on all lanes, whether they take part or not, so that compilers make vector code of the loops. They
// are defined for all numbers. What is written is never what is read.
template <class R, class A, auto f> void map1(KernelMachine& m, const KernelInstruction& s) {
    R* __restrict const d = m.at<R>(s.d);
    const A* __restrict const a = m.at<A>(s.a);
    for (int l = 0; l < lanes; ++l) d[l] = f(a[l]);
}
template <class R, class A, auto f> void map2(KernelMachine& m, const KernelInstruction& s) {
    R* __restrict const d = m.at<R>(s.d);
    const A* __restrict const a = m.at<A>(s.a);
    const A* __restrict const b = m.at<A>(s.b);
    for (int l = 0; l < lanes; ++l) d[l] = f(a[l], b[l]);
}
template <class A, auto f> void map3(KernelMachine& m, const KernelInstruction& s) {
    A* __restrict const d = m.at<A>(s.d);
    const A* __restrict const a = m.at<A>(s.a);
    const A* __restrict const b = m.at<A>(s.b);
    const A* __restrict const c = m.at<A>(s.c);
    for (int l = 0; l < lanes; ++l) d[l] = f(a[l], b[l], c[l]);
}

// Expensive ones are left out where nobody asks for them.
template <class R, class A, auto f> void call1(KernelMachine& m, const KernelInstruction& s) {
    const int32_t* const mask = m.mask();
    for (int l = 0; l < lanes; ++l)
        if (mask[l] != 0) m.at<R>(s.d)[l] = f(m.at<A>(s.a)[l]);
}
template <class R, class A, class B, auto f> void call2(KernelMachine& m, const KernelInstruction& s) {
    const int32_t* const mask = m.mask();
    for (int l = 0; l < lanes; ++l)
        if (mask[l] != 0) m.at<R>(s.d)[l] = f(m.at<A>(s.a)[l], m.at<B>(s.b)[l]);
}
template <class A, auto f> void call3(KernelMachine& m, const KernelInstruction& s) {
    const int32_t* const mask = m.mask();
    for (int l = 0; l < lanes; ++l)
        if (mask[l] != 0) m.at<A>(s.d)[l] = f(m.at<A>(s.a)[l], m.at<A>(s.b)[l], m.at<A>(s.c)[l]);
}

using F = float;
using D = double;
using I = int32_t;
using U = uint32_t;

// As CUDA converts: to the nearest number that there is, NaN to 0.
template <class T> I to_int(T x) {
    const T low = x > T(-0x1p31) ? x : T(-0x1p31);
    const T most = sizeof(T) == 4 ? T(0x1.fffffep30) : T(0x7fffffff);
    const I inside = I(low < most ? low : most);
    return x != x ? 0 : x >= T(0x1p31) ? std::numeric_limits<I>::max() : inside;
}
template <class T> U to_unsigned(T x) {
    const D low = D(x) > 0 ? D(x) : 0;
    return U(low < 4294967295.0 ? low : 4294967295.0);
}

template <class T> T nearest_integer(T x) {
    constexpr T fraction_ends = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);
    const T shift = x < 0 ? -fraction_ends : fraction_ends;
    const T rounded = (x + shift) - shift;
    return (x < 0 ? -x : x) < fraction_ends ? rounded : x;
}
template <class T> T floor_of(T x) {
    const T near = nearest_integer(x);
    return near - (near > x ? T(1) : T(0));
}
template <class T> T ceil_of(T x) { return -floor_of(-x); }
template <class T> T trunc_of(T x) { return x < 0 ? ceil_of(x) : floor_of(x); }
template <class T> T least(T a, T b) { return a < b || b != b ? a : b; }
template <class T> T most(T a, T b) { return a > b || b != b ? a : b; }

I whole(D x) {
    const D low = x > -0x1p31 ? x : -0x1p31, inside = low < 2147483647.0 ? low : 2147483647.0;
    const I truncated = I(inside);
    return x != x ? 0 : truncated - (inside < D(truncated) ? 1 : 0);
}

// e^x to 2 units of the last place; vector code, unlike the library's.
F exponential(F x) {
    F low = x > -104.0f ? x : -104.0f;
    low = low < 89.0f ? low : 89.0f;
    const F n = nearest_integer(low * 1.44269504f);
    const F r = (low - n * 0.693359375f) + n * 2.12194440e-4f;
    F p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const I whole = I(n), half = whole >> 1;
    const F first = std::bit_cast<F>((half + 127) << 23), second = std::bit_cast<F>((whole - half + 127) << 23);
    return x != x ? x : p * first * second;
}

I divided(I a, I b) { return b == 0 ? -1 : b == -1 ? I(0u - U(a)) : a / b; }
I remaining(I a, I b) { return b == 0 ? a : b == -1 ? 0 : a % b; }
U shifted_left(U a, U by) { return by < 32 ? a << by : 0; }
I shifted_right(I a, I by) { return a >> (U(by) < 32 ? by : 31); }

F random_number(U i, U j, U k) {
    U h = i * 0x9E3779B1u ^ j * 0x85EBCA77u ^ k * 0xC2B2AE3Du;
    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 15) * 0x846CA68Bu;
    return F(I((h ^ h >> 16) >> 8)) * 0x1p-24f;
}
void random_step(KernelMachine& m, const KernelInstruction& s) {
    F* __restrict const d = m.at<F>(s.d);
    const U *const a = m.at<U>(s.a), *const b = m.at<U>(s.b), *const c = m.at<U>(s.c);
    for (int l = 0; l < lanes; ++l) d[l] = random_number(a[l], b[l], c[l]);
}

#define VALUE(expression) [](auto a) { return (expression); }
#define VALUES(expression) [](auto a, auto b) { return (expression); }
// For both kinds of floating-point numbers: nameF, and name of either.
#define BOTH(name, kind, ...)                                                             \
    {#name "f", "FF", kind<F, F, __VA_ARGS__>}, {#name, "FF", kind<F, F, __VA_ARGS__>}, { \
#name, "DD", kind < D, D, __VA_ARGS__>                                            \
    }
#define LIBRARY(name) BOTH(name, call1, VALUE(std::name(a)))
#define BOTH2(name, ...)                                                                    \
    {#name "f", "FFF", map2<F, F, __VA_ARGS__>}, {#name, "FFF", map2<F, F, __VA_ARGS__>}, { \
#name, "DDD", map2 < D, D, __VA_ARGS__>                                             \
    }
#define LIBRARY2(name)                                             \
    {#name "f", "FFF", call2<F, F, F, VALUES(std::name(a, b))>},   \
        {#name, "FFF", call2<F, F, F, VALUES(std::name(a, b))>}, { \
#name, "DDD", call2 < D, D, D, VALUES(std::name(a, b))>    \
    }
#define COMPARED(name)                                                                                \
    {#name, "BII", map2<I, I, VALUES(I(a name b))>}, {#name, "BUU", map2<I, U, VALUES(I(a name b))>}, \
        {#name, "BFF", map2<I, F, VALUES(I(a name b))>}, {                                            \
#name, "BDD", map2 < I, D, VALUES(I(a name b))>                                               \
    }
#define CALCULATED(name)                                                                        \
    {#name, "III", map2<U, U, VALUES(a name b)>}, {#name, "UUU", map2<U, U, VALUES(a name b)>}, \
        {#name, "FFF", map2<F, F, VALUES(a name b)>}, {                                         \
#name, "DDD", map2 < D, D, VALUES(a name b)>                                            \
    }
#define OF_BITS(name) \
    {#name, "III", map2<U, U, VALUES(a name b)>}, { #name, "UUU", map2 < U, U, VALUES(a name b)> }
#define TESTED(name) \
    {#name, "BF", map1<I, F, VALUE(I(std::name(a)))>}, { #name, "BD", map1 < I, D, VALUE(I(std::name(a)))> }

constexpr double pi = 3.14159265358979323846;
// The sine of π · a, exact for whole and half numbers.
D sine_of_pi(D a) {
    const D r = std::remainder(a, 2.0);
    return std::abs(r) <= 0.25     ? std::sin(pi * r)
           : r > 0.75 || r < -0.75 ? (r > 0 ? std::sin(pi * (1 - r)) : -std::sin(pi * (1 + r)))
                                   : (r > 0 ? std::cos(pi * (r - 0.5)) : -std::cos(pi * (r + 0.5)));
}
D cosine_of_pi(D a) { return sine_of_pi(std::remainder(a, 2.0) + 0.5); }

const std::vector<KernelOperation> operations = {
    CALCULATED(+),
    CALCULATED(-),
    CALCULATED(*),
    {"/", "FFF", map2<F, F, VALUES(a / b)>},
    {"/", "DDD", map2<D, D, VALUES(a / b)>},
    {"/", "III", map2<I, I, divided>},
    {"/", "UUU", map2<U, U, VALUES(b == 0 ? ~0u : a / b)>},
    {"%", "III", map2<I, I, remaining>},
    {"%", "UUU", map2<U, U, VALUES(b == 0 ? a : a % b)>},
    OF_BITS(&),
    OF_BITS(|),
    OF_BITS(^),
    {"&", "BBB", map2<U, U, VALUES(a& b)>},
    {"|", "BBB", map2<U, U, VALUES(a | b)>},
    {"<<", "III", map2<U, U, shifted_left>},
    {"<<", "UUU", map2<U, U, shifted_left>},
    {">>", "III", map2<I, I, shifted_right>},
    {">>", "UUU", map2<U, U, VALUES(b < 32 ? a >> b : 0u)>},
    COMPARED(<),
    COMPARED(<=),
    COMPARED(>),
    COMPARED(>=),
    COMPARED(==),
    COMPARED(!=),
    {"-", "II", map1<U, U, VALUE(0u - a)>},
    {"-", "UU", map1<U, U, VALUE(0u - a)>},
    {"-", "FF", map1<F, F, VALUE(-a)>},
    {"-", "DD", map1<D, D, VALUE(-a)>},
    {"~", "II", map1<U, U, VALUE(~a)>},
    {"~", "UU", map1<U, U, VALUE(~a)>},
    {"!", "BB", map1<U, U, VALUE(a ^ 1u)>},
    // Conversions.
    {"(to)", "BI", map1<I, I, VALUE(I(a != 0))>},
    {"(to)", "BU", map1<I, U, VALUE(I(a != 0))>},
    {"(to)", "BF", map1<I, F, VALUE(I(a != 0))>},
    {"(to)", "BD", map1<I, D, VALUE(I(a != 0))>},
    {"(to)", "FI", map1<F, I, VALUE(F(a))>},
    {"(to)", "FU", map1<F, U, VALUE(F(a))>},
    {"(to)", "FD", map1<F, D, VALUE(F(a))>},
    {"(to)", "DI", map1<D, I, VALUE(D(a))>},
    {"(to)", "DU", map1<D, U, VALUE(D(a))>},
    {"(to)", "DF", map1<D, F, VALUE(D(a))>},
    {"(to)", "IF", map1<I, F, to_int<F>>},
    {"(to)", "ID", map1<I, D, to_int<D>>},
    {"(to)", "UF", map1<U, F, to_unsigned<F>>},
    {"(to)", "UD", map1<U, D, to_unsigned<D>>},
    // Words of the dialect.
    {"whole", "ID", map1<I, D, whole>},
    {"part", "FD", map1<F, D, VALUE(F(a - floor_of(a)))>},
    {"lerp", "FFFF", map3<F, [](F a, F b, F t) { return a + t * (b - a); }>},
    {"clamp", "FFFF", map3<F, [](F a, F low, F high) { return least(most(a, low), high); }>},
    {"random", "FIII", random_step},
    // CUDA's functions.
    BOTH(fabs, map1, VALUE(std::fabs(a))),
    BOTH(sqrt, map1, VALUE(std::sqrt(a))),
    BOTH(rsqrt, map1, VALUE(1 / std::sqrt(a))),
    BOTH(floor, map1, VALUE(floor_of(a))),
    BOTH(ceil, map1, VALUE(ceil_of(a))),
    BOTH(trunc, map1, VALUE(trunc_of(a))),
    BOTH(rint, map1, VALUE(nearest_integer(a))),
    BOTH(nearbyint, map1, VALUE(nearest_integer(a))),
    LIBRARY(round),
    {"expf", "FF", map1<F, F, exponential>},
    {"exp", "FF", map1<F, F, exponential>},
    {"exp", "DD", call1<D, D, VALUE(std::exp(a))>},
    LIBRARY(exp2),
    LIBRARY(expm1),
    BOTH(exp10, call1, VALUE(decltype(a)(std::pow(10.0, D(a))))),
    LIBRARY(log),
    LIBRARY(log2),
    LIBRARY(log10),
    LIBRARY(log1p),
    LIBRARY(logb),
    LIBRARY(sin),
    LIBRARY(cos),
    LIBRARY(tan),
    LIBRARY(asin),
    LIBRARY(acos),
    LIBRARY(atan),
    LIBRARY(sinh),
    LIBRARY(cosh),
    LIBRARY(tanh),
    LIBRARY(asinh),
    LIBRARY(acosh),
    LIBRARY(atanh),
    LIBRARY(cbrt),
    BOTH(rcbrt, call1, VALUE(1 / std::cbrt(a))),
    LIBRARY(erf),
    LIBRARY(erfc),
    LIBRARY(tgamma),
    LIBRARY(lgamma),
    BOTH(sinpi, call1, VALUE(decltype(a)(sine_of_pi(a)))),
    BOTH(cospi, call1, VALUE(decltype(a)(cosine_of_pi(a)))),
    BOTH2(fmin, VALUES(least(a, b))),
    BOTH2(fmax, VALUES(most(a, b))),
    BOTH2(fdim, VALUES(a > b    ? a - b
                       : a <= b ? a * 0
                                : a + b)),
    BOTH2(copysign, VALUES(std::copysign(a, b))),
    LIBRARY2(pow),
    LIBRARY2(atan2),
    LIBRARY2(fmod),
    LIBRARY2(remainder),
    LIBRARY2(hypot),
    LIBRARY2(nextafter),
    {"fmaf", "FFFF", call3<F, [](F a, F b, F c) { return std::fma(a, b, c); }>},
    {"fma", "FFFF", call3<F, [](F a, F b, F c) { return std::fma(a, b, c); }>},
    {"fma", "DDDD", call3<D, [](D a, D b, D c) { return std::fma(a, b, c); }>},
    {"norm3df", "FFFF", call3<F, [](F a, F b, F c) { return std::hypot(a, b, c); }>},
    {"norm3d", "DDDD", call3<D, [](D a, D b, D c) { return std::hypot(a, b, c); }>},
    {"ldexpf", "FFI", call2<F, F, I, VALUES(std::ldexp(a, b))>},
    {"ldexp", "FFI", call2<F, F, I, VALUES(std::ldexp(a, b))>},
    {"ldexp", "DDI", call2<D, D, I, VALUES(std::ldexp(a, b))>},
    {"min", "III", map2<I, I, VALUES(a < b ? a : b)>},
    {"max", "III", map2<I, I, VALUES(a > b ? a : b)>},
    {"min", "UUU", map2<U, U, VALUES(a < b ? a : b)>},
    {"max", "UUU", map2<U, U, VALUES(a > b ? a : b)>},
    {"min", "FFF", map2<F, F, VALUES(least(a, b))>},
    {"max", "FFF", map2<F, F, VALUES(most(a, b))>},
    {"min", "DDD", map2<D, D, VALUES(least(a, b))>},
    {"max", "DDD", map2<D, D, VALUES(most(a, b))>},
    {"abs", "II", map1<U, U, VALUE(a >> 31 ? 0u - a : a)>},
    {"abs", "FF", map1<F, F, VALUE(std::fabs(a))>},
    {"abs", "DD", map1<D, D, VALUE(std::fabs(a))>},
    {"lrintf", "IF", map1<I, F, VALUE(to_int(nearest_integer(a)))>},
    {"lrint", "ID", map1<I, D, VALUE(to_int(nearest_integer(a)))>},
    {"lroundf", "IF", call1<I, F, VALUE(to_int(std::round(a)))>},
    {"lround", "ID", call1<I, D, VALUE(to_int(std::round(a)))>},
    TESTED(isnan),
    TESTED(isinf),
    TESTED(isfinite),
    TESTED(signbit),
};

}  // namespace

const std::vector<KernelOperation>& kernel_operations() { return operations; }

}  // namespace texelscope
