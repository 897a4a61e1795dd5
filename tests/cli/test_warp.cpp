// The command warp: an image read at the points of a map; and --affine.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

std::string map_bytes(const std::string& shape, const std::vector<double>& values) {
    return npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }",
               {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

// Numbers of two .npy files, without what their headers say of the shape.
bool same_numbers(const std::string& a, const std::string& b) {
    return a.substr(a.find('\n')) == b.substr(b.find('\n'));
}

class WarpCommand : public Program {
protected:
    Image warped(const std::string& map, std::vector<std::string> options = {},
                 const std::string& in = "@dead-leaves:64x48") const {
        options.insert(options.begin(), {"warp", in, "--map", map, "-o", path("warped.npy")});
        printed(options);
        return read_image(path("warped.npy"));
    }
    // Points of the map, given by a function of each output pixel.
    template <class Function> std::string map_of(int width, int height, Function function) const {
        std::vector<double> points;
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i) {
                const auto [x, y] = function(i, j);
                points.insert(points.end(), {x, y});
            }
        return write("map.npy",
                     map_bytes("(" + std::to_string(height) + ", " + std::to_string(width) + ", 2)", points));
    }
};

TEST_F(WarpCommand, AMapGivesWhatSampleGivesAtItsPoints) {
    Random random(3);
    const std::string map =
        map_of(30, 20, [&](int, int) { return std::pair(random.between(-9, 70), random.between(-9, 60)); });
    for (const char* method : {"nearest", "bilinear", "bspline", "lanczos3"}) {
        warped(map, {"--method", method, "--address", "mirror,wrap"});
        printed({"sample", "@dead-leaves:64x48", "--at", map, "-o", path("sampled.npy"), "--method", method,
                 "--address", "mirror,wrap"});
        EXPECT_TRUE(same_numbers(content("warped.npy"), content("sampled.npy"))) << method;
    }
    EXPECT_EQ(read_image(path("warped.npy")).width(), 30);
    EXPECT_EQ(read_image(path("warped.npy")).height(), 20);
}

TEST_F(WarpCommand, TheIdentityMapGivesTheImage) {
    const std::string map = map_of(64, 48, [](int i, int j) { return std::pair<double, double>(i, j); });
    printed({"render", "@dead-leaves:64x48", "-o", path("image.npy"), "--method", "nearest"});
    warped(map, {"--method", "catmull-rom"});
    EXPECT_EQ(content("warped.npy"), content("image.npy"));
    warped("@swirl:0", {"--method", "catmull-rom"});
    EXPECT_EQ(content("warped.npy"), content("image.npy"));
}

// The three formulas, repeated here, as our own map.
TEST_F(WarpCommand, BuiltInMapsFollowTheirFormulas) {
    const double cx = 31.5, cy = 23.5, radius = 24, pi = std::numbers::pi;
    const auto along_radius = [&](auto new_radius) {
        return map_of(64, 48, [&](int i, int j) {
            const double dx = i - cx, dy = j - cy, r = std::hypot(dx, dy), factor = new_radius(r) / r;
            return std::pair(cx + factor * dx, cy + factor * dy);
        });
    };
    const auto compare = [&](const std::string& built_in, const std::string& map) {
        const Image a = warped(built_in, {"--method", "bilinear"}), b = warped(map, {"--method", "bilinear"});
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x)
                ASSERT_NEAR(a.value(x, y, 0), b.value(x, y, 0), 1e-5) << built_in << " " << x << " " << y;
    };
    compare("@swirl:120", map_of(64, 48, [&](int i, int j) {
                const double dx = i - cx, dy = j - cy, r = std::hypot(dx, dy);
                const double fall = std::max(0.0, 1 - r / radius), angle = 120 * pi / 180 * fall * fall;
                return std::pair(cx + std::cos(angle) * dx - std::sin(angle) * dy,
                                 cy + std::sin(angle) * dx + std::cos(angle) * dy);
            }));
    compare("@barrel", along_radius([&](double r) { return r * (1 + 0.3 * r * r / radius / radius); }));
    compare("@ripple:-2.5", along_radius([&](double r) { return r - 2.5 * std::sin(16 * pi * r / radius); }));
}

