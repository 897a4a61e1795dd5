// "Which is best for this picture?" in the real window: one action gives the answer.

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class WhichIsBest : public ViewerTest {
protected:
    static bool found(const json& s) {
        return !s.at("restoring").at("running") && !s.at("restoring").at("methods").empty();
    }
    // The height of a method's row in the window.
    static float row(const json& state, const std::string& method) {
        return state.at("controls").at("restoring:row-" + method).at(1).get<float>();
    }
    static bool all_measured(const json& state) {
        for (const json& figures : state.at("figures"))
            if (figures.is_null()) return false;
        return true;
    }
};
class SlowWhichIsBest : public WhichIsBest {};  // much is computed

// The second picture of the command line, which has not been shown, is the one to be measured.
TEST_F(WhichIsBest, ALargerOriginalThatWasGivenIsOffered) {
    const fs::path folder = scratch("original");
    fs::create_directories(folder);
    const std::string small = (folder / "small.png").string(), large = (folder / "large.png").string();
    write_image(load_image("@parabola:64"), small);
    write_image(load_image("@parabola:256"), large);
    ViewerInProcess viewer(*screen_, {large, small});
    const auto offers = [](const json& s) { return s.at("controls").contains("message:offer"); };
    ASSERT_TRUE(offers(viewer.settled_state()) || viewer.change([] {}, offers));
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("message:offer"); },
                              [&](const json& s) { return s.at("image") == small; }));
    EXPECT_EQ(viewer.settled_state().at("session").at("reference").at("image"), large);
    fs::remove_all(folder);
}

TEST_F(WhichIsBest, OneActionGivesTheAnswerAndItsPanes) {
    ViewerInProcess viewer(*screen_, {"@basilica:160"});
    const json before = viewer.settled_state();
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    json state = viewer.settled_state();
    const auto place = [&](const char* method) {  // the last rows are scrolled to
        const json& methods = state.at("restoring").at("methods");
        return std::find(methods.begin(), methods.end(), method) - methods.begin();
    };
    EXPECT_LT(row(state, "quintic"), row(state, "bspline"));
    EXPECT_EQ(place("septic"), 0);
    EXPECT_LT(place("bspline"), place("bilinear"));
    EXPECT_LT(place("bilinear"), place("nearest"));

    // Every method is a point of the plot, and the mouse on it names it.
    viewer.click_control("restoring:part:Plot");
    state = viewer.settled_state();
    int points = 0;
    for (const auto& [control, box] : state.at("controls").items()) points += control.starts_with("point:");
    EXPECT_EQ(points, int(state.at("restoring").at("methods").size()));
    const auto names = [](const char* method) {
        return [method](const json& s) { return s.at("controls").contains(std::string("pointed:") + method); };
    };
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("point:Bilinear"); }, names("Bilinear")));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("point:Mitchell–Netravali"); }, names("Mitchell–Netravali")));

    viewer.resize(1280, 720);  // so low that the choices fold
    const auto plot = viewer.settled_state().at("controls").at("plot:restoring").get<std::array<float, 4>>();
    EXPECT_GE(plot[3], 180);
    EXPECT_LT(plot[1] + plot[3], 600) << "above the buttons";
    viewer.resize(1280, 800);
    viewer.settled_state();
    viewer.click_control("restoring:part:Figures");
    viewer.settled_state();
    viewer.click_control("restoring:sort-fetches");
    state = viewer.settled_state();
    EXPECT_LT(row(state, "nearest"), row(state, "bilinear"));
    EXPECT_LT(row(state, "bilinear"), row(state, "bspline"));
    viewer.click_control("restoring:row-hermite");
    EXPECT_EQ(viewer.settled_state().at("panes").at(0).get<std::string>().substr(0, 7), "hermite");

    // The message that it is saved lies above the window: its button can be clicked.
    viewer.click_control("restoring:path");
    viewer.key("ctrl+a");
    viewer.settled_state();
    const std::string file = scratch("best.csv");
    viewer.type(file);
    const auto told = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("restoring:save"); }, told));
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("message:dismiss"); }, std::not_fn(told)));
    fs::remove(file);

    const auto shows_best = [](const json& s) { return s.at("panes").size() == 4 && all_measured(s); };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("restoring:show-best"); }, shows_best, 30));
    state = viewer.settled_state();
    EXPECT_EQ(state.at("dialog"), "");
    EXPECT_EQ(state.at("session").at("reference").at("image"), "@basilica:160");
    EXPECT_EQ(state.at("panes").at(0).get<std::string>().substr(0, 6), "septic");
    const json shown = state.at("figures");
    viewer.key("ctrl+z");  // of the panes, then of the row that was clicked
    EXPECT_EQ(viewer.settled_state().at("panes").size(), before.at("panes").size());
    // The shrunk picture is made again; its figures are the same.
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+y"); }, shows_best, 30));
    EXPECT_NEAR(viewer.settled_state().at("figures").at(0).at("rmse"), shown.at(0).at("rmse"), 1e-5);
}

