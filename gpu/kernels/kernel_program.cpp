#include "gpu/kernels/kernel_code.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

// The dialect's own part. Names with ts_ cannot be written in the text, so that nothing there reaches an address.
constexpr std::string_view program_begin = R"(#line 1 "dialect"
struct TsStop { int reason, i, j; };
struct TsArguments {
    const void* texels;
    unsigned long long row_bytes;
    const double* positions;
    float* values;
    unsigned long long* started;
    int* stopped;
    TsStop* stop;
    unsigned long long most_ns;
    double scale;
    long long first;
    int type, channels, has_alpha, image_channels;
    int width, height, address_x, address_y, one_dimensional;
    int output_width, output_height, count;
    int turns;
    float parameters[4];
    float border[4];
};

// What each thread of the block has: turns of loops that are left, and its pixel of the launch.
__shared__ int ts_left[256];
__shared__ int ts_pixel[256];
__shared__ const TsArguments* ts_launch;

__device__ unsigned long long ts_now() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__device__ __noinline__ void ts_stop(int reason) {
    ts_left[threadIdx.x] = 0;
    const TsArguments& a = *ts_launch;
    if (atomicCAS(a.stopped, 0, reason) != 0) return;
    volatile TsStop* stop = a.stop;
    stop->i = (int)((a.first + ts_pixel[threadIdx.x]) % a.output_width);
    stop->j = (int)((a.first + ts_pixel[threadIdx.x]) / a.output_width);
    __threadfence_system();
    stop->reason = reason;
}

// Whether the launch has taken too long.
__device__ bool ts_late() { return ts_now() - *ts_launch->started > ts_launch->most_ns; }

__device__ __noinline__ bool ts_look(int left) {
    if (left == 0) ts_stop(1);
    else if (left > 0 && ts_late()) ts_stop(2);
    return ts_left[threadIdx.x] > 0;
}

// In the condition of every loop.
__device__ __forceinline__ bool ts_turn() {
    const int left = ts_left[threadIdx.x] - 1;
    if (left < 0) return false;
    ts_left[threadIdx.x] = left;
    return (left & 63) != 0 || ts_look(left);
}

__device__ inline float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ inline float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__device__ inline float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__device__ inline float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }
__device__ inline float4 operator*(float4 a, float s) { return s * a; }
__device__ inline float4 operator/(float4 a, float s) { return make_float4(a.x / s, a.y / s, a.z / s, a.w / s); }
__device__ inline float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
__device__ inline float4& operator+=(float4& a, float4 b) { return a = a + b; }
__device__ inline float4& operator-=(float4& a, float4 b) { return a = a - b; }
__device__ inline float4& operator*=(float4& a, float s) { return a = s * a; }
__device__ inline float4& operator/=(float4& a, float s) { return a = a / s; }

__device__ inline int whole(double x) { return (int)floor(x); }
__device__ inline float part(double x) { return (float)(x - floor(x)); }
__device__ inline float clamp(float x, float least, float most) { return fminf(fmaxf(x, least), most); }
__device__ inline float lerp(float a, float b, float t) { return a + t * (b - a); }
__device__ inline float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
__device__ inline float luma(float4 a) { return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z; }
__device__ inline float random(int i, int j, int k = 0) {
    unsigned h = (unsigned)i * 0x9E3779B1u ^ (unsigned)j * 0x85EBCA77u ^ (unsigned)k * 0xC2B2AE3Du;
    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 15) * 0x846CA68Bu;
    return (float)((h ^ h >> 16) >> 8) * 0x1p-24f;
}

template <class T, int n> struct Array {
    static_assert(n > 0 && sizeof(T) * n <= 2048, "an Array has 1 to 2048 bytes");
    T ts_value[n];
    __device__ T& operator()(int i) {
        if ((unsigned)i < (unsigned)n) return ts_value[i];
        ts_stop(3);
        return ts_value[0];
    }
    __device__ T operator()(int i) const {
        if ((unsigned)i < (unsigned)n) return ts_value[i];
        ts_stop(3);
        return ts_value[0];
    }
    __device__ static constexpr int size() { return n; }
};

__device__ inline int ts_addressed(int mode, int i, int n) {
    if ((unsigned)i < (unsigned)n) return i;
    switch (mode) {
        case 0: return i < 0 ? 0 : n - 1;
        case 1: return -1;
        case 2: {
            const int r = i % n;
            return r < 0 ? r + n : r;
        }
        default: {
            const int twice = mode == 3;  // the edge sample
            const long long period = twice ? 2LL * n : n > 1 ? 2LL * n - 2 : 1;
            long long r = i % period;
            if (r < 0) r += period;
            return (int)(r < n ? r : period - twice - r);
        }
    }
}

