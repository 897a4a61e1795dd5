// Output rows that the CPU's vector code computes together, by every set of instructions that this processor has: sums of rows
// and lines against float64, bit for bit as one by one; pictures of levels against the floats that they are rounded from.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gpu/backend/cpu_backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/errors.h"
#include "gpu/core/half.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

using simd::Instructions;
using simd::SharedSums;

std::vector<Instructions> instructions_here() {
    std::vector<Instructions> here;
    for (const Instructions level : {Instructions::baseline, Instructions::avx2, Instructions::avx512})
        if (level <= simd::best_instructions()) here.push_back(level);
    return here;
}

// Rows of numbers of a type, and what they are as float64.
struct Rows {
    std::vector<std::vector<std::byte>> stored;
    std::vector<std::vector<double>> values;
    std::vector<const void*> at;

    Rows(Random& random, SampleType type, int rows, int numbers) {
        const size_t bytes = size_t(bytes_per_sample(type));
        for (int row = 0; row < rows; ++row) {
            std::vector<std::byte> line(size_t(numbers) * bytes);
            std::vector<double> exact;
            for (int n = 0; n < numbers; ++n) {
                const int whole = random.integer(0, type == SampleType::u8 ? 255 : 65535);
                const float value = float(random.between(-2, 2));
                const uint16_t half = float_to_half(value), wide = uint16_t(whole);
                const uint8_t narrow = uint8_t(whole);
                std::byte* const to = line.data() + size_t(n) * bytes;
                switch (type) {
                    case SampleType::u8: std::memcpy(to, &narrow, bytes); break;
                    case SampleType::u16: std::memcpy(to, &wide, bytes); break;
                    case SampleType::f16: std::memcpy(to, &half, bytes); break;
                    default: std::memcpy(to, &value, bytes);
                }
                exact.push_back(type == SampleType::u8    ? whole / 255.0
                                : type == SampleType::u16 ? whole / 65535.0
                                : type == SampleType::f16 ? double(half_to_float(half))
                                                          : double(value));
            }
            stored.push_back(std::move(line));
            values.push_back(std::move(exact));
        }
        for (const auto& line : stored) at.push_back(line.data());
    }
};

// Windows of taps that begin and end no earlier than those before: the same ones, some apart, and some without any taps.
struct Windows {
    int first[SharedSums::most], taps[SharedSums::most];

    explicit Windows(Random& random) {
        for (int s = 0, end = 0; s < SharedSums::most; ++s) {
            first[s] = s == 0 ? 0 : first[s - 1] + random.integer(0, 5);
            end = std::max(end + random.integer(0, 5), first[s]);
            taps[s] = end - first[s];
        }
    }
};

TEST(VectorInstructions, AddRowsTogetherAsOneByOneAndAsFloat64) {
    Random random(71);
    for (const Instructions level : instructions_here())
        for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
            for (int round = 0; round < 60; ++round) {
                const simd::Kernels& kernels = simd::kernels(level);
                const Windows windows(random);
                SharedSums sums;
                sums.count = random.integer(1, SharedSums::most);
                sums.numbers = random.integer(1, 210);
                sums.ahead = random.integer(0, 3);
                const Rows rows(random, type, 45, sums.numbers);
                sums.rows = rows.at.data();
                std::vector<std::vector<float>> weights, together, alone;
                for (int s = 0; s < sums.count; ++s) {
                    weights.emplace_back(size_t(windows.taps[s]) + 1);
                    for (float& w : weights.back()) w = float(random.between(-0.4, 0.6));
                    together.emplace_back(size_t(sums.numbers), -9.0f);
                    alone.emplace_back(size_t(sums.numbers), -9.0f);
                }
                for (int s = 0; s < sums.count; ++s) {
                    sums.first[s] = windows.first[s];
                    sums.taps[s] = windows.taps[s];
                    sums.weights[s] = weights[size_t(s)].data();
                    sums.sums[s] = together[size_t(s)].data();
                    kernels.sum_rows[int(type)](rows.at.data() + sums.first[s], sums.weights[s], sums.taps[s],
                                                sums.numbers, alone[size_t(s)].data());
                }
                ASSERT_TRUE(kernels.sum_shared_rows[int(type)](sums));
                ASSERT_EQ(together, alone) << kernels.name << ' ' << int(type);
                for (int s = 0; s < sums.count; ++s)
                    for (int n = 0; n < sums.numbers; ++n) {
                        double exact = 0;
                        for (int k = 0; k < sums.taps[s]; ++k)
                            exact += double(sums.weights[s][k]) * rows.values[size_t(sums.first[s] + k)][size_t(n)];
                        ASSERT_NEAR(together[size_t(s)][size_t(n)], exact, 4e-6) << kernels.name << ' ' << int(type);
                    }
            }
}

