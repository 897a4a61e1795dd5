// The display options of `render`.

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

class RenderDisplay : public Program {
protected:
    // 0, 0.5, … 5 from left to right.
    std::string ramp() const {
        Image image(11, 1, 1, SampleType::f32);
        for (int x = 0; x < 11; ++x) image.row_as<float>(0)[x] = float(x) / 2;
        write_image(image, path("ramp.pfm"));
        return path("ramp.pfm");
    }
    Image rendered(std::vector<std::string> options) const {
        options.insert(options.begin(), {"render", ramp(), "-o", path("out.ppm"), "--method", "nearest"});
        printed(options);
        return read_image(path("out.ppm"));
    }
    std::string refused(std::vector<std::string> options) const {
        options.insert(options.begin(), {"render", ramp(), "-o", path("out.ppm")});
        const Result result = run(options);
        EXPECT_EQ(result.status, 2);
        return result.errors.empty() ? "" : result.errors[0];
    }
};

TEST_F(RenderDisplay, LevelsExposureToneAndGammaAreThoseOfTheScreen) {
    const Image image = rendered({"--white", "2", "--exposure", "1", "--tone", "reinhard", "--gamma", "2.2"});
    EXPECT_EQ(image.channels(), 3);
    EXPECT_EQ(image.type(), SampleType::u8);
    for (int x = 0; x < 11; ++x) {
        const double exposed = x / 2.0 / 2 * 2, expected = 255 * std::pow(exposed / (1 + exposed), 1 / 2.2);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.row_as<uint8_t>(0)[3 * x + c], expected, 0.51) << x;
    }
}

TEST_F(RenderDisplay, AutoContrastSpreadsTheSamples) {
    const Image all = rendered({"--auto-contrast", "0"}), inverted = rendered({"--auto-contrast", "0", "--invert"});
    for (int x = 0; x < 11; ++x) {
        EXPECT_NEAR(all.row_as<uint8_t>(0)[3 * x], 25.5 * x, 0.51);
        EXPECT_NEAR(inverted.row_as<uint8_t>(0)[3 * x], 255 - 25.5 * x, 0.51);
    }
    const Image map = rendered({"--auto-contrast", "0", "--false-colour", "ember"});
    EXPECT_EQ(map.row_as<uint8_t>(0)[0], 0);
    EXPECT_GT(map.row_as<uint8_t>(0)[30], map.row_as<uint8_t>(0)[32]) << "it ends in yellow";
}

// The colours of values that are not finite differ from that of the lowest value.
TEST_F(RenderDisplay, WhatIsNotFiniteHasColoursOfItsOwn) {
    Image image(4, 1, 1, SampleType::f32);
    const float values[] = {NAN, INFINITY, -INFINITY, 0.5f};
    std::copy_n(values, 4, image.row_as<float>(0));
    write_image(image, path("a.npy"));
    printed({"render", path("a.npy"), "-o", path("out.ppm"), "--method", "nearest", "--white", "2"});
    const Image out = read_image(path("out.ppm"));
    const uint8_t expected[] = {255, 0, 255, 255, 255, 0, 0, 255, 255, 64, 64, 64};
    EXPECT_TRUE(std::equal(expected, expected + 12, out.row_as<uint8_t>(0)));
}

// Half the light is 188 of 255 in sRGB; what is above 1 is there for exposure and tone curve.
TEST_F(RenderDisplay, LinearFilesGetTheScreensCurve) {
    Image image(2, 1, 3, SampleType::f32);
    for (int i = 0; i < 6; ++i) image.row_as<float>(0)[i] = i < 3 ? 0.5f : 4.0f;
    write_image(image, path("light.hdr"));
    const auto levels = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"render", path("light.hdr"), "-o", path("out.ppm"), "--method", "nearest"});
        printed(options);
        const Image out = read_image(path("out.ppm"));
        return std::pair(int(out.row_as<uint8_t>(0)[1]), int(out.row_as<uint8_t>(0)[4]));
    };
    EXPECT_EQ(levels({"--profile", "on"}), std::pair(188, 255));
    EXPECT_EQ(levels({"--profile", "off"}), std::pair(128, 255));
    EXPECT_EQ(levels({"--exposure", "-3"}), std::pair(71, 188));
    EXPECT_EQ(levels({"--tone", "reinhard"}), std::pair(156, 231)) << "1/3 and 4/5 of the light";
    EXPECT_EQ(levels({}), std::pair(128, 255)) << "without a display option, stored values";
}

