// sample: values at points, from tables and arrays, of images and signals.

#include <cmath>
#include <cstring>

#include "app/files/codecs/npy.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// The numbers of a table, row after row; a header is skipped.
std::vector<std::vector<double>> rows_of(const std::string& text) {
    std::vector<std::vector<double>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || std::isalpha(line[0])) {
            if (!line.starts_with("nan") && !line.starts_with("inf")) continue;
        }
        rows.emplace_back();
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(std::stod(field));
    }
    return rows;
}

template <class T> std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <class T> std::string array(const std::string& descr, const std::string& shape, const std::vector<T>& values) {
    return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", bytes_of(values));
}

// The shape and the numbers of a float32 .npy.
std::pair<std::vector<uint64_t>, std::vector<float>> floats_of(const std::string& bytes) {
    const NpyHeader header = parse_npy_header(span_of(bytes));
    EXPECT_EQ(header.descr, "<f4");
    std::vector<float> values((bytes.size() - header.data_at) / sizeof(float));
    std::memcpy(values.data(), bytes.data() + header.data_at, values.size() * sizeof(float));
    return {header.shape, values};
}

class Sample : public Program {};

// The getting-started table of the tutorial: 0, 0.2, … 0.8 read at seven points. Sample indices and fractions are
// worked out by hand from the definitions of the outside.
TEST_F(Sample, GivesTheGettingStartedTableInAllAddressModes) {
    const std::string signal = write("signal.csv", "0\n0.2\n0.4\n0.6\n0.8\n");
    const std::string at = write("x.csv", "-0.6\n-0.1\n0.6\n1.5\n2.1\n2.9\n4.7\n");
    struct Row {
        const char* address;
        std::vector<double> nearest, linear;
    };
    const Row table[] = {
        {"clamp", {0, 0, 0.2, 0.4, 0.4, 0.6, 0.8}, {0, 0, 0.12, 0.3, 0.42, 0.58, 0.8}},
        {"border", {0, 0, 0.2, 0.4, 0.4, 0.6, 0}, {0, 0, 0.12, 0.3, 0.42, 0.58, 0.24}},
        {"wrap", {0.8, 0, 0.2, 0.4, 0.4, 0.6, 0}, {0.48, 0.08, 0.12, 0.3, 0.42, 0.58, 0.24}},
        {"mirror", {0, 0, 0.2, 0.4, 0.4, 0.6, 0.8}, {0, 0, 0.12, 0.3, 0.42, 0.58, 0.8}},
        {"reflect101", {0.2, 0, 0.2, 0.4, 0.4, 0.6, 0.6}, {0.12, 0.02, 0.12, 0.3, 0.42, 0.58, 0.66}},
    };
    for (const Row& row : table)
        for (const bool linear : {false, true})
            for (const char* path : {"global", "lookup", "hardware"}) {
                const auto got = rows_of(printed({"sample", signal, "--at", at, "--address", row.address, "--path",
                                                  path, "--method", linear ? "bilinear" : "nearest"}));
                ASSERT_EQ(got.size(), 7u);
                for (size_t k = 0; k < 7; ++k) {
                    const double expected = (linear ? row.linear : row.nearest)[k];
                    // The texture unit's fraction is off by half a step of 1/256 at most, over a rise of at most 0.8.
                    const bool exact = std::string(path) != "hardware";
                    // Half-way between two samples, a normalised float32 coordinate is on either side.
                    if (!exact && !linear && got[k][0] == 1.5) continue;
                    const double tolerance = exact ? tolerance::exact_path : 0.8 * tolerance::hardware_fraction + 1e-6;
                    EXPECT_NEAR(got[k][1], expected, tolerance) << row.address << " " << path << " x = " << got[k][0];
                }
            }
}

