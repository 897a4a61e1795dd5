#include <cmath>

#include <gtest/gtest.h>

#include "app/files/tables/number_table.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using Doubles = std::vector<double>;

std::string table_complaint(std::string_view text, int most = 3) {
    return error_of([&] { parse_number_table(text, most); });
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

}  // namespace
}  // namespace texelscope::test