// Without a display option stored values are written: a sentence if the file does not say what colours they are.
TEST_F(RenderDisplay, ColoursThatTheFileDoesNotTellAreNamed) {
    Image image(4, 4, 3, SampleType::f32);
    std::fill_n(image.row_as<float>(0), 48, 0.5f);
    write_image(image, path("light.hdr"));
    const auto said = [&](std::vector<std::string> arguments) {
        const Result result = run(std::move(arguments));
        EXPECT_EQ(result.status, 0);
        EXPECT_LE(result.errors.size(), 1u);
        return result.errors.empty() ? "" : result.errors[0];
    };
    const std::string rendered = said({"render", path("light.hdr"), "-o", path("out.png")});
    EXPECT_NE(rendered.find("linear light of the file"), std::string::npos) << rendered;
    EXPECT_NE(rendered.find("--profile on"), std::string::npos) << rendered;
    EXPECT_NE(said({"resize", path("light.hdr"), "--factor", "2", "-o", path("out.jpg")}).find("linear light"),
              std::string::npos);
    EXPECT_NE(said({"warp", path("light.hdr"), "--map", "@swirl", "-o", path("out.png")}), "");
    EXPECT_EQ(said({"render", path("light.hdr"), "-o", path("out.png"), "--profile", "on"}), "") << "converted";
    EXPECT_EQ(said({"render", path("light.hdr"), "-o", path("out.hdr")}), "") << "linear light as well";
    EXPECT_EQ(said({"render", path("light.hdr"), "-o", path("out.npy")}), "") << "numbers";
    EXPECT_THAT(said({"render", ramp(), "-o", path("out.png"), "--method", "nearest"}),
                testing::Not(testing::HasSubstr("light")))
        << "no profile";
    std::istringstream help(printed({"render", "--help"}));
    std::string words, word;
    while (help >> word) words += word + " ";
    EXPECT_NE(words.find("without any of them, stored values are written"), std::string::npos);
}

TEST_F(RenderDisplay, WhatCannotBeIsRefused) {
    EXPECT_NE(refused({"--black", "1", "--white", "1"}).find("must be below"), std::string::npos);
    EXPECT_NE(refused({"--exposure", "17"}).find("from -16 to 16"), std::string::npos);
    EXPECT_NE(refused({"--tone", "film"}).find("reinhard"), std::string::npos);
    EXPECT_NE(refused({"--auto-contrast", "50"}).find("from 0 to 49"), std::string::npos);
    EXPECT_NE(refused({"--gamma", "2", "--derivative", "x"}).find("no colours"), std::string::npos);
    EXPECT_NE(refused({"--auto-contrast", "1", "--black", "0.5"}), "");
}

TEST_F(RenderDisplay, FalseColourIsOfOneChannel) {
    Image image(2, 1, 3, SampleType::u8);
    for (int i = 0; i < 6; ++i) image.row_as<uint8_t>(0)[i] = uint8_t(40 * i);
    write_image(image, path("rgb.png"));
    expect_error(2, {"render", path("rgb.png"), "-o", path("out.png"), "--false-colour", "ember"},
                 {"single channel", "has 3", "--channels"});
    printed({"render", path("rgb.png"), "--channels", "2", "-o", path("out.ppm"), "--false-colour", "ember"});
    const Image one = read_image(path("out.ppm"));
    EXPECT_NE(one.row_as<uint8_t>(0)[0], one.row_as<uint8_t>(0)[2]) << "not grey";
}

}  // namespace
}  // namespace texelscope::test
