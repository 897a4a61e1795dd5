// What is saved in the real window: it goes on meanwhile.

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class SavingInWindow : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    // Up to the moment before it is confirmed.
    void ask(ViewerUnderTest& viewer, const fs::path& file, bool enlarged) {
        const auto dialog = [](const json& state) { return state.at("dialog") == "save"; };
        ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+s"); }, dialog));
        viewer.settled_state();
        viewer.key("ctrl+a");
        viewer.type(file.string());
        viewer.settled_state();
        if (enlarged) viewer.click_control("save:times-4");
        viewer.settled_state();
    }
    static auto said(const std::string& words) {
        return [words](const json& state) { return state.at("messages").dump().find(words) != std::string::npos; };
    }
    fs::path folder_ = scratch("saving");
};

TEST_F(SavingInWindow, ALargePictureIsComputedAndWrittenBesideIt) {
    const fs::path file = folder_ / "view.png";
    ViewerUnderTest viewer(*screen_, {"@zone-plate:256", "--backend", "cpu", "--zoom", "3", "--method", "lanczos4"});
    ask(viewer, file, true);
    const size_t since = viewer.slow_turns().size();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("save:save"); }, said("view.png: saved"), 60));
    const std::string turns = viewer.slow_turns().substr(since), words = "computed ";
    double most = 0;  // of the window's own time in a turn of its loop
    for (size_t at = turns.find(words); at != turns.npos; at = turns.find(words, at + 1))
        most = std::max(most, std::atof(turns.c_str() + at + words.size()));
    RecordProperty("longest_computed_ms", std::to_string(most));
    EXPECT_LT(most, 100) << "rendering and writing it take a second and more";
    const json place = viewer.settled_state().at("picture");
    EXPECT_EQ(read_image(file).width(), 4 * place[2].get<int>());

    fs::remove(file);
    viewer.resize(1600, 1000);
    ask(viewer, file, true);
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("save:save"); },
                              [](const json& state) { return state.at("working") == true; }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, said("cancelled")));
    EXPECT_FALSE(viewer.settled_state().at("working"));
    EXPECT_FALSE(fs::exists(file));
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(20), 0);
    EXPECT_TRUE(fs::is_empty(folder_)) << "no part of it stays";
}

TEST_F(SavingInWindow, TheFileIsThereEvenIfOneQuitsAtOnce) {
    const fs::path file = folder_ / "view.png";
    ViewerUnderTest viewer(*screen_, {"@zone-plate:256", "--backend", "cpu", "--zoom", "3"});
    const Image rendered = viewer.rendered_picture();
    ask(viewer, file, false);
    viewer.keys({"Return", "ctrl+q"});
    EXPECT_EQ(viewer.wait_for_end(20), 0);
    const Image saved = read_image(file);
    ASSERT_EQ(saved.width(), rendered.width());
    ASSERT_EQ(saved.height(), rendered.height());
}

// Whoever quits meanwhile sees what the window waits for, and may do without it.
TEST_F(SavingInWindow, TheWindowStaysUntilTheFileIsWritten) {
    enum class Then { wait, escape, quit };
    const fs::path file = folder_ / "view.png";
    const auto works = [](const json& state) { return state.at("working") == true; };
    const auto closes = [](const json& state) {
        return state.at("work").get<std::string>().starts_with("Save, then close: ");
    };
    for (const Then then : {Then::escape, Then::quit, Then::wait}) {
        ViewerUnderTest viewer(*screen_,
                               {"@zone-plate:256", "--backend", "cpu", "--zoom", "3", "--method", "lanczos4"});
        viewer.resize(1600, 1000);
        const json place = viewer.settled_state().at("picture");
        ask(viewer, file, true);
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("save:save"); }, works));
        ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+q"); }, closes));
        EXPECT_TRUE(viewer.running());
        if (then == Then::escape) viewer.key("Escape");
        if (then == Then::quit) viewer.key("ctrl+q");
        EXPECT_EQ(viewer.wait_for_end(60), 0);
        if (then == Then::wait) EXPECT_EQ(read_image(file).width(), 4 * place[2].get<int>());
        else EXPECT_TRUE(fs::is_empty(folder_)) << "no part of it stays";
    }
}

}  // namespace
}  // namespace texelscope::test
