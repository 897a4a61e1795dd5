// The instructions of interpreted kernels, and the machine that carries them out.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "gpu/core/errors.h"
#include "gpu/kernels/kernel_interpreter.h"

namespace texelscope {
namespace {

constexpr int lanes = kernel_lanes;
using Instruction = KernelInstruction;

// Cheap operations act on all lanes, whether they take part or not, so that compilers make vector code of the loops. They
// are defined for all numbers. What is written is never what is read.
template <class R, class A, auto f> void map1(KernelMachine& m, const Instruction& s) {
    R* __restrict const d = m.at<R>(s.d);
    const A* __restrict const a = m.at<A>(s.a);
    for (int l = 0; l < lanes; ++l) d[l] = f(a[l]);
}
template <class R, class A, auto f> void map2(KernelMachine& m, const Instruction& s) {
    R* __restrict const d = m.at<R>(s.d);
    const A* __restrict const a = m.at<A>(s.a);
    const A* __restrict const b = m.at<A>(s.b);
    for (int l = 0; l < lanes; ++l) d[l] = f(a[l], b[l]);
}
template <class A, auto f> void map3(KernelMachine& m, const Instruction& s) {
    A* __restrict const d = m.at<A>(s.d);
    const A* __restrict const a = m.at<A>(s.a);
    const A* __restrict const b = m.at<A>(s.b);
    const A* __restrict const c = m.at<A>(s.c);
    for (int l = 0; l < lanes; ++l) d[l] = f(a[l], b[l], c[l]);
}

// Expensive ones are left out where nobody asks for them.
template <class R, class A, auto f> void call1(KernelMachine& m, const Instruction& s) {
    const int32_t* const mask = m.mask();
    for (int l = 0; l < lanes; ++l)
        if (mask[l] != 0) m.at<R>(s.d)[l] = f(m.at<A>(s.a)[l]);
}
template <class R, class A, class B, auto f> void call2(KernelMachine& m, const Instruction& s) {
    const int32_t* const mask = m.mask();
    for (int l = 0; l < lanes; ++l)
        if (mask[l] != 0) m.at<R>(s.d)[l] = f(m.at<A>(s.a)[l], m.at<B>(s.b)[l]);
}
template <class A, auto f> void call3(KernelMachine& m, const Instruction& s) {
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
void random_step(KernelMachine& m, const Instruction& s) {
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
// Of π · a, exact for whole and half numbers.
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

namespace {

template <class T> void copied(KernelMachine& m, const Instruction& s) {
    std::memcpy(m.at<T>(s.d), m.at<T>(s.a), lanes * sizeof(T));
}

template <class T> void stored(KernelMachine& m, const Instruction& s) {
    if (m.all()) return copied<T>(m, s);
    T* __restrict const d = m.at<T>(s.d);
    const T* __restrict const a = m.at<T>(s.a);
    const int32_t* __restrict const mask = m.mask();
    for (int l = 0; l < lanes; ++l) d[l] = mask[l] != 0 ? a[l] : d[l];
}

template <class T, class Use> void for_elements(KernelMachine& m, const Instruction& s, Use use) {
    const int32_t *const mask = m.mask(), *const offset = m.at<int32_t>(s.b);
    for (int l = 0; l < lanes; ++l)
        if (mask[l] != 0) use(m.at<T>(s.d)[l], m.at<T>(size_t(int64_t(s.a) + offset[l]))[l]);
}
template <class T> void gathered(KernelMachine& m, const Instruction& s) {
    for_elements<T>(m, s, [](T& d, const T& element) { d = element; });
}
template <class T> void scattered(KernelMachine& m, const Instruction& s) {
    for_elements<T>(m, s, [](const T& d, T& element) { element = d; });
}

template <class T> void chosen(KernelMachine& m, const Instruction& s) {
    T* __restrict const d = m.at<T>(s.d);
    const int32_t* __restrict const a = m.at<int32_t>(s.a);
    const T* __restrict const b = m.at<T>(s.b);
    const T* __restrict const c = m.at<T>(s.c);
    for (int l = 0; l < lanes; ++l) d[l] = a[l] != 0 ? b[l] : c[l];
}

}  // namespace

namespace kernel_steps {

void copy(KernelMachine& m, const Instruction& s) { copied<float>(m, s); }
void copy_wide(KernelMachine& m, const Instruction& s) { copied<double>(m, s); }
void store(KernelMachine& m, const Instruction& s) { stored<int32_t>(m, s); }
void store_wide(KernelMachine& m, const Instruction& s) { stored<double>(m, s); }
void zero(KernelMachine& m, const Instruction& s) {
    std::memset(m.at<float>(s.d), 0, size_t(s.a) * lanes * sizeof(float));
}
void check(KernelMachine& m, const Instruction& s) {
    const int32_t *const mask = m.mask(), *const index = m.at<int32_t>(s.a);
    uint32_t wrong = 0;
    for (int l = 0; l < lanes; ++l) wrong |= uint32_t(mask[l]) & (uint32_t(index[l]) >= s.b ? 1u : 0u);
    for (int l = 0; wrong != 0 && l < lanes; ++l)
        if (mask[l] != 0 && uint32_t(index[l]) >= s.b) return m.stop(KernelStop::index, l);
}
void gather(KernelMachine& m, const Instruction& s) { gathered<int32_t>(m, s); }
void gather_wide(KernelMachine& m, const Instruction& s) { gathered<double>(m, s); }
void scatter(KernelMachine& m, const Instruction& s) { scattered<int32_t>(m, s); }
void scatter_wide(KernelMachine& m, const Instruction& s) { scattered<double>(m, s); }
void tap(KernelMachine& m, const Instruction& s) {
    m.taps().read(m.at<int32_t>(s.a), m.at<int32_t>(s.b), m.mask(), m.at<float>(s.d));
}
void choose(KernelMachine& m, const Instruction& s) { chosen<int32_t>(m, s); }
void choose_wide(KernelMachine& m, const Instruction& s) { chosen<double>(m, s); }

void begin_if(KernelMachine& m, const Instruction& s) {
    m.push();
    m.narrow(m.at<int32_t>(s.a), false);
    if (m.none()) m.jump(s.c);
}
void otherwise(KernelMachine& m, const Instruction& s) {
    m.renew();
    m.narrow(m.at<int32_t>(s.a), true);
    if (m.none()) m.jump(s.c);
}
void end_if(KernelMachine& m, const Instruction&) { m.pop(); }
void push(KernelMachine& m, const Instruction&) { m.push(); }
void pop(KernelMachine& m, const Instruction&) { m.pop(); }
void leave(KernelMachine& m, const Instruction& s) { m.leave(int(s.a)); }
void jump(KernelMachine& m, const Instruction& s) { m.jump(s.c); }
void jump_if_none(KernelMachine& m, const Instruction& s) {
    if (m.none()) m.jump(s.c);
}
void begin_loop(KernelMachine& m, const Instruction&) {
    m.push();
    m.push();
}
void turn(KernelMachine& m, const Instruction& s) {
    m.renew();
    if (m.none()) m.jump(s.c);
    else m.turn();
}
void test(KernelMachine& m, const Instruction& s) {
    m.keep(m.at<int32_t>(s.a));
    if (m.none()) m.jump(s.c);
}
void renew(KernelMachine& m, const Instruction&) { m.renew(); }
void end_loop(KernelMachine& m, const Instruction&) {
    m.pop();
    m.pop();
}
void begin_switch(KernelMachine& m, const Instruction&) {
    m.push();
    m.push();
    m.clear();
}
void enter(KernelMachine& m, const Instruction& s) { m.add(m.at<int32_t>(s.a)); }

}  // namespace kernel_steps

namespace {

std::unique_ptr<float, void (*)(float*)> rows_of(size_t count) {
    constexpr std::align_val_t alignment{64};
    const size_t numbers = std::max<size_t>(count, 1) * lanes;
    float* const rows = static_cast<float*>(::operator new(numbers * sizeof(float), alignment));
    std::memset(rows, 0, numbers * sizeof(float));
    return {rows, [](float* p) { ::operator delete (p, std::align_val_t{64}); }};
}

}  // namespace

KernelMachine::KernelMachine(std::shared_ptr<const InterpretedKernel> kernel, const KernelTaps& taps,
                             const KernelPicture& picture, std::stop_token stop)
    : kernel_(std::move(kernel)),
      taps_(taps),
      stop_token_(std::move(stop)),
      rows_(rows_of(kernel_->rows)),
      masks_(size_t(kernel_->depth) + 1, Lanes(lanes, -1)),
      turns_(lanes) {
    for (const InterpretedKernel::Constant& c : kernel_->constants) {
        if (c.wide) std::fill_n(at<uint64_t>(c.place), lanes, c.bits);
        else std::fill_n(at<uint32_t>(c.place), lanes, uint32_t(c.bits));
    }
    const InterpretedKernel::Inputs& to = kernel_->inputs;
    const auto give = [&]<class T>(uint32_t place, T value) {
        if (kernel_->rows > 0) std::fill_n(at<T>(place), lanes, value);
    };
    give(to.width, picture.width);
    give(to.height, picture.height);
    give(to.output_width, picture.output_width);
    give(to.output_height, picture.output_height);
    give(to.scale, picture.scale);
    for (size_t k = 0; k < KernelFile::most_parameters; ++k) give(to.parameters[k], picture.parameters[k]);
    count();
}

std::shared_ptr<const InterpretedKernel> KernelMachine::with_rows(size_t rows) {
    auto kernel = std::make_shared<InterpretedKernel>();
    kernel->rows = uint32_t(rows);
    return kernel;
}

const KernelTaps& KernelMachine::no_taps() {
    static const struct None final : KernelTaps {
        void read(const int*, const int*, const int*, float*) const override {}
    } none;
    return none;
}

KernelStop KernelMachine::run() {
    using Clock = std::chrono::steady_clock;
    until_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kernel_block_seconds));
    depth_ = 0;
    block_turns_ = 0;
    reason_ = KernelStop::none;
    count();
    std::fill(turns_.begin(), turns_.end(), KernelFile::loop_turns);
    const KernelInstruction* const code = kernel_->code.data();
    const size_t end = kernel_->code.size();
    for (pc_ = 0; pc_ < end;) {
        const KernelInstruction& next = code[pc_++];
        next.run(*this, next);
    }
    return {reason_, reason_ == KernelStop::none ? 0 : i()[stopped_lane_],
            reason_ == KernelStop::none ? 0 : j()[stopped_lane_]};
}

void KernelMachine::stop(KernelStop::Reason reason, int lane) {
    reason_ = reason;
    stopped_lane_ = lane;
    pc_ = kernel_->code.size();
}

void KernelMachine::count() {
    const int32_t* const m = mask();
    int sum = 0;
    for (int l = 0; l < lanes; ++l) sum -= m[l];
    count_ = sum;
}

void KernelMachine::push() {
    ++depth_;
    std::copy_n(masks_[size_t(depth_) - 1].data(), lanes, mask());
}

void KernelMachine::pop() {
    --depth_;
    count();
}

void KernelMachine::leave(int from) {
    const int32_t* __restrict const leaving = mask();
    for (int level = from; level < depth_; ++level) {
        int32_t* __restrict const m = masks_[size_t(level)].data();
        for (int l = 0; l < lanes; ++l) m[l] &= ~leaving[l];
    }
    clear();
}

void KernelMachine::narrow(const int32_t* condition, bool negated) {
    int32_t* const m = mask();
    for (int l = 0; l < lanes; ++l) m[l] &= negated ? condition[l] - 1 : -condition[l];
    count();
}

void KernelMachine::renew() {
    std::copy_n(masks_[size_t(depth_) - 1].data(), lanes, mask());
    count();
}

void KernelMachine::add(const int32_t* condition) {
    int32_t* const m = mask();
    const int32_t* const all = masks_[size_t(depth_) - 1].data();
    for (int l = 0; l < lanes; ++l) m[l] |= all[l] & -condition[l];
    count();
}

void KernelMachine::keep(const int32_t* condition) {
    int32_t* const loop = masks_[size_t(depth_) - 1].data();
    for (int l = 0; l < lanes; ++l) loop[l] &= -condition[l];
    renew();
}

void KernelMachine::clear() {
    std::fill_n(mask(), lanes, 0);
    count_ = 0;
}

bool KernelMachine::turn() {
    constexpr int look_every = 64;
    int32_t* const left = turns_.data();
    const int32_t* const m = mask();
    for (int l = 0; l < lanes; ++l) left[l] += m[l];
    ++block_turns_;
    for (int l = 0; block_turns_ >= KernelFile::loop_turns && l < lanes; ++l)
        if (m[l] != 0 && left[l] <= 0) return stop(KernelStop::turns, l), false;
    if (block_turns_ % look_every == 0) {
        if (stop_token_.stop_requested()) throw Cancelled("the computation was cancelled");
        if (std::chrono::steady_clock::now() > until_)
            return stop(KernelStop::block, int(std::find(m, m + lanes, -1) - m)), false;
    }
    return true;
}

}  // namespace texelscope