// Enter in a field is for the field: the method under the table's choice is not taken.
TEST_F(WhichIsBest, FieldsKeepEnterForThemselves) {
    ViewerInProcess viewer(*screen_, {"@basilica:160"});
    const json panes = viewer.settled_state().at("panes");
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    const auto enter = [&](const std::string& control, const std::string& text) {
        viewer.click_control(control);
        viewer.settled_state();
        viewer.key("ctrl+a");
        viewer.settled_state();
        viewer.type(text);
        viewer.key("Return");
    };
    const auto compares_again = [ran = false](const json& s) mutable {
        ran = ran || s.at("restoring").at("running").get<bool>();
        return ran && found(s);
    };
    ASSERT_TRUE(viewer.change([&] { enter("restoring:factor", "2"); }, compares_again, 60));
    EXPECT_EQ(viewer.settled_state().at("panes"), panes);

    const fs::path file = scratch("best.json");
    const auto told = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
    EXPECT_TRUE(viewer.change([&] { enter("restoring:path", file.string()); }, told));
    EXPECT_TRUE(fs::exists(file));
    EXPECT_EQ(viewer.settled_state().at("panes"), panes);
    EXPECT_EQ(viewer.settled_state().at("dialog"), "restoring");
    fs::remove(file);
}

TEST_F(SlowWhichIsBest, WhatIsNoFactorIsSaidAndNotRun) {
    ViewerInProcess viewer(*screen_, {"@basilica:160"});
    const json panes = viewer.settled_state().at("panes");
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    const auto refuses = [](const std::string& words) {
        return [words](const json& s) { return s.at("restoring").value("refused", "") == words; };
    };
    const auto runs = [](const json& s) { return s.at("restoring").at("running").get<bool>(); };
    viewer.click_control("restoring:factor");
    for (const auto& [text, words] :
         {std::pair{"abc", "“abc” is no factor; type a number from 1 to 64."},
          {"0", "The factor can be from 1 to 64."},
          {"2x", "“2x” is no factor; type a number from 1 to 64."},
          {"1000", "The factor can be from 1 to 64."}}) {  // one after the other: the field keeps the keyboard
        viewer.settled_state();
        viewer.key("ctrl+a");
        viewer.type(text);
        EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, refuses(words))) << text;
        const json state = viewer.settled_state();
        EXPECT_FALSE(runs(state)) << text;
        EXPECT_TRUE(found(state)) << text;
        EXPECT_EQ(state.at("panes"), panes) << text;
    }
    viewer.key("ctrl+a");
    viewer.type("3");
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, runs));
    EXPECT_TRUE(refuses("")(viewer.settled_state()));
    EXPECT_EQ(viewer.settled_state().at("panes"), panes);

    viewer.click_control("restoring:test:Rotate");
    viewer.click_control("restoring:step");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type("0");
    const auto angle = refuses("The angle can be from −360° to 360°, but not 0.");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, angle));
    // Left by the mouse, it shows the value again; another choice is the answer to the sentence.
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("restoring:test:Enlarge"); }, refuses("")));
}

