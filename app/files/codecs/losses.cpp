#include "app/files/codecs/losses.h"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace texelscope {
namespace {

struct Range {
    double least, most;        // range of the file's samples
    double slack;              // excess that is still rounded into the range
    bool all = false;          // holds NaN and infinite values as well
    bool to_infinity = false;  // finite values beyond the range become infinite
};

Range range_of(const Codec& codec, SampleType type) {
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    if (codec.writing.positive) return {0, 0x1p127, 0};
    const auto whole = [](auto number) {
        using Limits = std::numeric_limits<decltype(number)>;
        return Range{double(Limits::min()), double(Limits::max()), 0.5};
    };
    switch (type) {
        case SampleType::u8: return {0, 1, 0.5 / 255};
        case SampleType::u16: return {0, 1, 0.5 / 65535};
        case SampleType::f16: return {-65504, 65504, 15.99, true, true};
        case SampleType::i8: return whole(int8_t());
        case SampleType::i16: return whole(int16_t());
        case SampleType::i32: return whole(int32_t());
        case SampleType::u32: return whole(uint32_t());
        case SampleType::i64: return whole(int64_t());
        case SampleType::u64: return whole(uint64_t());
        case SampleType::f32:
        case SampleType::f64: break;
    }
    return {-unlimited, unlimited, 0, true};
}

// Counts without a branch, since hardly any values are outside.
size_t count_outside(std::span<const float> values, float least, float most) {
    size_t found = 0;
    for (const float value : values) found += !(value >= least && value <= most);
    return found;
}

bool is_hidden_colour(const Image& image, int x, int y) {
    constexpr float least_colour = 0.5f / 65535;
    const int alpha = image.channels() - 1;
    if (image.value(x, y, alpha) != 0) return false;
    for (int c = 0; c < alpha; ++c)
        if (std::abs(image.value(x, y, c)) > least_colour) return true;
    return false;
}

}  // namespace

uint64_t count_hidden_colours(const Image& image) {
    if (image.alpha() != Alpha::straight) return 0;
    uint64_t found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) found += is_hidden_colour(image, x, y);
    return found;
}

void count_lost_pixels(const Codec& codec, const Image& picture, Losses& losses) {
    const bool loses_hidden = picture.alpha() == Alpha::straight        ? codec.writing.alpha != Alpha::straight
                              : picture.alpha() == Alpha::premultiplied ? codec.writing.alpha != Alpha::premultiplied
                                                                        : false;
    if (!loses_hidden) return;
    losses.format = codec.name;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            if (codec.writing.alpha == Alpha::none)
                losses.over_black += picture.value(x, y, picture.channels() - 1) != 1;
            else losses.hidden += is_hidden_colour(picture, x, y);
}

void count_lost_samples(const Codec& codec, const Image& samples, SampleType type, Losses& losses) {
    const Range range = range_of(codec, type);
    losses.least = range.least;
    losses.most = range.most;
    losses.to_infinity = range.to_infinity;
    if (is_normalised(samples.type()) || (range.all && (samples.type() == type || std::isinf(range.most)))) return;
    const auto least = float(range.least - range.slack), most = float(range.most + range.slack);
    std::vector<float> values(size_t(samples.width()) * size_t(samples.channels()));
    for (int y = 0; y < samples.height(); ++y) {
        read_floats(samples.row(y), values.size(), samples.type(), values.data());
        if (count_outside(values, least, most) == 0) continue;
        for (const float value : values) {
            if (value >= least && value <= most) continue;
            if (std::isnan(value)) losses.nan += !range.all;
            else if (std::isinf(value)) losses.infinite += !range.all;
            else ++losses.beyond;
        }
    }
}

std::string words_of(const Losses& losses) {
    const auto were = [](uint64_t count, const char* one, const char* what) {
        return fmt::format("{} {}{} {} {}", count, one, count == 1 ? "" : "s", count == 1 ? "was" : "were", what);
    };
    const std::string beyond = fmt::format("beyond {} to {}", losses.least, losses.most);
    std::vector<std::string> words;
    if (losses.nan) words.push_back(fmt::format("{} NaN became 0", losses.nan));
    if (losses.infinite) words.push_back(were(losses.infinite, "infinite value", "clamped"));
    if (losses.beyond && losses.to_infinity)
        words.push_back(fmt::format("{} {} became infinite", losses.beyond, beyond));
    else if (losses.beyond)
        words.push_back(fmt::format("{} value{} {} {} clamped", losses.beyond, losses.beyond == 1 ? "" : "s", beyond,
                                    losses.beyond == 1 ? "was" : "were"));
    if (losses.hidden) words.push_back(were(losses.hidden, "transparent pixel", "made black"));
    if (losses.unused)
        words.push_back(fmt::format("the colour{} of {} transparent pixel{} {} not interpolated",
                                    losses.unused == 1 ? "" : "s", losses.unused, losses.unused == 1 ? "" : "s",
                                    losses.unused == 1 ? "was" : "were"));
    if (losses.over_black)
        words.push_back(fmt::format("{}, since {} is written without alpha",
                                    were(losses.over_black, "pixel", "put over black"), losses.format));
    if (losses.fourth_channel) words.push_back("the fourth channel was left out");
    return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace texelscope
