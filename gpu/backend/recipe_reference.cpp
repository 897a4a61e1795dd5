// The float64 reference of a recipe: its own rule, with taps and sums in float64, rounded where the rule rounds.

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/reference/evaluate.h"

namespace texelscope {
namespace {

// A picture, or the part of one from (x, y) on.
struct ExactPicture {
    int x = 0, y = 0, width = 0, height = 0, channels = 1;
    std::vector<double> values;

    ExactPicture(int columns, int rows, int of_channels)
        : width(columns),
          height(rows),
          channels(of_channels),
          values(size_t(columns) * size_t(rows) * size_t(channels)) {}
    double* pixel(int column, int row) {
        return values.data() + (size_t(row - y) * size_t(width) + size_t(column - x)) * size_t(channels);
    }
    const double* pixel(int column, int row) const { return const_cast<ExactPicture*>(this)->pixel(column, row); }
};

using ExactPixel = std::array<double, 4>;

// Along an axis, what the pixels read.
struct ExactAxis {
    RuleTaps taps;
    AddressMode edges;
    int samples;

    ExactAxis(const Rule& rule, const ResizedAxis& axis)
        : taps(exact_taps_of(rule, axis)), edges(rule.edges.value_or(AddressMode::clamp)), samples(axis.samples) {}
    ExactAxis(RuleTaps of, const Rule& rule, int samples_along)
        : taps(std::move(of)), edges(rule.edges.value_or(AddressMode::clamp)), samples(samples_along) {}
    explicit ExactAxis(int pixels)  // of a signal, which has no such axis
        : taps{1, std::vector<int>(size_t(pixels)), std::vector<double>(size_t(pixels), 1.0)},
          edges(AddressMode::clamp),
          samples(1) {}

