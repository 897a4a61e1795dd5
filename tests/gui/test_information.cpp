// The window that says what a file says of itself: found, filtered and copied.

#include "tests/files/bytes.h"
#include "tests/files/oriented_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

class InformationInWindow : public ViewerTest {
protected:
    static std::string described() {
        std::string rows;
        for (int y = 0; y < 20; ++y) rows += '\0' + std::string(30, char(10 * y));
        return png(30, 20, 8, 0, rows,
                   chunk("eXIf", exif(6, false)) + chunk("tEXt", std::string("Title\0A ladder", 14)));
    }
    static bool lists(const json& state, const std::string& row) {
        return state.at("controls").contains("information:" + row);
    }
    Folder folder_;
};

TEST_F(InformationInWindow, IsFilteredByTypingAndCopied) {
    const std::string file = folder_.write("a.png", described()).string();
    ViewerUnderTest viewer(*screen_, {file});
    const json first = viewer.settled_state();
    viewer.change([&] { viewer.key("ctrl+shift+p"); }, [](const json& s) { return s.at("dialog") == "palette"; });
    viewer.type("metadata");
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); },
                              [](const json& s) { return s.at("dialog") == "information" && lists(s, "Title"); }));
    EXPECT_TRUE(lists(viewer.settled_state(), "Name"));
    // These letters and digits choose methods, fit and hide panels where no field takes them.
    ASSERT_TRUE(viewer.change([&] { viewer.type("ladder"); }, [](const json& s) { return !lists(s, "Name"); }));
    const json filtered = viewer.settled_state();
    EXPECT_TRUE(lists(filtered, "Title"));
    EXPECT_EQ(filtered.at("panes"), first.at("panes"));
    EXPECT_EQ(filtered.at("view"), first.at("view"));
    const auto copied = [](const std::string& what) {
        return [what](const json& s) { return s.at("messages").dump().find("copied: " + what) != std::string::npos; };
    };
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, copied("Title: A ladder")));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("information:copy-all"); }, copied("1 rows")));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return s.at("dialog") == ""; }));
}

}  // namespace
}  // namespace texelscope::test
