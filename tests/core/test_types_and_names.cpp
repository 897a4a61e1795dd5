// Types of samples: numbers, and binary16.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/core/address.h"
#include "gpu/core/errors.h"
#include "gpu/core/half.h"
#include "gpu/core/image.h"
#include "gpu/core/machine.h"
#include "gpu/core/text.h"
#include "gpu/core/view.h"
#include "gpu/display/display.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

using Texts = std::vector<std::string>;

// Samples that are numbers: their stored values, as float, as text and as another type.

template <class T> Image row_of(SampleType type, const std::vector<T>& values) {
    Image image(int(values.size()), 1, 1, type);
    std::memcpy(image.data(), values.data(), image.size_bytes());
    return image;
}

template <class T> std::vector<T> values_of(const Image& image) {
    std::vector<T> values(size_t(image.width()));
    std::memcpy(values.data(), image.data(), image.size_bytes());
    return values;
}

template <class T> std::vector<std::string> texts_of(SampleType type, const std::vector<T>& values) {
    const Image image = row_of(type, values);
    std::vector<std::string> texts;
    for (int x = 0; x < image.width(); ++x) texts.push_back(text_of(image.number(x, 0, 0)));
    return texts;
}

TEST(SampleTypes, TheirNamesAreOfTheirKindAndBits) {
    for (const SampleType type : all_sample_types) {
        const std::string name(name_of(type));
        EXPECT_EQ(name.substr(1), std::to_string(8 * bytes_per_sample(type)));
        EXPECT_EQ(name[0] == 'f', is_float(type)) << name;
        EXPECT_EQ(is_normalised(type), name == "u8" || name == "u16") << name;
        EXPECT_EQ(Image(3, 2, 4, type).size_bytes(), size_t(24 * bytes_per_sample(type))) << name;
    }
}

TEST(SampleTypes, Float32HoldsAllValuesOfAtMost24Bits) {
    for (const SampleType type : all_sample_types) {
        const std::string name(name_of(type));
        EXPECT_EQ(fits_float(type), name.ends_with("8") || name.ends_with("16") || name == "f32") << name;
    }
}

TEST(SampleTypes, IntegersAreWrittenAsTheyAreStored) {
    EXPECT_EQ(texts_of<uint8_t>(SampleType::u8, {0, 128, 255}), (Texts{"0", "128", "255"}));
    EXPECT_EQ(texts_of<uint16_t>(SampleType::u16, {0, 25400, 65535}), (Texts{"0", "25400", "65535"}));
    EXPECT_EQ(texts_of<int8_t>(SampleType::i8, {-128, -1, 127}), (Texts{"-128", "-1", "127"}));
    EXPECT_EQ(texts_of<int16_t>(SampleType::i16, {-32768, 25400}), (Texts{"-32768", "25400"}));
    EXPECT_EQ(texts_of<int32_t>(SampleType::i32, {INT32_MIN, 16777217}), (Texts{"-2147483648", "16777217"}));
    EXPECT_EQ(texts_of<uint32_t>(SampleType::u32, {UINT32_MAX}), (Texts{"4294967295"}));
    EXPECT_EQ(texts_of<int64_t>(SampleType::i64, {INT64_MIN, INT64_MAX}),
              (Texts{"-9223372036854775808", "9223372036854775807"}));
    EXPECT_EQ(texts_of<uint64_t>(SampleType::u64, {UINT64_MAX}), (Texts{"18446744073709551615"}));
}

TEST(SampleTypes, FloatsAreWrittenWithAllTheirDigits) {
    EXPECT_EQ(texts_of<double>(SampleType::f64, {0.1, 1e300, -0.5}), (Texts{"0.1", "1e+300", "-0.5"}));
    EXPECT_EQ(texts_of<float>(SampleType::f32, {0.1f, 1.5f, -NAN, INFINITY}), (Texts{"0.1", "1.5", "nan", "inf"}));
    EXPECT_EQ(texts_of<uint16_t>(SampleType::f16, {0x3800, 0xc000}), (Texts{"0.5", "-2"}));
}

