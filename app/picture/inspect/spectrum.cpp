#include "app/picture/inspect/spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "app/picture/fourier.h"
#include "app/picture/inspect/curves.h"
#include "app/state/scene.h"
#include "gpu/core/colour.h"
#include "gpu/core/parallel.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/timing.h"
#include "gpu/display/display.h"

namespace texelscope {

namespace work {
inline constexpr WorkName spectrum{"spectrum"};
}

namespace {

using Wave = std::complex<double>;

std::vector<double> window_weights(SpectrumWindow window, int length) {
    std::vector<double> weights(size_t(length), 1.0);
    if (window == SpectrumWindow::hann && length > 1)
        for (int n = 0; n < length; ++n) weights[size_t(n)] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * n / length);
    return weights;
}

double sum_of_squares(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v * v;
    return sum;
}

// The transform of real values: the columns 0 … width / 2, which the others mirror.
class HalfPlane {
public:
    HalfPlane(int width, int height)
        : width_(size_t(width)), height_(size_t(height)), columns_(width_ / 2 + 1), values_(columns_ * height_) {}

    // value(x, y). Two rows at a time, as real and imaginary part.
    template <class Value> void transform_rows(Value value) {
        parallel_for_with<Place>(work::spectrum, (height_ + 1) / 2, 8, [&](Place& place, size_t pair) {
            Fourier& fourier = place.of(width_);
            std::vector<Wave>& row = place.line;
            const size_t a = 2 * pair, b = a + 1;
            row.resize(width_);
            for (size_t x = 0; x < width_; ++x) row[x] = {value(x, a), b < height_ ? value(x, b) : 0.0};
            fourier.forward(row);
            for (size_t k = 0; k < columns_; ++k) {
                const Wave z = row[k], mirrored = std::conj(row[(width_ - k) % width_]);
                values_[a * columns_ + k] = (z + mirrored) / 2.0;
                if (b < height_) values_[b * columns_ + k] = (z - mirrored) / Wave(0, 2);
            }
        });
    }

    // Then take(column, its values), in several threads.
    template <class Take> void transform_columns(Take take) {
        constexpr size_t together = 8;  // what a line of the cache holds, and one more
        parallel_for_with<Place>(
            work::spectrum, (columns_ + together - 1) / together, 1, [&](Place& place, size_t block) {
                Fourier& fourier = place.of(height_);
                const size_t first = block * together, count = std::min(columns_ - first, together);
                place.lines.resize(together);
                for (size_t i = 0; i < count; ++i) place.lines[i].resize(height_);
                for (size_t y = 0; y < height_; ++y)
                    for (size_t i = 0; i < count; ++i) place.lines[i][y] = values_[y * columns_ + first + i];
                for (size_t i = 0; i < count; ++i) {
                    fourier.forward(place.lines[i]);
                    take(first + i, place.lines[i]);
                }
            });
    }

private:
    // What a thread needs.
    struct Place {
        std::vector<Fourier> fourier;
        std::vector<Wave> line;
        std::vector<std::vector<Wave>> lines;

        Fourier& of(size_t length) {
            if (fourier.empty()) fourier.emplace_back(length);
            return fourier.front();
        }
    };
    size_t width_, height_, columns_;
    std::vector<Wave> values_;
};

void find_strongest(Spectrum& s) {
    const size_t zero = size_t(s.height / 2) * size_t(s.width) + size_t(s.width / 2);
    float most = -1;
    for (size_t i = 0; i < s.power.size(); ++i)
        if (i != zero && s.power[i] > most) {
            most = s.power[i];
            s.strongest = {int(i % size_t(s.width)), int(i / size_t(s.width))};
        }
    if (most < 0) s.strongest = {s.width / 2, s.height / 2};  // a single value
}

void find_radial(Spectrum& s) {
    s.radial_step = 1 / (std::max(s.width, s.height) * s.pitch);
    const double furthest = std::hypot(s.x(0), s.y(0)) / s.radial_step;
    std::vector<double> sum(size_t(std::lround(furthest)) + 1);
    std::vector<int64_t> count(sum.size());
    std::vector<double> squares(size_t(s.width));  // of x
    for (int column = 0; column < s.width; ++column) squares[size_t(column)] = std::pow(s.x(column) / s.radial_step, 2);
    for (int row = 0; row < s.height; ++row) {
        const double y = s.y(row) / s.radial_step;
        for (int column = 0; column < s.width; ++column) {
            const size_t k = size_t(std::sqrt(squares[size_t(column)] + y * y) + 0.5);
            sum[k] += s.at(column, row);
            ++count[k];
        }
    }
    s.radial.resize(sum.size());
    for (size_t k = 0; k < sum.size(); ++k) s.radial[k] = count[k] > 0 ? sum[k] / double(count[k]) : std::nan("");
}

}  // namespace