struct Source {
    int width, height;
    int i, j;
    int output_width, output_height;
    double scale;
    const TsArguments* ts_a;

    __device__ float ts_sample(const char* row, int at) const {
        switch (ts_a->type) {
            case 0: return (float)((const unsigned char*)row)[at] * (1.0f / 255.0f);
            case 1: return (float)((const unsigned short*)row)[at] * (1.0f / 65535.0f);
            case 2: {
                float v;
                asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(((const unsigned short*)row)[at]));
                return v;
            }
            default: return ((const float*)row)[at];
        }
    }

    __device__ float4 tap(int column, int line) const {
        const TsArguments& a = *ts_a;
        const int x = ts_addressed(a.address_x, column, a.width);
        const int y = a.one_dimensional ? 0 : ts_addressed(a.address_y, line, a.height);
        if (x < 0 || y < 0) return make_float4(a.border[0], a.border[1], a.border[2], a.border[3]);
        const char* row = (const char*)a.texels + a.row_bytes * (unsigned long long)y;
        const int at = x * a.channels;
        const float v = ts_sample(row, at);
        if (a.image_channels == 1) return a.has_alpha ? make_float4(0, 0, 0, v) : make_float4(v, v, v, 1);
        const float second = ts_sample(row, at + 1);
        if (a.image_channels == 2) return a.has_alpha ? make_float4(v, v, v, second) : make_float4(v, second, 0, 1);
        const float third = ts_sample(row, at + 2);
        return make_float4(v, second, third, a.image_channels == 3 ? 1.0f : ts_sample(row, at + 3));
    }
};
)";

constexpr std::string_view program_end = R"(
#line 1 "dialect"
extern "C" __global__ void __launch_bounds__(256) ts_kernel(const __grid_constant__ TsArguments a) {
    if (threadIdx.x == 0) ts_launch = &a;
    __syncthreads();
    const int k = (int)(blockIdx.x * 256 + threadIdx.x);
    if (k >= a.count) return;
    ts_left[threadIdx.x] = a.turns;
    ts_pixel[threadIdx.x] = k;
    if (*(volatile unsigned long long*)a.started == 0) atomicCAS(a.started, 0ull, ts_now());
    const double x = a.positions[2 * k], y = a.positions[2 * k + 1];
    const float nan = __int_as_float(0x7fffffff);
    float4 value = make_float4(nan, nan, nan, nan);
    if (x == x && y == y && *(volatile int*)a.stopped == 0) {
        if (ts_late()) ts_stop(2);
        Source s;
        s.width = a.width;
        s.height = a.height;
        s.i = (int)((a.first + k) % a.output_width);
        s.j = (int)((a.first + k) / a.output_width);
        s.output_width = a.output_width;
        s.output_height = a.output_height;
        s.scale = a.scale;
        s.ts_a = &a;
        const float4 found = sample(s, x, y, ts_parameters(a));
        if (ts_left[threadIdx.x] > 0) value = found;
    }
    float* to = a.values + 4 * (size_t)k;
    to[0] = value.x;
    to[1] = a.image_channels == 2 && a.has_alpha ? value.w : value.y;
    to[2] = value.z;
    to[3] = value.w;
}
)";

// Turns "kernel(12): error: …" into its parts.
struct LogLine {
    bool of_text = false;
    int line = 1;
    std::string_view sentence;
};

bool parse_log_line(std::string_view text, LogLine& result) {
    const size_t open = text.find('('), close = text.find("): ");
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
    const std::string_view number = text.substr(open + 1, close - open - 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), result.line);
    if (error != std::errc() || end != number.data() + number.size()) return false;
    std::string_view rest = text.substr(close + 3);
    for (const std::string_view kind : {"error: ", "catastrophic error: "}) {
        if (!rest.starts_with(kind)) continue;
        result.sentence = rest.substr(kind.size());
        result.of_text = text.substr(0, open) == "kernel";
        return true;
    }
    return false;
}

// The words of the budget are not the user's.
std::string without_budget(std::string_view sentence) {
    std::string words(sentence);
    for (const std::string_view ours : {"ts_turn() && ", "ts_turn()"})
        for (size_t at; (at = words.find(ours)) != std::string::npos;) words.erase(at, ours.size());
    // A sentence of the dialect's own.
    constexpr std::string_view failed = "static assertion failed with \"";
    if (words.starts_with(failed)) words = words.substr(failed.size(), words.rfind('"') - failed.size());
    return words;
}

