// Dialogs of studies in the real window: "How was this made?", "Explain the difference" and the experiments.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RecipeDialogs : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string file(const char* name, const Image& image) const {
        std::string path = (folder_ / name).string();
        write_image(image, path);
        return path;
    }
    static void choose(ViewerUnderTest& viewer, const char* action) {
        viewer.settled_state();
        viewer.click_control("menu:Compare");
        viewer.click_control(action);
    }
    static bool identified(const json& s) {
        return !s.at("identifying").at("running") && !s.at("identifying").at("findings").empty();
    }
    static bool explained(const json& s) {
        return !s.at("explaining").at("running") && !s.at("explaining").at("answer").get<std::string>().empty();
    }
    // Values of equal samples differ by no more than float32 rounds; a level is 4e-3.
    static constexpr double rounding = 1e-6;

    // Pane B shows the picture of this recipe, measured.
    static std::function<bool(const json&)> shows(const std::string& recipe) {
        return [recipe](const json& s) {
            const json& shown = s.at("session").at("panes");
            return shown.size() == 2 && !s.at("figures").at(1).is_null() &&
                   shown.at(1).value("image", "").find(";" + recipe + ";") != std::string::npos;
        };
    }
    // So many panes, all but the reference measured.
    static std::function<bool(const json&)> panes(size_t count) {
        return [count](const json& s) {
            const json& figures = s.at("figures");
            return figures.size() == count && std::none_of(figures.begin() + 1, figures.end(),
                                                           [](const json& figure) { return figure.is_null(); });
        };
    }

    const fs::path folder_ = scratch("recipes");
};

// The first sample of each two by two: what OpenCV's nearest takes.
Image every_second(const Image& image) {
    Image result(image.width() / 2, image.height() / 2, 1, SampleType::u8);
    for (int y = 0; y < result.height(); ++y)
        for (int x = 0; x < result.width(); ++x) result.row_as<uint8_t>(y)[x] = image.row_as<uint8_t>(2 * y)[2 * x];
    return result;
}

// By the weights 1 4 6 4 1 about every second sample, which is no recipe.
Image binomial(const Image& image) {
    constexpr std::array weights = {1, 4, 6, 4, 1};
    Image result(image.width() / 2, image.height() / 2, 1, SampleType::f32);
    for (int y = 0; y < result.height(); ++y)
        for (int x = 0; x < result.width(); ++x) {
            float sum = 0;
            for (int j = 0; j < 5; ++j)
                for (int i = 0; i < 5; ++i)
                    sum += float(weights[size_t(i)] * weights[size_t(j)]) / 256 *
                           image.value(std::clamp(2 * x + i - 2, 0, image.width() - 1),
                                       std::clamp(2 * y + j - 2, 0, image.height() - 1), 0);
            result.row_as<float>(y)[x] = sum;
        }
    return result;
}

TEST_F(RecipeDialogs, SayWhichRecipeMadeAPictureAndShowBoth) {
    const Image image = noise(96, 80, 1, SampleType::u8, 5);
    const std::string large = file("large.png", image), small = file("small.png", every_second(image));
    ViewerInProcess viewer(*screen_, {large, small});
    const json before = viewer.settled_state().at("panes");
    ASSERT_TRUE(viewer.change([&] { choose(viewer, "compare.identify"); }, identified, 60));
    json state = viewer.settled_state();
    const json& found = state.at("identifying");
    EXPECT_EQ(found.at("original"), large);
    EXPECT_EQ(found.at("result"), small);
    EXPECT_EQ(found.at("findings").at(0), "Made by the rule of like:opencv/nearest: bit-exact.");

    // A row: its picture as the difference to the result, beside the dialog.
    const std::string second = found.at("ranked").at(1);
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("identifying:row-" + second); }, shows(second), 30));
    state = viewer.settled_state();
    EXPECT_EQ(state.at("dialog"), "identifying");
    EXPECT_GT(state.at("figures").at(1).at("max_abs"), 1.5 / 255);

    // Enter: the best one.
    const auto shows_best = [](const json& s) { return s.at("dialog") == "" && shows("like:opencv/nearest")(s); };
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, shows_best, 30));
    state = viewer.settled_state();
    EXPECT_EQ(state.at("image"), small);
    EXPECT_EQ(state.at("session").at("reference").at("image"), small);
    EXPECT_EQ(state.at("session").at("panes").at(1).at("image"), "@resized:48x40;like:opencv/nearest;;;" + large);
    EXPECT_LT(state.at("figures").at(1).at("max_abs"), rounding);
    EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+z"); }, shows(second), 30)) << "one undo for each";
    viewer.key("ctrl+z");
    EXPECT_EQ(viewer.settled_state().at("panes"), before);
    // The picture is made again.
    viewer.key("ctrl+y");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+y"); }, shows_best, 30));
    EXPECT_LT(viewer.settled_state().at("figures").at(1).at("max_abs"), rounding);
}

