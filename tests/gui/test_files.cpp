// Files in the real window: saved, and what they say of themselves.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/files/reading/image_files.h"
#include "gpu/core/timing.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What is saved in the real window: it goes on meanwhile.

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
class SlowSavingInWindow : public SavingInWindow {};  // much is computed

TEST_F(SlowSavingInWindow, ALargePictureIsComputedAndWrittenBesideIt) {
    const fs::path file = folder_ / "view.png";
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--backend", "cpu", "--zoom", "3", "--method", "lanczos4"});
    ask(viewer, file, true);
    viewer.take_longest_turn();
    const StopWatch watch;
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("save:save"); }, said("view.png: saved"), 60));
    expect_loop_was_free(viewer, watch.ms());
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
    ViewerProgram viewer(*screen_, {"@zone-plate:256", "--backend", "cpu", "--zoom", "3"});
    const Image rendered = viewer.rendered_picture();
    ask(viewer, file, false);
    viewer.keys({"Return", "ctrl+q"});
    EXPECT_EQ(viewer.wait_for_end(20), 0);
    const Image saved = read_image(file);
    ASSERT_EQ(saved.width(), rendered.width());
    ASSERT_EQ(saved.height(), rendered.height());
}

// Whoever quits meanwhile sees what the window waits for, may stay, and may do without the file.
TEST_F(SlowSavingInWindow, TheWindowStaysUntilTheFileIsWritten) {
    enum class Then { wait, escape, quit };
    const fs::path file = folder_ / "view.png";
    const auto works = [](const json& state) { return state.at("working") == true; };
    const auto closes = [](const json& state) {
        return state.at("work").get<std::string>().starts_with("Save, then close: ");
    };
    for (const Then then : {Then::escape, Then::quit, Then::wait}) {
        ViewerInProcess viewer(*screen_,
                               {"@zone-plate:256", "--backend", "cpu", "--zoom", "3", "--method", "lanczos4"});
        viewer.resize(1600, 1000);
        const json place = viewer.settled_state().at("picture");
        ask(viewer, file, true);
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("save:save"); }, works));
        ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+q"); }, closes));
        EXPECT_TRUE(viewer.running());
        if (then == Then::escape) {
            const auto stays = [](const json& state) {
                return state.at("messages").dump().find("the window stays open") != std::string::npos;
            };
            EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, stays));
            viewer.settled_state();
            ASSERT_TRUE(viewer.running());
            EXPECT_EQ(read_image(file).width(), 4 * place[2].get<int>()) << "what was being saved went on";
            fs::remove(file);
            continue;
        }
        if (then == Then::quit) viewer.key("ctrl+q");
        EXPECT_EQ(viewer.wait_for_end(60), 0);
        if (then == Then::wait) EXPECT_EQ(read_image(file).width(), 4 * place[2].get<int>());
        else EXPECT_TRUE(fs::is_empty(folder_)) << "no part of it stays";
    }
}

// The window that says what a file says of itself: found, filtered and copied.

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
    ViewerProgram viewer(*screen_, {file});
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

using FirstSight = ViewerTest;

// The first sight of data that are opened, and of files whose names are not UTF-8.

int middle_red(const Image& image) { return image.row_as<uint8_t>(image.height() / 2)[3 * (image.width() / 2)]; }

double white(const json& state) { return state.at("levels").at("white"); }

// Values from 268 to 292 from left to right, the middle column 280; and a block that is NaN.
std::string field() {
    const std::string name = scratch("field.npy");
    Image image(101, 64, 1, SampleType::f32);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 101; ++x) image.row_as<float>(y)[x] = y < 8 ? NAN : 268 + 24 * float(x) / 100;
    write_image(image, name);
    return name;
}

TEST_F(FirstSight, AFieldHasTheLevelsOfItsDataUntilXIsPressed) {
    ViewerInProcess viewer(*screen_, {field()});
    EXPECT_NEAR(white(viewer.settled_state()), 292, 0.1);
    EXPECT_NEAR(middle_red(viewer.shown_picture()), 128, 3);
    ASSERT_TRUE(viewer.change([&] { viewer.key("x"); }, [](const json& s) { return white(s) == 1; }));
    EXPECT_EQ(middle_red(viewer.shown_picture()), 255);
    ASSERT_TRUE(
        viewer.change([&] { viewer.click_control("status:tones"); }, [](const json& s) { return white(s) > 1; }));
    EXPECT_NEAR(middle_red(viewer.shown_picture()), 128, 3);
}

