#include <gtest/gtest.h>

#include "app/files/tables/signal.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

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
    EXPECT_NE(error_of([] { parsed_signal("0 0\n1.02 0\n2 0\n"); }).find("line 2"), std::string::npos);
    EXPECT_NE(error_of([] { parsed_signal("0 0\n1.02 0\n2 0\n"); }).find("--origin and --spacing"), std::string::npos);
    EXPECT_NE(error_of([] { parsed_signal("0 0\n1 0\n2 0\n3 0\n40 0\n"); }).find("uniform"), std::string::npos);
    EXPECT_NE(error_of([] { parsed_signal("-1e308 0\n1e308 0\n"); }).find("cannot be represented"), std::string::npos);
    EXPECT_NE(error_of([] { parsed_signal("inf 0\ninf 0\n"); }).find("finite"), std::string::npos);
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
