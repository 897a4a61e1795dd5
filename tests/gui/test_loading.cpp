// The real window while files are read: it goes on, what is asked for last is shown, Esc cancels.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/files/reading/image_files.h"
#include "gpu/core/timing.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class LoadingInWindow : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    // A photograph's worth of samples: it takes several hundred milliseconds.
    std::string large(const std::string& name, int width = 6000, int height = 4000) {
        Image image(width, height, 3, SampleType::u8);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < 3 * width; ++x) image.row_as<uint8_t>(y)[x] = uint8_t(x / 16 + y / 16 + (x * y) % 23);
        write_image(image, folder_ / name);
        return (folder_ / name).string();
    }
    std::string small(const std::string& name) {
        write_image(Image(40, 30, 3, SampleType::u8), folder_ / name);
        return (folder_ / name).string();
    }
    static auto loading(const std::string& file) {
        return [file](const json& state) { return state.at("loading") == file; };
    }
    static auto shown(const std::string& file) {
        return [file](const json& state) { return state.at("image") == file && state.contains("size"); };
    }
    fs::path folder_ = scratch("loading");
};
class SlowLoadingInWindow : public LoadingInWindow {};  // much is computed

TEST_F(LoadingInWindow, TheWindowGoesOnWhileALargeFileIsRead) {
    const std::string file = large("large.jpg");
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--backend", "cpu"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    viewer.take_longest_turn();
    const StopWatch reading;
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({file}, 0.6, 0.4)); }, shown(file), 60));
    expect_loop_was_free(viewer, reading.ms());
    expect_same_picture(viewer, "a large file");
}

TEST_F(SlowLoadingInWindow, FiguresOfALargePictureAreMeasuredInTheBackground) {
    const std::string file = large("large.ppm");
    ViewerInProcess viewer(*screen_, {file, "--backend", "cpu"});
    const auto measured = [](const json& state) {
        return state.at("figures").size() == 2 && std::none_of(state.at("figures").begin(), state.at("figures").end(),
                                                               [](const json& figures) { return figures.is_null(); });
    };
    viewer.move_to(0.3, 0.5);
    viewer.settled_state();
    viewer.take_longest_turn();
    const StopWatch watch;
    ASSERT_TRUE(viewer.change([&] { viewer.key("g"); }, measured, 60)) << "two panes, against float64";
    ASSERT_TRUE(viewer.change([&] { viewer.wheel(-2); }, [&](const json& state) { return !measured(state); }));
    viewer.wheel(1);
    EXPECT_TRUE(measured(viewer.settled_state())) << "once nothing moves";
    expect_loop_was_free(viewer, watch.ms());
}

TEST_F(LoadingInWindow, CoefficientsOfALargePictureAreMadeInTheBackground) {
    const std::string file = large("large.ppm");
    ViewerInProcess viewer(*screen_, {file, "--backend", "cpu", "--method", "bilinear", "--zoom", "2"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    viewer.take_longest_turn();
    const StopWatch watch;
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("3"); }, [](const json& state) { return !state.at("preparing").empty(); }))
        << "it says so";
    viewer.wheel(1);
    const json state = viewer.settled_state();
    EXPECT_EQ(state.at("spec").get<std::string>().substr(0, 7), "bspline");
    expect_loop_was_free(viewer, watch.ms());
    expect_same_picture(viewer, "when they are there");
}

TEST_F(LoadingInWindow, DroppedFilesAreReadWhileThePictureMoves) {
    const std::string file = large("a photograph, 100 %.jpg"), other = small("small.png");
    ViewerProgram viewer(*screen_, {"@zone-plate:256", "--backend", "cpu"});
    viewer.move_to(0.5, 0.5);
    json before = viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({file}, 0.6, 0.4)); }, loading(file)));
    ASSERT_TRUE(viewer.change(
        [&] { viewer.wheel(2); },
        [&](const json& state) { return state.at("view") != before.at("view") && state.at("loading") == file; }))
        << "it zooms while the file is read";
    ASSERT_TRUE(viewer.change([] {}, shown(file), 60));
    expect_same_picture(viewer, "a dropped file");

    // Several at once are all opened, and what is no picture is one sentence.
    const std::string gone = (folder_ / "gone.png").string();
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({gone, other}, 0.6, 0.4)); }, shown(other), 60));
    EXPECT_NE(viewer.settled_state().at("messages").dump().find("gone.png"), std::string::npos);
    EXPECT_TRUE(viewer.running());
}

