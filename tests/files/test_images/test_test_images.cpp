// Facts about the built-in test images, each checked against a formula or a property independent of the generator.

#include "app/files/test_images/test_images.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/files/test_images/raster.h"

namespace texelscope {
namespace {

Image made(std::string_view id, int width, int height) {
    return make_test_image(fmt::format("@{}:{}x{}", id, width, height));
}

double mean_of(const Image& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) sum += double(image.value(x, y, 0));
    return sum / (double(image.width()) * image.height());
}

uint64_t hash_of(const Image& image) {  // FNV-1a
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < image.size_bytes(); ++i) hash = (hash ^ uint64_t(image.data()[i])) * 0x100000001b3u;
    return hash;
}

std::string usage_error_of(std::string_view spec) {
    try {
        parse_test_image(spec);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(TestImages, TableIsComplete) {
    std::set<std::string_view> ids, names;
    for (const TestImage& image : test_images()) {
        EXPECT_TRUE(ids.insert(image.id).second) << image.id;
        EXPECT_TRUE(names.insert(image.name).second) << image.name;
        EXPECT_FALSE(image.summary.empty());
        EXPECT_EQ(image.summary.back(), '.') << image.id;
        EXPECT_EQ(find_test_image(image.id), &image);
    }
    EXPECT_EQ(test_images().front().id, "basilica");
    for (const char* id :
         {"zone-plate", "checkerboard", "step", "slanted-edge", "impulse-grid", "frame", "text", "noise"})
        EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_EQ(find_test_image("nothing"), nullptr);
}

TEST(TestImages, AnySizeTwiceTheSame) {
    for (const TestImage& entry : test_images())
        for (const auto& [width, height] :
             {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 2}, {64, 48}, {33, 129}, {1, 700}, {700, 1}}) {
            SCOPED_TRACE(fmt::format("{} {}x{}", entry.id, width, height));
            const Image image = made(entry.id, width, height), again = made(entry.id, width, height);
            EXPECT_EQ(image.width(), width);
            EXPECT_EQ(image.height(), height);
            EXPECT_EQ(image.channels(), entry.channels);
            EXPECT_EQ(image.type(), entry.type);
            EXPECT_EQ(image.alpha() == Alpha::straight, entry.id == "alpha");
            ASSERT_EQ(image.size_bytes(), again.size_bytes());
            EXPECT_EQ(std::memcmp(image.data(), again.data(), image.size_bytes()), 0);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    for (int c = 0; c < image.channels(); ++c) {
                        const float v = image.value(x, y, c);
                        ASSERT_TRUE(v >= -1 && v <= 1) << v;
                    }
        }
}

// The bytes themselves, as made on x86-64 with g++ 12: guards against an unintended change.
TEST(TestImages, BytesAreThoseOfEveryMachine) {
    EXPECT_EQ(hash_of(made("random", 4, 4)), 0x3b5ef28e9af51afdu);
    EXPECT_EQ(hash_of(made("zone-plate", 256, 256)), 0x7cf25ff62364bc55u);
    EXPECT_EQ(hash_of(made("noise", 100, 60)), 0x779bb5a8b526257cu);
    EXPECT_EQ(hash_of(made("basilica", 64, 64)), 0x9eb957d76c818d81u);
    EXPECT_EQ(hash_of(made("dead-leaves", 64, 64)), 0x20ad53206f60f9a1u);
    EXPECT_EQ(hash_of(made("text", 512, 512)), 0xb1462fd4d2dfb029u);
}

TEST(TestImages, CosineInTurnsIsExactAtQuarters) {
    for (int i = -400; i <= 400; ++i) EXPECT_NEAR(cos_turns(i / 97.0), std::cos(two_pi * i / 97.0), 2e-14);
    EXPECT_EQ(cos_turns(0), 1);
    EXPECT_EQ(cos_turns(0.25), 0);
    EXPECT_EQ(cos_turns(-0.75), 0);
    EXPECT_EQ(cos_turns(1e6 + 0.5), -1);
    EXPECT_EQ(sin_turns(0.25), 1);
}

TEST(TestImages, ASpecNamesImageAndSize) {
    const auto same = [](std::string_view spec, std::string_view id, int width, int height) {
        const TestImageRequest request = parse_test_image(spec);
        return request.image->id == id && request.width == width && request.height == height;
    };
    EXPECT_TRUE(same("@basilica", "basilica", 1024, 1024));
    EXPECT_TRUE(same("random", "random", 4, 4));
    EXPECT_TRUE(same("@zone-plate:300", "zone-plate", 300, 300));
    EXPECT_TRUE(same("zone-plate:640x480", "zone-plate", 640, 480));
    EXPECT_TRUE(same("@step:16777216x1", "step", 16777216, 1));
}

TEST(TestImages, UnknownIdsAreNamedWithTheNearest) {
    EXPECT_NE(usage_error_of("@zoneplate").find("did you mean @zone-plate?"), std::string::npos);
    EXPECT_NE(usage_error_of("@dead").find("did you mean @dead-leaves?"), std::string::npos);
    EXPECT_NE(usage_error_of("Basilica:20").find("did you mean @basilica?"), std::string::npos);
    const std::string far = usage_error_of("@qqqqqqqqqqqq");
    EXPECT_EQ(far.find("did you mean"), std::string::npos);
    for (const TestImage& image : test_images()) EXPECT_NE(far.find("@" + std::string(image.id)), std::string::npos);
    for (const char* spec : {"", "@", ":", "@:512", "@@step", "@step ", "@\n\x1b[2J"}) {
        const std::string text = usage_error_of(spec);
        EXPECT_FALSE(text.empty()) << spec;
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
    EXPECT_LT(usage_error_of(std::string(1 << 20, 'a')).size(), 2000u);
}

TEST(TestImages, BadSizesAreUsageErrors) {
    for (const char* size : {"",         "0",    "-3", "+3",   "abc", "99999999999", "99999999999999999999999",
                             "16777217", "1.5",  "5x", "x5",   "0x5", "5x0",         "5x-1",
                             "5x5x5",    "5 x5", " 5", "0x10", "1e3", "64:64",       "nan"}) {
        const std::string text = usage_error_of(fmt::format("@step:{}", size));
        EXPECT_FALSE(text.empty()) << size;
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
    EXPECT_NE(usage_error_of("@step:16777216x16777216").find("too large"), std::string::npos);
    EXPECT_NE(usage_error_of("@parabola:131072x131073").find("too large"), std::string::npos);
    // Samples of 1 byte, 4 bytes, 3 bytes: 2^30 bytes are 32768², 16384² and 18918.6² of them.
    EXPECT_NE(usage_error_of("@random:100000").find("32768×32768"), std::string::npos);
    EXPECT_EQ(parse_test_image("@random:32768").width, 32768);
    EXPECT_NE(usage_error_of("@parabola:16385x16384").find("16384×16384"), std::string::npos);
    EXPECT_NE(usage_error_of("@text:18919").find("18918×18918"), std::string::npos);
}

TEST(TestImages, ZonePlateReachesNyquistAtTheBorder) {
    constexpr int n = 256;
    const Image image = made("zone-plate", n, n);
    for (int y = 0; y < n; y += 3)
        for (int x = 0; x < n; ++x) {
            const double dx = x - 127.5, dy = y - 127.5;
            const double expected = 0.5 + 0.5 * std::cos(two_pi / 2 * (dx * dx + dy * dy) / n);
            ASSERT_NEAR(double(image.value(x, y, 0)), expected, 0.51 / 255) << x << ' ' << y;
        }
    // The last 32 samples of a row: light and dark alternate, except for the 1/8 by which the mean frequency is off.
    int changes = 0;
    for (int x = n - 32; x < n; ++x) changes += (image.value(x, 127, 0) > 0.5f) != (image.value(x - 1, 127, 0) > 0.5f);
    EXPECT_NEAR(changes, 2 * 32 * 0.5 * (n - 16.5) / n, 2);
}

TEST(TestImages, CornerZonePlateReachesNyquistAtTheFarBorder) {
    constexpr int n = 256;
    const Image image = made("zone-plate-corner", n, n);
    EXPECT_EQ(image.value(0, 0, 0), 1.0f);
    for (int x = 0; x < n; ++x)
        ASSERT_NEAR(double(image.value(x, 0, 0)), 0.5 + 0.5 * std::cos(two_pi * x * x / (4.0 * n)), 0.51 / 255);
}

TEST(TestImages, ComplexChirpHasModulusOne) {
    const Image image = made("complex-chirp", 65, 40);
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 65; ++x) {
            const double dx = x - 32, dy = y - 19.5, phase = two_pi * (dx * dx + dy * dy) / (2 * 65);
            ASSERT_NEAR(double(image.value(x, y, 0)), std::cos(phase), 1e-6);
            ASSERT_NEAR(double(image.value(x, y, 1)), std::sin(phase), 1e-6);
        }
}

TEST(TestImages, CheckerboardsAreHalfWhite) {
    EXPECT_DOUBLE_EQ(mean_of(made("checkerboard", 64, 48)), 0.5);
    EXPECT_DOUBLE_EQ(mean_of(made("checkerboard-1px", 64, 48)), 0.5);
    const Image fine = made("checkerboard-1px", 9, 5);
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 9; ++x) EXPECT_EQ(fine.value(x, y, 0), float((x + y) % 2));
}

TEST(TestImages, ImpulsesAreOneInEach16Squared) {
    const auto impulses = [](int width, int height) {
        return int(std::lround(mean_of(made("impulse-grid", width, height)) * width * height));
    };
    EXPECT_EQ(impulses(256, 256), 256);
    EXPECT_EQ(impulses(160, 32), 20);
    EXPECT_EQ(impulses(1, 1), 1);
    EXPECT_EQ(impulses(9, 3), 1);
}

TEST(TestImages, DotsHaveTheirAreaAndCentre) {
    const Image image = made("dots", 512, 256);
    for (int column = 0; column < 16; ++column)
        for (int row = 0; row < 8; ++row) {
            double area = 0, cx = 0, cy = 0;
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x) {
                    const double v = double(image.value(column * 32 + x, row * 32 + y, 0));
                    area += v;
                    cx += v * x;
                    cy += v * y;
                }
            const double radius = 0.5 * (column + 1);
            EXPECT_NEAR(area / (two_pi / 2 * radius * radius), 1, column == 0 ? 0.03 : 0.01);
            // Means over pixels keep the centroid of a disc up to what a disc this small has above 1/2 cycle per pixel.
            EXPECT_NEAR(cx / area, 15.5 + row / 8.0, 0.01 + 0.03 / radius);
            EXPECT_NEAR(cy / area, 15.5 + row / 8.0, 0.01 + 0.03 / radius);
        }
}

