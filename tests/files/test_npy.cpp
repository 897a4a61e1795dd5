#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/files/codecs/npy.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using F32 = std::vector<float>;

Image parsed_npy(const std::string& text) { return parse_npy(span_of(text)); }
std::string npy_complaint(const std::string& text) {
    return refusal([&] { parsed_npy(text); });
}

std::string npy_header(const std::string& descr, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }";
}

std::string little_floats(const F32& values) {
    std::string text;
    for (const float v : values) text += little32(std::bit_cast<uint32_t>(v));
    return text;
}
std::string big_floats(const F32& values) {
    std::string text;
    for (const float v : values) text += big32(std::bit_cast<uint32_t>(v));
    return text;
}
std::string big_doubles(const std::vector<double>& values) {
    std::string text;
    for (const double v : values) {
        const auto bits = std::bit_cast<uint64_t>(v);
        text += big32(uint32_t(bits >> 32)) + big32(uint32_t(bits));
    }
    return text;
}
std::string reversed(std::string text) { return {text.rbegin(), text.rend()}; }

void expect_shape(const Image& image, int width, int height, int channels, SampleType type) {
    EXPECT_EQ(image.width(), width);
    EXPECT_EQ(image.height(), height);
    EXPECT_EQ(image.channels(), channels);
    EXPECT_EQ(image.type(), type);
    EXPECT_EQ(image.alpha(), Alpha::none);
}

TEST(Npy, ShapesOfOneTwoAndThreeDimensions) {
    const F32 values = {1, 2, 3, 4, 5, 6};
    const Image signal = parsed_npy(npy(npy_header("<f4", "(6,)"), little_floats(values)));
    expect_shape(signal, 6, 1, 1, SampleType::f32);
    EXPECT_EQ(samples<float>(signal), values);
    EXPECT_TRUE(signal.one_dimensional());
    EXPECT_TRUE(parsed_npy(npy(npy_header("<c8", "(3,)"), little_floats(values))).one_dimensional());
    EXPECT_FALSE(parsed_npy(npy(npy_header("<f4", "(1, 6)"), little_floats(values))).one_dimensional());
    expect_shape(parsed_npy(npy(npy_header("<f4", "(2, 3)"), little_floats(values))), 3, 2, 1, SampleType::f32);
    for (int c = 1; c <= 4; ++c) {
        const auto shape = "(1, 2, " + std::to_string(c) + ")";
        expect_shape(parsed_npy(npy(npy_header("|u1", shape), std::string(size_t(2 * c), 'x'))), 2, 1, c,
                     SampleType::u8);
    }
}

// An array of (C, H, W) = (2, 2, 3), in which the sample of channel c, row y and column x is 100 c + 10 y + x.
TEST(Npy, ChannelsMayComeFirst) {
    const F32 rows = {0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112};
    const F32 fortran = {0, 100, 10, 110, 1, 101, 11, 111, 2, 102, 12, 112};
    const F32 pixels = {0, 100, 1, 101, 2, 102, 10, 110, 11, 111, 12, 112};
    for (const bool order : {false, true}) {
        const std::string text = npy(npy_header("<f4", "(2, 2, 3)", order), little_floats(order ? fortran : rows));
        const Image image = parse_npy(span_of(text), true);
        expect_shape(image, 3, 2, 2, SampleType::f32);
        EXPECT_EQ(samples<float>(image), pixels);
        EXPECT_EQ(samples<float>(parse_npy(span_of(text), std::vector{1}, true)), (F32{100, 101, 102, 110, 111, 112}));
        EXPECT_EQ(count_npy_channels(span_of(text), true), 2);
        EXPECT_EQ(count_npy_channels(span_of(text)), 3);
        EXPECT_TRUE(has_npy_layouts(span_of(text)));
    }
    // A complex sample is two channels wherever its dimension is.
    const std::string complex = npy(npy_header("<c8", "(2, 1, 2)"), little_floats({1, 2, 3, 4, 5, 6, 7, 8}));
    const Image waves = parse_npy(span_of(complex), true);
    expect_shape(waves, 2, 1, 4, SampleType::f32);
    EXPECT_EQ(samples<float>(waves), (F32{1, 2, 5, 6, 3, 4, 7, 8}));
    const std::string flat = npy(npy_header("<f4", "(2, 3)"), little_floats({1, 2, 3, 4, 5, 6}));
    EXPECT_FALSE(has_npy_layouts(span_of(flat)));
    EXPECT_NE(refusal([&] { parse_npy(span_of(flat), true); }).find("three dimensions"), std::string::npos);
}