TEST(VectorInstructions, TellWhetherSumsAreFinite) {
    Random random(72);
    for (const Instructions level : instructions_here())
        for (int count = 1; count <= SharedSums::most; ++count)
            for (int at = 0; at < 203; at += 7) {
                Rows rows(random, SampleType::f32, 9, 203);
                const float infinity = std::numeric_limits<float>::infinity();
                std::memcpy(rows.stored[size_t(count)].data() + size_t(at) * sizeof infinity, &infinity,
                            sizeof infinity);
                const std::vector<float> weights(5, 0.2f);
                std::vector<float> results(SharedSums::most * 203);
                SharedSums sums{.rows = rows.at.data(), .count = count, .numbers = 203};
                for (int s = 0; s < count; ++s) {
                    sums.first[s] = s;
                    sums.taps[s] = 5;
                    sums.weights[s] = weights.data();
                    sums.sums[s] = results.data() + 203 * s;
                }
                EXPECT_FALSE(simd::kernels(level).sum_shared_rows[int(SampleType::f32)](sums)) << count << ' ' << at;
                sums.numbers = at;  // those before it
                EXPECT_TRUE(at == 0 || simd::kernels(level).sum_shared_rows[int(SampleType::f32)](sums));
            }
}

TEST(VectorInstructions, FilterLinesTogetherAsOneByOneAndAsFloat64) {
    Random random(73);
    constexpr int pixels = 44, texels = 170;
    for (const Instructions level : instructions_here())
        for (int channels = 1; channels <= 4; ++channels)
            for (const int taps : {1, 3, 4, 6, 8, 9, 12, 17, 32, 37}) {
                const simd::Kernels& kernels = simd::kernels(level);
                const int repeats = channels == 2 ? 2 : 1, quads = channels == 3 ? 4 : channels;
                const int stride = channels >= 3 ? (taps + 3) / 4 * 4 : simd::stride_of(taps * repeats);
                std::vector<float> weights(size_t(pixels * stride));
                std::vector<double> exact_weights;
                std::vector<int> slot, used;
                for (int n = 0; n < pixels; ++n) {
                    slot.push_back(random.integer(0, texels - taps));
                    used.push_back(random.integer(0, taps) * repeats);
                    for (int k = 0; k < taps; ++k) {
                        const float w = k * repeats < used.back() ? float(random.between(-0.5, 0.5)) : 0;
                        exact_weights.push_back(double(w));
                        for (int r = 0; r < repeats; ++r) weights[size_t(n * stride + k * repeats + r)] = w;
                    }
                }
                std::vector<float> lines[SharedSums::most], together[SharedSums::most], alone[SharedSums::most];
                const float* from[SharedSums::most];
                float *to[SharedSums::most], *to_alone[SharedSums::most];
                for (int r = 0; r < SharedSums::most; ++r) {
                    lines[r].assign(size_t(texels * channels + simd::max_taps * channels + simd::padding), 0.0f);
                    for (int n = 0; n < texels * channels; ++n) lines[r][size_t(n)] = float(random.between(-1, 1));
                    together[r].assign(size_t(pixels * quads + simd::padding), -9.0f);
                    alone[r] = together[r];
                    from[r] = lines[r].data();
                    to[r] = together[r].data();
                    to_alone[r] = alone[r].data();
                }
                const auto filter = kernels.filter_lines[channels - 1];
                const simd::ColumnTaps columns{slot.data(), used.data(), weights.data(), stride, pixels};
                filter(columns, from, SharedSums::most, to);
                for (int r = 0; r < SharedSums::most; ++r) {
                    filter(columns, from + r, 1, to_alone + r);
                    ASSERT_EQ(together[r], alone[r]) << kernels.name << ' ' << channels << ' ' << taps;
                    for (int n = 0; n < pixels; ++n)
                        for (int c = 0; c < quads; ++c) {
                            double exact = 0;
                            for (int k = 0; c < channels && k < taps; ++k)
                                exact += exact_weights[size_t(n * taps + k)] *
                                         double(lines[r][size_t((slot[size_t(n)] + k) * channels + c)]);
                            ASSERT_NEAR(together[r][size_t(n * quads + c)], exact, 4e-6)
                                << kernels.name << ' ' << channels << ' ' << taps;
                        }
                }
            }
}