TEST_F(LoadingInWindow, TheOldPictureStaysUsableAndEscCancels) {
    const std::string file = large("large.png", 9000, 8000);
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--backend", "cpu"});
    viewer.move_to(0.5, 0.5);
    const json before = viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({file}, 0.6, 0.4)); }, loading(file)));
    ASSERT_TRUE(viewer.change(
        [&] { viewer.wheel(2); },
        [&](const json& state) { return state.at("view") != before.at("view") && state.at("loading") == file; }))
        << "it zooms while the file is read";
    ASSERT_TRUE(viewer.change([&] { viewer.key("Escape"); }, loading("")));
    const json after = viewer.settled_state();
    EXPECT_EQ(after.at("image"), before.at("image"));
    EXPECT_NE(after.at("messages").dump().find("cancelled"), std::string::npos);
    EXPECT_EQ(after.at("session").dump().find("large.png"), std::string::npos);
    expect_same_picture(viewer, "after it was cancelled");
}

TEST_F(LoadingInWindow, TheNextRequestOvertakes) {
    const std::string file = large("large.png", 9000, 8000), other = small("small.ppm");
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--backend", "cpu"});
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({file}, 0.6, 0.4)); }, loading(file)));
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({other}, 0.6, 0.4)); }, shown(other)));
    const json state = viewer.settled_state();
    EXPECT_EQ(state.at("image"), other);
    EXPECT_NE(state.at("session").dump().find("large.png"), std::string::npos)
        << "the overtaken one is open, and read when it is shown";
}

TEST_F(LoadingInWindow, StepsThroughAFolderDoNotQueueUp) {
    large("p1.jpg", 3000, 2000);
    for (const char* name : {"p2.jpg", "p3.jpg", "p4.jpg", "p5.jpg", "p6.jpg"})
        fs::create_hard_link(folder_ / "p1.jpg", folder_ / name);
    ViewerInProcess viewer(*screen_, {folder_.string(), "--backend", "cpu"});
    EXPECT_TRUE(shown((folder_ / "p1.jpg").string())(viewer.settled_state()));
    viewer.move_to(0.5, 0.5);
    const std::string last = (folder_ / "p6.jpg").string(), before = (folder_ / "p5.jpg").string();
    EXPECT_TRUE(viewer.change([&] { viewer.keys({"Next", "Next", "Next", "Next", "Next"}); }, shown(last)));
    EXPECT_EQ(viewer.settled_state().at("image"), last);
    EXPECT_TRUE(viewer.change([&] { viewer.key("Prior"); }, shown(before)));
    expect_same_picture(viewer, "a step back");
}

// What is typed into the palette right after the start is done once the picture is there.
TEST_F(LoadingInWindow, ATypedCommandWaitsForTheFirstPicture) {
    const std::string file = large("first.png", 10000, 8000);
    ViewerProgram viewer(*screen_, {file});
    const auto enlarged = [](const json& s) {
        return s.contains("size") && std::abs(s.at("view").at("scale").get<double>() - 0.25) < 1e-9;
    };
    const auto type = [&] {
        screen_->xdotool({"key", "--delay", "0", "ctrl+shift+p", "z", "o", "o", "m", "space", "4", "0", "0", "Return"});
    };
    EXPECT_TRUE(viewer.change(type, enlarged, 60)) << viewer.settled_state().dump();
    EXPECT_EQ(viewer.settled_state().at("dialog"), "");
}

TEST_F(LoadingInWindow, TheFirstPictureComesLikeTheOthers) {
    const std::string file = small("a.ppm"), none = (folder_ / "none.ppm").string();
    {
        ViewerInProcess viewer(*screen_, {none, file, "--zoom", "4"});
        const json state = viewer.settled_state();
        EXPECT_TRUE(shown(file)(state));
        EXPECT_NE(state.at("messages").dump().find("no such file"), std::string::npos);
        EXPECT_FALSE(state.at("can_undo"));
    }
    {
        ViewerInProcess viewer(*screen_, {file, none, (folder_ / "nor this.ppm").string()});
        const json state = viewer.settled_state();
        EXPECT_TRUE(shown(file)(state));
        EXPECT_NE(state.at("messages").dump().find("nor this.ppm: no such file"), std::string::npos)
            << "not the first one, and never shown: " << state.at("messages");
        EXPECT_EQ(state.at("session").dump().find("none.ppm"), std::string::npos);
    }
    ViewerProgram viewer(*screen_, {none});
    EXPECT_EQ(viewer.settled_state().at("image"), "@basilica");
    EXPECT_NE(viewer.messages().find("texelscope: " + none + ": no such file"), std::string::npos)
        << "said where it was typed, too";
}

}  // namespace

// Images that are too large for memory, in the real window: opened, moved and zoomed, and sharp in the end.

