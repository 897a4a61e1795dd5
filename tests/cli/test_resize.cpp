// The command resize: how the pixels of the output are aligned with the samples, and how many there are.

#include <algorithm>
#include <cmath>

#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Resize : public Program {
protected:
    Image resized(const std::string& image, std::vector<std::string> options) const {
        options.insert(options.begin(), {"resize", image, "-o", path("resized.npy")});
        printed(options);
        return read_image(path("resized.npy"));
    }
    std::string store(const Image& image) const {
        write_image(image, path("in.pam"));
        return path("in.pam");
    }
};

// x of output pixel i over n samples in a row of N pixels, from the definition of each alignment.
double aligned(const std::string& how, int i, int n, int N, double factor) {
    if (how == "centers") return (i + 0.5) * n / N - 0.5;
    if (how == "origin") return i / factor - 0.5;
    return N > 1 ? i * (n - 1.0) / (N - 1.0) : (n - 1) / 2.0;
}

// Antialiased weights come from a table, whatever the path: naming a path switches them off.
TEST_F(Resize, APathThatIsAskedForIsTaken) {
    const std::string in = store(noise(40, 30, 1, SampleType::u8, 9));
    const auto values = [&](std::vector<std::string> options) {
        options.insert(options.end(), {"--factor", "0.4"});
        resized(in, options);
        return content("resized.npy");
    };
    const std::string widened = values({});
    for (const std::string path : {"lookup", "hardware"}) {
        const std::string points = values({"--path", path, "--antialias", "off"});
        EXPECT_NE(points, widened);
        EXPECT_EQ(values({"--path", path}), points);
        EXPECT_EQ(values({"--method", "bspline:path=" + path}), points);
        EXPECT_EQ(values({"--path", path, "--antialias", "on"}), widened);
    }
    EXPECT_EQ(values({"--path", "global"}), widened);
}

TEST_F(Resize, WrongFactorsAreToldInShort) {
    const auto resize = [&](const char* factor) {
        return std::vector<std::string>{"resize", "@step:8", "-o", path("out.png"), "--factor", factor};
    };
    expect_error(2, resize("1e300"), {"--factor must be from 1/16777216 to 16777216", "1e300"});
    expect_error(2, resize("1,2,3"), {"--factor", "one number, or two separated by a comma", "'1,2,3'"});
}

TEST_F(Resize, EveryAlignmentAgreesWithItsDefinition) {
    const Image image = noise(23, 11, 1, SampleType::u8, 5);
    const std::string in = store(image);
    for (const char* method : {"nearest", "bilinear", "bspline", "catmull-rom"}) {
        const reference::Interpolant expected(image, parse_spec(method));
        for (const std::string how : {"centers", "corners", "origin"})
            for (const double factor : {0.4, 1.7, 3.0}) {
                const Image got = resized(
                    in, {"--factor", std::to_string(factor), "--align", how, "--method", method, "--antialias", "off"});
                ASSERT_EQ(got.width(), std::lround(23 * factor));
                ASSERT_EQ(got.height(), std::lround(11 * factor));
                for (int j = 0; j < got.height(); ++j)
                    for (int i = 0; i < got.width(); ++i) {
                        const double x = aligned(how, i, 23, got.width(), factor),
                                     y = aligned(how, j, 11, got.height(), factor);
                        // Half-way between two samples, nearest may take either.
                        const bool tie =
                            std::abs(x - std::floor(x) - 0.5) < 1e-9 || std::abs(y - std::floor(y) - 0.5) < 1e-9;
                        if (expected.kernel().jumps && tie) continue;
                        ASSERT_NEAR(got.value(i, j, 0), expected.at({x, y})[0], tolerance::exact_path)
                            << method << " " << how << " " << factor << " (" << i << ", " << j << ")";
                    }
            }
    }
}

