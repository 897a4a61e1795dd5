#include "gpu/method/tabulated.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <type_traits>
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

static_assert(4 * tabulated_capacity <= simd::most_patch_numbers);

// A pixel's weights along both axes.
struct PixelWeights {
    int first_x, first_y, columns, rows;  // indices of the image
    float x[tabulated_capacity], y[tabulated_capacity];
};

// The weights of pixels, by a table of places where there is one.
struct WeightsOfPixels {
    const TabulatedJob& tabulated;
    const simd::Kernels& kernels;
    const PlaceWeights &places_x, &places_y;

    bool shared() const { return places_x.count() > 0 && places_y.count() > 0; }

    PixelWeights at(int i, int j, double x, double y) const {
        PixelWeights w;
        const bool has_x = places_x.read(x, w.first_x, w.columns, w.x),
                   has_y = places_y.read(y, w.first_y, w.rows, w.y);
        if (has_x && has_y) return w;
        const TexelArray& a = tabulated.job.source;
        AxisFilter filter_x = tabulated.x, filter_y = tabulated.y;
        if (tabulated.local_stretch) fit_to_points(tabulated.job, i, j, filter_x, filter_y);
        if (!has_x) w.columns = tabulated_weights(kernels, filter_x, a.address.x, x, w.first_x, w.x);
        if (!has_y) w.rows = tabulated_weights(kernels, filter_y, a.address.y, y, w.first_y, w.y);
        return w;
    }
};

// The texels that an address mode reads along an axis, each once, and none of weight zero.
struct StoredTaps {
    int count = 0;
    int at[max_widened_taps];
    float weight[tabulated_capacity] = {};  // zeros at the end

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

    explicit PixelSums(const WeightsOfPixels& weights)
        : tabulated_(weights.tabulated),
          weights_(weights),
          source_(weights.tabulated.job.source),
          patch_(weights.kernels.patch[int(weights.tabulated.job.source.type)][C - 1]),
          patch_of_window_(weights.kernels.patch[int(SampleType::f32)][channels - 1]) {
        while (columns_ > 8 && numbers_of(columns_, 16) > room_of_window) columns_ /= 2;
    }

    int columns() const { return columns_; }

    // Reads the texels of a block of pixels, which share most of them, side by side as floats.
    void begin(int i, int count, int first, int last) const {
        window_.numbers = 0;
        if (!weights_.shared() || numbers_of(count, last - first) > room_of_window) return;
        const auto [left, top, right, bottom] = texels_of(i, count, first, last);
        const TexelArray& a = tabulated_.job.source;
        window_.left = std::max(0, left);
        window_.top = std::max(0, top);
        const int columns = std::min(right, a.width + 2 * a.margin_x - (C == 3 ? 1 : 0)) - window_.left;
        window_.rows = std::min(bottom, a.height + 2 * a.margin_y) - window_.top;
        window_.numbers = columns * channels / 4 * 4;
        if (window_.numbers < 16 || window_.rows < 1) {
            window_.numbers = 0;
            return;
        }
        window_.values.resize(size_t(window_.numbers) * size_t(window_.rows));
        for (int y = 0; y < window_.rows; ++y)
            weights_.kernels.numbers[int(a.type)][C == 3](texel(window_.left, window_.top + y), window_.numbers,
                                                          window_.values.data() + size_t(window_.numbers) * size_t(y));
    }

    // The value at output pixel (i, j), which reads (x, y).
    void evaluate(int i, int j, double x, double y, float* value) const {
        const PixelWeights w = weights_.at(i, j, x, y);
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
        const int x = column - window_.left, y = row - window_.top;
        if (x >= 0 && x * channels + stride <= window_.numbers && y >= 0 && y + w.rows <= window_.rows)
            return sum(patch_of_window_,
                       window_.values.data() + size_t(y) * size_t(window_.numbers) + size_t(x * channels),
                       sizeof(float) * size_t(window_.numbers), w.x, w.columns, w.y, w.rows, value);
        return sum(patch_, texel(column, row), a.row_bytes, w.x, w.columns, w.y, w.rows, value);
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
        return sum(patch_, patch_texels_.data(), row_bytes, x.weight, x.count, y.weight, y.count, value);
    }

    static int padded(int columns) { return simd::stride_of(std::max(16, columns * channels)); }
    static int texels_read(int stride) { return stride / channels + (C == 3 ? 1 : 0); }

