#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "app/files/codecs/npy_numbers.h"
#include "app/files/tables/points_file.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using Doubles = std::vector<double>;
using Shape = std::vector<uint64_t>;
using namespace std::string_literals;

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }";
}
NumberArray numbers(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false) {
    return parse_npy_numbers(span_of(npy(header(descr, shape, fortran), data)));
}
PointList parsed_points(const std::string& text) {
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return parse_points(std::move(bytes));
}

TEST(NpyNumbers, EveryRealDtypeInBothByteOrders) {
    EXPECT_EQ(numbers("|i1", "(2,)", "\xff\x05"s).values, (Doubles{-1, 5}));
    EXPECT_EQ(numbers("|u1", "(2,)", "\xff\x05"s).values, (Doubles{255, 5}));
    EXPECT_EQ(numbers("<i2", "(1,)", "\xfe\xff"s).values, Doubles{-2});
    EXPECT_EQ(numbers(">u2", "(1,)", "\x01\x02"s).values, Doubles{258});
    EXPECT_EQ(numbers("<i4", "(1,)", little32(0xfffffffdu)).values, Doubles{-3});
    EXPECT_EQ(numbers(">u4", "(1,)", big32(0xfffffffdu)).values, Doubles{4294967293.0});
    EXPECT_EQ(numbers("<i8", "(1,)", little32(7) + little32(0)).values, Doubles{7});
    EXPECT_EQ(numbers(">i8", "(1,)", big32(~0u) + big32(~0u)).values, Doubles{-1});
    EXPECT_EQ(numbers("<u8", "(1,)", little32(0) + little32(1)).values, Doubles{4294967296.0});
    EXPECT_EQ(numbers("<f2", "(1,)", "\x00\xc0"s).values, Doubles{-2});
    EXPECT_EQ(numbers(">f4", "(1,)", big32(std::bit_cast<uint32_t>(0.5f))).values, Doubles{0.5});
    const auto bits = std::bit_cast<uint64_t>(0.1);
    EXPECT_EQ(numbers(">f8", "(1,)", big32(uint32_t(bits >> 32)) + big32(uint32_t(bits))).values, Doubles{0.1});
    EXPECT_TRUE(numbers("<f4", "(1,)", little32(0)).single);
    EXPECT_FALSE(numbers("<f8", "(1,)", little32(0) + little32(0)).single);
}

TEST(NpyNumbers, FortranOrderComesOutInCOrder) {
    // a[i][j][k] = 100i + 10j + k of shape (2, 3, 4), first index fastest
    std::string data;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 2; ++i) data += char(100 * i + 10 * j + k);
    Doubles expected;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 4; ++k) expected.push_back(100 * i + 10 * j + k);
    EXPECT_EQ(numbers("|u1", "(2, 3, 4)", data, true).values, expected);
}

TEST(NpyNumbers, WhatIsWrongIsSaid) {
    const auto complaint = [](const std::string& descr, const std::string& shape, const std::string& data) {
        return error_of([&] { numbers(descr, shape, data); });
    };
    for (const char* descr : {"<c8", "|b1", "<U4", "|O", "<f16"})
        EXPECT_NE(complaint(descr, "(1,)", std::string(16, 'x')).find("does not hold coordinates"), std::string::npos)
            << descr;
    EXPECT_NE(complaint("<f4", "(3,)", "abcdefgh").find("truncated"), std::string::npos);
    EXPECT_NE(complaint("<f4", "(5, 0)", "").find("empty"), std::string::npos);
    // A single number that is missing
    EXPECT_NE(complaint("<f8", "()", "").find("truncated"), std::string::npos);
    EXPECT_NE(complaint("<f8", "()", "1234567").find("truncated"), std::string::npos);
    // Products that overflow 64 bits
    EXPECT_NE(complaint("|u1", "(4294967295, 4294967295, 4294967295)", "abc").find("truncated"), std::string::npos);
}

TEST(Points, ArraysKeepTheirShape) {
    const PointList line = parsed_points(npy(header("|u1", "(3,)"), "\1\2\3"));
    EXPECT_EQ(line.dimensions, 1);
    EXPECT_EQ(line.shape, Shape{3});
    const PointList grid = parsed_points(npy(header("|u1", "(1, 2, 2)"), "\1\2\3\4"));
    EXPECT_EQ(grid.dimensions, 2);
    EXPECT_EQ(grid.shape, (Shape{1, 2}));
    EXPECT_EQ(grid.count(), 2u);
    EXPECT_EQ(grid.coordinates, (Doubles{1, 2, 3, 4}));
    for (const char* shape : {"(2, 3)", "(6, 1)", "()"})
        EXPECT_NE(error_of([&] { parsed_points(npy(header("|u1", shape), "123456")); }).find("shape ("),
                  std::string::npos)
            << shape;
}

TEST(Points, AreRepeatedAsTheyWereGiven) {
    const auto text_of_point = [](const PointList& points, size_t k) {
        std::string text;
        append_point(points, k, text);
        return text;
    };
    const PointList table = parsed_points("+1.0 ;2e0\n-0,nan\n");
    EXPECT_EQ(text_of_point(table, 0), "+1.0,2e0");
    EXPECT_EQ(text_of_point(table, 1), "-0,nan");
    // The shortest text that reads back as the same number of the same type
    const PointList single = parsed_points(npy(header("<f4", "(1,)"), little32(std::bit_cast<uint32_t>(0.1f))));
    EXPECT_EQ(text_of_point(single, 0), "0.1");
    EXPECT_EQ(text_of_point(PointList{1, {double(0.1f)}, {1}, false, false, {}, {}}, 0), "0.10000000149011612");
    EXPECT_EQ(text_of_point(PointList{1, {-std::nan("")}, {1}, false, false, {}, {}}, 0), "nan");
    const PointList copy = table;  // keeps the text alive
    EXPECT_EQ(text_of_point(copy, 0), "+1.0,2e0");
}

TEST(Points, TwoFilesAreZipped) {
    const Folder folder;
    const auto x = folder.write("x.csv", "x\n1\n2\n"), y = folder.write("y.csv", "y\n3\n4\n");
    const PointList points = read_points(x, y);
    EXPECT_EQ(points.dimensions, 2);
    EXPECT_EQ(points.coordinates, (Doubles{1, 3, 2, 4}));
    EXPECT_TRUE(points.header);
    const auto a = folder.write("a.npy", npy(header("|u1", "(2, 1)"), "\1\2"));
    EXPECT_EQ(read_points(a, a).shape, (Shape{2, 1}));
    EXPECT_NE(error_of([&] { read_points(a, x); }).find("must agree"), std::string::npos);
    const auto scalar = folder.write("scalar.npy", npy(header("|u1", "()"), "\1"));
    EXPECT_NE(error_of([&] { read_points(scalar, scalar); }).find("scalar.npy: the array has shape ()"),
              std::string::npos);
    EXPECT_NE(error_of([&] { read_points(folder.write("p.csv", "1 2\n"), x); }).find("p.csv: line 1 has 2 columns"),
              std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