// The article's x·a: texture coordinate 2i of the source for a factor of ½, which is between two samples.
TEST_F(Resize, AlignOriginShiftsThePictureByHalfASample) {
    const std::string in = write("in.pgm", std::string("P5 4 1 255\n\x00\x33\x66\x99", 15));
    const Image half =
        resized(in, {"--factor", "0.5,1", "--align", "origin", "--method", "bilinear", "--antialias", "off"});
    ASSERT_EQ(half.width(), 2);
    EXPECT_NEAR(half.value(0, 0, 0), 0.0, 1e-6);  // at −0.5
    EXPECT_NEAR(half.value(1, 0, 0), 0.3, 1e-6);  // at 1.5
    // 8-bit texels read as normalised float, and converted to float, are the same numbers.
    const Image converted = resized(in, {"--factor", "0.5,1", "--align", "origin", "--method", "bilinear",
                                         "--antialias", "off", "--texels", "f32", "--path", "hardware"});
    EXPECT_NEAR(converted.value(1, 0, 0), 0.3, 1e-6);
}

TEST_F(Resize, SizesAreRoundedAndAtLeastOne) {
    for (const auto& [factor, width, height] :
         {std::tuple("0.5", 4, 2), {"0.01", 1, 1}, {"2,1", 14, 3}, {"0.5,0.1", 4, 1}}) {
        const Image image = resized("@noise:7x3", {"--factor", factor});
        EXPECT_EQ(image.width(), width) << factor;
        EXPECT_EQ(image.height(), height) << factor;
    }
    EXPECT_EQ(resized("@noise:7x3", {"--size", "5x9"}).height(), 9);
}

// The mean of a picture reduced to one pixel per 16 × 16 stays; without antialiasing single samples come through.
TEST_F(Resize, IsAntialiasedUnlessToldOtherwise) {
    const auto spread = [](const Image& image) {
        double low = 1, high = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                low = std::min(low, double(image.value(x, y, 0)));
                high = std::max(high, double(image.value(x, y, 0)));
            }
        return high - low;
    };
    write_image(noise(256, 256, 1, SampleType::u8, 9), path("noise.pgm"));
    // White noise of standard deviation 0.29 averaged over 256 samples: 0.018, six of which span the 256 pixels.
    EXPECT_LT(spread(resized(path("noise.pgm"), {"--size", "16x16", "--method", "bilinear"})), 0.15);
    EXPECT_GT(spread(resized(path("noise.pgm"), {"--size", "16x16", "--method", "bilinear", "--antialias", "off"})),
              0.5);
}

// A second time changes nothing, by an odd factor; widened weights blur again.
// At 1/20 the pyramid comes near to the mean of each pixel's area, which a box and `area` are; at 1/2.5 only `area` is.
TEST_F(Resize, ReadsAllSamplesUnlessThePyramidIsAskedFor) {
    const Image image = noise(200, 160, 1, SampleType::f32, 12);
    write_image(image, path("in.npy"));
    const auto error = [&](int factor, std::vector<std::string> options) {
        options.insert(options.end(), {"--size", fmt::format("{}x{}", 200 / factor, 160 / factor)});
        const Image out = resized(path("in.npy"), options);
        double largest = 0;
        for (int j = 0; j < out.height(); ++j)
            for (int i = 0; i < out.width(); ++i) {
                double sum = 0;
                for (int y = 0; y < factor; ++y)
                    for (int x = 0; x < factor; ++x) sum += image.value(i * factor + x, j * factor + y, 0);
                largest = std::max(largest, std::abs(out.value(i, j, 0) - sum / (factor * factor)));
            }
        return largest;
    };
    EXPECT_LE(error(20, {"--method", "nearest"}), 1e-6);
    EXPECT_LE(error(20, {"--method", "nearest", "--pyramid", "off"}), 1e-6);
    EXPECT_GT(error(20, {"--method", "nearest", "--pyramid", "on"}), 1e-4);
    EXPECT_LE(error(20, {"--method", "area"}), 1e-6);
    EXPECT_LE(error(5, {"--method", "area:address=mirror"}), 1e-6);
    const Image row = signal(5, [](int k) { return k; });
    write_image(row, path("in.npy"));
    const Image halves = resized(path("in.npy"), {"--size", "2x1", "--method", "area"});
    EXPECT_NEAR(halves.value(0, 0, 0), (0 + 1 + 0.5 * 2) / 2.5, 1e-6);
    EXPECT_NEAR(halves.value(1, 0, 0), (0.5 * 2 + 3 + 4) / 2.5, 1e-6);
}

