// Colour profiles against Little CMS's own transforms.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr float half_level = 0.5f / 255;

using Handle = ProfileHandle;

ColourProfile embedded(cmsHPROFILE profile) {
    ColourProfile colours;
    colours.icc = bytes_of(profile);
    return colours;
}

std::array<float, 3> converted(const ProfileConversion& made, float r, float g, float b) {
    ColourConversion conversion = made.conversion;
    conversion.values = made.values.data();
    float v[3] = {r, g, b};
    convert_colour(conversion, v);
    return {v[0], v[1], v[2]};
}

// A light on the screen, once it has been toned.
std::array<float, 3> coded(const ProfileConversion& made, std::array<float, 3> light) {
    ColourConversion conversion = made.conversion;
    conversion.values = made.values.data();
    float v[3] = {light[0], light[1], light[2]};
    code_colour(conversion, v);
    return {v[0], v[1], v[2]};
}

// The largest distance from Little CMS's transform, in float and clamped to the screen.
float distance(const ProfileConversion& made, cmsHPROFILE profile, cmsHPROFILE screen) {
    cmsHTRANSFORM transform = cmsCreateTransform(profile, TYPE_RGB_FLT, screen, TYPE_RGB_FLT,
                                                 cmsGetHeaderRenderingIntent(profile), cmsFLAGS_NOOPTIMIZE);
    std::mt19937 random(1);
    std::uniform_real_distribution<float> any(0, 1);
    float most = 0;
    for (int i = 0; i < 20000; ++i) {
        const float in[3] = {any(random), any(random), any(random)};
        float expected[3];
        cmsDoTransform(transform, in, expected, 1);
        const auto got = converted(made, in[0], in[1], in[2]);
        for (size_t c = 0; c < 3; ++c)
            most = std::max(most, std::abs(std::clamp(got[c], 0.0f, 1.0f) - std::clamp(expected[c], 0.0f, 1.0f)));
    }
    cmsDeleteTransform(transform);
    return most;
}

TEST(ProfileConversion, OfPrimariesAndCurvesIsThatOfLittleCms) {
    const Handle profile = adobe_like_profile(), screen(cmsCreate_sRGBProfile());
    const ProfileConversion made = make_conversion(embedded(profile.get()), 3, {});
    EXPECT_EQ(made.problem, "");
    EXPECT_EQ(made.name, "Like Adobe RGB");
    EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::matrix);
    EXPECT_LT(distance(made, profile.get(), screen.get()), half_level / 4);
}

TEST(ProfileConversion, OfATableIsThatOfLittleCms) {
    const Handle profile = stored(exchanging_profile()), screen(cmsCreate_sRGBProfile());
    const ProfileConversion made = make_conversion(embedded(profile.get()), 3, {});
    EXPECT_EQ(made.problem, "");
    EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::table);
    // Between the points of the lattice the coded colours are not quite linear.
    EXPECT_LT(distance(made, profile.get(), screen.get()), 4.0f / 255);
    const auto red = converted(made, 1, 0, 0);
    EXPECT_LT(red[0], 0.1f);
    EXPECT_NEAR(red[2], 0.5f, 0.03f);
}

TEST(ProfileConversion, OfGreyIsThatOfLittleCms) {
    const Handle profile = grey_profile(1.8), screen(cmsCreate_sRGBProfile());
    const ProfileConversion made = make_conversion(embedded(profile.get()), 1, {});
    EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::grey);
    for (float v = 0; v <= 1; v += 0.01f) {
        const double light = std::pow(double(v), 1.8);
        const double coded = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
        for (const float shown : converted(made, v, v, v)) EXPECT_NEAR(double(shown), coded, 1.5 / 255) << v;
    }
}

TEST(ProfileConversion, OfTheScreensOwnColoursIsNone) {
    const Handle srgb(cmsCreate_sRGBProfile());
    const ProfileConversion made = make_conversion(embedded(srgb.get()), 3, {});
    EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::none);
    EXPECT_TRUE(made.values.empty());
    EXPECT_EQ(make_conversion(ColourProfile(), 3, {}).name, "sRGB");
    EXPECT_EQ(make_conversion(ColourProfile(), 3, {}).conversion.kind, ColourConversion::Kind::none);
    const Bytes screen = bytes_of(adobe_like_profile().get());
    EXPECT_EQ(make_conversion(embedded(adobe_like_profile().get()), 3, screen).conversion.kind,
              ColourConversion::Kind::none);
}

TEST(ProfileConversion, GoesToTheScreensProfile) {
    const Handle profile = stored(Handle(cmsCreate_sRGBProfile())), screen = stored(adobe_like_profile());
    const ProfileConversion made = make_conversion(embedded(profile.get()), 3, bytes_of(screen.get()));
    EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::matrix);
    EXPECT_LT(distance(made, profile.get(), screen.get()), half_level);
}

// gAMA and cHRM of PNG: a described Adobe RGB is the profile of it.
TEST(ProfileConversion, OfADescriptionIsThatOfItsProfile) {
    ColourProfile described;
    described.chromaticities = {0.64, 0.33, 0.21, 0.71, 0.15, 0.06, 0.3127, 0.3290};
    described.exponent = 563.0 / 256;
    const ProfileConversion made = make_conversion(described, 3, {});
    const Handle profile = adobe_like_profile(), screen(cmsCreate_sRGBProfile());
    EXPECT_LT(distance(made, profile.get(), screen.get()), half_level / 4);
}