TEST(SampleTypes, NumbersAreTheirValueAsFloat) {
    EXPECT_EQ(row_of<int8_t>(SampleType::i8, {-128}).value(0, 0, 0), -128.0f);
    EXPECT_EQ(row_of<int16_t>(SampleType::i16, {-32768}).value(0, 0, 0), -32768.0f);
    EXPECT_EQ(row_of<int32_t>(SampleType::i32, {70000}).value(0, 0, 0), 70000.0f);
    EXPECT_EQ(row_of<int32_t>(SampleType::i32, {16777217}).value(0, 0, 0), 16777216.0f);
    EXPECT_EQ(row_of<uint32_t>(SampleType::u32, {UINT32_MAX}).value(0, 0, 0), 0x1p32f);
    EXPECT_EQ(row_of<int64_t>(SampleType::i64, {INT64_MIN}).value(0, 0, 0), -0x1p63f);
    EXPECT_EQ(row_of<uint64_t>(SampleType::u64, {UINT64_MAX}).value(0, 0, 0), 0x1p64f);
    EXPECT_EQ(row_of<double>(SampleType::f64, {0.1}).value(0, 0, 0), 0.1f);
    EXPECT_EQ(row_of<double>(SampleType::f64, {1e300}).value(0, 0, 0), INFINITY);
}

TEST(SampleTypes, FloatsBecomeTheNearestIntegerThatTheTypeHolds) {
    const std::vector<float> floats = {-1e20f, -300.0f, -1.4f, 0.0f, 0.6f, 127.0f, 300.0f, 1e20f, NAN, INFINITY};
    const Image image = row_of(SampleType::f32, floats);
    EXPECT_EQ(values_of<int8_t>(converted(image, SampleType::i8)),
              (std::vector<int8_t>{-128, -128, -1, 0, 1, 127, 127, 127, 0, 127}));
    EXPECT_EQ(values_of<int32_t>(converted(image, SampleType::i32)),
              (std::vector<int32_t>{INT32_MIN, -300, -1, 0, 1, 127, 300, INT32_MAX, 0, INT32_MAX}));
    EXPECT_EQ(values_of<uint32_t>(converted(image, SampleType::u32)),
              (std::vector<uint32_t>{0, 0, 0, 0, 1, 127, 300, UINT32_MAX, 0, UINT32_MAX}));
    EXPECT_EQ(values_of<int64_t>(converted(image, SampleType::i64)),
              (std::vector<int64_t>{INT64_MIN, -300, -1, 0, 1, 127, 300, INT64_MAX, 0, INT64_MAX}));
    EXPECT_EQ(values_of<uint64_t>(converted(image, SampleType::u64)),
              (std::vector<uint64_t>{0, 0, 0, 0, 1, 127, 300, UINT64_MAX, 0, UINT64_MAX}));
}

TEST(SampleTypes, IntegersBecomeOtherIntegersWithoutAFloatBetween) {
    const Image big = row_of<int64_t>(SampleType::i64, {(int64_t(1) << 53) + 1, -1, INT64_MAX});
    EXPECT_EQ(values_of<uint64_t>(converted(big, SampleType::u64)),
              (std::vector<uint64_t>{(uint64_t(1) << 53) + 1, 0, uint64_t(INT64_MAX)}));
    EXPECT_EQ(values_of<int32_t>(converted(big, SampleType::i32)), (std::vector<int32_t>{INT32_MAX, -1, INT32_MAX}));
    const Image fine = row_of<int32_t>(SampleType::i32, {16777217});
    EXPECT_EQ(values_of<double>(converted(fine, SampleType::f64)), std::vector<double>{16777217.0});
    EXPECT_EQ(values_of<int32_t>(converted(row_of<double>(SampleType::f64, {16777217.0}), SampleType::i32)),
              std::vector<int32_t>{16777217});
}

// A number has no maximum that would be white.
TEST(SampleTypes, NumbersBecomeNormalisedIntegersAsFloatsDo) {
    const Image numbers = row_of<int32_t>(SampleType::i32, {-5, 0, 1, 200});
    EXPECT_EQ(values_of<uint8_t>(converted(numbers, SampleType::u8)), (std::vector<uint8_t>{0, 0, 255, 255}));
    const Image bytes = row_of<uint8_t>(SampleType::u8, {0, 255});
    EXPECT_EQ(values_of<int16_t>(converted(bytes, SampleType::i16)), (std::vector<int16_t>{0, 1}));
    EXPECT_EQ(values_of<double>(converted(bytes, SampleType::f64)), (std::vector<double>{0, 1}));
}

TEST(SampleTypes, AnArrayWithoutChannelsHasTwoDimensions) {
    Image image(4, 1, 1, SampleType::i32);
    EXPECT_EQ(image.dimensions(), 3);
    for (const int dimensions : {1, 2, 3}) {
        image.set_dimensions(dimensions);
        EXPECT_EQ(image.one_dimensional(), dimensions == 1);
        for (const Image& other : {image, converted(image, SampleType::f32), image.over_same_samples()})
            EXPECT_EQ(other.dimensions(), dimensions);
    }
    Image colours(4, 2, 3, SampleType::u8);
    colours.set_dimensions(2);
    EXPECT_EQ(colours.dimensions(), 3);
}