namespace {

using nlohmann::json;

class LargeImages : public ViewerTest {
protected:
    static bool sharp(const json& state) {
        return state.contains("size") && state.at("preparing").empty() && state.at("to_come") == 0;
    }
};
class SlowLargeImages : public LargeImages {};  // much is computed

constexpr double patience = 60;

TEST_F(LargeImages, AreSharpInTheEndAndNothingWaitsForThem) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:40000", "--backend", "cpu", "--zoom", "1"});
    viewer.move_to(0.5, 0.5);
    const json opened = viewer.settled_state();
    EXPECT_EQ(opened.at("size"), json::array({40000, 40000}));
    viewer.take_longest_turn();
    const StopWatch watch;
    ASSERT_TRUE(viewer.change([&] { viewer.drag(0.7, 0.7, 0.2, 0.3); }, sharp, patience));
    expect_same_picture(viewer, "moved");
    ASSERT_TRUE(viewer.change([&] { viewer.wheel(3); }, sharp, patience));
    expect_same_picture(viewer, "closer");
    expect_loop_was_free(viewer, watch.ms());
}

TEST_F(LargeImages, AreShownByPanesWithOtherMethods) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:40000", "--backend", "cpu", "--zoom", "3"});
    viewer.move_to(0.3, 0.5);
    ASSERT_TRUE(viewer.change([&] { viewer.key("g"); }, sharp, patience));
    viewer.settled_state();
    for (const int pane : {0, 1}) expect_same(viewer.shown_pane(pane), viewer.rendered_pane(pane), "in a pane");
}

// Differences, their figures and the value under the cursor, against the reference that is chosen first.
TEST_F(SlowLargeImages, AreComparedWithAReferenceInFloat64) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:40000", "--backend", "cpu", "--zoom", "3", "--method", "bilinear"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    viewer.take_longest_turn();
    const StopWatch watch;
    const auto compared = [](const json& state) {
        return sharp(state) && state.at("difference").get<bool>() && !state.at("figures").at(0).is_null();
    };
    ASSERT_TRUE(viewer.change([&] { viewer.key("d"); }, compared, patience));
    const json state = viewer.settled_state();
    const float gain = state.at("gain");
    const Image a = viewer.rendered_pane_values(0), b = viewer.rendered_with(0, "quintic");
    Image expected(a.width(), a.height(), 3, SampleType::u8);
    double squares = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const double d = std::abs(double(a.value(x, y, 0)) - b.value(x, y, 0));
            squares += d * d;
            for (int c = 0; c < 3; ++c)
                expected.row_as<uint8_t>(y)[3 * x + c] = uint8_t(std::lround(255 * std::min(d * gain, 1.0)));
        }
    expect_same(viewer.shown_pane(0), expected, "difference");
    EXPECT_NEAR(state.at("figures").at(0).at("rmse"), std::sqrt(squares / (double(a.width()) * a.height())), 2e-6);
    expect_loop_was_free(viewer, watch.ms());
}

// Black and white at the least and the largest value that is in view, found from what the window has.
TEST_F(LargeImages, HaveTheContrastOfWhatIsInView) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:40000", "--backend", "cpu", "--zoom", "40", "--method", "bilinear",
                                      "--translate", "160,0"});
    viewer.move_to(0.3, 0.5);
    viewer.settled_state();
    const auto palette = [](bool open) {
        return [open](const json& s) { return s.at("palette").get<bool>() == open; };
    };
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+shift+p"); }, palette(true), patience));
    viewer.type("auto contrast, 0");
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, palette(false), patience));
    viewer.settled_state();
    const Image values = viewer.rendered_pane_values(0);
    float low = INFINITY, high = -INFINITY;
    for (int y = 0; y < values.height(); ++y)
        for (int x = 0; x < values.width(); ++x) {
            low = std::min(low, values.value(x, y, 0));
            high = std::max(high, values.value(x, y, 0));
        }
    ASSERT_LT(high - low, 0.9f) << "there is something to be spread";
    ASSERT_GT(high - low, 0.05f);
    Image expected(values.width(), values.height(), 3, SampleType::u8);
    for (int y = 0; y < values.height(); ++y)
        for (int x = 0; x < values.width(); ++x)
            for (int c = 0; c < 3; ++c)
                expected.row_as<uint8_t>(y)[3 * x + c] =
                    uint8_t(std::lround(255 * (values.value(x, y, 0) - low) / (high - low)));
    expect_same(viewer.shown_pane(0), expected, "spread");
}

// A view of so much that it takes long until all of it has been read: meanwhile there is a picture, and the window goes on.
TEST_F(LargeImages, ShowSomethingOfAllOfThemAtOnce) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:200000", "--backend", "cpu", "--zoom", "1"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    viewer.take_longest_turn();
    const StopWatch watch;
    const auto coarse = [](const json& state) {
        return state.at("view").at("scale").get<double>() > 20 && state.at("to_come") > 0;
    };
    ASSERT_TRUE(viewer.change([&] { viewer.wheel(-40); }, coarse, patience));
    ASSERT_TRUE(
        viewer.change([&] { viewer.key("3"); }, [](const json& state) { return state.contains("size"); }, patience));
    expect_loop_was_free(viewer, watch.ms());
}