// Halves go up; nothing is written before or behind.
TEST(VectorInstructions, RoundToLevelsAndWriteNothingElse) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Instructions level : instructions_here())
        for (const bool three : {false, true})
            for (int count = 1; count <= 70; ++count) {
                std::vector<float> values(size_t(count * 4 + simd::padding), nan);
                std::vector<uint8_t> levels(size_t(count * 4 + 40), 77), expected = levels;
                uint8_t* const first = levels.data() + 8;
                for (int n = 0, written = 8; n < count * (three ? 4 : 1); ++n) {
                    const float value = n % 11 == 5 ? nan : float(n * 37 % 300 - 20) / 255 + float(n % 5) * 0.001f;
                    values[size_t(n)] = value;
                    if (three && n % 4 == 3) continue;
                    const float clamped = value > 0 ? std::min(value, 1.0f) : 0;
                    expected[size_t(written++)] = uint8_t(std::floor(clamped * 255 + 0.5f));
                }
                if (three) simd::kernels(level).levels_of_three(values.data(), count, first);
                else simd::kernels(level).levels(values.data(), count, first);
                ASSERT_EQ(levels, expected) << simd::kernels(level).name << ' ' << three << ' ' << count;
            }
}

// A picture whose rows are computed together, with many columns, wrapped and mirrored ones and such beyond a border; at whole
// factors, where taps inside are 0.
TEST(VectorInstructions, ShrinkByWeightsOfFloat64) {
    Random random(74);
    for (const Instructions level : instructions_here())
        for (const SampleType type : {SampleType::u8, SampleType::f32})
            for (int channels = 1; channels <= 4; ++channels)
                for (const double scale : {2.0, 2.37, 3.0, 6.4}) {
                    const Image image = noise(random.integer(700, 3200), 60, channels, type, 75);
                    RenderRequest request = request_of(parse_spec("catmull-rom"), int(image.width() / scale) + 3, 26);
                    request.antialias = true;
                    request.view = {0.3, 0.8, scale, 0};
                    request.spec.address = random.pick(all_address_pairs());
                    const Image out = SourceImage(make_cpu_backend(level), image).render_to_image(request);
                    const Affine a = sampling_affine(request.view, image.width(), 60, request.width, request.height);
                    const reference::Stretch stretch = reference::stretch_of(a);
                    const reference::Widened widened(image, request.spec);
                    for (int n = 0; n < 40; ++n) {
                        const int i = random.integer(0, request.width - 1), j = random.integer(0, request.height - 1);
                        const Point p = apply(a, i, j);
                        const reference::Value expected = widened.at({p.x, p.y}, stretch.x, stretch.y);
                        for (int c = 0; c < channels; ++c)
                            ASSERT_NEAR(out.value(i, j, c), expected[size_t(c)], tolerance::widened)
                                << i << ", " << j << ": " << describe_request(image, request);
                    }
                }
}