TEST(TestImages, StepLiesInTheMiddle) {
    for (const int width : {64, 65, 2}) {
        const Image image = made("step", width, 3);
        for (int x = 0; x < width; ++x) EXPECT_EQ(image.value(x, 1, 0), float(x < width / 2 ? 64 : 192) / 255.0f);
    }
}

TEST(TestImages, SlantedEdgeIsTheCoveredArea) {
    constexpr int n = 41, fine = 400;
    const Image image = made("slanted-edge", n, n);
    const double angle = 5 * two_pi / 360;
    for (int y = 0; y < n; y += 5)
        for (int x = 15; x < 26; ++x) {
            int covered = 0;
            for (int j = 0; j < fine; ++j)
                for (int i = 0; i < fine; ++i) {
                    const double px = x - 20 + (i + 0.5) / fine - 0.5, py = y - 20 + (j + 0.5) / fine - 0.5;
                    covered += px * std::cos(angle) + py * std::sin(angle) > 0;
                }
            ASSERT_NEAR(double(image.value(x, y, 0)), 0.2 + 0.6 * covered / double(fine * fine), 5e-4) << x << ' ' << y;
        }
    EXPECT_NEAR(double(image.value(20, 20, 0)), 0.5, 1e-5);
}

TEST(TestImages, FrameIsOnePixelWide) {
    for (const auto& [w, h] : {std::pair{64, 64}, {33, 70}, {3, 3}}) {
        const Image image = made("frame", w, h);
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                const bool border = x == 0 || y == 0 || x == w - 1 || y == h - 1;
                ASSERT_EQ(image.value(x, y, 0) == 1.0f, border) << x << ' ' << y;
            }
    }
    const Image image = made("frame", 64, 64);
    EXPECT_EQ(image.value(31, 50, 0), image.value(32, 50, 0));  // the centre line of an even width
    EXPECT_GT(image.value(31, 50, 0), image.value(30, 50, 0));
}