Spectrum spectrum_of(std::span<const float> values, int width, int height, SpectrumWindow window, double pitch) {
    Spectrum s;
    s.width = width;
    s.height = height;
    s.pitch = pitch;
    const size_t columns = size_t(width), rows = size_t(height);
    double sum = 0;
    for (const float v : values) {
        if (std::isfinite(v)) sum += double(v);
        else ++s.not_finite;
    }
    const double count = double(columns * rows), mean = sum / count;
    const std::vector<double> across = window_weights(window, width), down = window_weights(window, height);
    HalfPlane half(width, height);
    half.transform_rows([&](size_t x, size_t y) {
        const float v = values[y * columns + x];
        return across[x] * down[y] * ((std::isfinite(v) ? double(v) : 0.0) - mean);
    });
    const double squares = sum_of_squares(across) * sum_of_squares(down),
                 scale = squares > 0 ? 1 / (count * squares) : 0;
    s.power.resize(columns * rows);
    const auto place = [](size_t k, size_t length) { return (k + length / 2) % length; };
    std::vector<size_t> begin(rows), mirrored_begin(rows);  // of the rows that have these frequencies
    for (size_t ky = 0; ky < rows; ++ky) {
        begin[ky] = place(ky, rows) * columns;
        mirrored_begin[ky] = place((rows - ky) % rows, rows) * columns;
    }
    half.transform_columns([&](size_t kx, const std::vector<Wave>& column) {
        const size_t x = place(kx, columns), mirrored = (columns - kx) % columns, other = place(mirrored, columns);
        for (size_t ky = 0; ky < rows; ++ky) {
            const float power = float(std::norm(column[ky]) * scale);
            s.power[begin[ky] + x] = power;
            if (mirrored > columns / 2) s.power[mirrored_begin[ky] + other] = power;
        }
    });
    float& zero = s.power[rows / 2 * columns + columns / 2];
    zero = float(double(zero) + mean * mean);
    find_strongest(s);
    find_radial(s);
    return s;
}

std::vector<float> channel_values(const Image& image, const SampleBox& box, int channel) {
    const int width = box.x1 - box.x0 + 1, height = box.y1 - box.y0 + 1, channels = image.channels();
    const bool alpha = image.alpha() != Alpha::none, straight = image.alpha() == Alpha::straight;
    const int colours = channels - (alpha ? 1 : 0);
    const bool of_luma = channel < 0 && colours == 3;
    const size_t chosen = size_t(std::clamp(channel, 0, channels - 1));
    const size_t pixel = size_t(channels) * size_t(bytes_per_sample(image.type()));
    std::vector<std::byte> bytes;
    if (!image.in_memory()) {
        bytes.resize(pixel * size_t(width) * size_t(height));
        image.tiles()->read(0, {box.x0, box.y0, width, height}, bytes.data(), pixel * size_t(width));
    }
    std::vector<float> values(size_t(width) * size_t(height));
    parallel_for_with<std::vector<float>>(work::spectrum, size_t(height), 32, [&](std::vector<float>& row, size_t y) {
        row.resize(size_t(width) * size_t(channels));
        const std::byte* const from = image.in_memory() ? image.row(box.y0 + int(y)) + size_t(box.x0) * pixel
                                                        : bytes.data() + y * size_t(width) * pixel;
        float* out = &values[y * size_t(width)];
        read_floats(from, row.size(), image.type(), row.data());
        for (size_t at = 0; at < row.size(); at += size_t(channels)) {
            const float* const v = &row[at];
            float value = of_luma ? luma(v[0], v[1], v[2]) : v[chosen];
            if (straight && int(chosen) < colours) value *= v[colours];
            *out++ = value;
        }
    });
    return values;
}

SampleBox middle_part(const SampleBox& box, Extent most, bool exact) {
    const auto middle = [exact](int& from, int& to, int longest) {
        const int length = to - from + 1, allowed = std::min(length, std::max(longest, 1));
        const int kept = exact && allowed == length ? length : int(quick_length_within(size_t(allowed)));
        from += (length - kept) / 2;
        to = from + kept - 1;
    };
    if (box.empty()) return box;
    SampleBox part = box;
    middle(part.x0, part.x1, most.width);
    middle(part.y0, part.y1, most.height);
    return part;
}

namespace {

// The place of bin n, which the spectrum of samples repeats.
int bin_place(int64_t n, int length) {
    const int64_t shifted = (n + length / 2) % length;
    return int(shifted < 0 ? shifted + length : shifted);
}

// The places of the bins in a pixel, or of the one nearest to its middle.
struct PixelBins {
    std::vector<int> places;
    bool own = true;  // not beyond the grid's own Nyquist frequency
};

std::vector<PixelBins> bins_of_pixels(int length, double pitch, double reach, int side) {
    std::vector<PixelBins> pixels;
    const double bins = length * pitch;  // per cycle per sample
    for (int i = 0; i < side; ++i) {
        const double from = reach * (2.0 * i / side - 1) * bins, to = reach * (2.0 * (i + 1) / side - 1) * bins;
        auto first = int64_t(std::ceil(from)), last = int64_t(std::ceil(to)) - 1;
        if (last < first) first = last = std::llround((from + to) / 2);
        PixelBins pixel;
        for (int64_t n = first; n <= last && n - first < length; ++n) pixel.places.push_back(bin_place(n, length));
        pixel.own = std::abs(from + to) / 2 <= length / 2.0;
        pixels.push_back(std::move(pixel));
    }
    return pixels;
}

constexpr uint32_t beyond_rgb = 0x1c1e21;  // as the interface's fields
constexpr int copies_of_256 = 110;         // how bright they are

}  // namespace