// As PyTorch has it: 1, 3 or 4 planes come first; a picture with few columns, or with another first axis, is no such array.
TEST(Npy, TheSidesTellWhereTheChannelsAre) {
    const Folder folder;
    const auto read = [&](int a, int b, int c, const std::string& choice = "") {
        const std::string shape = fmt::format("({}, {}, {})", a, b, c);
        const std::string path =
            folder.write("sides.npy", npy(npy_header("|u1", shape), std::string(size_t(a * b * c), 'x'))).string();
        const Image image = load_image(path + choice);
        return std::array{image.width(), image.height(), image.channels()};
    };
    for (const int planes : {1, 3, 4}) EXPECT_EQ(read(planes, 20, 24), (std::array{24, 20, planes}));
    EXPECT_EQ(read(3, 20, 17), (std::array{17, 20, 3}));
    EXPECT_EQ(read(3, 20, 16)[1], 3) << "3 rows of 20 pixels with 16 channels";
    EXPECT_EQ(read(2, 20, 24)[1], 2);
    EXPECT_EQ(read(20, 24, 3), (std::array{24, 20, 3}));
    EXPECT_EQ(read(3, 20, 24, "#layout=hwc")[1], 3);
    EXPECT_EQ(read(20, 24, 3, "#layout=chw"), (std::array{3, 24, 4})) << "the first four of 20 channels";
}

// (N, C, H, W) = (2, 3, 1, 20): picture n, channel c, column x hold 100 n + 30 c + x. Axes of one before them change nothing.
TEST(Npy, AnArrayOfMoreAxesHoldsPictures) {
    std::string values;
    for (const int n : {0, 1})
        for (const int c : {0, 1, 2})
            for (int x = 0; x < 20; ++x) values += char(100 * n + 30 * c + x);
    const Folder folder;
    for (const char* shape : {"(2, 3, 1, 20)", "(1, 2, 3, 1, 20)", "(2, 1, 3, 1, 20)"}) {
        const std::string path = folder.write("batch.npy", npy(npy_header("|u1", shape), values)).string();
        Reading reading;
        reading.choice.part = "2";
        const PictureFacts facts = read_facts(path, reading);
        EXPECT_EQ(facts.parts.size(), 2u) << shape;
        EXPECT_EQ(facts.part, 1);
        EXPECT_EQ(facts.layout, PictureFacts::Layout::channels_first);
        for (const int n : {0, 1}) {
            const Image picture = load_image(fmt::format("{}#part={}", path, n + 1));
            expect_shape(picture, 20, 1, 3, SampleType::u8);
            for (int c = 0; c < 3; ++c) EXPECT_EQ(picture.row_as<uint8_t>(0)[3 * 7 + c], 100 * n + 30 * c + 7);
        }
        EXPECT_NE(refusal([&] { load_image(path + "#part=3"); }).find("parts are 1 to 2"), std::string::npos);
        const std::string less = folder.write("less.npy", npy(npy_header("|u1", shape), values.substr(0, 50))).string();
        EXPECT_NE(refusal([&] { load_image(less + "#part=2"); }).find("ends before"), std::string::npos);
    }
    const std::string fortran = npy(npy_header("|u1", "(2, 3, 1, 20)", true), values);
    EXPECT_NE(refusal([&] { parse_npy(span_of(fortran)); }).find("Fortran"), std::string::npos);
    // One picture has one order of its axes whatever stands before them.
    const std::string one = npy(npy_header("|u1", "(1, 2, 3)", true), "abcdef");
    const std::string more = npy(npy_header("|u1", "(1, 1, 2, 3)", true), "abcdef");
    EXPECT_EQ(samples<uint8_t>(parse_npy(span_of(more))), samples<uint8_t>(parse_npy(span_of(one))));
    for (const char* shape : {"(0, 2, 2, 1)", "(4294967295, 4294967295, 4294967295, 4294967295, 1, 1, 1)"})
        EXPECT_FALSE(refusal([&] { count_npy_pictures(span_of(npy(npy_header("|u1", shape), "x"))); }).empty())
            << shape;
}