TEST_F(WhichIsBest, EscCancelsThenCloses) {
    ViewerInProcess viewer(*screen_, {"@basilica:1600"});
    viewer.settled_state();
    const auto runs = [](const json& s) { return s.at("restoring").at("running").get<bool>(); };
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, runs, 60));
    const auto closed = [](const json& s) { return s.at("dialog") == ""; };
    const auto cancelled = [](const json& s) {
        return std::string(s.at("restoring").at("problem")).starts_with("Cancelled");
    };
    ASSERT_TRUE(viewer.change([&] { viewer.key("Escape"); }, std::not_fn(runs), 60));
    if (!cancelled(viewer.settled_state()))
        GTEST_SKIP() << "the comparison was over first: this GPU is too fast for it";
    EXPECT_EQ(viewer.settled_state().at("dialog"), "restoring");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, closed));
}

// What was found until then is kept, and it is said that it is not all.
TEST_F(WhichIsBest, EscKeepsWhatWasFound) {
    ViewerInProcess viewer(*screen_, {"@basilica:1600"});
    viewer.settled_state();
    const auto runs = [](const json& s) { return s.at("restoring").at("running").get<bool>(); };
    const auto has_row = [&](const json& s) {
        return runs(s) && s.at("controls").contains("restoring:row-nearest") &&
               s.at("controls").contains("status:working");
    };
    viewer.click_control("menu:Compare");
    if (!viewer.change([&] { viewer.click_control("compare.best"); }, has_row, 20))
        GTEST_SKIP() << "the comparison was over first: this GPU is too fast for it";
    ASSERT_TRUE(viewer.change([&] { viewer.key("Escape"); }, std::not_fn(runs), 60));
    const json state = viewer.settled_state();
    const std::string said = state.at("restoring").at("problem");
    if (said.empty()) GTEST_SKIP() << "the comparison was over first: this GPU is too fast for it";
    EXPECT_TRUE(said.starts_with("Cancelled: ")) << said;
    EXPECT_NE(said.find(" is the best so far, "), std::string::npos) << said;
    const size_t done = state.at("restoring").at("methods").size();
    EXPECT_GT(done, 0u);
    if (done < 24) {
        EXPECT_NE(
            said.find("but only " + std::to_string(done) + " of " + std::to_string(all_methods().size()) + " methods"),
            std::string::npos)
            << said;
    }
    // It can be used like a whole comparison.
    EXPECT_TRUE(state.at("controls").contains("restoring:use"));
    const auto four = [](const json& s) { return s.at("panes").size() == 4; };
    if (done >= 4) {
        EXPECT_TRUE(viewer.change([&] { viewer.click_control("restoring:show-best"); }, four, 30));
    }
}