// x = −0.6: 0.4 of sample 0 and 0.6 of what is beyond the border, and so on.
TEST_F(Sample, HasTheBorderValueBeyondItsEnds) {
    const std::string signal = write("signal.csv", "0\n0.2\n0.4\n0.6\n0.8\n");
    const std::string at = write("x.csv", "-3\n-0.6\n2.5\n4.25\n9\n");
    for (const char* path : {"auto", "global", "lookup"}) {
        const auto got = rows_of(printed({"sample", signal, "--at", at, "--address", "border", "--border", "-1.5",
                                          "--path", path, "--method", "bilinear"}));
        ASSERT_EQ(got.size(), 5u);
        const double expected[] = {-1.5, 0.4 * 0 + 0.6 * -1.5, 0.5, 0.75 * 0.8 + 0.25 * -1.5, -1.5};
        for (size_t k = 0; k < 5; ++k) EXPECT_NEAR(got[k][1], expected[k], 2.3 * tolerance::exact_path) << path << k;
    }
    EXPECT_EQ(printed({"sample", signal, "--at", at, "--address", "border", "--border", "0"}),
              printed({"sample", signal, "--at", at, "--address", "border"}));
}

// The interview: bilinear interpolation of complex data at points given as two arrays, zero outside or clamped.
TEST_F(Sample, InterpolatesComplexDataAtArbitraryPoints) {
    constexpr int width = 7, height = 5, points = 200;
    Random random(1);
    std::vector<float> data;
    for (int i = 0; i < 2 * width * height; ++i) data.push_back(float(random.between(-2, 2)));
    std::vector<float> x, y;
    for (int k = 0; k < points; ++k) {
        x.push_back(float(random.between(-3, width + 2)));
        y.push_back(float(random.between(-3, height + 2)));
    }
    const std::string field = write("field.npy", array("<c8", "(5, 7)", data));
    const std::string at_x = write("x.npy", array("<f4", "(4, 50)", x)),
                      at_y = write("y.npy", array("<f4", "(4, 50)", y));
    for (const bool clamped : {false, true}) {
        printed({"sample", field, "--at", at_x, at_y, "--method", "bilinear", "--address", clamped ? "clamp" : "border",
                 "-o", path("values.npy")});
        const auto [shape, values] = floats_of(content("values.npy"));
        ASSERT_EQ(shape, (std::vector<uint64_t>{4, 50, 2}));
        const auto stored = [&](int i, int j, int c) -> double {
            if (!clamped && (i < 0 || i >= width || j < 0 || j >= height)) return 0;
            i = std::clamp(i, 0, width - 1);
            j = std::clamp(j, 0, height - 1);
            return data[size_t(2 * (j * width + i) + c)];
        };
        for (size_t k = 0; k < points; ++k)
            for (int c = 0; c < 2; ++c) {
                const int i = int(std::floor(x[k])), j = int(std::floor(y[k]));
                const double a = double(x[k]) - i, b = double(y[k]) - j;
                const double expected = (1 - b) * ((1 - a) * stored(i, j, c) + a * stored(i + 1, j, c)) +
                                        b * ((1 - a) * stored(i, j + 1, c) + a * stored(i + 1, j + 1, c));
                EXPECT_NEAR(values[2 * k + size_t(c)], expected, 2 * tolerance::exact_path) << x[k] << ", " << y[k];
            }
    }
    // As a table: real and imaginary part side by side.
    EXPECT_TRUE(printed({"sample", field, "--at", write("p.csv", "x y\n1 1\n")}).starts_with("x,y,re,im\n1,1,"));
}