// A row with a NaN does not change those that are computed with it.
TEST(VectorInstructions, KeepANanWhereItsSamplesAreRead) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Instructions level : instructions_here())
        for (int channels = 1; channels <= 4; ++channels) {
            const Image finite = noise(300, 90, channels, SampleType::f32, 76);
            Image broken = finite;
            broken.row_as<float>(40)[150 * channels] = nan;
            const auto shrunk = [&](const Image& image) {
                SourceImage source(make_cpu_backend(level), image);
                return source.render_to_image(resize_request(source.samples(), parse_spec("bilinear"), 100, 30));
            };
            const Image expected = shrunk(finite), got = shrunk(broken);
            for (int y = 0; y < 30; ++y)
                for (int x = 0; x < 100; ++x)
                    for (int c = 0; c < channels; ++c) {
                        // Of factor 3: pixel k is at 3k + 1, and its weights are 0 from a distance of 3 on.
                        const bool reads = std::abs(3 * x + 1 - 150) < 3 && std::abs(3 * y + 1 - 40) < 3 && c == 0;
                        const double value = got.value(x, y, c);
                        if (reads) ASSERT_TRUE(std::isnan(value)) << x << ", " << y;
                        else ASSERT_NEAR(value, expected.value(x, y, c), 1e-6) << x << ", " << y << ", " << c;
                    }
        }
}

// By every kind of code that writes pixels, rows any number of bytes apart.
TEST(LevelsOnTheCpu, AreTheFloatsRounded) {
    Random random(77);
    const auto backend = make_cpu_backend();
    for (const char* method :
         {"nearest", "bilinear", "catmull-rom", "bspline", "lanczos4", "ewa-lanczos", "like:pillow/bicubic",
          "like:opencv/area", "like:opencv/linear", "like:opencv/nearest", "like:scipy/zoom"})
        for (int channels = 1; channels <= 4; ++channels)
            for (const bool simple : {false, true})
                for (const auto& [width, height] : {std::pair{61, 40}, {23, 17}, {150, 90}}) {
                    const Image image = noise(83, 59, channels, SampleType::u8, 78);
                    SourceImage source(backend, image);
                    RenderRequest request = resize_request(source.samples(), parse_spec(method), width, height);
                    request.simple = simple;
                    request.pyramid = random.chance(0.5);
                    if (random.chance(0.3) && !request.spec.method->recipe)
                        request.view = {3, -2, 1.3, random.chance(0.5) ? 20.0 : 0.0}, request.positions.reset(),
                        request.outside = Outside::background;
                    const Image floats = source.render_to_image(request);
                    const size_t row = size_t(width * channels), apart = row + size_t(random.integer(0, 5));
                    std::vector<uint8_t> levels(apart * size_t(height) + 8, 77);
                    ASSERT_TRUE(source.renders_levels(request.spec.address));
                    source.render(request, {levels.data(), apart, RenderTarget::Format::levels, no_timer});
                    for (int y = 0; y < height; ++y)
                        for (size_t k = 0; k < apart; ++k) {
                            const size_t at = size_t(y) * apart + k;
                            const float value = k < row ? floats.row_as<float>(y)[k] : 0;
                            const float clamped = std::clamp(value, 0.0f, 1.0f);
                            ASSERT_EQ(levels[at], k < row ? int(std::floor(clamped * 255 + 0.5f)) : 77)
                                << method << ' ' << channels << ", row " << y << ", number " << k;
                        }
                    for (size_t k = apart * size_t(height); k < levels.size(); ++k) ASSERT_EQ(levels[k], 77);
                }
}

// A picture as levels and as floats, by a recipe.
struct BothKinds {
    std::vector<uint8_t> levels;
    Image floats;

    BothKinds(const std::shared_ptr<Backend>& backend, const Image& image, const char* recipe, int width, int height)
        : levels(size_t(width * height * image.channels())), floats(1, 1, 1, SampleType::f32) {
        SourceImage source(backend, image);
        RenderRequest request = resize_request(source.samples(), parse_spec(recipe), width, height);
        floats = source.render_to_image(request);
        source.render(request,
                      {levels.data(), size_t(width * image.channels()), RenderTarget::Format::levels, no_timer});
    }
};

constexpr std::pair<int, int> sizes_of_copies[] = {{1, 1}, {17, 9}, {83, 59}, {150, 131}, {332, 118}, {40, 200}};