// It lies beside the picture, whose keys act as usual; Esc, Enter and Tab are its own.
TEST_F(WhichIsBest, IsUsedBesideThePicture) {
    ViewerInProcess viewer(*screen_, {"@basilica:160"});
    const json before = viewer.settled_state();
    const auto method = [](const std::string& id) {
        return [id](const json& s) { return s.at("panes").at(0).get<std::string>().starts_with(id); };
    };
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    const auto box = viewer.settled_state().at("controls").at("dialog:restoring").get<std::array<float, 4>>();
    const auto picture = before.at("picture").get<std::array<int, 4>>();
    EXPECT_GE(float(picture[0] + picture[2]) - (box[0] + box[2]), 0.4f * float(picture[2])) << "much of it is seen";

    EXPECT_TRUE(viewer.change([&] { viewer.key("1"); }, method("nearest")));
    EXPECT_EQ(viewer.settled_state().at("dialog"), "restoring");
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("plus"); }, [&](const json& s) { return s.at("view") != before.at("view"); }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("restoring:row-quintic"); }, method("quintic")));
    viewer.settled_state();
    viewer.key("2");
    EXPECT_TRUE(method("bilinear")(viewer.settled_state()));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, method("quintic"))) << "the marked row";
    // A field that is being edited keeps its keys; Esc leaves it, then closes the window.
    viewer.click_control("restoring:factor");
    viewer.settled_state();
    viewer.type("1");
    EXPECT_TRUE(method("quintic")(viewer.settled_state()));
    viewer.key("Escape");
    EXPECT_EQ(viewer.settled_state().at("dialog"), "restoring");
    // With two panes the dialog leaves the active one in view.
    viewer.key("g");
    const json two = viewer.settled_state();
    const auto place = [&](const char* control) { return two.at("controls").at(control).get<std::array<float, 4>>(); };
    const float pane = float(picture[2]) / 2;
    EXPECT_GE(place("dialog:restoring")[0] - float(picture[0]), 0.6f * pane) << "most of it is seen";
    // Columns that have no room are said of the row that is pointed at; none is cut off, nothing scrolls sideways.
    const auto dialog = place("dialog:restoring");
    for (const auto& [id, box] : two.at("controls").items()) {
        if (!id.starts_with("restoring:sort-")) continue;
        EXPECT_LE(box.at(0).get<float>() + box.at(2).get<float>() + 8, dialog[0] + dialog[2]) << id;
    }
    for (const char* column : {"restoring:sort-PSNR", "restoring:sort-ΔE mean", "restoring:sort-fetches"})
        EXPECT_TRUE(two.at("controls").contains(column)) << column;
    EXPECT_FALSE(two.at("controls").contains("restoring:sort-PSNR of all"));
    viewer.move_pointer(int(place("restoring:row-quintic")[0]) + 40, int(place("restoring:row-quintic")[1]) + 8);
    viewer.pass(1);
    EXPECT_THAT(viewer.settled_state().at("controls").dump(), testing::HasSubstr("with edges (dB): "));
    viewer.wheel(-30, "shift");
    EXPECT_EQ(viewer.settled_state().at("view"), two.at("view")) << "the picture behind it does not zoom";
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return s.at("dialog") == ""; }));
    EXPECT_TRUE(viewer.running());
}

// Below the toolbar, of one size, while it runs, when it is done, and when messages come, which keep clear of it.
TEST_F(WhichIsBest, StaysWhereItIs) {
    using Bounds = std::array<float, 4>;
    const auto box = [](const json& s, const char* control) { return s.at("controls").at(control).get<Bounds>(); };
    const fs::path file = scratch("stays.json");
    for (const auto& [width, height] : {std::pair{1280, 800}, {1280, 720}, {600, 800}, {600, 500}}) {
        ViewerInProcess viewer(*screen_, {"@basilica:160"});
        viewer.resize(width, height);
        const json before = viewer.settled_state();
        viewer.key("ctrl+shift+p");
        viewer.settled_state();
        viewer.type("which is best");
        std::vector<Bounds> seen;
        const auto watches = [&](const json& s) {
            if (s.at("controls").contains("dialog:restoring")) seen.push_back(box(s, "dialog:restoring"));
            return found(s);
        };
        ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, watches, 60));
        json state = viewer.settled_state();
        const Bounds at = box(state, "dialog:restoring");
        for (const Bounds& each : seen) EXPECT_EQ(each, at) << width;
        EXPECT_GE(at[1], before.at("picture").at(1).get<float>()) << "below the toolbar";
        EXPECT_LE(at[1] + at[3], float(height) - 24) << "above the status bar";
        EXPECT_LE(at[0] + at[2], float(width));
        // The answer and its button are in view, and so are some methods.
        for (const char* control :
             {"restoring:use", "restoring:show-best", "restoring:sort-PSNR", "restoring:row-septic"}) {
            ASSERT_TRUE(state.at("controls").contains(control)) << control << ' ' << width;
            EXPECT_LE(box(state, control)[1] + box(state, control)[3], at[1] + at[3]) << control << ' ' << width;
        }
        if (width < 1000) continue;  // where the row that saves is scrolled to
        viewer.click_control("restoring:path");
        viewer.key("ctrl+a");
        viewer.settled_state();
        viewer.type(file.string());
        const auto told = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
        ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, told));
        state = viewer.settled_state();
        EXPECT_EQ(box(state, "dialog:restoring"), at) << "a message has come";
        EXPECT_GE(box(state, "message:dismiss")[0], at[0] + at[2]) << "and is beside it";
        viewer.click_control("message:dismiss");
        EXPECT_EQ(box(viewer.settled_state(), "dialog:restoring"), at);
        fs::remove(file);
    }
}