TEST(Npy, EveryDtypeInBothByteOrders) {
    const F32 values = {0.25f, -1.5f, std::numeric_limits<float>::infinity()};
    EXPECT_EQ(samples<float>(parsed_npy(npy(npy_header("<f4", "(3,)"), little_floats(values)))), values);
    EXPECT_EQ(samples<float>(parsed_npy(npy(npy_header(">f4", "(3,)"), big_floats(values)))), values);

    const std::vector<double> doubles = {0.1, 1e-300, -2.0};
    EXPECT_EQ(samples<double>(parsed_npy(npy(npy_header(">f8", "(3,)"), big_doubles(doubles)))), doubles);
    EXPECT_EQ(samples<double>(parsed_npy(npy(npy_header("<f8", "(3,)"), reversed(big_doubles({-2.0, 1e-300, 0.1}))))),
              doubles);

    EXPECT_EQ(samples<uint8_t>(parsed_npy(npy(npy_header("|u1", "(2,)"), "\x07\xff"s))),
              (std::vector<uint8_t>{7, 255}));
    EXPECT_EQ(samples<uint8_t>(parsed_npy(npy(npy_header("|b1", "(3,)"), "\0\1\2"s))),
              (std::vector<uint8_t>{0, 255, 255}));
    EXPECT_EQ(samples<uint16_t>(parsed_npy(npy(npy_header("<u2", "(2,)"), "\x01\x02\xff\xfe"s))),
              (std::vector<uint16_t>{0x0201, 0xfeff}));
    EXPECT_EQ(samples<uint16_t>(parsed_npy(npy(npy_header(">u2", "(2,)"), "\x01\x02\xff\xfe"s))),
              (std::vector<uint16_t>{0x0102, 0xfffe}));
    const Image half = parsed_npy(npy(npy_header("<f2", "(2,)"), "\x00\x3c\x00\xc0"s));
    expect_shape(half, 2, 1, 1, SampleType::f16);
    EXPECT_EQ(half.value(0, 0, 0), 1.0f);
    EXPECT_EQ(half.value(1, 0, 0), -2.0f);
}

// The bytes 01 02 … of one number, in both orders; each type is one of C++.
TEST(Npy, IntegersOfAnySizeAreTheNumbersThatTheyAre) {
    const auto values = [](const std::string& descr, const std::string& bytes, SampleType type) {
        const Image image = parsed_npy(npy(npy_header(descr, "(1, 1)"), bytes));
        EXPECT_EQ(image.type(), type) << descr;
        return text_of(image.number(0, 0, 0));
    };
    EXPECT_EQ(values("|i1", "\xfe", SampleType::i8), "-2");
    EXPECT_EQ(values("<i2", "\xfe\xff", SampleType::i16), "-2");
    EXPECT_EQ(values(">i2", "\x01\x02", SampleType::i16), "258");
    EXPECT_EQ(values("<i4", "\x01\0\0\x80"s, SampleType::i32), "-2147483647");
    EXPECT_EQ(values(">i4", "\x01\0\0\x01"s, SampleType::i32), "16777217");
    EXPECT_EQ(values("<u4", "\x01\0\0\x80"s, SampleType::u32), "2147483649");
    EXPECT_EQ(values(">u4", "\xff\xff\xff\xff", SampleType::u32), "4294967295");
    EXPECT_EQ(values("<i8", "\x01\0\0\0\0\0\0\x80"s, SampleType::i64), "-9223372036854775807");
    EXPECT_EQ(values(">i8", "\0\0\0\0\0\0\x01\x01"s, SampleType::i64), "257");
    EXPECT_EQ(values("<u8", std::string(8, '\xff'), SampleType::u64), "18446744073709551615");
    EXPECT_EQ(values(">u8", "\x80\0\0\0\0\0\0\x01"s, SampleType::u64), "9223372036854775809");
}

// a[y][x][c] = 10y + x + 3c, as every integer type in both orders of bytes and of axes.
TEST(Npy, EveryIntegerTypeInEveryLayout) {
    for (const char* code : {"i1", "i2", "i4", "i8", "u4", "u8"})
        for (const bool big : {false, true})
            for (const bool fortran : {false, true}) {
                const size_t bytes = size_t(code[1] - '0');
                std::string data;
                const auto append = [&](int value) {
                    std::string number(bytes, '\0');
                    number[0] = char(value);
                    data += big ? reversed(number) : number;
                };
                for (int k = 0; k < 12; ++k)
                    append(fortran ? 10 * (k % 2) + k / 2 % 3 + 3 * (k / 6) : 10 * (k / 6) + k / 2 % 3 + 3 * (k % 2));
                const std::string descr = std::string(bytes == 1 ? "|" : big ? ">" : "<") + code;
                const Image image = parsed_npy(npy(npy_header(descr, "(2, 3, 2)", fortran), data));
                for (int y = 0; y < 2; ++y)
                    for (int x = 0; x < 3; ++x)
                        for (int c = 0; c < 2; ++c)
                            EXPECT_EQ(image.value(x, y, c), float(10 * y + x + 3 * c)) << descr << fortran;
            }
}

