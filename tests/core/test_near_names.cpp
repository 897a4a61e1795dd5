// What a mistyped name may have meant.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/near_names.h"
#include "gpu/core/text_file.h"

namespace texelscope::test {
namespace {

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
        folder_ = fs::path(testing::TempDir()) / "near-files";
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        for (const char* name : {"meadow.jpg", "photo.png", "q.png", ".photo.pgm", "my.weights", "odd\nname.png"})
            std::ofstream(folder_ / name) << "x";
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string hint(const std::string& name) const { return did_you_mean_file(folder_ / name); }
    std::string meant(const std::string& name) const { return " (did you mean " + (folder_ / name).string() + "?)"; }
    fs::path folder_;
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