bool contains(const Image& sheet, const Image& rgba) {
    const auto is_at = [&](int x0, int y0) {
        for (int y = 0; y < rgba.height(); ++y)
            for (int x = 0; x < rgba.width(); ++x) {
                const uint8_t* const pixel = sheet.row_as<uint8_t>(y0 + y) + 3 * (x0 + x);
                if (!std::equal(pixel, pixel + 3, rgba.row_as<uint8_t>(y) + 4 * x)) return false;
            }
        return true;
    };
    for (int y = 0; y + rgba.height() <= sheet.height(); ++y)
        for (int x = 0; x + rgba.width() <= sheet.width(); ++x)
            if (is_at(x, y)) return true;
    return false;
}

// The sheet shows the panes as they were when it was asked for; meanwhile the window goes on.
TEST_F(SlowLargeImages, ASheetOfThemIsMadeInTheBackground) {
    const std::string file = scratch("large-sheet.png");
    ViewerInProcess viewer(*screen_, {"@zone-plate:40000", "--backend", "cpu", "--zoom", "0.2"});
    viewer.move_to(0.3, 0.5);
    ASSERT_TRUE(viewer.change([&] { viewer.key("g"); }, sharp, patience));
    const json before = viewer.settled_state();
    const Image panes[] = {viewer.rendered_pane(0), viewer.rendered_pane(1)};
    const auto says = [](const std::string& words) {
        return [words](const json& state) {
            return (state.at("work").dump() + state.at("messages").dump()).find(words) != std::string::npos;
        };
    };
    const auto confirm = [&] {
        const auto dialog = [](const json& state) { return state.at("dialog") == "save"; };
        EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+shift+e"); }, dialog));
        viewer.key("ctrl+a");
        viewer.type(file);
        viewer.key("Return");
    };
    const auto computes = says("computing pane"), saved = says("large-sheet.png: saved");
    const auto moves = [&](const json& state) { return computes(state) && state.at("view") != before.at("view"); };
    const auto has_bilinear = [&](const json& state) {
        return computes(state) && std::string(state.at("panes").at(0)).starts_with("bilinear");
    };
    bool over = false;  // many cores may have saved it before anything can be done meanwhile
    const auto change = [&](auto action, auto happens) {
        const auto seen = [&](const json& state) { return (over = saved(state)) || happens(state); };
        return over || viewer.change(action, seen, patience);
    };
    viewer.take_longest_turn();
    const StopWatch watch;
    ASSERT_TRUE(change(confirm, computes));
    ASSERT_TRUE(change([&] { viewer.key("Escape"); }, says("saving it was cancelled")));
    EXPECT_EQ(std::filesystem::exists(file), over);
    ASSERT_TRUE(change(confirm, computes));
    ASSERT_TRUE(change([&] { viewer.wheel(3); }, moves));
    ASSERT_TRUE(change([&] { viewer.key("2"); }, has_bilinear));
    for (int i = 0; i < 150 && viewer.settled_state().at("working"); ++i) {}
    expect_loop_was_free(viewer, watch.ms());
    const Image sheet = read_image(file);
    std::filesystem::remove(file);
    for (const Image& pane : panes) EXPECT_TRUE(contains(sheet, pane));
    if (over) GTEST_SKIP() << "it was saved before anything could be done meanwhile";
}

class PicturesOfExperiments : public ViewerTest {};

// A message below the dialog would move it under the pointer.
TEST_F(PicturesOfExperiments, OneThatCannotRunSaysWhyInItsPlace) {
    ViewerInProcess viewer(*screen_, {"@step:64"});
    viewer.settled_state();
    viewer.click_control("menu:Learn");
    viewer.click_control("learn.experiments");
    viewer.settled_state();
    viewer.click_control("experiment:rotation");
    const json before = viewer.settled_state().at("controls").at("dialog:experiments");
    viewer.click_control("experiment-option:image");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type("nofile.png");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("experiment:run"); },
                              [](const json& s) { return s.at("controls").contains("experiment:failed"); }, 60));
    const json state = viewer.settled_state();
    EXPECT_EQ(state.at("controls").at("dialog:experiments"), before);
    EXPECT_EQ(state.at("messages").dump().find("nofile"), std::string::npos);
    viewer.click_control("experiment:weights");
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("experiment:failed")) << "of another one";
}

}  // namespace
}  // namespace texelscope::test