    const char* texel(int column, int row) const {
        const TexelArray& a = tabulated_.job.source;
        return static_cast<const char*>(a.texels) + size_t(row) * a.row_bytes +
               size_t(column) * sizeof(Texel<Sample, C>);
    }

    using Patch = std::remove_cvref_t<decltype(simd::Kernels::patch[0][0])>;
    bool sum(Patch patch, const void* texels, size_t row_bytes, const float* x, int columns, const float* y, int rows,
             float* value) const {
        constexpr float unit = std::is_same_v<Sample, uint8_t>    ? 1.0f / 255.0f
                               : std::is_same_v<Sample, uint16_t> ? 1.0f / 65535.0f
                                                                  : 1.0f;
        return patch(texels, row_bytes, x, padded(columns), y, rows, unit, value);
    }

    void one_by_one(const PixelWeights& w, float* value) const {
        const auto sum = tabulated_sum(source_, w.first_x, w.columns, w.x, w.first_y, w.rows, w.y);
        std::copy_n(sum.v, channels, value);
    }

    // The stored texels that a block of pixels reads, which need not all be there.
    struct Texels {
        int left, top, right, bottom;
    };
    Texels texels_of(int i, int count, int first, int last) const {
        double x[2], y[2];
        for (const int column : {i, i + count - 1})
            for (const int row : {first, last - 1}) {
                const Point p = position_of(tabulated_.job, column, row);
                const bool begins = column == i && row == first;
                x[0] = begins ? p.x : std::min(x[0], p.x);
                x[1] = begins ? p.x : std::max(x[1], p.x);
                y[0] = begins ? p.y : std::min(y[0], p.y);
                y[1] = begins ? p.y : std::max(y[1], p.y);
            }
        const TexelArray& a = tabulated_.job.source;
        const auto &of_x = weights_.places_x, &of_y = weights_.places_y;
        const auto whole = [](double at) { return at > -1e9 && at < 1e9 ? int(std::floor(at)) : int(1e9); };
        return {whole(x[0]) + of_x.first() + a.margin_x, whole(y[0]) + of_y.first() + a.margin_y,
                whole(x[1]) + of_x.first() + a.margin_x + texels_read(padded(of_x.count())),
                whole(y[1]) + of_y.first() + a.margin_y + of_y.count()};
    }

    // About how many numbers such a block reads.
    double numbers_of(int columns, int rows) const {
        const Steps s = steps_of(tabulated_.job);
        const auto reach = [&](double along, double down, const PlaceWeights& places) {
            return std::abs(along) * columns + std::abs(down) * rows + places.count() + 1;
        };
        return reach(s.xi, s.xj, weights_.places_x) * reach(s.yi, s.yj, weights_.places_y) * channels;
    }

    static constexpr double room_of_window = 1 << 16;  // numbers

    const TabulatedJob& tabulated_;
    WeightsOfPixels weights_;
    LinearSource<Sample, C> source_;
    int columns_ = simd::block;  // that a block of pixels has
    struct Window {
        int left = 0, top = 0, rows = 0, numbers = 0;  // stored texels; numbers of a row, 0: none
        std::vector<float> values;
    };
    mutable Window window_;
    mutable std::vector<std::byte> patch_texels_;
    Patch patch_, patch_of_window_;
};

}  // namespace

TabulatedWriter::TabulatedWriter(const TabulatedJob& job, const simd::Kernels& kernels)
    : tabulated_(job), kernels_(kernels) {
    constexpr int64_t worth_a_table = 1 << 15;  // pixels
    const bool many = int64_t(job.job.output.width) * job.job.output.height >= worth_a_table;
    if (!many || job.local_stretch || job.job.source.one_dimensional) return;
    x_ = PlaceWeights(job.x, kernels);
    const bool alike = job.x.table == job.y.table && job.x.radius == job.y.radius && job.x.stretch == job.y.stretch;
    if (!alike) y_ = PlaceWeights(job.y, kernels);
    alike_ = alike;
}

void TabulatedWriter::write_rows(int first, int last) const {
    const WeightsOfPixels weights{tabulated_, kernels_, x_, alike_ ? x_ : y_};
    detail::for_stored_type(tabulated_.job.source, [&]<class Sample, int C>() {
        write_pixels<pixel_channels(C)>(kernels_, tabulated_.job, PixelSums<Sample, C>(weights), first, last);
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