TEST_F(Resize, WrongWordsAboutThePyramidAreRefused) {
    const auto resize = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"resize", "@step:8", "-o", path("out.png"), "--size", "4x4"});
        return options;
    };
    expect_error(2, resize({"--pyramid", "perhaps"}), {"--pyramid", "'perhaps'"});
    expect_error(2, resize({"--method", "area", "--antialias", "off"}), {"--method area", "--antialias off"});
    expect_error(2, {"render", "@step:8", "-o", path("out.png"), "--method", "area"}, {"'area'", "resize", "nearest"});
}

TEST_F(Resize, ByLeastSquaresIsAProjection) {
    const std::string in = store(noise(42, 33, 1, SampleType::u8, 5));
    const auto difference_after = [&](const std::vector<std::string>& how) {
        const auto step = [&](const std::string& from, const std::string& size, const std::string& to) {
            std::vector<std::string> command = {"resize", from, "-o", path(to), "--size", size};
            command.insert(command.end(), {"--method", "bspline:address=mirror"});
            command.insert(command.end(), how.begin(), how.end());
            printed(command);
        };
        step(in, "14x11", "once.npy");
        step(path("once.npy"), "42x33", "large.npy");
        step(path("large.npy"), "14x11", "twice.npy");
        const Image once = read_image(path("once.npy")), twice = read_image(path("twice.npy"));
        double largest = 0;
        for (int y = 0; y < 11; ++y)
            for (int x = 0; x < 14; ++x)
                largest = std::max(largest, std::abs(double(once.value(x, y, 0)) - double(twice.value(x, y, 0))));
        return largest;
    };
    EXPECT_LE(difference_after({"--least-squares"}), 4e-6);
    EXPECT_GT(difference_after({}), 0.01);
}

TEST_F(Resize, LeastSquaresAreRefusedWhereThereAreNone) {
    const auto resize = [&](const char* method, const char* antialias) {
        return std::vector<std::string>{"resize",   "@step:8", "-o",          path("out.png"), "--factor",       "0.5",
                                        "--method", method,    "--antialias", antialias,       "--least-squares"};
    };
    expect_error(2, resize("lanczos3", "on"), {"lanczos3 cannot shrink by least squares", "bspline"});
    expect_error(2, resize("bspline", "off"), {"--least-squares", "--antialias off"});
}

// A size may be meant for many pictures, a factor cannot.
TEST_F(Resize, LeastSquaresWhereNothingShrinksAreRefusedOrSaid) {
    const auto resize = [&](std::vector<std::string> size) {
        size.insert(size.begin(), {"resize", "@step:8", "-o", path("out.png"), "--least-squares", "--backend", "cpu"});
        return size;
    };
    for (const char* factor : {"2", "1", "1,3"})
        expect_error(2, resize({"--factor", factor}), {"--least-squares", "--factor must be below 1", factor});
    const Result enlarged = run(resize({"--size", "16x8"}));
    EXPECT_EQ(enlarged.status, 0);
    ASSERT_EQ(enlarged.errors.size(), 1u);
    EXPECT_NE(enlarged.errors[0].find("none does from 8×8 to 16×8"), std::string::npos) << enlarged.errors[0];
    for (const std::vector<std::string>& shrinks :
         {std::vector<std::string>{"--size", "4x16"}, {"--factor", "2,0.5"}}) {
        const Result result = run(resize(shrinks));
        EXPECT_EQ(result.status, 0);
        EXPECT_TRUE(result.errors.empty()) << result.errors[0];
    }
}