// The compiler shows the line, indented by two, with a ^ below it.
int column_of(std::string_view caret) {
    constexpr size_t indented = 2;
    const size_t at = caret.find('^');
    return at == std::string_view::npos || at < indented ? 1 : int(at - indented) + 1;
}

// What is found in a template of the dialect's own part is at the line of the text that uses it: "… at line 3 of kernel".
std::optional<int> line_of_use(std::span<const std::string_view> following) {
    constexpr std::string_view begin = " at line ", end = " of kernel";
    for (const std::string_view line : following) {
        if (line.find("): error: ") != std::string_view::npos || trimmed(line).empty()) return {};
        const size_t at = line.find(begin);
        int number = 0;
        if (at == std::string_view::npos || line.find(end) == std::string_view::npos) continue;
        const auto [stop, error] = std::from_chars(line.data() + at + begin.size(), line.data() + line.size(), number);
        if (error == std::errc() && std::string_view(stop, size_t(line.data() + line.size() - stop)).starts_with(end))
            return number;
    }
    return {};
}

}  // namespace

std::string kernel_program(const KernelFile& file) {
    std::string program(program_begin);
    program +=
        fmt::format("static_assert(sizeof(TsArguments) == {}, \"\");\nstruct Params {{\n", sizeof(KernelArguments));
    for (const WeightParameter& parameter : file.parameters) program += fmt::format("    float {};\n", parameter.id);
    program += "};\n__device__ inline Params ts_parameters(const TsArguments& a) {\n    Params p;\n";
    for (size_t i = 0; i < file.parameters.size(); ++i)
        program += fmt::format("    p.{} = a.parameters[{}];\n", file.parameters[i].id, i);
    program += "    return p;\n}\n#line 1 \"kernel\"\n";
    program += file.code;
    return program += program_end;
}

std::vector<KernelProblem> problems_of_log(std::string_view log) {
    constexpr size_t most_problems = 20;
    std::vector<std::string_view> lines;
    for (size_t at = 0; at < log.size();) {
        const size_t end = std::min(log.find('\n', at), log.size());
        lines.push_back(log.substr(at, end - at));
        at = end + 1;
    }
    std::vector<KernelProblem> problems;
    for (size_t i = 0; i < lines.size() && problems.size() < most_problems; ++i) {
        LogLine found;
        if (!parse_log_line(lines[i], found)) continue;
        KernelProblem problem{1, 1, without_budget(found.sentence)};
        const std::optional<int> line = found.of_text ? found.line : line_of_use(std::span(lines).subspan(i + 1));
        problem.line = std::max(line.value_or(1), 1);
        if (found.of_text && i + 2 < lines.size() && lines[i + 1].find("ts_turn") == std::string_view::npos)
            problem.column = column_of(lines[i + 2]);
        const bool known = std::any_of(problems.begin(), problems.end(),
                                       [&](const KernelProblem& p) { return p.line == problem.line; });
        if (!known) problems.push_back(std::move(problem));
    }
    std::stable_sort(problems.begin(), problems.end(),
                     [](const KernelProblem& a, const KernelProblem& b) { return a.line < b.line; });
    if (problems.empty()) {
        const auto words =
            std::find_if(lines.begin(), lines.end(), [](std::string_view line) { return !trimmed(line).empty(); });
        problems.push_back({1, 1,
                            words == lines.end()
                                ? "the compiler gives no reason"
                                : "the compiler says: " + std::string(trimmed(*words).substr(0, 300))});
    }
    return problems;
}

std::string stop_sentence(const KernelStop& stop, std::string_view name) {
    const std::string where = fmt::format("the kernel '{}' was stopped at pixel ({}, {})", name, stop.i, stop.j);
    switch (stop.reason) {
        case KernelStop::turns:
            return fmt::format("{}: its loops take more than {} turns there", where, KernelFile::loop_turns);
        case KernelStop::time:
            return fmt::format("{}: {} pixels took longer than {} s", where, kernel_launch_pixels,
                               kernel_launch_seconds);
        case KernelStop::block:
            return fmt::format("{}: {} pixels took longer than {} s", where, kernel_lanes, kernel_block_seconds);
        case KernelStop::picture:
            return fmt::format("{}: {} pixels took longer than {} s", where, kernel_launch_pixels,
                               kernel_picture_seconds);
        case KernelStop::index: return where + ": an index is outside its Array";
        default: return "";
    }
}

}  // namespace texelscope
