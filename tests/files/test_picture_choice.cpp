// A choice behind a file's name, as sources and sessions keep it.
#include <gtest/gtest.h>

#include "app/files/decoding/picture_choice.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

TEST(PictureChoice, IsBehindTheName) {
    const auto [file, choice] = parse_picture_source("/d/a b.exr#part=left&channels=diffuse.R,Z&orientation=off");
    EXPECT_EQ(file, "/d/a b.exr");
    EXPECT_EQ(choice.part, "left");
    EXPECT_EQ(choice.channels, (std::vector<std::string>{"diffuse.R", "Z"}));
    EXPECT_FALSE(choice.upright);
}

TEST(PictureChoice, WhatIsUsualIsNotWritten) {
    EXPECT_EQ(with_choice("/d/a.png", {}), "/d/a.png");
    EXPECT_EQ(with_choice("/d/a.png", {.part = "1"}), "/d/a.png");
    EXPECT_EQ(with_choice("/d/a.png", {.part = "2"}), "/d/a.png#part=2");
    EXPECT_EQ(with_choice("/d/a.png", {.upright = false}), "/d/a.png#orientation=off");
    EXPECT_EQ(with_choice("/d/a.npy", {.channels_first = true}), "/d/a.npy#layout=chw");
    EXPECT_TRUE(parse_picture_source("/d/a.npy#channels=3&layout=chw").choice.channels_first);
}

TEST(PictureChoice, AnyNameComesBack) {
    for (const std::string name : {"a/b", "50 %", "#1", "a=b&c", "x,y", "Ä", ".."}) {
        const PictureChoice choice{.part = name, .channels = {name, "other"}};
        const std::string source = with_choice("/d/a.tif", choice);
        EXPECT_EQ(source.find('/', 3), std::string::npos) << source;  // still a name in the folder /d
        EXPECT_EQ(parse_picture_source(source).file, "/d/a.tif") << source;
        EXPECT_EQ(parse_picture_source(source).choice, choice) << source;
    }
}

TEST(PictureChoice, OtherNamesAreOnlyNames) {
    for (const std::string name :
         {"/d/photo #3.png", "/d/a.png#part=", "/d/a.png#part=2&part=3", "/d/a.png#orientation=on", "/d/#", "#", "",
          "/d/a.png#channels=R,R", "/d/a.png#channels=1,2,3,4,5", "/d/a.png#part=%zz", "/d/a.png#part=a/b",
          "/d/a.png#part=%00", "/d/a.npy#layout=hwc", "/d/a.png#part=2&"}) {
        EXPECT_EQ(parse_picture_source(name).file, name);
        EXPECT_EQ(parse_picture_source(name).choice, PictureChoice{});
    }
}

TEST(PictureChoice, NameThatLooksLikeOneIsKept) {
    const std::string source = with_choice("/d/a.png#part=2", {});
    EXPECT_EQ(source, "/d/a.png#part=2#part=1");
    EXPECT_EQ(file_of(source), "/d/a.png#part=2");
}

TEST(PictureChoice, TypedChannelsAreOneToFour) {
    EXPECT_EQ(parse_channels("--channels", "R,G,B"), (std::vector<std::string>{"R", "G", "B"}));
    for (const char* typed : {"", "R,", "R,R", "1,2,3,4,5"})
        EXPECT_NE(error_of([&] { parse_channels("--channels", typed); }).find("--channels must be"), std::string::npos)
            << typed;
}

}  // namespace
}  // namespace texelscope::test