// As wide as a telephone: figures give way to names.
TEST_F(RecipeDialogs, NameTheRecipesInANarrowWindow) {
    const Image image = noise(96, 80, 1, SampleType::u8, 5);
    ViewerInProcess viewer(*screen_, {file("large.png", image), file("small.png", every_second(image))});
    ASSERT_TRUE(viewer.change([&] { choose(viewer, "compare.identify"); }, identified, 60));
    const auto width = [&] { return control_box(viewer.settled_state(), "identifying:recipes").width; };
    EXPECT_GE(width(), 150);
    viewer.resize(390, 844);
    EXPECT_GE(width(), 120);
}

TEST_F(RecipeDialogs, AnUnknownResizerIsMeasuredAndUsedAsAMethod) {
    const Image image = noise(160, 144, 1, SampleType::f32, 7);
    const std::string large = file("large.npy", image), small = file("small.npy", binomial(image));
    ViewerInProcess viewer(*screen_, {large, small});
    ASSERT_TRUE(viewer.change([&] { choose(viewer, "compare.identify"); }, identified, 120));
    viewer.click_control("identifying:part:Measured weights");
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("plot:measured"));
    const auto own = [](const json& s) { return s.at("panes").at(0).get<std::string>().starts_with("custom:"); };
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("identifying:use"); }, own));
    const fs::path page = folder_ / "made.html";
    viewer.click_control("identifying:path");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type(page.string());
    const auto told = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, told));
    EXPECT_GT(fs::file_size(page), 1000u);
}

TEST_F(RecipeDialogs, WithoutAPairNothingRunsAndTheDialogSaysWhy) {
    const Image image = noise(40, 30, 1, SampleType::u8, 9);
    ViewerInProcess viewer(*screen_, {file("one.png", image)});
    choose(viewer, "compare.identify");
    json state = viewer.settled_state();
    EXPECT_EQ(state.at("dialog"), "identifying");
    EXPECT_EQ(state.at("identifying").at("refused"),
              "Only one.png is open: open the other picture too; files can be dropped here.");
    viewer.click_control("identifying:identify");
    EXPECT_FALSE(viewer.settled_state().at("identifying").at("running"));
    // What is dropped becomes the other picture.
    const std::string small = file("small.png", every_second(image));
    const auto paired = [&](const json& s) { return s.at("identifying").at("result") == small; };
    ASSERT_TRUE(viewer.change([&] { ASSERT_TRUE(viewer.drop({small}, 0.8, 0.5)); }, paired, 30));
    EXPECT_EQ(viewer.settled_state().at("identifying").at("refused"), "");
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("identifying:identify"); }, identified, 60));
}

TEST_F(RecipeDialogs, EscCancelsThenCloses) {
    const Image image = noise(1500, 1400, 1, SampleType::f32, 11);
    ViewerInProcess viewer(*screen_, {file("large.npy", image), file("small.npy", binomial(image))});
    const auto runs = [](const json& s) { return s.at("identifying").at("running").get<bool>(); };
    const auto begun = [&](const json& s) { return runs(s) || !s.at("identifying").at("findings").empty(); };
    ASSERT_TRUE(viewer.change([&] { choose(viewer, "compare.identify"); }, begun, 60));
    ASSERT_TRUE(viewer.change([&] { viewer.key("Escape"); }, std::not_fn(runs), 60));
    if (viewer.settled_state().at("identifying").at("problem") != "Cancelled.")
        GTEST_SKIP() << "the answer was there first: this machine is too fast for it";
    EXPECT_EQ(viewer.settled_state().at("dialog"), "identifying");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return s.at("dialog") == ""; }));
}

