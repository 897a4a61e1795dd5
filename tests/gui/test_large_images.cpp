// Images that are too large for memory, in the real window: opened, moved and zoomed, and sharp in the end.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/files/reading/image_files.h"
#include "gpu/core/stop_watch.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

class LargeImages : public ViewerTest {
protected:
    static bool sharp(const json& state) {
        return state.contains("size") && state.at("preparing").empty() && state.at("to_come") == 0;
    }
};

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
TEST_F(LargeImages, AreComparedWithAReferenceInFloat64) {
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
TEST_F(LargeImages, ASheetOfThemIsMadeInTheBackground) {
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

}  // namespace
}  // namespace texelscope::test