// A map that steps by four samples from pixel to pixel sees white noise averaged.
TEST_F(WarpCommand, AMapThatZoomsOutCanBeAntialiased) {
    const std::string map = map_of(16, 16, [](int i, int j) { return std::pair(4.0 * i + 1.5, 4.0 * j + 1.5); });
    write_image(noise(64, 64, 1, SampleType::u8, 4), path("noise.pgm"));
    const auto deviation = [&](const char* antialias) {
        const Image image = warped(map, {"--method", "bilinear", "--antialias", antialias}, path("noise.pgm"));
        double sum = 0;
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) sum += std::pow(image.value(x, y, 0) - 0.5, 2);
        return std::sqrt(sum / 256);
    };
    // Bilinear half way between samples: 0.289 / 2. A triangle of half-width 4 along each axis: 0.289 · (2/3)/4.
    EXPECT_NEAR(deviation("off"), 0.144, 0.03);
    EXPECT_NEAR(deviation("on"), 0.048, 0.015);
}

// The map has steps of 20, as `render --scale 20` has: its picture is the same, so as little is left of noise.
TEST_F(WarpCommand, AMapThatZoomsOutFarIsAntialiasedLikeAView) {
    write_image(noise(640, 480, 1, SampleType::u8, 4), path("noise.pgm"));
    const std::string map =
        map_of(32, 24, [](int i, int j) { return std::pair(319.5 + 20 * (i - 15.5), 239.5 + 20 * (j - 11.5)); });
    for (const char* method : {"bilinear", "lanczos3", "bspline", "ewa-lanczos"}) {
        const Image image = warped(map, {"--method", method, "--antialias", "on"}, path("noise.pgm"));
        printed({"render", path("noise.pgm"), "-o", path("view.npy"), "--method", method, "--antialias", "on",
                 "--pyramid", "on", "--size", "32x24", "--scale", "20"});
        const Image view = read_image(path("view.npy"));
        for (int y = 0; y < 24; ++y)
            for (int x = 0; x < 32; ++x)
                ASSERT_NEAR(image.value(x, y, 0), view.value(x, y, 0), 2 * tolerance::widened) << method;
    }
}

TEST_F(WarpCommand, OutsideCanBeTheBackground) {
    const std::string map = map_of(2, 1, [](int i, int) { return std::pair(i == 0 ? 3.0 : 64.0, 3.0); });
    EXPECT_NEAR(warped(map, {"--outside", "background"}).value(1, 0, 0), 32 / 255.0, 1e-6);
    EXPECT_EQ(warped(map, {"--outside", "background"}).value(0, 0, 0), warped(map).value(0, 0, 0));
}

TEST_F(WarpCommand, WrongMapsAreRefused) {
    const auto refuse = [&](int status, const std::string& map, const std::vector<std::string>& words) {
        expect_error(status, {"warp", "@step:16", "--map", map, "-o", path("out.png")}, words);
    };
    refuse(2, "@twist", {"--map", "swirl, barrel, ripple, plane or homography", "twist"});
    refuse(2, "@swirl:721", {"--map swirl", "-720 to 720 degrees", "721"});
    refuse(2, "@barrel:-0.6", {"--map barrel", "-0.5 to 2"});
    refuse(2, "@ripple:deep", {"--map ripple", "deep"});
    refuse(2, "@ripple:nan", {"--map ripple", "nan"});
    refuse(1, path("missing.npy"), {"missing.npy", "no such file"});
    printed({"render", "@step:8", "-o", path("map.png")});
    refuse(1, path("map.png"), {"map.png: is no .npy array: a map is a .npy array of shape (height, width, 2)"});
    refuse(1, write("map.csv", "1,2\n3,4\n"), {"map.csv: is no .npy array"});
    refuse(1, write("pairs.npy", map_bytes("(2, 2)", {0, 0, 1, 1})), {"pairs.npy", "(height, width, 2)"});
    refuse(1, write("triples.npy", map_bytes("(1, 1, 3)", {0, 0, 1})), {"triples.npy", "(1, 1, 3)"});
    refuse(1, write("cut.npy", map_bytes("(40, 50, 2)", {0, 0, 1})), {"cut.npy", "truncated"});
    expect_error(2, {"warp", "@step:16", "-o", path("out.png")}, {"--map"});
    expect_error(2, {"warp", "@step:16", "--map", "@swirl", "-o", path("out.png"), "--outside", "nan"},
                 {"extend or background"});
    expect_error(2, {"--warp", "swirl:900"}, {"--warp swirl", "720"});
    expect_error(2, {"--antialias", "maybe"}, {"--antialias", "on or off"});
}

