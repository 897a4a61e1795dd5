// --part, --channels and --orientation, and what info says of a file.

#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"
#include "tests/files/oriented_files.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

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

}  // namespace
}  // namespace texelscope::test
