#include "gpu/method/tabulated.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <vector>

#include "gpu/method/cpu_vector.h"
#include "gpu/method/mip.h"
#include "gpu/method/polar_method.h"

namespace texelscope {

std::vector<float> weight_table(const MethodInfo& method, const MethodParameters& parameters, bool derivative) {
    const auto function =
        derivative ? [&](double x) { return method.slope(x, parameters); } : widened_function(method, parameters);
    const int last = int(std::lround(radius_of(method) * table_nodes));
    std::vector<float> table(size_t(last) + 2);
    // From the left: at a jump of the weight function (nearest, at its end) the table holds the inner value.
    for (int k = 0; k <= last; ++k) table[size_t(k)] = float(function(-double(k) / table_nodes));
    if (derivative)
        for (float& value : table) value = -value;
    table.back() = table[size_t(last)];
    return table;
}

void resample_tabulated_rows(const TabulatedJob& tabulated, int first, int last) {
    detail::for_pixels(tabulated.job, first, last, [&]<class Source>(const Source& source, int i, int j) {
        if (tabulated.x.pieces.pieces) detail::tabulated_pixel<Source::channels, true>(source, tabulated, i, j);
        else detail::tabulated_pixel<Source::channels, false>(source, tabulated, i, j);
    });
}

namespace {

constexpr int most_numbers = simd::stride_of(4 * max_widened_taps);

// A pixel's weights along both axes.
struct PixelWeights {
    int first_x, first_y, columns, rows;  // indices of the image
    float x[tabulated_capacity], y[tabulated_capacity];
};

PixelWeights weights_at(const TabulatedJob& tabulated, const simd::Kernels& kernels, int i, int j, double x, double y) {
    const TexelArray& a = tabulated.job.source;
    AxisFilter filter_x = tabulated.x, filter_y = tabulated.y;
    if (tabulated.local_stretch) fit_to_points(tabulated.job, i, j, filter_x, filter_y);
    PixelWeights w;
    w.columns = tabulated_weights(kernels, filter_x, a.address.x, x, w.first_x, w.x);
    w.rows = tabulated_weights(kernels, filter_y, a.address.y, y, w.first_y, w.y);
    return w;
}

// The texels that an address mode reads along an axis, each once, and none of weight zero.
struct StoredTaps {
    int count = 0;
    int at[max_widened_taps];
    float weight[max_widened_taps];