TEST(TestImages, TheRampIsEvenAndTheConstantIsOneGrey) {
    const Image ramp = made("ramp", 16, 2);
    for (int x = 0; x < 16; ++x) EXPECT_EQ(ramp.row_as<uint16_t>(1)[x], x * 4369);  // 65535 / 15
    EXPECT_EQ(mean_of(made("constant", 8, 8)), double(128.0f / 255.0f));
}

TEST(TestImages, ParabolaIsExact) {
    const Image image = made("parabola", 256, 100);  // 127.5² + 49.5² lies between 2¹⁴ and 2¹⁵
    for (int y = 0; y < 100; ++y)
        for (int x = 0; x < 256; ++x) {
            const double dx = x - 127.5, dy = y - 49.5;
            ASSERT_EQ(double(image.value(x, y, 0)), (dx * dx + dy * dy) * 0x1p-15);
        }
}

TEST(TestImages, AlphaHidesLoudColour) {
    const Image image = made("alpha", 128, 128);
    EXPECT_EQ(image.value(64, 64, 3), 1.0f);
    EXPECT_EQ(image.value(0, 0, 3), 0.0f);
    int hidden = 0, soft = 0;
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x) {
            const float a = image.value(x, y, 3), r = image.value(x, y, 0), g = image.value(x, y, 1);
            if (a == 0) {
                ++hidden;
                ASSERT_EQ(r + g, 1.0f);  // green or magenta
            }
            soft += a > 0 && a < 1;
        }
    EXPECT_GT(hidden, 1000);
    EXPECT_GT(soft, 1000);
}

