// Kernels of one's own on the CPU: pixels in blocks that the interpreter computes. Positions, taps and output are those of
// all other methods.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>

#include "gpu/backend/cpu_backend.h"
#include "gpu/core/timing.h"
#include "gpu/kernels/kernel_interpreter.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/method/tap_source.h"

namespace texelscope {
namespace {

constexpr WorkName own_kernel_on_cpu{"own kernel"};

struct Numbers {
    float v[4];
};

// As tap() spreads channels over four numbers.
template <int C> Numbers spread(const float* v, int channels, bool has_alpha) {
    if constexpr (C == 1) return has_alpha ? Numbers{0, 0, 0, v[0]} : Numbers{v[0], v[0], v[0], 1};
    else if constexpr (C == 2) return has_alpha ? Numbers{v[0], v[0], v[0], v[1]} : Numbers{v[0], v[1], 0, 1};
    else if constexpr (C == 3) return {v[0], v[1], v[2], 1};
    else return {v[0], v[1], v[2], channels == 3 ? 1 : v[3]};
}

template <class Sample, int C> class SourceTaps final : public KernelTaps {
public:
    SourceTaps(const ResampleJob& job, const BorderPixel& border)
        : array_(job.source), channels_(job.output.channels), has_alpha_(job.output.has_alpha) {
        std::ranges::copy(border_tap(border, channels_, has_alpha_).v, border_.v);
    }

    void read(const int* i, const int* j, const int* active, float* to) const override {
        for (int l = 0; l < kernel_lanes; ++l) {
            if (active[l] == 0) continue;
            const int x = addressed(array_.address.x, i[l], array_.width);
            const int y = array_.one_dimensional ? 0 : addressed(array_.address.y, j[l], array_.height);
            const Numbers n = x < 0 || y < 0 ? border_ : tap(x, y);
            for (int c = 0; c < 4; ++c) to[c * kernel_lanes + l] = n.v[c];
        }
    }

private:
    Numbers tap(int x, int y) const {
        const char* const line = static_cast<const char*>(array_.texels) + size_t(y) * array_.row_bytes;
        return spread<C>(LinearSource<Sample, C>::texel(line, x).v, channels_, has_alpha_);
    }

    TexelArray array_;
    int channels_;
    bool has_alpha_;
    Numbers border_;
};

// The time that a picture may take, beside that of each block.
class TimeLimit {
public:
    explicit TimeLimit(const ResampleOutput& output) {
        const double launches = double(output.width) * output.height / kernel_launch_pixels;
        seconds_ = kernel_picture_seconds * std::max(1.0, launches);
    }
    bool over() const { return std::chrono::steady_clock::now() - begin_ > std::chrono::duration<double>(seconds_); }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    double seconds_;
};

struct FirstStop {
    std::atomic<bool> any = false;
    std::mutex one_at_a_time;
    KernelStop stop;

    void note(const KernelStop& found) {
        const std::lock_guard lock(one_at_a_time);
        if (!any) stop = found;
        any = true;
    }
};

// Pixels one after the other, row by row.
struct PixelPlaces {
    int width, i, j;
    PixelPlaces(long long first, int row) : width(row), i(int(first % row)), j(int(first / row)) {}
    void next() {
        if (++i < width) return;
        i = 0;
        ++j;
    }
};

// `count` pixels from `first` on, counted row by row: those that are interpolated are given to the machine.
template <int C>
void compute_block(const ResampleJob& job, long long first, int count, KernelMachine& machine, FirstStop& stopped) {
    const TexelArray& a = job.source;
    int32_t* const takes_part = machine.taking_part();
    int active = 0;
    PixelPlaces at(first, job.output.width);
    for (int l = 0; l < kernel_lanes; ++l, at.next()) {
        takes_part[l] = 0;
        machine.x()[l] = machine.y()[l] = machine.i()[l] = machine.j()[l] = 0;
        if (l >= count) continue;
        const int i = at.i, j = at.j;
        const Point p = position_of(job, i, j);
        if (is_outside(job, p)) {
            write_outside<C>(job, i, j);
            continue;
        }
        const double x = reduced_position(p.x, a.address.x, a.width, a.margin_x);
        const double y = a.one_dimensional ? 0 : reduced_position(p.y, a.address.y, a.height, a.margin_y);
        if (!(x == x && y == y)) {
            write_pixel(job.output, i, j, Pixel<C>::nan());
            continue;
        }
        machine.x()[l] = x;
        machine.y()[l] = y;
        machine.i()[l] = i;
        machine.j()[l] = j;
        takes_part[l] = -1;
        ++active;
    }
    if (active == 0) return;
    bool computed = !stopped.any;
    if (computed)
        if (const KernelStop stop = machine.run(); stop.reason != KernelStop::none) {
            stopped.note(stop);
            computed = false;
        }
    const bool alpha_second = job.output.channels == 2 && job.output.has_alpha;
    at = PixelPlaces(first, job.output.width);
    for (int l = 0; l < count; ++l, at.next()) {
        if (takes_part[l] == 0) continue;
        Pixel<C> value = Pixel<C>::nan();
        for (int c = 0; computed && c < C; ++c) value.v[c] = machine.value(c == 1 && alpha_second ? 3 : c)[l];
        write_pixel(job.output, at.i, at.j, value);
    }
}

template <class Sample, int C>
KernelStop computed(const ResampleJob& job, const BorderPixel& border,
                    const std::shared_ptr<const InterpretedKernel>& kernel) {
    const SourceTaps<Sample, C> taps(job, border);
    const KernelPicture picture = kernel_picture(job);
    const TimeLimit limit(job.output);
    FirstStop stopped;
    const std::stop_token stop = StoppableLoops::of_this_thread();
    for_pieces_of_rows(own_kernel_on_cpu, job.output.height, [&](int first, int last) {
        KernelMachine machine(kernel, taps, picture, stop);
        const long long end = (long long)(last)*job.output.width;
        for (long long at = (long long)(first)*job.output.width; at < end; at += kernel_lanes) {
            if (stop.stop_requested()) throw Cancelled("the computation was cancelled");
            if (!stopped.any && limit.over())
                stopped.note({KernelStop::picture, int(at % job.output.width), int(at / job.output.width)});
            compute_block<pixel_channels(C)>(job, at, int(std::min<long long>(end - at, kernel_lanes)), machine,
                                             stopped);
        }
    });
    return stopped.stop;
}

}  // namespace

std::string resample_by_kernel_on_cpu(const ResampleJob& job, const BorderPixel& border) {
    const KernelMethod& method = *kernel_of(*job.spec.method);
    const MethodParameters& parameters = job.spec.parameters;
    if (const std::string why = method.why_stopped(parameters); !why.empty()) throw Error(why);
    const StopWatch watch;
    KernelStop stop;
    detail::for_stored_type(
        job.source, [&]<class Sample, int C>() { stop = computed<Sample, C>(job, border, method.interpreted()); });
    const double pixels = double(job.output.width) * job.output.height;
    if (stop.reason == KernelStop::none) {
        method.note_cpu_ns(1e6 * watch.ms() * thread_count() / pixels);
        return {};
    }
    method.note_stop(parameters, stop);
    return stop_sentence(stop, method.file().name);
}

}  // namespace texelscope