// INTER_NEAREST by its definition: pixel i is sample ⌊i·n/N⌋.
TEST(LevelsOnTheCpu, AreTheSamplesThemselvesOfNearest) {
    for (const Instructions level : instructions_here())
        for (int channels = 1; channels <= 4; ++channels)
            for (const auto& [width, height] : sizes_of_copies) {
                const Image image = noise(83, 59, channels, SampleType::u8, 80 + channels);
                const BothKinds made(make_cpu_backend(level), image, "like:opencv/nearest", width, height);
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x)
                        for (int c = 0; c < channels; ++c) {
                            const double sample = image.value(x * 83 / width, y * 59 / height, c);
                            ASSERT_EQ(made.levels[size_t((y * width + x) * channels + c)], std::lround(255 * sample))
                                << channels << ' ' << width << " at " << x << ", " << y;
                            ASSERT_NEAR(made.floats.value(x, y, c), sample, 1e-7);
                        }
            }
}

// INTER_LINEAR of bytes by its definition: weights are whole numbers of 2^-11 of float32 positions, sums along x lose 4 bits
// and products along y 16.
TEST(LevelsOnTheCpu, AreTwoTapsInWholeNumbersOfLinear) {
    struct Taps {
        int first, before, after;
    };
    const auto taps_of = [](int i, int samples, int pixels, bool ends) {
        const float position = float((i + 0.5) * (1 / (double(pixels) / samples)) - 0.5);
        int first = int(std::floor(position));
        float fraction = position - float(first);
        if (ends && (first < 0 || first >= samples - 1)) first = std::clamp(first, 0, samples - 1), fraction = 0;
        return Taps{first, int(std::nearbyint((1 - fraction) * 2048)), int(std::nearbyint(fraction * 2048))};
    };
    for (const Instructions level : instructions_here())
        for (int channels = 1; channels <= 4; ++channels)
            for (const auto& size : {std::pair{83, 59}, {2, 3}, {1, 4}, {3, 1}})
                for (const auto& [width, height] : sizes_of_copies) {
                    const int columns = size.first, rows = size.second;
                    const bool means = columns == 2 * width && rows == 2 * height;  // of blocks
                    if (means || (columns == width && rows == height)) continue;
                    const Image image = noise(columns, rows, channels, SampleType::u8, 90 + channels);
                    const BothKinds made(make_cpu_backend(level), image, "like:opencv/linear", width, height);
                    for (int y = 0; y < height; ++y)
                        for (int x = 0; x < width; ++x)
                            for (int c = 0; c < channels; ++c) {
                                const Taps of_x = taps_of(x, columns, width, true),
                                           of_y = taps_of(y, rows, height, false);
                                const auto level_at = [&](int column, int row) {
                                    return int(std::lround(255 * double(image.value(std::min(column, columns - 1),
                                                                                    std::clamp(row, 0, rows - 1), c))));
                                };
                                const auto along_x = [&](int row) {
                                    return (of_x.before * level_at(of_x.first, row) +
                                            of_x.after * level_at(of_x.first + 1, row)) >>
                                           4;
                                };
                                const int sum = ((of_y.before * along_x(of_y.first)) >> 16) +
                                                ((of_y.after * along_x(of_y.first + 1)) >> 16);
                                const int expected = std::clamp((sum + 2) >> 2, 0, 255);
                                ASSERT_EQ(made.levels[size_t((y * width + x) * channels + c)], expected)
                                    << channels << ' ' << columns << " to " << width << " at " << x << ", " << y;
                                ASSERT_EQ(made.floats.value(x, y, c), float(expected) / 255.0f);
                            }
                }
}

TEST(LevelsOnTheCpu, AreRefusedWhereRowsDoNotFitAndWhereABorderIsAddedAfterwards) {
    const Image image = noise(20, 10, 3, SampleType::u8, 79);
    SourceImage source(make_cpu_backend(), image);
    std::vector<uint8_t> levels(300);
    const RenderRequest request = resize_request(source.samples(), parse_spec("bilinear"), 10, 5);
    EXPECT_THROW(source.render(request, {levels.data(), 29, RenderTarget::Format::levels, no_timer}), Error);
    EXPECT_FALSE(source.renders_levels(parse_spec("bilinear:address=border,border=0.5").address));
    EXPECT_TRUE(source.renders_levels(parse_spec("bilinear:address=border").address));
}

}  // namespace
}  // namespace texelscope::test