// Mean amplitude over rings of equal frequency, from a plain transform by definition.
std::vector<double> radial_amplitude(const Image& image) {
    const int n = image.width();
    const double mean = mean_of(image);
    std::vector<std::complex<double>> half(size_t(n * n)), root(static_cast<size_t>(n));
    for (int k = 0; k < n; ++k) root[size_t(k)] = std::polar(1.0, -two_pi * k / n);
    for (int y = 0; y < n; ++y)
        for (int k = 0; k < n; ++k)
            for (int x = 0; x < n; ++x)
                half[size_t(y * n + k)] += (double(image.value(x, y, 0)) - mean) * root[size_t(k * x % n)];
    std::vector<double> sum(size_t(n / 2)), count(size_t(n / 2));
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) {
            std::complex<double> value;
            for (int y = 0; y < n; ++y) value += half[size_t(y * n + k)] * root[size_t(l * y % n)];
            const size_t ring = size_t(std::lround(std::hypot(std::min(k, n - k), std::min(l, n - l))));
            if (ring >= sum.size()) continue;
            sum[ring] += std::abs(value);
            count[ring] += 1;
        }
    for (size_t i = 0; i < sum.size(); ++i) sum[i] /= count[i];
    return sum;
}

// Of log amplitude over log frequency, by least squares over rings [2, end).
double spectral_slope(const std::vector<double>& amplitude, size_t end) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t ring = 2; ring < end; ++ring) {
        const double x = std::log(double(ring)), y = std::log(amplitude[ring]);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(TestImages, NoiseFallsAsOneOverF) {
    EXPECT_NEAR(spectral_slope(radial_amplitude(made("noise", 128, 128)), 60), -1, 0.05);
}

TEST(TestImages, NaturalFallsAsOneOverFUpToItsEnd) {
    const Image image = made("natural", 128, 128);
    const std::vector<double> amplitude = radial_amplitude(image);
    EXPECT_NEAR(spectral_slope(amplitude, 55), -1, 0.05);  // 0.435 · 128 = 55.7
    for (size_t ring = 57; ring < 64; ++ring) EXPECT_LT(amplitude[ring], 1e-3 * amplitude[54]) << ring;
    double low = 1, high = 0;
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x)
            low = std::min(low, double(image.value(x, y, 0))), high = std::max(high, double(image.value(x, y, 0)));
    EXPECT_EQ(low, 0);
    EXPECT_EQ(high, 1);
}