// Points that are NaN or infinite read no memory outside.
TEST_F(WarpCommand, PointsThatAreNoNumbersAreHarmless) {
    const double inf = HUGE_VAL, nan = std::nan("");
    const std::string map = write("map.npy", map_bytes("(1, 5, 2)", {nan, 1, inf, 1, -inf, -inf, 1e300, -1e300, 2, 2}));
    for (const char* address : {"clamp", "border", "wrap", "mirror", "reflect101"})
        for (const char* method : {"nearest", "bspline", "lanczos4"}) {
            const Image image = warped(map, {"--method", method, "--address", address});
            EXPECT_TRUE(std::isnan(image.value(0, 0, 0)));
            EXPECT_TRUE(std::isfinite(image.value(4, 0, 0)));
            if (std::string(address) == "border") {
                EXPECT_NEAR(image.value(1, 0, 0), 0, 1e-7);  // the rest of the coefficients at their margin's edge
            }
        }
    const Result bytes = run({"warp", "@step:16", "--map", map, "-o", path("harmless.png"), "--backend", "cpu"});
    EXPECT_EQ(bytes.status, 0);
    ASSERT_EQ(bytes.errors.size(), 1u);
    EXPECT_NE(bytes.errors[0].find(" NaN became 0"), std::string::npos) << bytes.errors[0];
    EXPECT_EQ(run({"warp", "@step:16", "--map", map, "--antialias", "on", "-o", path("harmless.png")}).status, 0);
}

// render, sample and warp --affine.

class AffineOf : public Program {
protected:
    Image rendered(const std::string& in, std::vector<std::string> options) const {
        options.insert(options.begin(), {"render", in, "-o", path("affine.npy")});
        printed(options);
        return read_image(path("affine.npy"));
    }
};

TEST_F(AffineOf, PixelsReadThePointsThatItGivesThem) {
    const Image image = noise(31, 23, 1, SampleType::f32, 8);
    write_image(image, path("in.npy"));
    constexpr double a = 0.8, b = -0.37, c = 3.25, d = 0.21, e = -1.1, f = 19.5;
    for (const char* method : {"bilinear", "quadratic", "bspline", "quartic", "mks2013"}) {
        const reference::Interpolant expected(image, parse_spec(method));
        const Image got = rendered(
            path("in.npy"), {"--affine", "0.8,-0.37,3.25,0.21,-1.1,+19.5", "--size", "17x12", "--method", method});
        ASSERT_EQ(got.width(), 17);
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 17; ++x)
                ASSERT_NEAR(got.value(x, y, 0), expected.at({a * x + b * y + c, d * x + e * y + f})[0],
                            tolerance::exact_path)
                    << method << " " << x << ", " << y;
    }
}

// The view's matrix, written out; antialiased it is widened as much.
TEST_F(AffineOf, TheMapOfAViewGivesTheView) {
    constexpr double scale = 2.3, angle = 25 * std::numbers::pi / 180;
    const double xx = scale * std::cos(angle), xy = -scale * std::sin(angle);
    const double x0 = 31.5 - (xx + xy) * 12, y0 = 31.5 - (xx - xy) * 12;  // 64 samples around 25 pixels
    const std::string map = std::to_string(xx) + "," + std::to_string(xy) + "," + std::to_string(x0) + "," +
                            std::to_string(-xy) + "," + std::to_string(xx) + "," + std::to_string(y0);
    for (const char* antialias : {"on", "off"}) {
        const Image view = rendered("@zone-plate:64",
                                    {"--scale", "2.3", "--rotate", "25", "--size", "25x25", "--antialias", antialias}),
                    affine = rendered("@zone-plate:64", {"--affine", map, "--size", "25x25", "--antialias", antialias});
        EXPECT_LT(between(view, affine).error, 3e-5) << antialias;  // the map is written with six digits
    }
}

TEST_F(AffineOf, PointsAreMappedBeforeTheyAreRead) {
    const std::string map = "0.5,0.25,2,-0.125,1.5,1";
    const Image image = rendered("@noise:20x20", {"--affine", map, "--size", "3x2"});
    const std::string at = write("at.csv", "0,0\n1,0\n2,0\n0,1\n1,1\n2,1\n");
    std::istringstream table(printed({"sample", "@noise:20x20", "--at", at, "--affine", map, "--outside", "extend"}));
    for (int n = 0; n < 6; ++n) {
        double x = 0, y = 0, value = 0;
        char comma = 0;
        table >> x >> comma >> y >> comma >> value;
        EXPECT_EQ(x, n % 3) << "the points stay as they were given";
        EXPECT_NEAR(value, image.value(n % 3, n / 3, 0), 1e-6) << n;
    }
    // A signal has only A and C.
    const std::string xs = write("x.csv", "0\n1\n2\n");
    EXPECT_EQ(printed({"sample", write("signal.csv", "0\n1\n2\n3\n4\n"), "--at", xs, "--affine", "1.5,0,0.5,0,1,0",
                       "--method", "bilinear"}),
              "0,0.5\n1,2\n2,3.5\n");
}