TEST(Npy, NanKeepsItsBits) {
    const Image image = parsed_npy(npy(npy_header(">f4", "(1,)"), "\x7f\xc0\x12\x34"s));
    EXPECT_EQ(samples<uint32_t>(image)[0], 0x7fc01234u);
    EXPECT_TRUE(std::isnan(parsed_npy(npy(npy_header("<f8", "(1,)"), "\0\0\0\0\0\0\xf8\x7f"s)).value(0, 0, 0)));
}

TEST(Npy, ComplexIsTwoChannels) {
    const F32 parts = {1, -1, 2, -2};
    const Image little = parsed_npy(npy(npy_header("<c8", "(1, 2)"), little_floats(parts)));
    expect_shape(little, 2, 1, 2, SampleType::f32);
    EXPECT_EQ(samples<float>(little), parts);
    EXPECT_EQ(samples<float>(parsed_npy(npy(npy_header(">c8", "(2, 1)"), big_floats(parts)))), parts);
    expect_shape(parsed_npy(npy(npy_header("<c8", "(2,)"), little_floats(parts))), 2, 1, 2, SampleType::f32);
    EXPECT_EQ(samples<double>(parsed_npy(npy(npy_header(">c16", "(2,)"), big_doubles({1, -1, 2, 1e300})))),
              (std::vector<double>{1, -1, 2, 1e300}));
}

TEST(Npy, FortranOrderGivesTheSameImage) {
    // a[y][x][c] = 100y + 10x + c, laid out with y fastest
    F32 data, expected;
    for (int c = 0; c < 2; ++c)
        for (int x = 0; x < 3; ++x)
            for (int y = 0; y < 2; ++y) data.push_back(float(100 * y + 10 * x + c));
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x)
            for (int c = 0; c < 2; ++c) expected.push_back(float(100 * y + 10 * x + c));
    const Image image = parsed_npy(npy(npy_header("<f4", "(2, 3, 2)", true), little_floats(data)));
    expect_shape(image, 3, 2, 2, SampleType::f32);
    EXPECT_EQ(samples<float>(image), expected);
    EXPECT_EQ(samples<float>(parsed_npy(npy(npy_header("<c8", "(2, 1)", true), little_floats({1, 2, 3, 4})))),
              (F32{1, 2, 3, 4}));
}

TEST(Npy, VersionsAndSpellingsOfTheHeader) {
    for (const char version : {'\1', '\2', '\3'})
        EXPECT_EQ(samples<uint8_t>(parsed_npy(npy(npy_header("|u1", "(1,)"), "x", version)))[0], 'x');
    EXPECT_EQ(samples<uint8_t>(parsed_npy(npy("{\"shape\":(1L,1),\"fortran_order\":True,\"descr\":\"u1\"}", "x")))[0],
              'x');
    EXPECT_NE(npy_complaint(npy(npy_header("|u1", "(1,)"), "x", 4)).find("version"), std::string::npos);
}