    int pixels() const { return int(taps.first.size()); }
    // read(index, weight) for each tap of a pixel that is a sample.
    template <class Read> void for_taps(int pixel, Read read) const {
        for (int k = 0; k < taps.taps; ++k) {
            const double weight = taps.weights[size_t(pixel) * size_t(taps.taps) + size_t(k)];
            const int index = addressed(edges, taps.first[size_t(pixel)] + k, samples);
            if (weight != 0 && index >= 0) read(index, weight);
        }
    }
    // The samples that are read: first and end.
    std::pair<int, int> range() const {
        int first = samples, end = 0;
        for (int i = 0; i < pixels(); ++i)
            for_taps(i, [&](int index, double) {
                first = std::min(first, index);
                end = std::max(end, index + 1);
            });
        return end > 0 ? std::pair{first, end} : std::pair{0, 1};
    }
};

// Σ over the taps of one pixel, of whole numbers as such, and what the pass makes of it.
template <class At>
void exact_sum(const LongPass& pass, const ExactAxis& axis, int pixel, int channels, At at, double* result) {
    std::array<int64_t, 4> whole{};
    ExactPixel sum{};
    axis.for_taps(pixel, [&](int index, double weight) {
        const double* const value = at(index);
        for (int c = 0; c < channels; ++c) {
            if (pass.fixed) whole[size_t(c)] += fixed_term<int64_t>(pass, float(weight), float(value[c]));
            else sum[size_t(c)] += weight * value[c];
        }
    });
    for (int c = 0; c < channels; ++c)
        result[c] = pass.fixed ? double(finished_whole(pass, whole[size_t(c)])) : finished(pass, sum[size_t(c)]);
}

void make_straight(const LongPass& pass, double unit, int channels, double* pixel) {
    const double alpha = pixel[channels - 1];
    for (int c = 0; c + 1 < channels; ++c) pixel[c] = alpha != 0 ? finished(pass, pixel[c] / alpha * unit) : 0;
    pixel[channels - 1] = unit - finished(pass, unit - alpha);
    for (int c = 0; c + 1 < channels; ++c) pixel[c] *= pixel[channels - 1] / unit;
}

void finish_pixel(const LongPasses& passes, const ExactAxis& x, const ExactAxis& y, int i, int j, int channels,
                  double* pixel) {
    if (passes.cell_width > 0) {
        const int across = x.samples - (passes.cell_x + i) * passes.cell_width,
                  down = y.samples - (passes.cell_y + j) * passes.cell_height;
        const int n = std::min(across, passes.cell_width) * std::min(down, passes.cell_height);
        for (int c = 0; c < channels; ++c) pixel[c] = rounded_mean(pixel[c], n);
    }
    if (passes.cut_colours)
        for (int c = 0; c + 1 < channels; ++c)
            pixel[c] = with_whole_colour(pixel[c], pixel[channels - 1], double(passes.unit));
    if (passes.straight) make_straight(passes.second, passes.unit, channels, pixel);
    for (int c = 0; c < channels; ++c) pixel[c] = (pixel[c] + double(passes.fill)) / double(passes.unit);
}

// What the first pass reads.
void make_levels(ExactPicture& picture, const LongPasses& passes) {
    const bool fixed = passes.first.fixed;
    for (double& value : picture.values) {
        value *= passes.unit;
        if (fixed || passes.whole) value = std::nearbyint(value);
        if (!fixed) value -= passes.fill;
    }
}

ExactPicture resized(ExactPicture picture, const LongPasses& passes, const ExactAxis& x, const ExactAxis& y) {
    make_levels(picture, passes);
    const int channels = picture.channels;
    const LongPass first = passes.straight ? LongPass{} : passes.first,
                   second = passes.straight ? LongPass{} : passes.second;
    ExactPicture between(passes.y_first ? picture.width : x.pixels(), passes.y_first ? y.pixels() : picture.height,
                         channels);
    between.x = passes.y_first ? picture.x : 0;
    between.y = passes.y_first ? 0 : picture.y;
    parallel_for(work::reference, between.height, 1, [&](int row) {
        for (int column = 0; column < between.width; ++column) {
            const int i = column + between.x, j = row + between.y;
            double* const to = between.pixel(i, j);
            if (passes.y_first)
                exact_sum(
                    first, y, j, channels, [&](int index) { return picture.pixel(i, index); }, to);
            else
                exact_sum(
                    first, x, i, channels, [&](int index) { return picture.pixel(index, j); }, to);
            if (passes.straight) make_straight(passes.first, passes.unit, channels, to);
        }
    });
    ExactPicture result(x.pixels(), y.pixels(), channels);
    parallel_for(work::reference, result.height, 1, [&](int j) {
        for (int i = 0; i < result.width; ++i) {
            double* const to = result.pixel(i, j);
            if (passes.y_first)
                exact_sum(
                    second, x, i, channels, [&](int index) { return between.pixel(index, j); }, to);
            else
                exact_sum(
                    second, y, j, channels, [&](int index) { return between.pixel(i, index); }, to);
            finish_pixel(passes, x, y, i, j, channels, to);
        }
    });
    return result;
}

// The samples that both axes read; levels of a stored type are exactly those.
ExactPicture samples_of(SourceImage& source, SampleType stored, const ExactAxis& x, const ExactAxis& y) {
    const ResidentImage& samples = source.samples();
    const auto [left, right] = x.range();
    const auto [top, bottom] = y.range();
    ExactPicture picture(right - left, bottom - top, samples.channels());
    picture.x = left;
    picture.y = top;
    const RenderRequest plain = resize_request(samples, default_spec(parse_method("nearest")), samples.width(),
                                               samples.height(), Align::centers, false);
    const double unit = samples.alpha() != Alpha::none ? 0
                        : stored == SampleType::u8     ? 255
                        : stored == SampleType::u16    ? 65535
                                                       : 0;
    constexpr int together = 256;
    for (int row = 0; row < picture.height; row += together) {
        const int rows = std::min(together, picture.height - row);
        const std::vector<float> values = source.texels(plain, left, top + row, picture.width, rows);
        std::transform(values.begin(), values.end(), picture.pixel(left, top + row), [&](float value) {
            return unit > 0 ? std::nearbyint(double(value) * unit) / unit : double(value);
        });
    }
    return picture;
}

ResizedAxis whole_axis_of(int samples, int pixels) { return {samples, double(pixels), 0, pixels}; }

// The picture that the rule's own axes read, after those on the way.
ExactPicture on_the_way_in_float64(SourceImage& source, SampleType stored, const ResizeRule& rule) {
    const ExactAxis all_x({.tap_rule = TapRule::nearest},
                          whole_axis_of(source.samples().width(), source.samples().width())),
        all_y({.tap_rule = TapRule::nearest}, whole_axis_of(source.samples().height(), source.samples().height()));
    ExactPicture picture = samples_of(source, stored, all_x, all_y);
    for (const ResizeStage& stage : rule.before.all()) {
        const auto by = [&](const ResizeRule& of_stage) {
            // A stage of two rules may make a smaller picture first.
            ExactPicture from = picture;
            for (const ResizeStage& first : of_stage.before.all())
                from = resized(std::move(from), within_extremes(first.rules.front().passes, source),
                               ExactAxis(first.rules.front().x, whole_axis_of(from.width, first.width)),
                               ExactAxis(first.rules.front().y, whole_axis_of(from.height, first.height)));
            const ExactAxis x(of_stage.x, whole_axis_of(from.width, stage.width)),
                y(of_stage.y, whole_axis_of(from.height, stage.height));
            return resized(std::move(from), within_extremes(of_stage.passes, source), x, y);
        };
        ExactPicture made = by(stage.rules.front());
        if (stage.rules.size() > 1) {
            const ExactPicture other = by(stage.rules.back());
            for (size_t k = 0; k < made.values.size(); ++k)
                made.values[k] += double(stage.share) * (other.values[k] - made.values[k]);
        }
        picture = std::move(made);
    }
    return picture;
}

std::vector<double> encoded_values(std::vector<double> values, const ResidentImage& samples, bool encode_srgb) {
    if (!encode_srgb) return values;
    const bool has_alpha = samples.alpha() != Alpha::none;
    const int channels = samples.channels(), colours = channels - has_alpha;
    for (size_t k = 0; k < values.size(); k += size_t(channels)) {
        const double alpha = has_alpha ? values[k + size_t(colours)] : 1;
        for (int c = 0; c < colours && alpha != 0; ++c)
            values[k + size_t(c)] = alpha * srgb_encoded_double(values[k + size_t(c)] / alpha);
    }
    return values;
}

// One pixel whose taps are number k of both axes, of levels.
void point_sum(const ExactPicture& levels, const LongPasses& passes, const ExactAxis& x, const ExactAxis& y, int k,
               double* result) {
    const int channels = levels.channels;
    const LongPass first = passes.straight ? LongPass{} : passes.first,
                   second = passes.straight ? LongPass{} : passes.second;
    const ExactAxis &of_first = passes.y_first ? y : x, &of_second = passes.y_first ? x : y;
    ExactPixel between{};
    exact_sum(
        second, of_second, k, channels,
        [&](int along_second) {
            exact_sum(
                first, of_first, k, channels,
                [&](int along_first) {
                    return passes.y_first ? levels.pixel(along_second, along_first)
                                          : levels.pixel(along_first, along_second);
                },
                between.data());
            if (passes.straight) make_straight(passes.first, passes.unit, channels, between.data());
            return static_cast<const double*>(between.data());
        },
        result);
    finish_pixel(passes, x, y, k, k, channels, result);
}

}  // namespace

void render_point_reference(SourceImage& source, SampleType stored, const Resampling& resampling, double* values) try {
    const ResidentImage& samples = source.samples();
    const bool signal = samples.one_dimensional();
    PlacesOfPoints places(source, resampling);
    ResizeRule rule = places.rule(samples, stored);
    ExactPicture picture = on_the_way_in_float64(source, stored, rule);
    if (!rule.before.all().empty()) places.read(picture.width, picture.height);
    const CoefficientsOfRule made(rule, picture.width, picture.height, signal);
    if (made.any)
        picture = resized(std::move(picture), made.passes, ExactAxis(made.x, rule.x, picture.width),
                          ExactAxis(made.y, rule.y, picture.height));
    const LongPasses passes = within_extremes(rule.passes, source);
    make_levels(picture, passes);
    const size_t channels = size_t(samples.channels()), together = 256,
                 count = size_t(resampling.width) * size_t(resampling.height);
    std::vector<double> result(count * channels);
    parallel_for(work::reference, (long long)((count + together - 1) / together), 1, [&](long long piece) {
        const size_t first = size_t(piece) * together, last = std::min(first + together, count);
        PointTaps taps = places.taps(rule, signal, first, last - first);
        const ExactAxis x(std::move(taps.x), rule.x, picture.width), y(std::move(taps.y), rule.y, picture.height);
        for (size_t k = first; k < last; ++k) {
            double* const pixel = result.data() + k * channels;
            const int other = x.taps.first[k - first];
            if (other == taps_of_nan || (other == taps_outside && resampling.outside == Outside::nan))
                std::fill_n(pixel, channels, NAN);
            else if (other == taps_outside)
                std::fill_n(pixel, channels, samples.alpha() != Alpha::none ? 0.0 : double(background_level));
            else point_sum(picture, passes, x, y, int(k - first), pixel);
        }
    });
    result = encoded_values(std::move(result), samples, resampling.encode_srgb);
    source.backend().write(values, result.data(), result.size() * sizeof(double));
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the float64 reference of this recipe");
}

std::vector<double> reference_by_rule(SourceImage& source, SampleType stored, const ResizeRule& rule,
                                      const ResizedAxis& x, const ResizedAxis& y, bool encode_srgb) try {
    const ResidentImage& samples = source.samples();
    const auto along_y = [&](const ResizedAxis& axis) {
        return samples.one_dimensional() ? ExactAxis(axis.count) : ExactAxis(rule.y, axis);
    };
    const auto made = [&] {
        if (rule.before.all().empty()) {
            const ExactAxis of_x(rule.x, x), of_y = along_y(y);
            return resized(samples_of(source, stored, of_x, of_y), within_extremes(rule.passes, source), of_x, of_y);
        }
        ExactPicture last = on_the_way_in_float64(source, stored, rule);
        ResizedAxis from_x = x, from_y = y;
        from_x.samples = last.width;
        from_y.samples = last.height;
        const ExactAxis of_x(rule.x, from_x), of_y = along_y(from_y);
        return resized(std::move(last), within_extremes(rule.passes, source), of_x, of_y);
    }();
    return encoded_values(made.values, samples, encode_srgb);
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the float64 reference of this recipe");
}

}  // namespace texelscope