TEST(TestImages, NoiseHasItsMeanAndDeviation) {
    for (const auto& [w, h] : {std::pair{128, 128}, {100, 37}, {500, 1}, {1, 333}}) {
        const Image image = made("noise", w, h);
        const double mean = mean_of(image);
        double variance = 0;
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) variance += std::pow(double(image.value(x, y, 0)) - mean, 2) / (double(w) * h);
        EXPECT_NEAR(mean, 0.5, 1e-3) << w << 'x' << h;
        EXPECT_NEAR(std::sqrt(variance), 0.15, 1e-3) << w << 'x' << h;
    }
    EXPECT_NEAR(mean_of(made("noise", 1, 1)), 0.5, 1e-4);
}

TEST(TestImages, RandomIsUniformOrHalfWhite) {
    EXPECT_NEAR(mean_of(made("random", 256, 256)), 0.5, 0.005);
    const Image binary = made("random-binary", 256, 256);
    EXPECT_NEAR(mean_of(binary), 0.5, 0.01);
    for (int x = 0; x < 256; ++x) EXPECT_TRUE(binary.value(x, 9, 0) == 0 || binary.value(x, 9, 0) == 1);
}

TEST(TestImages, StarIsWhiteOnTheAxisAndGreyInTheMiddle) {
    const Image image = made("siemens-star", 255, 255);
    EXPECT_EQ(image.value(127 + 100, 127, 0), 1.0f);
    EXPECT_EQ(image.value(127, 127, 0), 128.0f / 255);
    EXPECT_EQ(image.value(0, 0, 0), 128.0f / 255);
    int changes = 0;  // 72 edges round the star
    bool before = true;
    for (int i = 1; i <= 7200; ++i) {
        const double angle = two_pi * i / 7200;
        const int x = int(std::lround(127 + 110 * std::cos(angle))), y = int(std::lround(127 + 110 * std::sin(angle)));
        const float v = image.value(x, y, 0);
        if (v > 0.2f && v < 0.8f) continue;
        changes += (v > 0.5f) != before;
        before = v > 0.5f;
    }
    EXPECT_EQ(changes, 72);
}

// z² − 1: 0 and ±1 are inside, 2 and ±i outside, and z and −z have the same fate.
TEST(TestImages, BasilicaIsTheJuliaSet) {
    for (const auto& [w, h] : {std::pair{256, 256}, {341, 180}, {97, 130}}) {
        const Image image = made("basilica", w, h);
        const auto at = [&](double re, double im) {
            const double step = std::max(3.4 / w, 1.85 / h);
            return std::pair{std::clamp(int(re / step + 0.5 * w), 0, w - 1),
                             std::clamp(int(0.5 * h - im / step), 0, h - 1)};
        };
        const auto warm = [&](double re, double im) {
            const auto [x, y] = at(re, im);
            return image.value(x, y, 0) > image.value(x, y, 2);
        };
        for (const double re : {0.03, -0.97, 0.97, 0.2, -0.3}) EXPECT_TRUE(warm(re, 0.02)) << re;
        for (const double im : {0.9, -0.9, 0.85}) EXPECT_FALSE(warm(0.05, im)) << im;
        EXPECT_FALSE(warm(0.6, 0.35));
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x)
                for (int c = 0; c < 3; ++c)
                    ASSERT_NEAR(double(image.value(x, y, c)), double(image.value(w - 1 - x, h - 1 - y, c)), 1.01 / 255);
    }
}

TEST(TestImages, BasilicaUsesTheWholeRangeOfTones) {
    const Image image = made("basilica", 512, 512);
    std::vector<int> levels(256);
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x) ++levels[image.row_as<uint8_t>(y)[3 * x + 1]];
    int used = 0;
    for (const int count : levels) used += count > 10;
    EXPECT_GT(used, 180);
}

}  // namespace
}  // namespace texelscope