TEST(SampleTypes, WhatIsSaidOfAPictureStaysWithIt) {
    Image image(4, 3, 4, SampleType::u16, Alpha::straight);
    const SampleRegion missing{0, 2, 4, 1}, frame{-10, -20, 100, 50};
    image.set_missing(missing);
    image.set_frame(frame);
    for (const Image& other : {converted(image, SampleType::i32), premultiplied(image), linear_light(image),
                               image.over_same_samples(), Image(image), unpremultiplied(premultiplied(image))}) {
        EXPECT_EQ(other.missing(), missing);
        EXPECT_EQ(other.frame(), frame);
    }
}

// binary16, over all its 65536 patterns.

// From the definition of IEEE 754 binary16: 1 sign, 5 exponent, 10 mantissa bits.
double defined_value(uint16_t bits) {
    const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
    const double magnitude = exponent == 31  ? (mantissa ? NAN : INFINITY)
                             : exponent == 0 ? std::ldexp(mantissa, -24)
                                             : std::ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Half, EveryPatternIsReadAsDefined) {
    for (int bits = 0; bits < 65536; ++bits) {
        const double expected = defined_value(uint16_t(bits));
        const float value = half_to_float(uint16_t(bits));
        if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(value)) << bits;
        } else EXPECT_EQ(value, expected) << bits;
        EXPECT_EQ(std::signbit(value), bool(bits & 0x8000)) << bits;
    }
}

TEST(Half, EveryPatternSurvivesTheRoundTrip) {
    for (int bits = 0; bits < 65536; ++bits) {
        const float value = half_to_float(uint16_t(bits));
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value)))) << bits;
        } else EXPECT_EQ(float_to_half(value), bits) << bits;
    }
}

// Between two neighbouring halves: the nearer one, from the middle the even one.
TEST(Half, ConversionRoundsToNearestEven) {
    for (int bits = 0; bits < 0x7bff; ++bits) {
        const float low = half_to_float(uint16_t(bits)), high = half_to_float(uint16_t(bits + 1));
        const float middle = float((double(low) + double(high)) / 2);  // exact: halves have 11 bits
        const int even = bits % 2 == 0 ? bits : bits + 1;
        ASSERT_EQ(float_to_half(middle), even) << bits;
        ASSERT_EQ(float_to_half(std::nextafter(middle, low)), bits) << bits;
        ASSERT_EQ(float_to_half(std::nextafter(middle, high)), bits + 1) << bits;
        ASSERT_EQ(float_to_half(-middle), even | 0x8000) << bits;
    }
}

TEST(Half, TheLargestHalfIs65504AndBeyondItIsInfinity) {
    EXPECT_EQ(float_to_half(65504.0f), 0x7bff);
    EXPECT_EQ(float_to_half(65519.996f), 0x7bff);
    EXPECT_EQ(float_to_half(65520.0f), 0x7c00);  // the middle to 65536 rounds to even, which is infinity
    EXPECT_EQ(float_to_half(1e30f), 0x7c00);
    EXPECT_EQ(float_to_half(-INFINITY), 0xfc00);
}

TEST(Half, TinyFloatsBecomeZeroOrTheSmallestSubnormal) {
    EXPECT_EQ(float_to_half(0x1p-25f), 0);  // a tie, to even
    EXPECT_EQ(float_to_half(std::nextafter(0x1p-25f, 1.0f)), 1);
    EXPECT_EQ(float_to_half(1e-40f), 0);
    EXPECT_EQ(float_to_half(-0.0f), 0x8000);
}

}  // namespace

// The tables of enumerations whose values have names.

namespace {

template <class Choice> class NamesOf : public testing::Test {};
using Choices = testing::Types<AddressMode, Align, Alpha, Warp::Kind, ColourMap, ChannelView, ComplexView, Backdrop,
                               ToneCurve, DifferenceKind>;
TYPED_TEST_SUITE(NamesOf, Choices);

TYPED_TEST(NamesOf, EachValueHasARowAndANameOfItsOwn) {
    std::set<int> values;
    std::set<std::string_view> names;
    for (const auto& row : names_table(TypeParam{})) {
        values.insert(int(row.value));
        names.insert(row.name);
        EXPECT_EQ(name_of(row.value), row.name);
    }
    EXPECT_EQ(names.size(), all_values<TypeParam>.size());
    EXPECT_EQ(values.size(), all_values<TypeParam>.size());
    EXPECT_EQ(*values.begin(), 0);
    EXPECT_EQ(*values.rbegin(), int(values.size()) - 1) << "a value between has no row";
    EXPECT_FALSE(names.contains(""));
}

}  // namespace

// The user's folders, by the rules of the XDG Base Directory specification.