// The name has a Latin-1 é. --trace-state writes sessions.
TEST_F(FirstSight, ANameThatIsNotUtf8IsOpenedLikeAnyOther) {
    const std::string name = scratch("caf\xe9.png");
    write_image(Image(8, 8, 1, SampleType::u8), name);
    ViewerProgram viewer(*screen_, {name});
    const json state = viewer.settled_state();
    const std::string source = state.at("session").at("image");
    EXPECT_TRUE(source.starts_with("bytes:") && source.ends_with("caf%e9.png")) << source;
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(10), 0) << viewer.messages();
}

}  // namespace

// Small things that hands stumble over: what closes leaves nothing behind, what fails says so where one looks.

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Polish : public ViewerTest {
protected:
    static bool has(const json& state, const std::string& control) { return state.at("controls").contains(control); }
    static auto offers(const std::string& control) {
        return [control](const json& s) { return has(s, control); };
    }
};

TEST_F(Polish, TheOutlineGoesWithTheTabOfTheTaps) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "8"});
    viewer.move_to(0.4, 0.4);
    viewer.key("t");
    json state = viewer.settled_state();
    EXPECT_EQ(state.at("dock"), "taps");
    EXPECT_TRUE(state.at("session").at("interface").at("taps"));
    viewer.click_control("dock:close");
    state = viewer.settled_state();
    EXPECT_EQ(state.at("dock"), "none");
    EXPECT_FALSE(state.at("session").value("interface", json::object()).value("taps", false));
}

TEST_F(Polish, ASavedSessionIsAmongTheRecentFiles) {
    const fs::path folder = scratch("recent-session"), file = folder / "mine.json";
    fs::create_directories(folder);
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    viewer.key("ctrl+shift+s");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type(file.string());
    viewer.settled_state();
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("Return"); },
                      [](const json& s) { return s.at("messages").dump().find("saved") != std::string::npos; }));
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(20), 0);
    const json recent = viewer.saved_settings().at("recent");
    ASSERT_FALSE(recent.empty());
    EXPECT_EQ(recent.at(0), file.string());
    fs::remove_all(folder);
}

TEST_F(Polish, ADialogSaysWhyNothingWasSaved) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    viewer.key("ctrl+s");
    EXPECT_FALSE(has(viewer.settled_state(), "not-written"));
    viewer.key("ctrl+a");
    viewer.type("/nowhere/at/all.png");
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("save:save"); }, offers("not-written"), 20));
    EXPECT_EQ(viewer.settled_state().at("dialog"), "save") << "with what was typed";
    viewer.key("End");
    viewer.type("2");
    EXPECT_FALSE(has(viewer.settled_state(), "not-written")) << "of another name it is not known";
}

TEST_F(Polish, CurvesAreSavedAsADrawing) {
    const fs::path folder = scratch("curves"), file = folder / "curves.svg";
    fs::create_directories(folder);
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "8"});
    viewer.key("c");
    viewer.settled_state();
    viewer.click_control("curves:path");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type(file.string());
    viewer.settled_state();
    EXPECT_TRUE(
        viewer.change([&] { viewer.click_control("curves:save"); },
                      [](const json& s) { return s.at("messages").dump().find("saved") != std::string::npos; }));
    std::ifstream stream(file);
    const std::string svg{std::istreambuf_iterator<char>(stream), {}};
    for (const char* title : {"Weight function", "Spectrum", "Nyquist"})
        EXPECT_NE(svg.find(title), std::string::npos) << title;
    size_t drawings = 0;
    for (size_t at = svg.find("<svg "); at != svg.npos; at = svg.find("<svg ", at + 1)) ++drawings;
    EXPECT_EQ(drawings, 5u) << "four plots in one";
    fs::remove_all(folder);
}

// 600 pixels at twice the size: no space for all menus.
TEST_F(Polish, MenusWithoutSpaceAreBehindTheLastEntry) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--ui-scale", "2"});
    EXPECT_FALSE(has(viewer.settled_state(), "menu:more"));
    viewer.resize(600, 760);
    const json state = viewer.settled_state();
    ASSERT_TRUE(has(state, "menu:more"));
    EXPECT_TRUE(has(state, "menu:File"));
    EXPECT_FALSE(has(state, "menu:Help"));
    for (const auto& [id, box] : state.at("controls").items())
        if (id.starts_with("menu:")) {
            EXPECT_LE(box.at(0).get<float>() + box.at(2).get<float>(), 600) << id;
        }
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:more"); }, offers("menu:Help")));
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:Help"); }, offers("help.about")));
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("help.about"); },
                              [](const json& s) { return s.at("dialog") == "about"; }));
}

}  // namespace
}  // namespace texelscope::test