// The one-dimensional article: x from 0 to 3 in steps of 0.25, NaN outside the interval, both methods.
TEST_F(Sample, GivesNanOutsideTheIntervalOfASignal) {
    std::string table = "x, y\n";
    for (int i = 0; i <= 12; ++i) table += std::to_string(i * 0.25) + ", " + std::to_string(i * i) + "\n";
    const std::string signal = write("signal.csv", table);
    const std::string at = write("x.csv", "x\n-1e-9\n0\n0.3\n1.1\n2.999\n3\n3.0000001\nnan\ninf\n");
    const auto linear = rows_of(printed({"sample", signal, "--at", at, "--outside", "nan", "--method", "bilinear"}));
    const auto nearest = rows_of(printed({"sample", signal, "--at", at, "--outside", "nan", "--method", "nearest"}));
    const double nan = std::nan("");
    // u = x / 0.25: 1.2, 4.4, 11.996; i² between i and i + 1 is i² + (2i + 1)·fraction.
    const std::vector<double> expected = {nan, 0, 1 + 0.2 * 3, 16 + 0.4 * 9, 121 + 0.996 * 23, 144, nan, nan, nan};
    const std::vector<double> expected_nearest = {nan, 0, 1, 16, 144, 144, nan, nan, nan};
    ASSERT_EQ(linear.size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k) {
        EXPECT_EQ(std::isnan(linear[k][1]), std::isnan(expected[k])) << linear[k][0];
        EXPECT_EQ(std::isnan(nearest[k][1]), std::isnan(expected[k])) << linear[k][0];
        if (std::isnan(expected[k])) continue;
        EXPECT_NEAR(linear[k][1], expected[k], 144 * tolerance::exact_path);
        EXPECT_EQ(nearest[k][1], expected_nearest[k]);
    }
}

// 0.1 + 6 · 0.1 is not 0.7 in binary, but it is the last sample.
TEST_F(Sample, RoundingDoesNotMoveTheLastSampleOutside) {
    const std::string signal = write("signal.csv", "1\n2\n3\n4\n5\n6\n7\n");
    for (const char* last : {"0.7", "0.7000000000000001", "0.6999999999999999"}) {
        const auto rows =
            rows_of(printed({"sample", signal, "--at", write("x.csv", std::string("0.1\n") + last + "\n"), "--outside",
                             "nan", "--origin", "0.1", "--spacing", "0.1", "--method", "bilinear"}));
        EXPECT_EQ(rows[0][1], 1) << last;
        EXPECT_EQ(rows[1][1], 7) << last;
    }
    const std::string single = write("x.npy", array<float>("<f4", "(2,)", {0.1f, 0.7f}));
    EXPECT_EQ(printed({"sample", signal, "--at", single, "--outside", "nan", "--origin", "0.1", "--spacing", "0.1",
                       "--method", "bilinear"}),
              "0.1,1\n0.7,7\n");
}

TEST_F(Sample, OriginAndSpacingOfATableCanBeOverruled) {
    const std::string signal = write("signal.csv", "10 0\n12 1\n14 4\n");
    const std::string at = write("x.csv", "0.5\n");
    EXPECT_EQ(printed({"sample", signal, "--at", at, "--origin", "0", "--spacing", "1", "--method", "bilinear"}),
              "0.5,0.5\n");
    EXPECT_EQ(printed({"sample", signal, "--at", write("y.csv", "11\n"), "--method", "bilinear"}), "11,0.5\n");
}

// Each axis of an image has its own grid.
TEST_F(Sample, AGridCanDifferByAxis) {
    const std::string image = write("image.npy", array<float>("<f4", "(2, 3)", {0, 1, 2, 10, 11, 12}));
    const std::string at = write("p.csv", "7,-3.5\n");  // sample (1, 0.25)
    EXPECT_EQ(printed({"sample", image, "--at", at, "--method", "bilinear", "--origin", "5,-4", "--spacing", "2"}),
              "7,-3.5,3.5\n");
    EXPECT_EQ(printed({"sample", image, "--at", at, "--method", "bilinear", "--origin", "5,-4", "--spacing", "2,1"}),
              "7,-3.5,6\n");
}

// d/dx of a cubic B-spline through x² on a grid of spacing 0.5, far from the ends: 2x per unit of x.
TEST_F(Sample, DerivativesArePerUnitOfTheGrid) {
    std::string table;
    for (int i = 0; i <= 80; ++i) table += std::to_string(0.5 * i) + "\t" + std::to_string(0.25 * i * i) + "\n";
    const std::string signal = write("signal.csv", table);
    const auto rows =
        rows_of(printed({"sample", signal, "--at", write("x.csv", "20\n20.3\n17.75\n"), "--derivative", "x"}));
    for (const auto& row : rows) EXPECT_NEAR(row[1], 2 * row[0], 400 * tolerance::exact_path);
}