TEST(Npy, WhatIsWrongIsSaid) {
    EXPECT_NE(npy_complaint(npy(npy_header("<M8", "(1,)"), "abcdefgh")).find("dtype '<M8' is not supported"),
              std::string::npos);
    EXPECT_NE(
        npy_complaint(npy("{'descr': [('r', '|u1')], 'fortran_order': False, 'shape': (1,), }", "x")).find("fields"),
        std::string::npos);
    EXPECT_NE(npy_complaint(npy(npy_header("|u1", "()"), "x")).find("single number"), std::string::npos);
    EXPECT_NE(npy_complaint(npy(npy_header("|u1", "(1, 1, 5)"), "abcde")).find("5 channels"), std::string::npos);
    EXPECT_NE(npy_complaint(npy(npy_header("<c8", "(1, 1, 3)"), std::string(24, 'x'))).find("6 channels"),
              std::string::npos);
    EXPECT_NE(npy_complaint(npy(npy_header("|u1", "(0, 5)"), "")).find("5×0"), std::string::npos);
    EXPECT_NE(npy_complaint(npy(npy_header("<f4", "(2, 2)"), "abcd")).find("truncated"), std::string::npos);
    for (const char* dictionary : {"", "{", "{}", "{'descr': '<f4'}", "{'descr': <f4, }", "nonsense",
                                   "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,), }",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (1"})
        EXPECT_NE(npy_complaint(npy(dictionary, "abcd")).find("header"), std::string::npos) << dictionary;
    EXPECT_NE(npy_complaint(npy(npy_header("", "(1,)"), "x")), "");
}

TEST(Npy, HugeClaimsAreRefused) {
    EXPECT_NE(npy_complaint(npy(npy_header("|u1", "(40000, 50000)"), "abc")).find("50000×40000"), std::string::npos);
    EXPECT_NE(npy_complaint(npy(npy_header("<f8", "(99999999999999999999999, 4)"), "abc")), "");
    EXPECT_NE(npy_complaint(npy(npy_header("<f8", "(16777216, 16777216, 4)"), "abc")), "");
    EXPECT_NE(npy_complaint(std::string("\x93NUMPY\x02\0\xff\xff\xff\xff{'descr'", 20)).find("truncated"),
              std::string::npos);
}

TEST(Npy, EncodedBytesAreThoseOfNumpy) {
    // numpy.save of numpy.array([[[1.0], [2.0]]], dtype='<f4')
    Image image(2, 1, 1, SampleType::f32);
    image.row_as<float>(0)[0] = 1.0f;
    image.row_as<float>(0)[1] = 2.0f;
    std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 1), }";
    const std::string expected = "\x93NUMPY\x01\0\x76\0"s + dictionary + std::string(118 - 1 - dictionary.size(), ' ') +
                                 "\n\0\0\x80\x3f\0\0\0\x40"s;
    EXPECT_EQ(text_of(encoded(encode_npy, image)), expected);
}

// The npy_header that NumPy writes for each dtype, and the shape that the array had.
TEST(Npy, TypesAndDimensionsAreWrittenAsTheyWere) {
    const std::pair<const char*, SampleType> types[] = {
        {"|u1", SampleType::u8},  {"<u2", SampleType::u16}, {"<f2", SampleType::f16}, {"<f4", SampleType::f32},
        {"|i1", SampleType::i8},  {"<i2", SampleType::i16}, {"<i4", SampleType::i32}, {"<u4", SampleType::u32},
        {"<i8", SampleType::i64}, {"<u8", SampleType::u64}, {"<f8", SampleType::f64}};
    for (const auto& [descr, type] : types)
        for (const char* shape : {"(6,)", "(2, 3)", "(2, 3, 1)", "(1, 2, 3)"}) {
            const std::string file =
                npy(npy_header(descr, shape), std::string("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL")
                                                  .substr(0, size_t(6 * bytes_per_sample(type))));
            const Image image = parsed_npy(file);
            EXPECT_EQ(image.type(), type);
            const Image again = parsed_npy(std::string(text_of(encoded(encode_npy, image))));
            EXPECT_EQ(again.dimensions(), image.dimensions()) << shape;
            EXPECT_EQ(samples<std::byte>(again), samples<std::byte>(image));
            EXPECT_NE(text_of(encoded(encode_npy, image)).find(npy_header(descr, shape)), std::string::npos) << shape;
        }
}

// As in a file: through read_image, which chooses.
TEST(Npy, MoreThanFourChannelsAreChosen) {
    const Folder folder;
    const auto c_order = folder.write("c.npy", npy(npy_header("|u1", "(1, 2, 6)"), "abcdefABCDEF"));
    const auto fortran =
        folder.write("f.npy", npy("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2, 6), }", "aAbBcCdDeEfF"));
    const auto complex = folder.write(
        "z.npy", npy(npy_header("<c8", "(1, 1, 3)"), std::string(20, '\0') + std::string("\0\0\x80\x3f", 4)));
    Reading reading;
    reading.choice.channels = {"6", "2"};
    for (const auto& path : {c_order, fortran}) {
        EXPECT_EQ(samples<uint8_t>(read_image(path, reading)), (std::vector<uint8_t>{'f', 'b', 'F', 'B'}));
        EXPECT_EQ(read_image(path).channels(), 4);
        EXPECT_EQ(read_facts(path, reading).parts.at(0).channels.size(), 6u);
    }
    reading.choice.channels = {"6"};
    EXPECT_EQ(samples<float>(read_image(complex, reading)), std::vector<float>{1});
}

}  // namespace
}  // namespace texelscope::test
