#pragma once
// Kernels that the C++ compiler compiles, here, and whose texts are there as well.

#include <cmath>
#include <string>

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
        return make_float4(order + half + third, steps(s.i % 3) + steps(1), local + nine, (s.i & mask) + a(order) + a(s.i % 7) + 0x10 + 1e3f + .5f + 0b11 + 010 + 0x1.8p-3f + 0xAp2);
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

}  // namespace
}  // namespace texelscope::test