TEST_F(Sample, RepeatsThePointsAsTheyAreWritten) {
    const std::string image = write("image.npy", array<uint8_t>("|u1", "(2, 2)", {0, 255, 0, 255}));
    EXPECT_EQ(
        printed(
            {"sample", image, "--method", "nearest", "--at",
             write("p.csv",
                   "\xef\xbb\xbf# points\r\n\r\nleft;top\r\n +1.50e-1 ; 00.0\r\n1.,1 # corner\r\n0 0\r\nNaN;inf\r\n")}),
        "x,y,v\n+1.50e-1,00.0,0\n1.,1,1\n0,0,0\nNaN,inf,nan\n");
}

TEST_F(Sample, TakesPointsFromTablesAndArraysAlike) {
    const std::string image = write("image.npy", array<float>("<f4", "(2, 2)", {1, 2, 3, 4}));
    const std::vector<std::string> head = {"sample", image, "--method", "bilinear", "--at"};
    const auto values = [&](std::vector<std::string> files) {
        files.insert(files.begin(), head.begin(), head.end());
        std::vector<double> last;
        for (const auto& row : rows_of(printed(files))) last.push_back(row.back());
        return last;
    };
    const std::vector<double> expected = {1.5, 4, 2.5};
    EXPECT_EQ(values({write("p.csv", "0.5 0\n1 1\n0.5 0.5\n")}), expected);
    EXPECT_EQ(values({write("p.npy", array<double>("<f8", "(3, 2)", {0.5, 0, 1, 1, 0.5, 0.5}))}), expected);
    EXPECT_EQ(values({write("x.csv", "0.5\n1\n0.5\n"), write("y.csv", "0\n1\n0.5\n")}), expected);
    EXPECT_EQ(values({write("x.npy", array<float>("<f4", "(3,)", {0.5f, 1, 0.5f})), write("y.csv", "0\n1\n0.5\n")}),
              expected);
    EXPECT_EQ(values({write("i.npy", array<int64_t>("<i8", "(1, 2)", {1, -1}))}), std::vector<double>{2});
}

// The picture is x + 10 y: what bilinear interpolation reads is known.
TEST_F(Sample, TakesOnePointAndStandardInput) {
    const std::string ramp = write("ramp.csv", "0\n1\n2\n3\n");
    const std::string plane = write("plane.npy", array<float>("<f4", "(2, 3)", {0, 1, 2, 10, 11, 12}));
    EXPECT_EQ(printed({"sample", plane, "--at", "1.5,0.25", "--method", "bilinear"}), "1.5,0.25,4\n");
    EXPECT_EQ(printed({"sample", ramp, "--at", "2.5", "--method", "bilinear"}), "2.5,2.5\n");
    const std::string command = std::string("printf '0.5,0\\n2,1\\n' | ") + TEXELSCOPE_PROGRAM + " sample " + plane +
                                " --at - --method bilinear >" + path("values.txt");
    ASSERT_EQ(test::run({"sh", "-c", command}, {}), 0);
    EXPECT_EQ(content("values.txt"), "0.5,0,0.5\n2,1,12\n");
    expect_error(2, {"sample", "-", "--at", "-"}, {"IN and --at both read standard input"});
    expect_error(1, {"sample", plane, "--at", "1,2,3"}, {"--at 1,2,3"});
    expect_error(1, {"sample", plane, "--at", "1.5"}, {"points of an image have two coordinates"});
}

