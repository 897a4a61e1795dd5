// Kernels on the CPU. The same text is compiled by the C++ compiler, within this file, and interpreted: both must compute the
// same numbers, whichever ways the pixels of a block go. What is not understood is refused with its place, and no text takes
// the interpreter with it.

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "gpu/core/timing.h"
#include "gpu/kernels/kernel_interpreter.h"
#include "tests/support/kernel_texts.h"

// The kernels below are C++ as one might write it there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-value"

namespace texelscope::test {
namespace {

// What the dialect has besides C++, written down again.
namespace dialect {

struct float2 {
    float x, y;
};
struct float3 {
    float x, y, z;
};
struct float4 {
    float x, y, z, w;
};
struct int2 {
    int x, y;
};
struct double2 {
    double x, y;
};
float2 make_float2(float x, float y) { return {x, y}; }
float3 make_float3(float x, float y, float z) { return {x, y, z}; }
float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
int2 make_int2(int x, int y) { return {x, y}; }
float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
float4 operator-(float4 a, float4 b) { return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; }
float4 operator*(float4 a, float4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
float4 operator*(float s, float4 a) { return {s * a.x, s * a.y, s * a.z, s * a.w}; }
float4 operator*(float4 a, float s) { return s * a; }
float4 operator/(float4 a, float s) { return {a.x / s, a.y / s, a.z / s, a.w / s}; }
float4 operator-(float4 a) { return {-a.x, -a.y, -a.z, -a.w}; }
float4& operator+=(float4& a, float4 b) { return a = a + b; }
float4& operator-=(float4& a, float4 b) { return a = a - b; }
float4& operator*=(float4& a, float s) { return a = s * a; }
float4& operator/=(float4& a, float s) { return a = a / s; }
int whole(double x) { return int(std::floor(x)); }
float part(double x) { return float(x - std::floor(x)); }
float clamp(float x, float low, float high) { return std::fmin(std::fmax(x, low), high); }
float lerp(float a, float b, float t) { return a + t * (b - a); }
float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
float luma(float4 a) { return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z; }
float rsqrtf(float x) { return 1 / std::sqrt(x); }
template <class T> T min(T a, T b) { return b < a ? b : a; }
template <class T> T max(T a, T b) { return a < b ? b : a; }
float abs(float x) { return std::fabs(x); }
int abs(int x) { return x < 0 ? -x : x; }
template <class T, int n> struct Array {
    T value[n];
    T& operator()(int i) { return value[i]; }
    T operator()(int i) const { return value[i]; }
    static constexpr int size() { return n; }
};

// The picture: a number of the place, exact in float.
float4 texel(int i, int j) {
    const unsigned h = (unsigned(i) * 73856093u ^ unsigned(j) * 19349663u) >> 5;
    return {float(h % 1021) / 1024, float(h % 509) / 512, float(h % 251) / 256, float(h % 127) / 128};
}
struct Source {
    int width, height, i, j, output_width, output_height;
    double scale;
    float4 tap(int column, int line) const { return texel(column, line); }
};
struct Params {
    float a, b;
};

}  // namespace dialect

using Sample = dialect::float4 (*)(dialect::Source, double, double, dialect::Params);
struct Both {
    const char* name;
    const char* text;
    Sample compiled;
};

#define KERNEL(name, ...)    \
    namespace name {         \
    using namespace dialect; \
    __VA_ARGS__              \
    }                        \
    const Both both_##name = {#name, #__VA_ARGS__, name::sample};

// clang-format off
KERNEL(arithmetic, float4 sample(Source s, double x, double y, Params p) {
    int a = s.i - 40; int b = s.j * 3 + 1; unsigned u = 7u * a; bool positive = a > 0;
    int shifted = (a << 3) ^ (b >> 1) | (a & 0x1f); unsigned wide = u >> 5; wide += u % 13u; int rest = a % b + a / b;
    double d = x / 3 - y; float f = d; f *= 0.1f; f += positive; int cut = (int)f + int(d * 10) + static_cast<int>(-f);
    float mixed = a * 0.5 + u / 3 - -b; u = -1; unsigned wraps = u + 3; int negative = ~a; a += 2.7f; a -= 0.5;
    return make_float4(shifted + rest + negative, wide * 1e-9f + wraps, cut + mixed, f * 1e-3f + a + !positive + (a == b) + (-a < 3u));
})

KERNEL(loops, float4 sample(Source s, double x, double y, Params p) {
    float sum = 0; int n = 0;
    for (int i = 0; i < s.i % 7; ++i) {
        if (i == 3) continue;
        for (int j = i; ; j += 2) { if (j > s.j) break; if ((i + j) % 5 == 4) { sum += 0.25f; continue; } sum += i * j; ++n; }
        if (sum > 300) break;
    }
    int k = s.i; while (k > 1) { k = k % 2 ? 3 * k + 1 : k / 2; if (++n > 60) break; }
    do { n += 3; if (n % 4 == 1) continue; sum -= 1; } while (n < s.j);
    int i = 0, j = 10; for (; i < j; ++i, --j) sum += j - i;
    return make_float4(sum, n, k, i);
})

KERNEL(constants, constexpr int order = 3; const float half = 0.5f, third = 1.0f / order; constexpr Array<int, 3> steps = {1, 4, 9};
    constexpr float square(float v) { return v * v; } const float nine = square(order); float unused(float4 v) { return v.x; }
    float4 sample(Source s, double x, double y, Params p) {
        constexpr unsigned mask = (1u << 4) - 1; const float local = third * s.i; const int n = order > 2 ? 7 : 8; Array<float, n> a{}; a(order) = half;
        return make_float4(order + half + third, steps(s.i % 3) + steps(1), local + nine, (s.i & mask) + a(order) + a(s.i % 7) + 0x10 + 1e3f + .5f + 0b11 + 010);
    })

KERNEL(returns,
    float early(float v, int limit) { for (int i = 0; i < limit; ++i) { v = v * 0.5f + 1; if (v < 1.5f) return -v; if (i == 5) return v + 100; } return v; }
    int sign(float v) { if (v < 0) return -1; else if (v > 0) return 1; return 0; }
    void swap(float& a, float& b) { float t = a; a = b; b = t; }
    void sorted(float& a, float& b, float& c) { if (a > b) swap(a, b); if (b > c) swap(b, c); if (a > b) swap(a, b); }
    float over(int a) { return a * 2; } float over(float a) { return a * 3; } float over(double a) { return a * 5; }
    float over(float4 a) { return a.x + a.w; } float twice(float a, float b = 2) { a *= b; return a; }
    float kept(float a, float& b) { b = 1; return a; }
    auto deduced(int a) { return a * 0.5f; }
    float4 sample(Source s, double x, double y, Params p) {
        float a = s.tap(s.i, 1).x, b = s.tap(s.i, 2).y, c = s.tap(s.i, 3).z; sorted(a, b, c);
        float v = 3; float w = kept(v, v) + v; if (s.i % 11 == 3) return make_float4(a, b, c, w);
        if (s.j > 5) { if (s.i > 60) return make_float4(early(x, s.i % 9), sign(x - 40), over(s.i), over(0.5f)); }
        return make_float4(early(y, s.j), over(x) + twice(a) + twice(a, 3), over(s.tap(1, 1)), sign(b - 0.5f) + deduced(s.i));
    })

KERNEL(arrays,
    struct Two { float a = 1; int n; float both() const { return a + n; } void add(float v) { a += v; ++n; } };
    struct Nest { Array<float, 3> v; Two t; };
    float4 sample(Source s, double x, double y, Params p) {
        Array<float, 9> a; for (int k = 0; k < a.size(); ++k) a(k) = s.tap(s.i + k, s.j).x;
        for (int i = 1; i < 9; ++i) for (int j = i; j > 0 && a(j - 1) > a(j); --j) { float t = a(j); a(j) = a(j - 1); a(j - 1) = t; }
        Array<Array<int, 3>, 4> m = {}; for (int k = 0; k < 12; ++k) m(k / 3)(k % 3) += k * s.i; m(s.i % 4)(s.j % 3)++;
        Array<float4, 2> v = {make_float4(1, 2, 3, 4), s.tap(0, 0)}; v(s.i & 1).y = 7; float& r = v(s.j & 1).z; r *= 2; r += 1;
        Two t = {2, 3}; t.add(0.5f); Two u; u.n = s.i; u.add(u.both()); Nest n = {{1, 2}, {3}}; n.v(s.i % 3) = s.j; Nest copy = n; copy.t.n = -5;
        Array<double, 3> d = {1.5, x, y}; d(s.i % 3) -= 0.25;
        return make_float4(a(4) + t.both() + d(0) + d(1), m(s.i % 4)(s.j % 3) + u.a, v(0).y + v(1).z + v(s.i & 1).w, n.v(0) + n.v(2) + copy.t.a + n.t.n + copy.v(1));
    })

KERNEL(choices, int picked(int k) { switch (k) { case 0: return 4; case 1: case 2: k += 10; break; default: k = -k; case 7: k *= 2; } return k; }
    float4 sample(Source s, double x, double y, Params p) {
        int n = 0, m = 0; bool one = s.i > 30 || ++n > 0, two = s.i > 10 && s.j > 3 && (n += 5, true);
        float v = s.i % 3 == 0 ? s.tap(s.i, 0).x : s.i % 3 == 1 ? 2 : -1.5; m = one ? two ? 3 : ++n : (n -= 1, n);
        for (int k = 0; k < 9; ++k) switch ((k + s.i) % 5) { case 1: m += 1; continue; case 3: { m += 100; break; } case 4: m -= 7; }
        float4 a = s.tap(1, s.j), b = a; b.x = b.y = 0.25f; (s.i & 1 ? a : b) ; a = make_float4(a.y, a.x, a.w, a.z);
        return make_float4(picked(s.i % 9) + n, m + one - two, v, a.x * 2 + a.y + b.x);
    })

KERNEL(functions_of_cuda, float4 sample(Source s, double x, double y, Params p) {
    float v = part(x) + 0.01f, w = (float)(y - 3.3); double d = x * 0.1;
    float a = sqrtf(v) + expf(-w) + logf(v) + sinf(w) * cosf(v) + powf(v, 2.5f) + fabsf(w) + fminf(v, w) - fmaxf(v, 0.5f);
    float b = floorf(w) + ceilf(w * 0.7f) + rintf(w * 3) + truncf(w) + roundf(w) + fmodf(w, 0.8f) + copysignf(v, w) + rsqrtf(v + 1);
    double c = sqrt(d) + exp(-d) + pow(d, 1.5) + floor(d) + atan2(d, 2.0) + cos(d) + hypot(d, 1.0) + fmin(d, 2.0);
    return make_float4(a, b, c, tanhf(w) + atanf(w) + exp2f(v) + cbrtf(w) + log2f(v) + max(s.i, 5) + min(v, 0.3f) + abs(-s.j) + abs(w) + clamp(w, 0, 1) + lerp(v, w, 0.25f) + luma(s.tap(2, s.i)));
})

KERNEL(vectors, float4 mix(const float4& a, float4 b, float t) { b *= t; return a * (1 - t) + b; }
    float4 sample(Source s, double x, double y, Params p) {
        float4 a = s.tap(whole(x), whole(y)), b = -s.tap(whole(x) + 1, whole(y)); const float4& c = s.tap(3, 4);
        a += b * 2; a -= c; a *= p.a; a /= 0.75f; float2 q = {1, 2}; int2 k = make_int2(s.i, 2); float3 z = make_float3(q.x, k.x, k.y);
        Source t = s; t.i += 5; x += 1; q.y -= z.y; auto e = mix(a, b, part(y)); auto f = lerp(e, c, p.b) * b; double2 g = {x, y};
        return f + make_float4(t.i - s.i, q.y, z.x + g.x, (float)s.scale);
    })
// clang-format on

#pragma GCC diagnostic pop

const Both* const all_both[] = {&both_arithmetic, &both_loops,   &both_constants, &both_returns,
                                &both_arrays,     &both_choices, &both_vectors,   &both_functions_of_cuda};

struct Texels final : KernelTaps {
    void read(const int* i, const int* j, const int* active, float* to) const override {
        for (int l = 0; l < kernel_lanes; ++l) {
            if (active[l] == 0) continue;
            const dialect::float4 t = dialect::texel(i[l], j[l]);
            for (const auto& [c, v] : {std::pair{0, t.x}, {1, t.y}, {2, t.z}, {3, t.w}}) to[c * kernel_lanes + l] = v;
        }
    }
};

std::shared_ptr<const InterpretedKernel> interpreted(const std::string& text) {
    const ParsedKernel parsed = parse_kernel(text);
    if (!parsed.problems.empty()) throw KernelError(parsed.problems);
    return interpret_kernel(parsed.file, text);
}

std::vector<KernelProblem> interpreter_problems(const std::string& text) {
    try {
        interpreted(text);
    } catch (const KernelError& error) {
        return error.problems;
    }
    return {};
}

std::string problem_of(const std::string& body, const std::string& before = "") {
    const auto all = interpreter_problems(kernel_text(body, before));
    return all.empty() ? "" : to_string(all.front());
}

// Runs it for a block; lane l is pixel (l, 3 + l % 7).
class Block {
public:
    explicit Block(const std::string& text, int every = 1) {
        picture_ = {640, 480, 200, 100, 0.375, {0.625f, 1.5f}};
        machine_ = std::make_unique<KernelMachine>(interpreted(text), texels_, picture_, std::stop_token());
        for (int l = 0; l < kernel_lanes; ++l) {
            machine_->taking_part()[l] = l % every == 0 ? -1 : 0;
            machine_->i()[l] = l;
            machine_->j()[l] = 3 + l % 7;
            machine_->x()[l] = x(l);
            machine_->y()[l] = y(l);
        }
        stop = machine_->run();
    }
    static double x(int l) { return l * 0.731 - 3.25; }
    static double y(int l) { return 20 - l * 0.377; }
    std::array<float, 4> value(int l) const {
        return {machine_->value(0)[l], machine_->value(1)[l], machine_->value(2)[l], machine_->value(3)[l]};
    }
    KernelStop stop;

private:
    Texels texels_;
    KernelPicture picture_;
    std::unique_ptr<KernelMachine> machine_;
};

TEST(InterpretedKernel, ComputesWhatCompiledCppDoes) {
    for (const Both* both : all_both)
        for (const int every : {1, 3}) {  // all lanes, and some
            const Block block(
                std::string("//! parameter a = 0 from 0 to 1\n//! parameter b = 0 from 0 to 2\n") + both->text, every);
            EXPECT_EQ(block.stop.reason, KernelStop::none) << both->name;
            for (int l = 0; l < kernel_lanes; l += every) {
                const dialect::Source s{640, 480, l, 3 + l % 7, 200, 100, 0.375};
                const dialect::float4 v = both->compiled(s, Block::x(l), Block::y(l), {0.625f, 1.5f});
                const std::array<float, 4> expected = {v.x, v.y, v.z, v.w}, found = block.value(l);
                for (size_t c = 0; c < 4; ++c) {
                    if (std::isnan(expected[c]))
                        EXPECT_TRUE(std::isnan(found[c])) << both->name << " " << l << " " << c;
                    else
                        EXPECT_NEAR(found[c], expected[c], 1e-6 * std::max(1.0f, std::abs(expected[c])))
                            << both->name << ", pixel " << l << ", number " << c;
                }
            }
        }
}

// As a GPU: what cannot be represented becomes the nearest number, and nothing stops the program.
TEST(InterpretedKernel, NumbersThatDoNotFitAreThoseOfAGpu) {
    const Block block(kernel_text(
        "    float big = 3e9f * s.i; int zero = s.i - s.i; float nan = sqrtf(-1.0f - s.i); int least = -2147483647 - 1;\n"
        "    Array<int, 8> n; n(0) = big; n(1) = -big; n(2) = nan; n(3) = whole(big * 1e3); n(4) = least / (zero - 1);\n"
        "    n(5) = 1 << 31 + zero + 1; n(6) = -5 >> 40 + zero; n(7) = 7 % zero + (int)(unsigned)-1.5f; unsigned u = -big; unsigned v = 5e9f;\n"
        "    if (s.i == 0) return make_float4(0, 0, 0, 0);\n"
        "    if (s.i == 1) return make_float4(n(0) == 2147483647, n(1) == least, n(2) == 0, n(3) == 2147483647);\n"
        "    if (s.i == 2) return make_float4(n(4) == least, n(5) == 0, n(6) == -1, n(7) == 7);\n"
        "    return make_float4(u == 0, v == 0xffffffffu, fminf(nan, 3) == 3, fmaxf(nan, 3) == 3 && isnan(nan) && !isfinite(big / zero));"));
    for (const int l : {1, 2, 3, 99}) EXPECT_EQ(block.value(l), (std::array<float, 4>{1, 1, 1, 1})) << l;
}

TEST(InterpretedKernel, TheExponentialIsThatOfFloat32) {
    const Block block(kernel_text(
        "    float v = (float)(1.45 * (s.i - 72)); return make_float4(v, expf(v), expf(1e30f * (s.i - 64)), expf(sqrtf(-1.0f)));"));
    for (int l = 0; l < kernel_lanes; ++l) {
        const double expected = std::exp(double(block.value(l)[0]));
        EXPECT_NEAR(block.value(l)[1], expected, std::max(2.5e-7 * expected, 1.5e-45)) << block.value(l)[0];
        EXPECT_EQ(block.value(l)[2], l < 64 ? 0.0f : l == 64 ? 1.0f : std::numeric_limits<float>::infinity());
        EXPECT_TRUE(std::isnan(block.value(l)[3]));
    }
}

TEST(InterpretedKernel, LoopsAreCountedForEachPixel) {
    // 40 000 turns one way and 40 000 the other, but 80 000 for nobody.
    const std::string two =
        "    int n = 0;\n    if (s.i % 2) for (int k = 0; k < 40000; ++k) ++n; else for (int k = 0; k < 40000; ++k) n += 2;\n    return make_float4(n, 0, 0, 0);";
    const Block within(kernel_text(two));
    EXPECT_EQ(within.stop.reason, KernelStop::none);
    EXPECT_EQ(within.value(3)[0], 40000);
    EXPECT_EQ(within.value(4)[0], 80000);
    const Block endless(
        kernel_text("    float a = 0;\n    while (s.i == 77) a += 1;\n    return make_float4(a, 0, 0, 0);"));
    EXPECT_EQ(endless.stop.reason, KernelStop::turns);
    EXPECT_EQ(endless.stop.i, 77);
    EXPECT_EQ(endless.stop.j, 3 + 77 % 7);
    // As on a GPU, 65 535 conditions are the most.
    EXPECT_EQ(Block(kernel_text("    int n = 0;\n    while (n < 65534) ++n;\n    return make_float4(n, 0, 0, 0);"))
                  .stop.reason,
              KernelStop::none);
    EXPECT_EQ(Block(kernel_text("    int n = 0;\n    while (n < 65535) ++n;\n    return make_float4(n, 0, 0, 0);"))
                  .stop.reason,
              KernelStop::turns);
}

TEST(InterpretedKernel, AnIndexIsCheckedWhereItIsUsedOnly) {
    const std::string guarded =
        "    Array<float, 4> a; int k = s.i - 60;\n    float v = k >= 0 && k < 4 && a(k) == 0 ? a(k) + 1 : 2;\n    return make_float4(v, 0, 0, 0);";
    const Block fine(kernel_text(guarded));
    EXPECT_EQ(fine.stop.reason, KernelStop::none);
    EXPECT_EQ(fine.value(61)[0], 1);
    EXPECT_EQ(fine.value(59)[0], 2);
    const Block beyond(
        kernel_text("    Array<float, 4> a; a(s.i == 9 ? -1 : 3) = 1;\n    return make_float4(a(3), 0, 0, 0);"));
    EXPECT_EQ(beyond.stop.reason, KernelStop::index);
    EXPECT_EQ(beyond.stop.i, 9);
    EXPECT_EQ(Block(kernel_text("    Array<float, 4> a; return make_float4(a(4), 0, 0, 0);")).stop.reason,
              KernelStop::index);
}

TEST(InterpretedKernel, WhatIsWrongIsSaidWithItsPlace) {
    const std::pair<const char*, const char*> wrong[] = {
        {"    return nothing;", "line 2, column 12: identifier \"nothing\" is undefined"},
        {"    return missing(1);", "line 2, column 12: identifier \"missing\" is undefined"},
        {"    return s.tap(s.nothing, 0);", "line 2, column 20: class \"Source\" has no member \"nothing\""},
        {"    return s.pixel(1);", "line 2, column 14: class \"Source\" has no member \"pixel\""},
        {"    return 1;", "line 2, column 5: a int cannot become a float4"},
        {"    float4 a = s.tap(0, 0); return a + 1;",
         "line 2, column 38: no operator \"+\" matches these operands: float4 + int"},
        {"    const int a = 1; a = 2; return s.tap(0, 0);", "this is const"},
        {"    1 = 2; return s.tap(0, 0);", "nothing can be assigned to this"},
        {"    int a; int a; return s.tap(0, 0);", "line 2, column 16: a is declared twice"},
        {"    return s.tap(0, 0)", "line 3, column 1: expected a \";\""},
        {"    return s.tap(0);", "write s.tap(i, j)"},
        {"    Array<float4, 129> a; return a(0);", "an Array has 1 to 2048 bytes"},
        {"    Array<float, 3> a = {1, 2, 3, 4}; return s.tap(0, 0);", "too many values"},
        {"    break;", "break stands outside a loop"},
        {"    switch (s.i) { case 1: case 1: ; } return s.tap(0, 0);", "there are two cases 1"},
        {"    return sqrtf(1, 2);", "no function \"sqrtf\" matches these arguments: (int, int)"},
        {"    x;", "function \"sample\" returns no value"},
        {"    return s.tap(5000000000, 0);", "5000000000 does not fit an int"},
        {"    long a = 1; return s.tap(0, 0);", "line 2, column 5: the type long is not understood on the CPU"},
        {"    struct S { int a; }; return s.tap(0, 0);", "is not understood on the CPU"},
        {"    if (int a = 1) return s.tap(0, 0); return s.tap(1, 1);",
         "a declaration in a condition is not understood on the CPU"},
    };
    for (const auto& [body, why] : wrong) EXPECT_THAT(problem_of(body), ::testing::HasSubstr(why)) << body;
    EXPECT_THAT(problem_of("    return s.tap(0, 0);", "enum E { a };\n"),
                ::testing::HasSubstr("line 1, column 1: enum is not understood on the CPU"));
    EXPECT_THAT(problem_of("    return s.tap(0, 0);", "float f(float a);\nfloat g() { return f(1); }\n"),
                ::testing::HasSubstr("line 2, column 20: function \"f\" is declared and not defined"));
    EXPECT_THAT(problem_of("    return f(1) * s.tap(0, 0);\n}\nfloat f(float a) { return a;"),
                ::testing::HasSubstr("\"f\" is undefined"));
    EXPECT_THAT(problem_of("    return f(1, 2) * s.tap(0, 0);",
                           "float f(int a, float b) { return a; }\nfloat f(float a, int b) { return a; }\n"),
                ::testing::HasSubstr("more than one function \"f\" matches"));
    // One problem of each function, also of those that nobody calls.
    const auto all = interpreter_problems(kernel_text("    return wrong;", "float f(float a) { return b; }\n\n"));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(to_string(all[0]), "line 1, column 27: identifier \"b\" is undefined");
    EXPECT_EQ(all[1].line, 4);
}

TEST(InterpretedKernel, HostileTextsAreRefusedSoon) {
    const StopWatch watch;
    const auto repeated = [](const std::string& piece, size_t times) {
        std::string all;
        for (size_t k = 0; k < times; ++k) all += piece;
        return all;
    };
    const std::string deep[] = {"    return " + repeated("-", 30000) + "s.tap(0, 0);",
                                "    return " + repeated("!", 30000) + "1 * s.tap(0, 0);",
                                "    int a = 1 " + repeated("? 1 : 1 ", 5000) + "; return s.tap(0, 0);",
                                repeated("if (x > 1) ; else ", 3000) + "; return s.tap(0, 0);",
                                "    int a = " + repeated("(int)", 9000) + "1; return s.tap(0, 0);",
                                repeated("for(;;)", 8000) + "; return s.tap(0, 0);"};
    for (const std::string& body : deep)
        EXPECT_THAT(problem_of(body), ::testing::HasSubstr("nested more than 256 deep")) << body.substr(0, 40);
    // Each function calls the one before twice.
    std::string doubled = "float f0(float a) { return a + 1; }\n";
    for (int k = 1; k < 60; ++k)
        doubled += fmt::format("float f{0}(float a) {{ return f{1}(a) + f{1}(a + 1); }}\n", k, k - 1);
    EXPECT_THAT(problem_of("    return f59(x) * s.tap(0, 0);", doubled), ::testing::HasSubstr("too long for the CPU"));
    std::string empty = "void f0() {}\n";
    for (int k = 1; k < 60; ++k) empty += fmt::format("void f{0}() {{ f{1}(); f{1}(); }}\n", k, k - 1);
    EXPECT_THAT(problem_of("    f59(); return s.tap(0, 0);", empty), ::testing::HasSubstr("too long for the CPU"));
    std::string arrays;
    for (int k = 0; k < 200; ++k) arrays += fmt::format("Array<float4, 128> a{0}; a{0}(0) = s.tap(0, {0}); ", k);
    EXPECT_THAT(problem_of(arrays + "return a0(1);"), ::testing::HasSubstr("use smaller Arrays"));
    std::string large = "struct S0 { Array<float4, 128> a; };\n";
    for (int k = 1; k < 40; ++k) large += fmt::format("struct S{0} {{ S{1} a, b; }};\n", k, k - 1);
    EXPECT_THAT(problem_of("    return s.tap(0, 0);", large), ::testing::HasSubstr("too large for the CPU"));
    EXPECT_LT(watch.ms(), 20000);
}

}  // namespace
}  // namespace texelscope::test
