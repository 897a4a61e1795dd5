// Arrays of numbers through the commands: their type, their shape, and all digits where nothing is computed.

#include <cstring>

#include <gmock/gmock.h>

#include "app/files/codecs/npy_header.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

constexpr int64_t beyond_float = (int64_t(1) << 24) + 1;

class NumberTypesOf : public Program {
protected:
    template <class T>
    std::string array(const std::string& name, const std::string& descr, const std::string& shape,
                      const std::vector<T>& values) const {
        const std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return write(name, npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", bytes));
    }
    std::string dtype_and_shape(const std::string& name) const {
        const std::string bytes = content(name);
        const NpyHeader header = parse_npy_header(span_of(bytes));
        std::string text = header.descr;
        for (const uint64_t side : header.shape) text += " " + std::to_string(side);
        return text;
    }
    template <class T> std::vector<T> values(const std::string& name) const {
        const std::string bytes = content(name);
        const size_t at = parse_npy_header(span_of(bytes)).data_at;
        std::vector<T> values((bytes.size() - at) / sizeof(T));
        std::memcpy(values.data(), bytes.data() + at, values.size() * sizeof(T));
        return values;
    }
};

TEST_F(NumberTypesOf, AnArrayKeepsItsNumberOfDimensions) {
    const std::vector<float> six = {1, 2, 3, 4, 5, 6};
    const std::pair<const char*, const char*> shapes[] = {
        {"(6,)", "<f4 6"}, {"(2, 3)", "<f4 2 3"}, {"(2, 3, 1)", "<f4 2 3 1"}, {"(1, 2, 3)", "<f4 1 2 3"}};
    for (const auto& [shape, expected] : shapes) {
        const std::string in = array("in.npy", "<f4", shape, six);
        printed({"resize", in, "-o", path("same.npy"), "--factor", "1", "--method", "nearest"});
        EXPECT_EQ(dtype_and_shape("same.npy"), expected);
        EXPECT_EQ(values<float>("same.npy"), six);
    }
    printed({"render", array("in.npy", "<f4", "(2, 3)", six), "-o", path("view.npy"), "--size", "5x4"});
    EXPECT_EQ(dtype_and_shape("view.npy"), "<f4 4 5");
    printed({"render", array("in.npy", "<f4", "(2, 3)", six), "-o", path("slope.npy"), "--derivative", "x"});
    EXPECT_EQ(dtype_and_shape("slope.npy"), "<f4 2 3");
    printed({"resize", "@step:8", "-o", path("image.npy"), "--factor", "1"});
    EXPECT_EQ(dtype_and_shape("image.npy"), "<f4 8 8 1") << "a picture has an axis of channels";
}

TEST_F(NumberTypesOf, EveryTypeIsWrittenIfItIsAskedFor) {
    const std::string in = array<double>("in.npy", "<f8", "(1, 4)", {-1.6, 0.4, 0.6, 300});
    const auto written = [&](const char* depth) {
        printed({"resize", in, "-o", path("out.npy"), "--factor", "1", "--method", "nearest", "--depth", depth});
        return dtype_and_shape("out.npy");
    };
    EXPECT_EQ(written("u8"), "|u1 1 4");
    EXPECT_EQ(values<uint8_t>("out.npy"), (std::vector<uint8_t>{0, 102, 153, 255})) << "0 to 1";
    EXPECT_EQ(written("u16"), "<u2 1 4");
    EXPECT_EQ(values<uint16_t>("out.npy"), (std::vector<uint16_t>{0, 26214, 39321, 65535}));
    EXPECT_EQ(written("i8"), "|i1 1 4");
    EXPECT_EQ(values<int8_t>("out.npy"), (std::vector<int8_t>{-2, 0, 1, 127}));
    EXPECT_EQ(written("i16"), "<i2 1 4");
    EXPECT_EQ(values<int16_t>("out.npy"), (std::vector<int16_t>{-2, 0, 1, 300}));
    EXPECT_EQ(written("i32"), "<i4 1 4");
    EXPECT_EQ(values<int32_t>("out.npy"), (std::vector<int32_t>{-2, 0, 1, 300}));
    EXPECT_EQ(written("u32"), "<u4 1 4");
    EXPECT_EQ(values<uint32_t>("out.npy"), (std::vector<uint32_t>{0, 0, 1, 300}));
    EXPECT_EQ(written("i64"), "<i8 1 4");
    EXPECT_EQ(values<int64_t>("out.npy"), (std::vector<int64_t>{-2, 0, 1, 300}));
    EXPECT_EQ(written("u64"), "<u8 1 4");
    EXPECT_EQ(values<uint64_t>("out.npy"), (std::vector<uint64_t>{0, 0, 1, 300}));
    EXPECT_EQ(written("f16"), "<f2 1 4");
    EXPECT_EQ(written("f32"), "<f4 1 4");
    EXPECT_EQ(written("f64"), "<f8 1 4");
    EXPECT_EQ(values<double>("out.npy"), (std::vector<double>{-1.6, 0.4, 0.6, 300})) << "not rounded to float";
}

TEST_F(NumberTypesOf, WithoutADepthArraysAreFloats) {
    for (const auto& [descr, bytes] : {std::pair{"|u1", 1}, {"<u2", 2}, {"<i4", 4}, {"<f8", 8}, {"<f2", 2}}) {
        const std::string in = array("in.npy", descr, "(2, 2)", std::vector<uint8_t>(size_t(4 * bytes)));
        printed({"resize", in, "-o", path("out.npy"), "--factor", "2"});
        EXPECT_EQ(dtype_and_shape("out.npy"), "<f4 4 4") << descr;
    }
}

TEST_F(NumberTypesOf, NearestKeepsLabelsBeyondFloat) {
    const std::string in = array<int64_t>("in.npy", "<i8", "(1, 3)", {beyond_float, INT64_MIN, INT64_MAX});
    printed({"resize", in, "-o", path("out.npy"), "--size", "6x1", "--method", "nearest", "--depth", "i64"});
    EXPECT_EQ(values<int64_t>("out.npy"),
              (std::vector<int64_t>{beyond_float, beyond_float, INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX}));
    printed({"render", in, "-o", path("out.npy"), "--method", "nearest", "--depth", "u64"});
    EXPECT_EQ(values<uint64_t>("out.npy"), (std::vector<uint64_t>{uint64_t(beyond_float), 0, uint64_t(INT64_MAX)}));
    printed({"warp", in, "--map", "@swirl:0", "-o", path("out.npy"), "--method", "nearest", "--depth", "i64"});
    EXPECT_EQ(values<int64_t>("out.npy"), (std::vector<int64_t>{beyond_float, INT64_MIN, INT64_MAX}));
    printed({"resize", in, "-o", path("out.npy"), "--factor", "1", "--method", "bilinear", "--depth", "i64"});
    EXPECT_EQ(values<int64_t>("out.npy").front(), beyond_float - 1) << "computed as float32";
}

TEST_F(NumberTypesOf, SamplesAreWrittenWithAllDigits) {
    const std::string in = array<uint64_t>("in.npy", "<u8", "(1, 2)", {UINT64_MAX, 7});
    const std::string at = write("at.csv", "0,0\n0.8,0\n5,0\n");
    EXPECT_EQ(printed({"sample", in, "--at", at, "--method", "nearest", "--outside", "nan"}),
              "0,0,18446744073709551615\n0.8,0,7\n5,0,nan\n");
    printed({"sample", in, "--at", at, "--method", "nearest", "-o", path("values.npy"), "--depth", "u64"});
    EXPECT_EQ(dtype_and_shape("values.npy"), "<u8 3");
    EXPECT_EQ(values<uint64_t>("values.npy"), (std::vector<uint64_t>{UINT64_MAX, 7, 7}));
    printed({"sample", in, "--at", at, "--method", "nearest", "-o", path("values.npy")});
    EXPECT_EQ(dtype_and_shape("values.npy"), "<f4 3");
    expect_error(2, {"sample", in, "--at", at, "--depth", "u64"}, {"--depth", ".npy"});
}

TEST_F(NumberTypesOf, InfoSaysWhatIsComputed) {
    const auto said = [&](const std::string& descr, size_t bytes) {
        return printed({"info", array("in.npy", descr, "(2, 2)", std::vector<uint8_t>(4 * bytes))});
    };
    EXPECT_THAT(said("<i2", 2), HasSubstr("signed 16-bit integers, kept as numbers\n"));
    EXPECT_THAT(
        said("<u4", 4),
        HasSubstr("unsigned 32-bit integers, kept as numbers; computed as 32-bit floats, exact up to 16777216"));
    EXPECT_THAT(said("<f8", 8), HasSubstr("64-bit floats; computed as 32-bit floats"));
    EXPECT_THAT(said("<u2", 2), HasSubstr("16-bit integers\n"));
}

TEST_F(NumberTypesOf, OtherFormatsSayWhatTheyHold) {
    const std::string in = array<int32_t>("in.npy", "<i4", "(1, 2)", {-5, 2});
    expect_error(2, {"resize", in, "-o", path("out.png"), "--factor", "1", "--depth", "i32"},
                 {"PNG", "i32", "u8, u16"});
    printed({"resize", in, "-o", path("out.pgm"), "--factor", "1"});
    EXPECT_EQ(content("out.pgm").substr(content("out.pgm").size() - 2), std::string("\0\xff", 2));
}

}  // namespace
}  // namespace texelscope::test
