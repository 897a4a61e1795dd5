#include "app/studies/restoring/outside_methods.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr std::string_view result_prefix = "result:";

struct OutsideRecord {
    std::string id, name;
    MethodInfo info;
};

bool is_opaque(const Image& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.value(x, y, image.channels() - 1) != 1) return false;
    return true;
}

bool is_grey(const Image& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 1; c < 3; ++c)
                if (image.value(x, y, c) != image.value(x, y, 0)) return false;
    return true;
}

std::string channel_words(int channels, bool alpha) {
    return fmt::format("{} channel{}{}", channels, channels == 1 ? "" : "s", alpha ? " with alpha" : "");
}

}  // namespace

MethodSpec outside_spec(std::string_view id, std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string, OutsideRecord, std::less<>> records;  // their addresses stay
    const std::lock_guard lock(mutex);
    auto at = records.find(id);
    if (at == records.end()) {
        at = records.emplace(id, OutsideRecord{std::string(id), std::string(name), {}}).first;
        at->second.info.id = at->second.id;
        at->second.info.name = at->second.name;
        at->second.info.summary = "A result that was made by another program.";
    }
    MethodSpec spec;
    spec.method = &at->second.info;
    return spec;
}

bool is_outside(const MethodSpec& spec) {
    return spec.method->id.starts_with(result_prefix) || spec.method->id.starts_with(command_prefix);
}

std::string full_spec_text(const MethodSpec& spec) {
    return is_outside(spec) ? std::string(spec.method->id) : to_string(spec);
}

MethodSpec spec_of_text(const std::string& text) {
    if (text.starts_with(result_prefix)) return outside_spec(text, std::string_view(text).substr(result_prefix.size()));
    if (text.starts_with(command_prefix)) return outside_spec(text, command_name(text.substr(command_prefix.size())));
    return parse_spec(text);
}

OutsideMethod result_method(const std::string& text, const std::string& stem) {
    const size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
        throw UsageError(
            fmt::format("--result must be NAME=FILE, for example waifu=made/{{name}}.png, not '{}'", text));
    const std::string name = text.substr(0, equals);
    const std::string file = typed_source(with_name(text.substr(equals + 1), stem));
    const auto make = [file, name](const Image&, Extent size, const auto&) {
        if (const PictureShape shape = load_facts(file).shape; shape.width > 0)  // before its samples take memory
            check_outside_size({shape.width, shape.height}, size, name);
        return OutsideResult{load_image(file), std::numeric_limits<double>::quiet_NaN()};
    };
    const auto identity = [file] { return fmt::format("{:016x}", fnv1a(read_file(file))); };
    return {outside_spec(fmt::format("{}{}", result_prefix, name), name), make, identity};
}

std::string with_name(std::string pattern, const std::string& stem) {
    constexpr std::string_view place = "{name}";
    for (size_t at = 0; (at = pattern.find(place, at)) != pattern.npos; at += stem.size())
        pattern.replace(at, place.size(), stem);
    return pattern;
}

void check_outside_size(Extent is, Extent wanted, const std::string& name) {
    if (is != wanted)
        throw Error(
            fmt::format("{}: it is {}×{} instead of {}×{}", name, is.width, is.height, wanted.width, wanted.height));
}

Image outside_values(const Image& result, const Image& original, Extent size, const std::string& name) {
    check_outside_size({result.width(), result.height()}, size, name);
    const bool wanted_alpha = original.alpha() != Alpha::none;
    bool alpha = result.alpha() != Alpha::none;
    int channels = result.channels();
    if (alpha && !wanted_alpha && is_opaque(result)) alpha = false, --channels;
    const int colours = channels - (alpha ? 1 : 0), wanted = original.channels() - (wanted_alpha ? 1 : 0);
    const bool spread = colours == 1 && wanted == 3, joined = colours == 3 && wanted == 1 && is_grey(result);
    if (alpha != wanted_alpha || (colours != wanted && !spread && !joined))
        throw Error(fmt::format("{}: it has {} instead of {}", name, channel_words(result.channels(), alpha),
                                channel_words(original.channels(), wanted_alpha)));
    const Image from = alpha ? premultiplied(result) : result.over_same_samples();
    Image values(size.width, size.height, original.channels(), SampleType::f32,
                 wanted_alpha ? Alpha::premultiplied : Alpha::none);
    for (int y = 0; y < size.height; ++y) {
        float* to = values.row_as<float>(y);
        for (int x = 0; x < size.width; ++x, to += values.channels()) {
            for (int c = 0; c < wanted; ++c) to[c] = from.value(x, y, spread ? 0 : c);
            if (alpha) to[wanted] = from.value(x, y, colours);
        }
    }
    return values;
}