    StoredTaps(AddressMode mode, int first, int taps, const float* weights, int stored) {
        for (int k = 0; k < taps; ++k) {
            const int index = addressed(mode, first + k, stored);
            if (index < 0 || weights[k] == 0) continue;
            if (count > 0 && at[count - 1] == index) {
                weight[count - 1] += weights[k];
            } else {
                at[count] = index;
                weight[count++] = weights[k];
            }
        }
    }
};

// The vector code for pixels whose taps are side by side, stored that way or gathered; tabulated_sum if that multiplies
// zero by a value that is not finite.
template <class Sample, int C> class PixelSums {
public:
    static constexpr int channels = pixel_channels(C);

    PixelSums(const TabulatedJob& tabulated, const simd::Kernels& kernels)
        : tabulated_(tabulated),
          kernels_(kernels),
          source_(tabulated.job.source),
          patch_(kernels.patch[int(tabulated.job.source.type)][C - 1]) {}

    // The value at output pixel (i, j), which reads (x, y).
    void evaluate(int i, int j, double x, double y, float* value) const {
        const PixelWeights w = weights_at(tabulated_, kernels_, i, j, x, y);
        if (!from_image(w, value) && !from_patch(w, value)) one_by_one(w, value);
    }

private:
    // False if taps are not stored side by side, or the sum is not finite.
    bool from_image(const PixelWeights& w, float* value) const {
        const TexelArray& a = tabulated_.job.source;
        const int stride = padded(w.columns);
        const int column = w.first_x + a.margin_x, row = w.first_y + a.margin_y;
        if (column < 0 || column + texels_read(stride) > a.width + 2 * a.margin_x || row < 0 ||
            row + w.rows > a.height + 2 * a.margin_y)
            return false;
        return sum(texel(column, row), a.row_bytes, w.x, w.columns, w.y, w.rows, value);
    }

    bool from_patch(const PixelWeights& w, float* value) const {
        const TexelArray& a = tabulated_.job.source;
        const StoredTaps x(a.address.x, w.first_x + a.margin_x, w.columns, w.x, a.width + 2 * a.margin_x);
        const StoredTaps y(a.address.y, w.first_y + a.margin_y, w.rows, w.y, a.height + 2 * a.margin_y);
        constexpr size_t bytes = sizeof(Texel<Sample, C>);
        const size_t row_bytes = size_t(texels_read(padded(x.count))) * bytes;
        patch_texels_.resize(row_bytes * size_t(y.count));
        for (int j = 0; j < y.count; ++j) {
            std::byte* to = patch_texels_.data() + row_bytes * size_t(j);
            for (int i = 0; i < x.count; ++i, to += bytes) std::memcpy(to, texel(x.at[i], y.at[j]), bytes);
            std::memset(to, 0, row_bytes - size_t(x.count) * bytes);
        }
        return sum(patch_texels_.data(), row_bytes, x.weight, x.count, y.weight, y.count, value);
    }

    static int padded(int columns) { return simd::stride_of(std::max(16, columns * channels)); }
    static int texels_read(int stride) { return stride / channels + (C == 3 ? 1 : 0); }

    const char* texel(int column, int row) const {
        const TexelArray& a = tabulated_.job.source;
        return static_cast<const char*>(a.texels) + size_t(row) * a.row_bytes +
               size_t(column) * sizeof(Texel<Sample, C>);
    }

    bool sum(const void* texels, size_t row_bytes, const float* x, int columns, const float* y, int rows,
             float* value) const {
        alignas(64) float wx[most_numbers];
        const int stride = padded(columns);
        for (int n = 0; n < columns; ++n) std::fill_n(wx + n * channels, channels, x[n]);
        std::fill(wx + columns * channels, wx + stride, 0.0f);
        return patch_(texels, row_bytes, wx, stride, y, rows, value);
    }

    void one_by_one(const PixelWeights& w, float* value) const {
        const auto sum = tabulated_sum(source_, w.first_x, w.columns, w.x, w.first_y, w.rows, w.y);
        std::copy_n(sum.v, channels, value);
    }

    const TabulatedJob& tabulated_;
    const simd::Kernels& kernels_;
    LinearSource<Sample, C> source_;
    mutable std::vector<std::byte> patch_texels_;
    bool (*patch_)(const void*, size_t, const float*, int, const float*, int, float*);
};

}  // namespace

void TabulatedWriter::write_rows(int first, int last) const {
    detail::for_stored_type(tabulated_.job.source, [&]<class Sample, int C>() {
        write_pixels<pixel_channels(C)>(kernels_, tabulated_.job, PixelSums<Sample, C>(tabulated_, kernels_), first,
                                        last);
    });
}

namespace {

// By id. Filled by static objects of other files, so it must exist at first use.
std::map<std::string_view, PolarInfo>& records() {
    static std::map<std::string_view, PolarInfo> all;
    return all;
}

// ∫ h(r) 2πr dr over [0, radius] by Simpson's rule; h is smooth but for a few knots of its third derivative.
double plane_integral(double radius, double (*radial)(double)) {
    constexpr int intervals = 1 << 14;
    const double step = radius / intervals;
    double sum = 0;
    for (int k = 1; k < intervals; ++k) sum += (k % 2 ? 4 : 2) * radial(k * step) * k * step;  // zero at both ends
    return 2 * std::numbers::pi * sum * step / 3;
}

// A radial function over its integral, which takes longer than all else that a program does before main(): it is computed
// at first use.
class ScaledRadial {
public:
    ScaledRadial(double radius, double (*radial)(double)) : radius_(radius), radial_(radial) {}
    double operator()(double distance) {
        std::call_once(computed_, [&] { integral_ = plane_integral(radius_, radial_); });
        return radial_(distance) / integral_;
    }

private:
    double radius_, integral_ = 1;
    double (*radial_)(double);
    std::once_flag computed_;
};

// The weights of a signal, on a row of samples: each is the sum of a column's. `t` as in AxisPosition.
std::vector<float> signal_weights(int taps, double t, double (*radial)(double)) {
    std::vector<double> w;
    double sum = 0;
    for (int k = -(taps - 1) / 2; int(w.size()) < taps; ++k) {
        double column = 0;
        for (int j = -taps; j <= taps; ++j) column += radial(std::hypot(t - k, j));
        w.push_back(column);
        sum += column;
    }
    std::vector<float> result;
    for (const double value : w) result.push_back(float(value / sum));
    return result;
}

}  // namespace

const PolarInfo* polar_of(const MethodInfo& method) {
    const auto found = records().find(method.id);
    return found == records().end() || method.custom ? nullptr : &found->second;
}

double radius_of(const MethodInfo& method) {
    const PolarInfo* polar = polar_of(method);
    return polar ? polar->radius : method.radius > 0 ? method.radius : method.taps / 2.0;
}

int taps_not_zero(const MethodInfo& method) {
    return is_polar(method) ? method.taps : int(std::lround(2 * radius_of(method)));
}

double samples_of_plane(const MethodInfo& method) {
    const PolarInfo* polar = polar_of(method);
    return polar ? std::numbers::pi * polar->radius * polar->radius : std::pow(taps_not_zero(method), 2);
}

double largest_stretch(const MethodInfo& method) {
    return is_polar(method) ? max_stretch / 2 : largest_stretch(radius_of(method));
}

RegisterPolarMethod::RegisterPolarMethod(MethodInfo info, double radius) {
    records()[info.id] = {radius};  // before the record is checked
    const RegisterMethod registered(std::move(info));
}

MethodInfo described_by_radial(MethodInfo info, double radius, double (*radial)(double)) {
    const int taps = int(std::ceil(2 * radius));
    info.taps = taps;
    info.hardware_fetches = 0;
    info.weight = [scaled = std::make_shared<ScaledRadial>(radius, radial)](double x, const MethodParameters&) {
        return (*scaled)(std::abs(x));
    };
    info.tap_weights = [taps, radial](float t, const MethodParameters&) { return signal_weights(taps, t, radial); };
    info.filtered_fetches = [](float, const MethodParameters&) { return std::vector<FilteredFetch>(); };
    return info;
}

void resample_polar_rows(const PolarJob& polar, int first, int last) {
    detail::for_pixels(polar.job, first, last, [&]<class Source>(const Source& source, int i, int j) {
        detail::polar_pixel<Source::channels>(source, polar, i, j);
    });
}

void resample_mip_rows(const MipJob& mip, int first, int last) {
    detail::for_stored_type(mip.job.source, [&]<class, int C>() {
        for (int j = first; j < last; ++j)
            for (int i = 0; i < mip.job.output.width; ++i) detail::mip_pixel<C>(mip, i, j);
    });
}

}  // namespace texelscope