// As in every dialog; a single Esc closes it from there.
TEST_F(RecipeDialogs, TabReachesTheirControls) {
    const Image image = noise(96, 80, 1, SampleType::u8, 5);
    ViewerInProcess viewer(*screen_, {file("photo.png", image), file("small.png", every_second(image))});
    ASSERT_TRUE(viewer.change([&] { choose(viewer, "compare.identify"); }, identified, 60));
    viewer.settled_state();
    using Box = std::array<float, 4>;
    const auto box_of = [](const json& s, const char* id) {
        return s.at("controls").contains(id) ? s.at("controls").at(id).get<Box>() : Box{};
    };
    bool reached = false;
    for (int k = 0; k < 40 && !reached; ++k) {
        viewer.key("Tab");
        const json state = viewer.settled_state();
        ASSERT_TRUE(state.at("controls").contains("menu:File")) << "the panels stay";
        const Box dialog = box_of(state, "dialog:identifying"), stop = box_of(state, "tab-stop"),
                  show = box_of(state, "identifying:show-both");
        if (k == 0) {
            EXPECT_TRUE(stop[2] > 0 && stop[0] >= dialog[0] && stop[1] >= dialog[1] &&
                        stop[0] + stop[2] <= dialog[0] + dialog[2] && stop[1] + stop[3] <= dialog[1] + dialog[3])
                << "the first one is in the dialog";
        }
        reached = std::abs(stop[0] - show[0]) < 1 && std::abs(stop[1] - show[1]) < 1;
    }
    EXPECT_TRUE(reached);
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return s.at("dialog") == ""; }));
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("menu:File"));
}

TEST_F(RecipeDialogs, EachStepBetweenTwoRecipesHasAPane) {
    ViewerInProcess viewer(*screen_, {file("photo.png", noise(90, 70, 3, SampleType::u8, 3))});
    const json before = viewer.settled_state().at("panes");
    ASSERT_TRUE(viewer.change([&] { choose(viewer, "compare.explain"); }, explained, 60));
    const json steps = viewer.settled_state().at("explaining").at("steps");
    std::vector<std::string> changed;
    for (const json& step : steps) changed.push_back(step.at("changed"));
    // Pillow widens a = −1/2, leaves out what is beyond the edges and rounds between the axes; OpenCV's rule is another in all
    // but the order of the axes.
    EXPECT_EQ(changed,
              (std::vector<std::string>{"alignment", "antialiasing", "weights", "edges", "rounding", "alpha"}));
    EXPECT_EQ(steps.at(0).at("largest"), 0) << "the exact factor is that of the sizes";
    EXPECT_GT(steps.at(1).at("largest"), 8) << "aliases of noise";
    const auto shown = [&](const json& s) { return s.at("dialog") == "" && panes(steps.size() + 1)(s); };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("explaining:show"); }, shown, 30));
    const json figures = viewer.settled_state().at("figures");
    EXPECT_LT(figures.at(1).at("max_abs"), rounding);
    EXPECT_GT(figures.at(2).at("max_abs"), 8.0 / 255);
    viewer.key("ctrl+z");
    EXPECT_EQ(viewer.settled_state().at("panes"), before);
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+y"); }, shown, 30));
    EXPECT_EQ(viewer.settled_state().at("figures"), figures) << "the pictures are made again";
}

TEST_F(RecipeDialogs, WhatIsNoRecipeIsSaidAndNotRun) {
    ViewerInProcess viewer(*screen_, {file("photo.png", noise(40, 30, 1, SampleType::u8, 3))});
    ASSERT_TRUE(viewer.change([&] { choose(viewer, "compare.explain"); }, explained, 60));
    viewer.click_control("explaining:to");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type("opencv/cubicle");
    const json state = viewer.settled_state();
    EXPECT_NE(state.at("explaining").at("refused").get<std::string>().find("opencv/cubic"), std::string::npos);
    viewer.click_control("explaining:explain");
    EXPECT_FALSE(viewer.settled_state().at("explaining").at("running"));
    viewer.click_control("explaining:to-list");
    viewer.settled_state();
    viewer.click_control("explaining:to:like:opencv/area");
    EXPECT_EQ(viewer.settled_state().at("explaining").at("refused"), "");
}