namespace {

TEST(UserFolders, AreThoseOfTheVariablesIfAbsoluteElseInTheHomeFolder) {
    const Variable home("HOME", "/home/nobody");
    for (const auto& [folder, standard] : {std::pair(config_home, "/home/nobody/.config/texelscope"),
                                           std::pair(data_home, "/home/nobody/.local/share/texelscope"),
                                           std::pair(cache_home, "/home/nobody/.cache/texelscope")}) {
        const Variable chosen(folder.variable, "/tmp/chosen");
        EXPECT_EQ(path_in(folder, "texelscope"), "/tmp/chosen/texelscope");
        for (const char* const ignored : {"", "not/absolute"}) {
            const Variable set(folder.variable, ignored);
            EXPECT_EQ(path_in(folder, "texelscope"), standard) << folder.variable << '=' << ignored;
            const Variable nowhere("HOME", ignored);
            EXPECT_EQ(path_in(folder, "texelscope"), "");
        }
    }
}

}  // namespace

namespace {

// What a mistyped name may have meant.

namespace fs = std::filesystem;

const std::vector<std::string_view> methods = {"nearest", "bilinear", "bspline", "catmull-rom", "lanczos3",
                                               "bicubic", "bc",       "omoms",   "omoms5"};

TEST(NearNames, FewLettersAway) {
    for (const auto& [typed, meant] : {std::pair("bsplin", "bspline"),
                                       {"catmullrom", "catmull-rom"},
                                       {"lanczso3", "lanczos3"},
                                       {"cubic", "bicubic"}})
        EXPECT_EQ(nearest_name(typed, methods), meant) << typed;
    EXPECT_EQ(did_you_mean("bsplin", methods), " (did you mean bspline?)");
}

TEST(NearNames, BeginningsAndCapitalsAreNear) {
    EXPECT_EQ(nearest_name("cat", methods), "catmull-rom");
    EXPECT_EQ(nearest_name("LANCZOS3", methods), "lanczos3");
    EXPECT_EQ(nearest_name("omo", methods), "omoms");  // the first of two
}

TEST(NearNames, OthersAreNot) {
    for (const char* typed : {"", "x", "ca", "qqqqqqqq", "zoom"}) EXPECT_EQ(nearest_name(typed, methods), "") << typed;
    EXPECT_EQ(nearest_name(std::string(10000, 'b'), methods), "");
    EXPECT_EQ(nearest_name("bspline", {}), "");
    EXPECT_EQ(did_you_mean("qqqqqqqq", methods), "");
}

class NearFiles : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"meadow.jpg", "photo.png", "q.png", ".photo.pgm", "my.weights", "odd\nname.png"})
            std::ofstream(folder_ / name) << "x";
    }
    std::string hint(const std::string& name) const { return did_you_mean_file(folder_ / name); }
    std::string meant(const std::string& name) const { return " (did you mean " + (folder_ / name).string() + "?)"; }
    const Folder folder_;
};

TEST_F(NearFiles, AreThoseOfTheSameFolder) {
    EXPECT_EQ(hint("medow.jpg"), meant("meadow.jpg"));
    EXPECT_EQ(hint("Photo.PNG"), meant("photo.png"));
    EXPECT_EQ(hint("photo.pn"), meant("photo.png"));
    EXPECT_EQ(hint(".photo.pg"), meant(".photo.pgm"));
}

TEST_F(NearFiles, ACommonExtensionIsNoLikeness) {
    for (const char* name : {"r.png", "none.png", "missing.png", "photo.png/x", "odd-name.png", ""})
        EXPECT_EQ(hint(name), "") << name;
    EXPECT_EQ(did_you_mean_file(folder_ / "no/photo.png"), "");
    fs::create_symlink("nowhere", folder_ / "link.png");
    EXPECT_EQ(hint("link.png"), "") << "itself is not what was meant";
}

TEST_F(NearFiles, TextsThatAreMissingAreSaid) {
    EXPECT_EQ(read_text_file(folder_ / "my.weights", 10), "x");
    std::ofstream(folder_ / "long.txt") << "0123456789";
    EXPECT_EQ(read_text_file(folder_ / "long.txt", 4), "01234");  // one more, so that it is seen
    const auto why = [&](const fs::path& path) -> std::string {
        try {
            read_text_file(path, 10);
        } catch (const FileError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(why(folder_ / "my.weight"), (folder_ / "my.weight").string() + ": no such file" + meant("my.weights"));
    EXPECT_EQ(why(folder_ / "none.cu"), (folder_ / "none.cu").string() + ": no such file");
    EXPECT_EQ(why(folder_), folder_.string() + ": is a folder, not a file");
}

}  // namespace
}  // namespace texelscope::test