TEST_F(AffineOf, WarpReadsThePointsThatRenderReads) {
    const std::vector<std::string> map = {"--affine", "0.5,0.25,2,-0.125,1.5,1", "--method", "bspline"};
    for (const std::vector<std::string>& size : {std::vector<std::string>{}, {"--size", "30x7"}}) {
        std::vector<std::string> options = map, warp = {"warp", "@noise:20x20", "-o", path("warped.npy")};
        options.insert(options.end(), size.begin(), size.end());
        const Image expected = rendered("@noise:20x20", options);
        warp.insert(warp.end(), options.begin(), options.end());
        printed(warp);
        const Image got = read_image(path("warped.npy"));
        ASSERT_EQ(got.width(), expected.width());
        EXPECT_EQ(between(got, expected).error, 0);
    }
    const auto refuse = [&](std::vector<std::string> options, const std::vector<std::string>& words) {
        options.insert(options.begin(), {"warp", "@step:16", "-o", path("out.png")});
        expect_error(2, options, words);
    };
    refuse({"--map", "@swirl", "--affine", "1,0,0,0,1,0"}, {"one of --map", "--affine", "--homography"});
    refuse({"--map", "@swirl", "--size", "9x9"}, {"--size goes with --affine"});
    refuse({"--affine", "1,0,0"}, {"six numbers"});
    refuse({"--affine", "1,0,0,0,1,0", "--method", "like:skimage/warp", "--antialias", "on"},
           {"like:skimage/warp itself says whether it antialiases"});
}

// SciPy's shift by whole samples, by hand.
TEST_F(AffineOf, RecipesOfPositionsReadThePointsOfViewsAndMaps) {
    const Image image = noise(9, 7, 1, SampleType::f32, 5);
    write_image(image, path("in.npy"));
    for (const std::vector<std::string>& how :
         {std::vector<std::string>{"render", "--translate=-2,1"}, {"warp", "--affine", "1,0,-2,0,1,1"}}) {
        std::vector<std::string> options = {
            how[0], path("in.npy"), "-o", path("moved.npy"), "--method", "like:scipy/shift:order=1,cval=0.5"};
        options.insert(options.end(), how.begin() + 1, how.end());
        printed(options);
        const Image moved = read_image(path("moved.npy"));
        for (int y = 0; y < 7; ++y)
            for (int x = 0; x < 9; ++x) {
                const bool inside = x >= 2 && y + 1 < 7;
                ASSERT_NEAR(moved.value(x, y, 0), inside ? image.value(x - 2, y + 1, 0) : 0.5, 1e-6) << x << ' ' << y;
            }
    }
}

TEST_F(AffineOf, WhatIsNoMapIsToldInOneSentence) {
    const auto refuse = [&](const std::string& map, const std::vector<std::string>& words) {
        expect_error(2, {"render", "@step:16", "-o", path("out.png"), "--affine", map}, words);
        expect_error(2, {"sample", "@step:16", "--at", "none.csv", "-o", path("out.csv"), "--affine", map}, words);
    };
    for (const char* singular : {"0,0,0,0,0,0", "1,2,3,2,4,6", "1,0,0,0,0,5", "0.1,0.3,0,0.2,0.6,0"})
        refuse(singular, {"--affine", "A·E - B·D", singular});
    for (const char* infinite : {"nan,0,0,0,1,0", "1,0,inf,0,1,0", "1,0,1e999,0,1,0", "1,0,,0,1,0"})
        refuse(infinite, {"--affine must be a finite number"});
    for (const char* other : {"1", "1,0,0,0,1", "1,0,0,0,1,0,0"}) refuse(other, {"six numbers A,B,C,D,E,F", other});
    refuse("1,0,1e300,0,1,0", {"--affine", "16777216"});
    expect_error(2, {"render", "@step:16", "-o", path("out.png"), "--affine", "1,0,0,0,1,0", "--zoom", "2"},
                 {"--affine", "--zoom", "leave out"});
}

}  // namespace
}  // namespace texelscope::test