// Away from the edges, where a library leaves taps out instead of extending the image, a method is that library's rule of
// its name.
TEST_F(Resize, AMethodIsTheRuleOfItsLibrary) {
    const std::string in = path("in.npy");
    write_image(noise(40, 33, 1, SampleType::f32, 12), in);
    for (const auto& [method, rule] :
         {std::pair("hamming", "like:pillow/hamming"), {"lanczos3", "like:pillow/lanczos"}})
        for (const std::string size : {"20x12", "13x33"}) {
            const Image a = resized(in, {"--method", method, "--size", size}),
                        b = resized(in, {"--method", rule, "--size", size});
            double largest = 0;
            for (int y = 4; y < a.height() - 4; ++y)
                for (int x = 4; x < a.width() - 4; ++x)
                    largest = std::max(largest, double(std::abs(a.value(x, y, 0) - b.value(x, y, 0))));
            EXPECT_LT(largest, 2e-6) << method << " " << size;
        }
}

TEST_F(Resize, ASignalIsResizedAlongItsAxisAlone) {
    const Image image =
        resized(write("signal.csv", "0\n1\n2\n"), {"--factor", "2", "--align", "corners", "--method", "bilinear"});
    ASSERT_EQ(image.width(), 6);
    ASSERT_EQ(image.height(), 1);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(image.value(i, 0, 0), 0.4 * i, 1e-6);
}

TEST_F(Resize, WrongWordsAreRefused) {
    const auto refuse = [&](std::vector<std::string> options, const std::vector<std::string>& words) {
        options.insert(options.begin(), {"resize", "@step:16", "-o", path("out.png")});
        expect_error(2, options, words);
    };
    refuse({}, {"--size", "--factor"});
    refuse({"--size", "4x4", "--factor", "2"}, {"--size", "--factor"});
    for (const char* factor : {"0", "-1", "nan", "1,", "1,0", "two", "1e-400"})
        refuse({"--factor", factor}, {"--factor"});
    for (const char* factor : {"1e9", "1e-9", "1,1e-9", "1e-9,1"})
        refuse({"--factor", factor},
               {"--factor must be from 1/16777216 to 16777216, not '" + std::string(factor) + "'"});
    refuse({"--factor", "1e7"}, {"--factor", "16777216"});  // the side of the output
    refuse({"--factor", "2", "--align", "centre"}, {"--align", "centers, corners or origin", "centre"});
    refuse({"--factor", "2", "--antialias", "yes"}, {"--antialias", "on or off", "yes"});
    refuse({"--factor", "2", "--texels", "u32"}, {"--texels", "stored, u8, u16, f16 or f32"});
    refuse({"--factor", "2", "--texels", "u8", "--linear-light"}, {"--linear-light", "--texels"});
}

TEST_F(Resize, NeverReplacesItsInputUnlessToldTo) {
    const std::string file = path("small.png"), link = path("link.png");
    write_image(load_image("@rings:8"), file);
    std::filesystem::create_symlink(file, link);
    const std::string before = content("small.png");
    for (const std::vector<std::string>& what :
         {std::vector<std::string>{"render", file, "-o", file},
          std::vector<std::string>{"resize", file, "--factor", "2", "-o", link},
          std::vector<std::string>{"warp", file, "--map", "@swirl", "-o", file}}) {
        const Result result = run(what);
        EXPECT_EQ(result.status, 2) << what[0];
        ASSERT_EQ(result.errors.size(), 1u);
        EXPECT_NE(result.errors[0].find("is the file that is read: give -o another name, or --overwrite"),
                  std::string::npos);
        EXPECT_EQ(content("small.png"), before);
    }
    EXPECT_EQ(run({"resize", file, "--factor", "2", "-o", file, "--overwrite"}).status, 0);
    EXPECT_EQ(load_image(file).width(), 16);
    EXPECT_EQ(run({"resize", file, "--factor", "2", "-o", path("new.png")}).status, 0);
    EXPECT_EQ(run({"resize", file, "--factor", "3", "-o", path("new.png")}).status, 0) << "another file, as always";
}

}  // namespace
}  // namespace texelscope::test