double power_at(const Spectrum& s, double x, double y, bool repeats) {
    if (!repeats && std::max(std::abs(x), std::abs(y)) > s.nyquist()) return 0;
    const auto place = [&](double f, int length) { return bin_place(std::llround(f * s.pitch * length), length); };
    return s.at(place(x, s.width), place(y, s.height));
}

double power_decibels(double power) { return 10 * std::log10(power); }

Image spectrum_picture(const Spectrum& s, double reach, int side, double top, bool repeats) {
    const auto& colours = colour_table(ColourMap::ember);
    const std::vector<PixelBins> columns = bins_of_pixels(s.width, s.pitch, reach, side),
                                 rows = bins_of_pixels(s.height, s.pitch, reach, side);
    Image picture(side, side, 3, SampleType::u8);
    std::vector<float> most(size_t(s.width));
    for (int j = 0; j < side; ++j) {
        std::fill(most.begin(), most.end(), 0.0f);
        for (const int row : rows[size_t(j)].places) {
            const float* const power = &s.power[size_t(row) * size_t(s.width)];
            for (size_t x = 0; x < most.size(); ++x) most[x] = std::max(most[x], power[x]);
        }
        uint8_t* to = picture.row_as<uint8_t>(j);
        for (int i = 0; i < side; ++i, to += 3) {
            const PixelBins& bins = columns[size_t(i)];
            const bool own = bins.own && rows[size_t(j)].own;
            if (!own && !repeats) {
                for (int c = 0; c < 3; ++c) to[c] = uint8_t(beyond_rgb >> (16 - 8 * c));
                continue;
            }
            float power = 0;
            for (const int column : bins.places) power = std::max(power, most[size_t(column)]);
            const double height = 1 + power_decibels(double(power) / top) / spectrum_range;
            const uint32_t colour = colours[size_t(std::lround(255 * std::clamp(height, 0.0, 1.0)))];
            for (int c = 0; c < 3; ++c) {
                const int value = int(colour >> (8 * c) & 255);
                to[c] = uint8_t(own ? value : value * copies_of_256 / 256);
            }
        }
    }
    return picture;
}

double spectrum_reach(const SpectrumReport& report, double chosen) {
    if (chosen > 0) return chosen;
    double reach = 0.5;
    for (const auto& shown : report.of)
        if (shown.spectrum && shown.spectrum->nyquist() > 0.5 * 1.0001) reach = 1;
    return reach;
}

Plot radial_plot(const SpectrumReport& report, int front, double reach) {
    using Shown = SpectrumReport::Shown;
    Plot plot;
    plot.x = {.label = "frequency (cycles per sample)",
              .minimum = 0,
              .maximum = std::min(reach * std::numbers::sqrt2, highest_frequency)};
    plot.y = {.label = "power, gain dashed (dB)", .minimum = -spectrum_range, .maximum = 6};
    plot.guides.push_back({Guide::Across::x, 0.5, "Nyquist"});
    if (report.of.empty() || !report.of.front().spectrum) return plot;
    const double top = report.of.front().spectrum->largest();
    std::vector<Series> responses;
    const bool many = report.of.size() > 3;  // their names would take the plot's space; colours are those of the panes
    for (const Shown& shown : report.of) {
        const bool samples = shown.pane == Shown::samples;
        const Ink ink = samples ? Ink::grey : pane_ink(shown.pane);
        if (shown.spectrum) {
            const Spectrum& s = *shown.spectrum;
            Series series{.name = samples ? "samples" : pane_name(shown.pane), .ink = ink};
            for (size_t k = 1; k < s.radial.size(); ++k) {
                series.x.push_back(double(k) * s.radial_step);
                series.y.push_back(power_decibels(s.radial[k] / top));
            }
            plot.series.push_back(std::move(series));
        }
        const auto add = [&](const CurvesReport::Curve& curve, std::string name, Ink of) {
            if (!curve.x.empty())
                responses.push_back(
                    {.name = std::move(name), .x = curve.x, .y = curve.y, .style = Series::Style::dashed, .ink = of});
        };
        if (!shown.response) continue;
        add(shown.response->method, many ? "" : "response " + pane_name(shown.pane), ink);
        if (shown.pane == front) add(shown.response->prefilter, "prefilter " + pane_name(shown.pane), Ink::grey);
    }
    for (Series& response : responses) plot.series.push_back(std::move(response));
    return plot;
}

}  // namespace texelscope
