// Numbers as text: tables, points, signals.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "app/files/codecs/npy.h"
#include "app/files/tables/tables.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using Doubles = std::vector<double>;

std::string table_complaint(std::string_view text, int most = 3) {
    return refusal([&] { parse_number_table(text, most); });
}

TEST(NumberTable, EverySeparatorAndLineEnd) {
    for (const char* text : {"1,2\n3,4\n", "1;2\n3;4", "1\t2\r\n3\t4\r\n", "1 2\r3 4\r", "  1 ,  2  \n\n\t3 ;\t4\n",
                             "1, 2 # c\n#\n3  4\n"}) {
        const NumberTable table = parse_number_table(text, 2);
        EXPECT_EQ(table.columns, 2) << text;
        EXPECT_EQ(table.values, (Doubles{1, 2, 3, 4})) << text;
        EXPECT_FALSE(table.header);
    }
}

TEST(NumberTable, LinesAreCountedAsAnEditorCountsThem) {
    EXPECT_EQ(parse_number_table("# c\r\n\r\n1\r\n2\r\n", 1).lines, (std::vector<uint32_t>{3, 4}));
    EXPECT_EQ(parse_number_table("x\n\n1\n# c\n2", 1).lines, (std::vector<uint32_t>{3, 5}));
}

TEST(NumberTable, NumbersInEverySpelling) {
    const NumberTable table =
        parse_number_table("+1.5\n-2e-3\n.5\n5.\n1E+2\n1e999\n-1e999\n1e-999\ninf\n-Infinity\n+inf\n", 1);
    const double inf = HUGE_VAL;
    EXPECT_EQ(table.values, (Doubles{1.5, -0.002, 0.5, 5, 100, inf, -inf, 0, inf, -inf, inf}));
    EXPECT_EQ(table.words[0], "+1.5");
    for (const double value : parse_number_table("nan\nNaN\n-nan\n", 1).values) EXPECT_TRUE(std::isnan(value));
    EXPECT_EQ(parse_number_table("0.1\n", 1).values[0], 0.1);  // to the last bit
}

TEST(NumberTable, AHeaderIsAFirstLineWithoutNumbers) {
    for (const char* text : {"x,y\n1,2\n", "\xef\xbb\xbf\"x\";\"y\"\n1;2\n", "# c\nx [m] y [m]\n1 2\n"}) {
        const NumberTable table = parse_number_table(text, 2);
        EXPECT_TRUE(table.header) << text;
        EXPECT_EQ(table.values, (Doubles{1, 2})) << text;
    }
    EXPECT_FALSE(parse_number_table("nan\n1\n", 1).header);
    EXPECT_NE(table_complaint("x,1\n1,2\n").find("line 1: 'x' is not a number"), std::string::npos);
    EXPECT_NE(table_complaint("x\ny\n1\n").find("line 2: 'y' is not a number"), std::string::npos);
}

// Numbers in the quotes of RFC 4180, as spreadsheets write them.
TEST(NumberTable, NumbersInQuotesAreNumbers) {
    for (const char* text : {"\"1\",\"2\"", "\"1\";2\n", "\"1\"\t\"2\"\r\n", "x,\"y, in m\"\n1,\"2\"\n"}) {
        const NumberTable table = parse_number_table(text, 2);
        EXPECT_EQ(table.values, (Doubles{1, 2})) << text;
        EXPECT_EQ(table.words[1], "2") << text;
        EXPECT_EQ(table.header, text[0] == 'x') << text;
    }
    EXPECT_NE(table_complaint("\"1,2\n").find("'\"1' is not a number"), std::string::npos);
    EXPECT_NE(table_complaint("1,2\n\"3\"4,5\n").find("is not a number"), std::string::npos);
}

TEST(NumberTable, WhatIsWrongIsSaid) {
    for (const char* text : {"", "\n\n", "# only\n", "x\n"})
        EXPECT_NE(table_complaint(text).find("no numbers"), std::string::npos) << text;
    EXPECT_NE(table_complaint("1 2 3 4\n").find("line 1 has 4 columns; at most 3"), std::string::npos);
    EXPECT_NE(table_complaint("1 2 3 4 5 6 7\n").find("7 columns"), std::string::npos);
    EXPECT_NE(table_complaint("1,2\n1,2,3\n").find("line 2 has 3 of the 2"), std::string::npos);
    for (const char* text : {"1,,2\n", ",1\n", "1,\n", "1;;\n"})
        EXPECT_NE(table_complaint(text).find("missing"), std::string::npos) << text;
    for (const char* text : {"1\n0x10\n", "1\n1e\n", "1\n--1\n", "1\n+-1\n", "1\n1.2.3\n", "1\n1f\n", "1\n\"1\n"})
        EXPECT_NE(table_complaint(text).find("line 2: '"), std::string::npos) << text;
    // A message is one line without control characters, whatever the file holds.
    const std::string binary = table_complaint(std::string("1\n\x1b[2J\x07 and so on and on and on and on", 30));
    for (const char c : binary) EXPECT_FALSE(c >= 0 && c < ' ') << binary;
}

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
        return refusal([&] { numbers(descr, shape, data); });
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
        EXPECT_NE(refusal([&] { parsed_points(npy(header("|u1", shape), "123456")); }).find("shape ("),
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
    EXPECT_NE(refusal([&] { read_points(a, x); }).find("must agree"), std::string::npos);
    const auto scalar = folder.write("scalar.npy", npy(header("|u1", "()"), "\1"));
    EXPECT_NE(refusal([&] { read_points(scalar, scalar); }).find("scalar.npy: the array has shape ()"),
              std::string::npos);
    EXPECT_NE(refusal([&] { read_points(folder.write("p.csv", "1 2\n"), x); }).find("p.csv: line 1 has 2 columns"),
              std::string::npos);
}

