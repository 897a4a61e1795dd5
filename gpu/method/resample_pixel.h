#pragma once
// One pixel of an output: its position, its value, and where it is written. Common to the rows of the CPU and the
// kernels of the GPU.

#include <type_traits>

#include "gpu/method/evaluate.h"
#include "gpu/method/method_info.h"
#include "gpu/method/output.h"

namespace texelscope {
namespace detail {

// A method with parameters is constructed from their values.
template <class Method> Method made(const MethodParameters& parameters) {
    if constexpr (std::is_constructible_v<Method, const MethodParameters&>) return Method(parameters);
    else return Method{};
}

// How one position is evaluated on a source; the same for host and device.
template <class Method, class Source> struct TapEvaluator {
    Method method;
    Source source;
    template <class Coordinate>
    TS_HD Pixel<Source::channels> operator()(const TexelArray&, Coordinate x, Coordinate y) const {
        return evaluate_taps(method, source, x, y);
    }
};

template <class Method, class Source> struct FilterEvaluator {
    Method method;
    Source source;
    template <class Coordinate>
    TS_HD Pixel<Source::channels> operator()(const TexelArray& a, Coordinate x, Coordinate y) const {
        return evaluate_filtered(method, source, a, x, y);
    }
};

template <int C, class Evaluator>
TS_HD void resample_pixel(const Evaluator& evaluate, const ResampleJob& job, int i, int j) {
    const TexelArray& a = job.source;
    const Point p = position_of(job, i, j);
    if (is_outside(job, p)) {
        write_outside<C>(job, i, j);
        return;
    }
    const double x = reduced_position(p.x, a.address.x, a.width, a.margin_x);
    const double y = a.one_dimensional ? 0 : reduced_position(p.y, a.address.y, a.height, a.margin_y);
    if (x == x && y == y) write_pixel(job.output, i, j, evaluate(a, x, y));
    else write_pixel(job.output, i, j, Pixel<C>::nan());  // not a number, or infinitely far in a repeating signal
}

// Calls visit.template operator()<Sample>() for texels of this type (see is_texel_type).
template <class Visit> void for_sample_type(SampleType type, Visit visit) {
    switch (type) {
        case SampleType::u8: return visit.template operator()<uint8_t>();
        case SampleType::u16: return visit.template operator()<uint16_t>();
        case SampleType::f16: return visit.template operator()<HalfBits>();
        default: return visit.template operator()<float>();
    }
}

// Calls visit.template operator()<Sample, C>() for the job's texels on a GPU: C is 1, 2 or 4.
template <class Visit> void for_texel_type(const TexelArray& a, Visit visit) {
    for_sample_type(a.type, [&]<class Sample>() {
        if (a.channels == 1) visit.template operator()<Sample, 1>();
        else if (a.channels == 2) visit.template operator()<Sample, 2>();
        else visit.template operator()<Sample, 4>();
    });
}

// Calls visit.template operator()<Sample, C>() for the job's texels on the CPU: C is 1, 2, 3 or 4.
template <class Visit> void for_stored_type(const TexelArray& a, Visit visit) {
    for_sample_type(a.type, [&]<class Sample>() {
        if (a.channels == 1) visit.template operator()<Sample, 1>();
        else if (a.channels == 2) visit.template operator()<Sample, 2>();
        else if (a.channels == 3) visit.template operator()<Sample, 3>();
        else visit.template operator()<Sample, 4>();
    });
}

// Calls visit(source, i, j) for the output pixels of rows [first, last) on the calling thread.
template <class Visit> void for_pixels(const ResampleJob& job, int first, int last, Visit visit) {
    for_stored_type(job.source, [&]<class Sample, int C>() {
        const LinearSource<Sample, C> source(job.source);
        for (int j = first; j < last; ++j)
            for (int i = 0; i < job.output.width; ++i) visit(source, i, j);
    });
}

}  // namespace detail
}  // namespace texelscope