bool Displacement::matters() const {
    constexpr double shift = 0.1, edges = 0.2;
    return std::hypot(right, down) > shift || std::max(std::abs(wider), std::abs(higher)) > edges;
}

namespace {

// Means of the colours of blocks, smoothed; NaN if a sample is not finite.
struct BlockMeans {
    int width, height;
    std::vector<double> values;

    BlockMeans(const Image& image, int block)
        : width(image.width() / block), height(image.height() / block), values(size_t(width) * size_t(height)) {
        const int colours = std::max(1, image.channels() - (image.alpha() == Alpha::none ? 0 : 1));
        for (int y = 0; y < height * block; ++y)
            for (int x = 0; x < width * block; ++x)
                for (int c = 0; c < colours; ++c)
                    values[size_t(y / block) * size_t(width) + size_t(x / block)] +=
                        double(image.value(x, y, c)) / (block * block * colours);
        smooth(1, width, height, width);
        smooth(width, height, width, 1);
    }
    double at(int x, int y) const { return values[size_t(y) * size_t(width) + size_t(x)]; }

private:
    // (1 4 6 4 1) / 16 along lines of n values.
    void smooth(int step, int n, int lines, int next) {
        std::vector<double> line(static_cast<size_t>(n));
        for (int k = 0; k < lines; ++k) {
            double* const first = values.data() + std::ptrdiff_t(k) * next;
            for (int i = 0; i < n; ++i) line[size_t(i)] = first[std::ptrdiff_t(i) * step];
            const auto near = [&](int i) { return line[size_t(std::clamp(i, 0, n - 1))]; };
            for (int i = 0; i < n; ++i)
                first[std::ptrdiff_t(i) * step] =
                    (6 * near(i) + 4 * (near(i - 1) + near(i + 1)) + near(i - 2) + near(i + 2)) / 16;
        }
    }
};

// Solves a·x = b by elimination; empty if some of it is as good as unknown.
std::optional<std::array<double, 4>> solved(std::array<std::array<double, 5>, 4> rows) {
    constexpr double unknown = 1e-6;
    double largest = 0;
    for (size_t k = 0; k < 4; ++k) largest = std::max(largest, rows[k][k]);
    for (size_t k = 0; k < 4; ++k) {
        if (!(rows[k][k] > unknown * largest)) return {};  // it is positive definite: no other pivot is needed
        for (size_t other = 0; other < 4; ++other) {
            if (other == k) continue;
            const double part = rows[other][k] / rows[k][k];
            for (size_t c = k; c < 5; ++c) rows[other][c] -= part * rows[k][c];
        }
    }
    std::array<double, 4> x{};
    for (size_t k = 0; k < 4; ++k) x[k] = rows[k][4] / rows[k][k];
    return x;
}

}  // namespace

std::optional<Displacement> displacement_of(const Image& result, const Image& original, double blur) {
    constexpr int margin = 4;  // blocks
    const int block = std::clamp(int(std::lround(blur)), 1, 16);
    const BlockMeans is(result, block), was(original, block);
    if (is.width <= 3 * margin || is.height <= 3 * margin) return {};
    // is(p) = was(p − d), d = (right + wider·u, down + higher·v), u and v being −1 … 1: least squares of the difference that a
    // move makes, −d · gradient.
    std::array<std::array<double, 5>, 4> rows{};
    for (int y = margin; y < is.height - margin; ++y)
        for (int x = margin; x < is.width - margin; ++x) {
            // The slope of the mean of both pictures, exact to the fourth order: blocks are not small against details.
            const auto across = [&](int dx, int dy) {
                return (is.at(x + dx, y + dy) - is.at(x - dx, y - dy) + was.at(x + dx, y + dy) -
                        was.at(x - dx, y - dy)) /
                       2;
            };
            const auto slope = [&](int dx, int dy) { return (8 * across(dx, dy) - across(2 * dx, 2 * dy)) / 12; };
            const double gx = slope(1, 0), gy = slope(0, 1), change = was.at(x, y) - is.at(x, y);
            if (!std::isfinite(gx + gy + change)) continue;
            const double u = (2 * x + 1.0) / is.width - 1, v = (2 * y + 1.0) / is.height - 1;
            const std::array<double, 5> of = {gx, gy, gx * u, gy * v, change};
            for (size_t r = 0; r < 4; ++r)
                for (size_t c = 0; c < 5; ++c) rows[r][c] += of[r] * of[c];
        }
    const auto d = solved(rows);
    if (!d) return {};
    return Displacement{block * (*d)[0], block * (*d)[1], block * (*d)[2], block * (*d)[3]};
}

}  // namespace texelscope