using F32 = std::vector<float>;

Signal parsed_signal(std::string_view text) { return parse_signal(span_of(text)); }

TEST(Signal, OneColumnIsValues) {
    const Signal signal = parsed_signal("v\n1\nnan\n-3.5\n");
    EXPECT_TRUE(signal.samples.one_dimensional());
    EXPECT_EQ(signal.samples.width(), 3);
    EXPECT_EQ(signal.samples.channels(), 1);
    EXPECT_EQ(signal.samples.value(2, 0, 0), -3.5f);
    EXPECT_EQ(signal.origin, 0);
    EXPECT_EQ(signal.spacing, 1);
}

TEST(Signal, TwoColumnsAreXAndValueThreeAreComplex) {
    const Signal real = parsed_signal("-1 10\n1.5 20\n4 30\n");
    EXPECT_EQ(real.origin, -1);
    EXPECT_EQ(real.spacing, 2.5);
    EXPECT_EQ(samples<float>(real.samples), (F32{10, 20, 30}));
    const Signal complex = parsed_signal("0,1,-1\n1,2,-2\n");
    EXPECT_EQ(complex.samples.channels(), 2);
    EXPECT_EQ(complex.samples.alpha(), Alpha::none);
    EXPECT_EQ(samples<float>(complex.samples), (F32{1, -1, 2, -2}));
}

// Few printed digits are not a reason to refuse; a sample that is displaced by 1/50 of the spacing is.
TEST(Signal, TheGridMayBeRoundedByAHundredthOfItsSpacing) {
    EXPECT_NEAR(parsed_signal("0 0\n0.167 0\n0.333 0\n0.5 0\n0.667 0\n0.833 0\n1 0\n").spacing, 1.0 / 6, 1e-12);
    EXPECT_EQ(parsed_signal("2 0\n3.009 0\n4 0\n").origin, 2);
    EXPECT_NEAR(parsed_signal("0 0\n0.3333 0\n0.6667 0\n1 0\n").spacing, 1.0 / 3, 1e-12);
    EXPECT_NEAR(parsed_signal("1700000000.1 0\n1700000000.2 0\n1700000000.3 0\n").spacing, 0.1, 1e-6);
    EXPECT_NE(refusal([] { parsed_signal("0 0\n1.02 0\n2 0\n"); }).find("line 2"), std::string::npos);
    EXPECT_NE(refusal([] { parsed_signal("0 0\n1.02 0\n2 0\n"); }).find("--origin and --spacing"), std::string::npos);
    EXPECT_NE(refusal([] { parsed_signal("0 0\n1 0\n2 0\n3 0\n40 0\n"); }).find("uniform"), std::string::npos);
    EXPECT_NE(refusal([] { parsed_signal("-1e308 0\n1e308 0\n"); }).find("cannot be represented"), std::string::npos);
    EXPECT_NE(refusal([] { parsed_signal("inf 0\ninf 0\n"); }).find("finite"), std::string::npos);
}

// Only text is a table, whatever the name says; a file that does not exist yet may become one.
TEST(Signal, AnImageIsNoTable) {
    const Folder folder;
    const std::string png = "\x89PNG\r\n\x1a\n" + std::string(8, '\0'), bmp = "BM" + std::string(50, '\0');
    for (const std::string& image : {png, bmp, std::string("SIMPLE  =                    T")})
        EXPECT_FALSE(is_table(folder.write("a.csv", image)));
    for (const char* text : {"BMI,weight\n1,2\n", "P5\n1\n", "#? a remark\n1 2\n", "1;2\n"})
        EXPECT_TRUE(is_table(folder.write("a.txt", text))) << text;
    EXPECT_TRUE(is_table(folder / "none.dat"));
    EXPECT_FALSE(is_table(folder.write("a.png", "1 2\n")));
}

TEST(Signal, TablesAreKnownByTheirNames) {
    for (const char* name : {"a.csv", "a.b.TXT", "x/y.tsv", "y.Dat"}) EXPECT_TRUE(is_table_name(name)) << name;
    for (const char* name : {"a.png", "csv", "a.csv.npy", ""}) EXPECT_FALSE(is_table_name(name)) << name;
}

}  // namespace
}  // namespace texelscope::test
