// The options that say what is read of a file and how values are shown.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

// --part, --channels and --orientation, and what info says of a file.

class PictureOfFile : public Program {
protected:
    void SetUp() override {
        Program::SetUp();
        std::string rows;
        for (int y = 0; y < 3; ++y) {
            rows += '\0';
            for (int i = 0; i < 5 * 3; ++i) rows += char(i * 16 + y * 5);
        }
        file_ = write("lying.png", png(5, 3, 8, 2, rows, chunk("eXIf", exif(6, true))));
        stored_ = read_image(write("stored.png", png(5, 3, 8, 2, rows)));
    }
    Image rendered(const std::string& command, std::vector<std::string> more) const {
        std::vector<std::string> all = {command, file_, "-o", path("out.png"), "--backend", "cpu"};
        all.insert(all.end(), more.begin(), more.end());
        printed(all);
        return read_image(path("out.png"));
    }
    std::string file_;
    Image stored_;
};

TEST_F(PictureOfFile, IsUprightUnlessTurnedOff) {
    EXPECT_TRUE(is_upright(rendered("render", {}), stored_, 6));
    EXPECT_TRUE(is_upright(rendered("render", {"--orientation", "on"}), stored_, 6));
    EXPECT_TRUE(is_upright(rendered("render", {"--orientation", "off"}), stored_, 1));
    EXPECT_EQ(rendered("resize", {"--factor", "2"}).height(), 10);
    EXPECT_EQ(rendered("resize", {"--factor", "2", "--orientation", "off"}).height(), 6);
}

// The last row of the file is the left column.
TEST_F(PictureOfFile, PositionsAreThoseOfTheUprightPicture) {
    const std::string points = write("p.csv", "0 4\n");
    const auto sampled = [&](std::vector<std::string> more) {
        std::vector<std::string> all = {"sample", file_, "--at", points, "--backend", "cpu", "--channels", "R"};
        all.insert(all.end(), more.begin(), more.end());
        const std::string text = printed(all);
        return std::stod(text.substr(text.find_last_of(" ,", text.size() - 2) + 1));
    };
    EXPECT_NEAR(sampled({"--method", "nearest"}), stored_.value(4, 2, 0), 1e-6);
}

TEST_F(PictureOfFile, HasTheChosenChannels) {
    const Image image = rendered("render", {"--channels", "B", "--orientation", "off"});
    ASSERT_EQ(image.channels(), 1);
    EXPECT_EQ(image.value(2, 1, 0), stored_.value(2, 1, 2));
    EXPECT_EQ(rendered("render", {"--channels", "3,R,2"}).channels(), 3);
}

TEST_F(PictureOfFile, IsComparedTheSameWay) {
    const auto compared = [&](const std::string& orientation) {
        return nlohmann::json::parse(printed({"compare", file_, "--backend", "cpu", "--panes", "nearest", "--reference",
                                              file_, "--orientation", orientation, "--json", "-"}));
    };
    EXPECT_NE(compared("on").dump().find("lying.png"), std::string::npos);
    EXPECT_NE(compared("off").dump().find("lying.png#orientation=off"), std::string::npos);
}

TEST_F(PictureOfFile, IsDescribedByInfo) {
    const auto facts = nlohmann::json::parse(printed({"info", "--json", file_})).at(0);
    EXPECT_EQ(facts.at("orientation"), 6);
    EXPECT_EQ(facts.at("turned_upright"), true);
    EXPECT_EQ(facts.at("width"), 3);
    EXPECT_EQ(facts.at("height"), 5);
    EXPECT_EQ(facts.at("parts").size(), 1u);
    EXPECT_EQ(facts.at("channels"), (nlohmann::json{"R", "G", "B"}));
    const std::string text = printed({"info", file_, "--orientation", "off", "--channels", "2"});
    const auto says = [&](const std::string& name, const std::string& value) {
        const size_t at = text.find("\n  " + name + ' ');
        return at != text.npos && text.substr(at, text.find('\n', at + 1) - at).ends_with(' ' + value);
    };
    EXPECT_TRUE(says("Orientation", "stored on its left side (6); shown as stored")) << text;
    EXPECT_TRUE(says("Channels", "3: R, G, B")) << text;
    EXPECT_TRUE(says("Channels read", "G")) << text;
    EXPECT_TRUE(says("Size", "5 × 3 pixels")) << text;
    EXPECT_TRUE(says("Samples", "8-bit integers")) << text;
    EXPECT_TRUE(says("Name", "lying.png")) << text;
}

TEST_F(PictureOfFile, WrongChoicesAreRefused) {
    expect_error(1, {"render", file_, "-o", path("out.png"), "--part", "2"}, {"lying.png", "no part '2'"});
    expect_error(1, {"render", file_, "-o", path("out.png"), "--channels", "Z"}, {"no channel 'Z'", "R, G, B"});
    expect_error(2, {"render", file_, "-o", path("out.png"), "--channels", "1,2,3,4,5"}, {"--channels", "1 to 4"});
    expect_error(2, {"render", file_, "-o", path("out.png"), "--orientation", "6"}, {"--orientation", "on or off"});
    expect_error(2, {"render", "@step:8", "-o", path("out.png"), "--part", "1"}, {"--part", "@step:8"});
    expect_error(2, {"info", "@step:8"}, {"@step:8"});
    expect_error(2, {"info", "--part", "2"}, {"--part"});
}

TEST_F(PictureOfFile, ThatEndsEarlyIsRefusedUnlessAPartIsEnough) {
    // 1×3, grey and alpha
    const std::string whole = png(1, 3, 8, 4, "\0\x10\xff\0\x20\xff\0\x30\xff"s);
    const std::string cut = write("cut.png", whole.substr(0, 8 + 25 + 8 + 7 + 3 + 3));
    const std::string sentence = "cut.png: the file ends early; 66 % of the rows are there; --partial";
    const std::string points = write("p.csv", "0 2\n");
    for (const std::vector<std::string>& command : {std::vector<std::string>{"render", cut, "-o", path("out.png")},
                                                    {"resize", cut, "-o", path("out.png"), "--factor", "2"},
                                                    {"warp", cut, "-o", path("out.png"), "--map", "@swirl"},
                                                    {"sample", cut, "--at", points},
                                                    {"compare", cut},
                                                    {"compare", "@step:8", "--reference", cut},
                                                    {"compare", cut, "--restore", "2"}})
        expect_error(1, command, {sentence});
    EXPECT_NE(printed({"info", cut}).find("the file ends early; 66 % of the rows are there"), std::string::npos);
    printed({"resize", cut, "-o", path("out.png"), "--factor", "1", "--method", "nearest", "--partial"});
    const Image image = read_image(path("out.png"));
    EXPECT_EQ(samples<uint8_t>(image), (std::vector<uint8_t>{0x10, 0xff, 0x20, 0xff, 0, 0}));
    EXPECT_TRUE(image.missing().empty());
}

TEST_F(PictureOfFile, MayHaveAHashInItsName) {
    const std::string file = path("hash#part=2.png");
    std::filesystem::copy_file(file_, file);
    for (const std::string& typed : {file, path("hash%23part=2.png"), file + "#part=1"})
        EXPECT_NE(printed({"info", typed}).find("3 × 5 pixels"), std::string::npos) << typed;
    printed({"resize", file, "-o", path("out.png"), "--factor", "1", "--orientation", "off"});
    EXPECT_EQ(read_image(path("out.png")).width(), 5);
}

// The display options of `render`.

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