// Linear light of Rec. 2020 to Rec. 709: the matrix of ITU-R BT.2087-0, table 2, inverted; not clamped.
TEST(ProfileConversion, OfLinearLightIsAMatrixUntilItIsToned) {
    ColourProfile wide;
    wide.chromaticities = {0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290};
    wide.exponent = 1;
    wide.linear_light = true;
    EXPECT_EQ(make_conversion(wide, 3, {}).name, "linear light and primaries of the file");
    const ProfileConversion made = make_conversion(wide, 3, {});
    EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::light);
    const float expected[9] = {1.6605f, -0.5876f, -0.0728f, -0.1246f, 1.1329f, -0.0083f, -0.0182f, -0.1006f, 1.1187f};
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(made.conversion.matrix[i], expected[i], 1e-3f) << i;
    EXPECT_NEAR(converted(made, 8, 8, 8)[1], 8, 1e-2f);
}

// IEC 61966-2-1: half the light is 188 of 255.
TEST(ProfileConversion, OfTonedLightIsTheScreensCurve) {
    ColourProfile linear;
    linear.exponent = 1;
    linear.linear_light = true;
    const Bytes screen = bytes_of(stored(adobe_like_profile()).get());
    for (const int channels : {1, 3}) {
        const ProfileConversion made = make_conversion(linear, channels, {});
        EXPECT_EQ(made.name, "linear light of the file");
        EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::light);
        EXPECT_NEAR(converted(made, 4, 4, 4)[0], 4, 1e-3f) << "what is above 1 is left to exposure and tone curve";
        for (double light = 0; light <= 1; light += 1.0 / 128) {
            const double expected = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
            for (const float v : coded(made, {float(light), float(light), float(light)}))
                EXPECT_NEAR(double(v), expected, 1e-4) << light;
        }
        const auto clamped = coded(made, {4, -1, INFINITY});
        for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(clamped[c], c == 1 ? 0 : 1, 1e-6f) << c;
        const ProfileConversion other = make_conversion(linear, channels, screen);
        EXPECT_NEAR(coded(other, {0.5f, 0.5f, 0.5f})[1], float(std::pow(0.5, 256.0 / 563)), half_level);
    }
    // Tables hold no light above 1: such a screen counts as sRGB.
    const ProfileConversion by_table = make_conversion(linear, 3, bytes_of(stored(exchanging_profile()).get()));
    EXPECT_EQ(by_table.problem, "");
    EXPECT_EQ(by_table.values, make_conversion(linear, 3, {}).values);
    const ProfileConversion asked = ask_conversion(linear, 3, {});
    EXPECT_EQ(asked.conversion.kind, ColourConversion::Kind::light);
    EXPECT_EQ(asked.values, by_table.values);
}

TEST(ProfileConversion, WhatCannotBeUsedIsOneSentenceAndChangesNothing) {
    const auto problem = [](Bytes icc, int colours) {
        ColourProfile profile;
        profile.icc = std::move(icc);
        const ProfileConversion made = make_conversion(profile, colours, {});
        EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::none);
        return made.problem;
    };
    const Bytes good = bytes_of(adobe_like_profile().get());
    EXPECT_NE(problem(Bytes(1), 3).find("damaged"), std::string::npos);
    EXPECT_NE(problem(Bytes(good.begin(), good.begin() + 140), 3), "");
    EXPECT_NE(problem(good, 1).find("it is for RGB, but the picture is grey"), std::string::npos);
    EXPECT_NE(problem(bytes_of(grey_profile(2.2).get()), 3).find("grey"), std::string::npos);
    ColourProfile impossible;
    impossible.chromaticities = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
    EXPECT_NE(make_conversion(impossible, 3, {}).problem, "");
    impossible.chromaticities[1] = NAN;
    EXPECT_NE(make_conversion(impossible, 3, {}).problem, "");
}

// What a decoder works out comes over whole, and what it says of damage is a sentence.
TEST(ProfileConversion, AskedOfADecoderIsTheSame) {
    for (const Handle& profile : {adobe_like_profile(), exchanging_profile()}) {
        const ProfileConversion here = make_conversion(embedded(profile.get()), 3, {}),
                                asked = ask_conversion(embedded(profile.get()), 3, {});
        EXPECT_EQ(asked.name, here.name);
        EXPECT_EQ(asked.problem, "");
        EXPECT_EQ(asked.conversion.kind, here.conversion.kind);
        EXPECT_EQ(asked.values, here.values);
        EXPECT_TRUE(std::ranges::equal(asked.conversion.matrix, here.conversion.matrix));
    }
    EXPECT_NE(ask_conversion(embedded(grey_profile(2).get()), 3, {}).problem.find("it is for grey"), std::string::npos);
    EXPECT_EQ(ask_name_of_screen(bytes_of(adobe_like_profile().get())), "Like Adobe RGB");
    EXPECT_EQ(ask_name_of_screen(bytes_of(grey_profile(2).get())), "");
    EXPECT_EQ(ask_name_of_screen(Bytes(200)), "");
}

// Any one byte or length may be wrong: nothing worse than a sentence, and no value that is not finite.
TEST(ProfileConversion, DamagedProfilesDoNoHarm) {
    std::mt19937 random(7);
    for (const Handle& profile : {adobe_like_profile(), grey_profile(2.2), exchanging_profile()}) {
        const Bytes good = bytes_of(profile.get());
        ASSERT_GT(good.size(), 128u);
        for (int i = 0; i < 24; ++i) {
            ColourProfile colours;
            colours.icc = good;
            for (int k = 0; k < 4; ++k)
                colours.icc[random() % std::min<size_t>(good.size(), 600)] = std::byte(random());
            const ProfileConversion made = make_conversion(colours, i % 2 ? 3 : 1, {});
            for (const float v : made.values) ASSERT_TRUE(std::isfinite(v));
        }
    }
}

}  // namespace
}  // namespace texelscope::test