TEST_F(Sample, ArraysKeepTheShapeOfThePoints) {
    const std::string image = write("image.npy", array<float>("<f4", "(1, 2, 3)", {1, 2, 3, 4, 5, 6}));
    const std::string at = write("p.npy", array<float>("<f4", "(2, 1, 2)", {0, 0, 1, 0}));
    printed({"sample", image, "--at", at, "-o", path("rgb.npy"), "--method", "nearest"});
    EXPECT_EQ(floats_of(content("rgb.npy")).first, (std::vector<uint64_t>{2, 1, 3}));
    EXPECT_EQ(floats_of(content("rgb.npy")).second, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    const std::string signal = write("signal.npy", array<float>("<f4", "(3,)", {5, 6, 7}));
    printed({"sample", signal, "--at", write("x.csv", "2\n0\n"), "-o", path("one.npy"), "--method", "nearest"});
    EXPECT_EQ(floats_of(content("one.npy")).first, (std::vector<uint64_t>{2}));
    EXPECT_EQ(floats_of(content("one.npy")).second, (std::vector<float>{7, 5}));
}

// A transparent pixel's garbage colour does not affect the result.
TEST_F(Sample, ColourLeavesAsStraightAlpha) {
    const std::string header = "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    const std::string image = write("image.pam", header + std::string("\xff\x00\x33\xff\x00\xff\xff\x00", 8));
    const auto row =
        rows_of(printed({"sample", image, "--method", "bilinear", "--at", write("p.csv", "0.75 0\n")})).at(0);
    const std::vector<double> expected = {0.75, 0, 1, 0, 0.2, 0.25};
    for (size_t c = 0; c < expected.size(); ++c) EXPECT_NEAR(row[c], expected[c], 1e-6);
}

// Between black and white, half the light is level 188 of sRGB.
TEST_F(Sample, LinearLightIsInterpolatedDecoded) {
    const std::string image = write("image.pgm", std::string("P5 2 1 255\n\x00\xff", 13));
    const std::string at = write("p.csv", "0.5 0\n");
    EXPECT_NEAR(rows_of(printed({"sample", image, "--method", "bilinear", "--at", at}))[0][2], 0.5, 1e-6);
    EXPECT_NEAR(rows_of(printed({"sample", image, "--method", "bilinear", "--at", at, "--linear-light"}))[0][2] * 255,
                187.52, 0.01);
}

// How samples are stored: a third is not a multiple of 1/255, and 3000 is more than u8 can hold.
TEST_F(Sample, TexelsCanBeHeldInAnotherType) {
    const std::string image = write("image.npy", array<float>("<f4", "(1, 2)", {0.31f, 3000}));
    const auto value = [&](const char* type, const char* at) {
        return rows_of(
            printed({"sample", image, "--method", "nearest", "--texels", type, "--at", write("p.csv", at)}))[0][2];
    };
    EXPECT_FLOAT_EQ(float(value("stored", "0 0")), 0.31f);
    EXPECT_FLOAT_EQ(float(value("f32", "1 0")), 3000);
    EXPECT_FLOAT_EQ(float(value("u8", "0 0")), 79 / 255.0f);
    EXPECT_FLOAT_EQ(float(value("u16", "0 0")), 20316 / 65535.0f);
    EXPECT_FLOAT_EQ(float(value("u8", "1 0")), 1);
    EXPECT_FLOAT_EQ(float(value("f16", "0 0")), 0.31005859375f);
}

// More points than are computed in one step.
TEST_F(Sample, ManyPointsComeOutInTheirOrder) {
    const std::string signal = write("signal.npy", array<float>("<f4", "(3,)", {0, 1, 2}));
    std::vector<double> x(600000);
    for (size_t k = 0; k < x.size(); ++k) x[k] = 2.0 * double(k) / double(x.size());
    printed({"sample", signal, "--at", write("x.npy", array<double>("<f8", "(600000,)", x)), "-o", path("values.npy"),
             "--method", "bilinear"});
    const auto [shape, values] = floats_of(content("values.npy"));
    ASSERT_EQ(values.size(), x.size());
    double worst = 0;
    for (size_t k = 0; k < x.size(); ++k) worst = std::max(worst, std::abs(values[k] - x[k]));
    EXPECT_LE(worst, 2 * tolerance::exact_path);
}

}  // namespace
}  // namespace texelscope::test
