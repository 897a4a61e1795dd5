// Facts about the built-in test images, each checked against a formula or a property independent of the generator.

#include "app/files/test_images/generators.h"
#include "app/files/test_images/test_images.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/files/pixels.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

uint64_t hash_of(const Image& image) {  // FNV-1a
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < image.size_bytes(); ++i) hash = (hash ^ uint64_t(image.data()[i])) * 0x100000001b3u;
    return hash;
}

std::string usage_error_of(std::string_view spec) {
    return refusal<UsageError>([&] { parse_test_image(spec); });
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

}  // namespace
}  // namespace texelscope::test