TEST_F(WhichIsBest, ASelectionCanBeAskedAbout) {
    ViewerInProcess viewer(*screen_, {"@basilica:400", "--zoom", "2"});
    viewer.settled_state();
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("restoring:part-of:Selection"))
        << "nothing is selected";
    ASSERT_TRUE(viewer.change([&] { viewer.drag(0.5, 0.2, 0.85, 0.7, 3); },
                              [](const json& s) { return s.contains("selection"); }));
    viewer.settled_state();
    const auto compares_again = [ran = false](const json& s) mutable {
        ran = ran || s.at("restoring").at("running").get<bool>();
        return ran && found(s);
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("restoring:part-of:Selection"); }, compares_again, 60));
    const json state = viewer.settled_state();
    ASSERT_EQ(state.at("restoring").at("problem"), "");
    const auto selection = state.at("selection").get<std::array<double, 4>>();
    const auto part = state.at("restoring").at("part").get<std::array<int, 4>>();
    EXPECT_NEAR(part[0], selection[0], 1);
    EXPECT_NEAR(part[1], selection[1], 1);
    EXPECT_NEAR(part[2], selection[2] - selection[0], 2);
    EXPECT_NEAR(part[3], selection[3] - selection[1], 2);
    // Its panes show the picture, and their figures are those of the part.
    const auto shows_best = [](const json& s) { return s.at("panes").size() == 4 && all_measured(s); };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("restoring:show-best"); }, shows_best, 30));
    EXPECT_TRUE(viewer.settled_state().contains("selection"));
}

// Who quits while something runs that would be lost is asked; asking again means it.
TEST_F(WhichIsBest, QuittingMeanwhileAsksFirst) {
    const auto runs = [](const json& s) { return s.at("restoring").at("running").get<bool>(); };
    const auto dialog = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    for (const bool twice : {false, true}) {
        ViewerInProcess viewer(*screen_, {"@basilica:2000"});
        viewer.settled_state();
        viewer.click_control("menu:Compare");
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, runs, 60));
        viewer.change([&] { viewer.key("ctrl+q"); }, [&](const json& s) { return dialog("question")(s) || !runs(s); });
        if (!viewer.running()) GTEST_SKIP() << "the comparison was over first: this GPU is too fast for it";
        ASSERT_TRUE(dialog("question")(viewer.settled_state()));
        if (!twice) {
            viewer.key("Escape");
            EXPECT_EQ(viewer.settled_state().at("dialog"), "restoring");
            EXPECT_TRUE(viewer.running());
            if (!runs(viewer.settled_state())) continue;
            ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+q"); }, dialog("question")));
            viewer.settled_state();
            viewer.click_control("question:yes");
        } else {
            viewer.close();
        }
        EXPECT_EQ(viewer.wait_for_end(60), 0);
    }
}

}  // namespace
}  // namespace texelscope::test