// Experiments: run one, save its report, cancel another.

class Experiments : public ViewerTest {
protected:
    static void open(ViewerUnderTest& viewer) {
        viewer.settled_state();
        viewer.click_control("menu:Learn");
        viewer.click_control("learn.experiments");
        ASSERT_TRUE(viewer.settled_state().at("controls").contains("experiment:run"));
    }
    static bool has_results(const json& state, int count) { return state.at("experiment").at("results") == count; }
    static bool is_running(const json& state, const std::string& name) {
        return state.at("experiment").at("running") == name;
    }
};

TEST_F(Experiments, OneRunsAndItsReportIsSaved) {
    ViewerInProcess viewer(*screen_, {"@step:64"});
    open(viewer);
    viewer.click_control("experiment:weights");
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("experiment:run"); },
                              [](const json& s) { return has_results(s, 1); }, 60));
    const std::filesystem::path report = scratch("report.html");
    std::filesystem::remove(report);
    viewer.click_control("experiment:report");
    viewer.settled_state();  // the field has the keyboard, and its text is selected
    ASSERT_TRUE(viewer.change([&] { viewer.type(report.string()); },
                              [&](const json& s) { return s.at("experiment").at("report") == report.string(); }, 60));
    viewer.click_control("experiment:save");
    viewer.settled_state();
    ASSERT_TRUE(std::filesystem::exists(report));
    std::ifstream file(report);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(page.find("257 values"), std::string::npos);
    std::filesystem::remove(report);
    const std::filesystem::path folder = scratch("results");
    std::filesystem::remove_all(folder);
    viewer.click_control("experiment:report");
    viewer.settled_state();
    viewer.key("ctrl+a");
    ASSERT_TRUE(viewer.change([&] { viewer.type(folder.string()); },
                              [&](const json& s) { return s.at("experiment").at("report") == folder.string(); }, 60));
    viewer.click_control("experiment:save");
    viewer.settled_state();
    for (const char* name : {"report.html", "result.json"}) EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
    std::filesystem::remove_all(folder);
    // All parts of the result can be shown.
    for (const char* part : {"experiment:Plots", "experiment:Tables", "experiment:Facts", "experiment:Verdicts"})
        viewer.click_control(part);
    viewer.settled_state();
    EXPECT_TRUE(viewer.running());
    EXPECT_EQ(viewer.settled_state().at("messages").dump().find("error"), std::string::npos);
}

TEST_F(Experiments, ALongOneLeavesTheWindowAnsweringAndIsCancelled) {
    ViewerInProcess viewer(*screen_, {"@step:64"});
    open(viewer);
    viewer.click_control("experiment:zoom-cost");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change(
        [&] { viewer.click_control("experiment:run"); },
        [](const json& s) { return is_running(s, "zoom-cost") && s.at("experiment").at("done") > 0; }, 60));
    // Once closed, it is in the status bar, and a click opens it again.
    const auto shows = [](const char* control) {
        return [control](const json& s) { return s.at("controls").contains(control); };
    };
    viewer.click_control("menu:Learn");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("learn.experiments"); },
                              [&](const json& s) { return shows("status:background")(s) || is_running(s, ""); }, 60));
    const char* too_fast = "the experiment was over first: this GPU is too fast for it";
    if (is_running(viewer.settled_state(), "")) GTEST_SKIP() << too_fast;
    try {
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("status:background"); }, shows("background:cancel"), 60));
    } catch (const json::exception&) {  // the control went with the experiment
        ASSERT_TRUE(is_running(viewer.settled_state(), ""));
        GTEST_SKIP() << too_fast;
    }
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return s.at("dialog") == ""; }));
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("ctrl+shift+p"); }, [](const json& s) { return s.at("palette") == true; }));
    viewer.type("cancel the exp");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); },
                              [](const json& s) { return is_running(s, "") && has_results(s, 0); }, 60));
}

}  // namespace
}  // namespace texelscope::test
