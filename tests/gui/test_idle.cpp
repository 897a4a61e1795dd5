// The window costs nothing while idle, and the latency that it shows.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "app/files/reading/image_files.h"
#include "app/files/reading/image_source.h"
#include "gpu/core/stop_watch.h"
#include "tests/gui/cover.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

using IdleWindow = ViewerTest;
using Latency = ViewerTest;

void sleep_seconds(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Presses a key that changes something; returns how many frames the program had drawn with the first one that shows it.
int frames_at_key(ViewerUnderTest& viewer, const std::string& key) {
    const bool loupe = viewer.settled_state().at("loupe");
    int frames = -1;
    EXPECT_TRUE(viewer.change([&] { viewer.key(key); },
                              [&](const json& s) {
                                  if (s.at("loupe") == loupe) return false;
                                  frames = s.at("frames");
                                  return true;
                              }));
    return frames;
}

// A key is followed by the same few frames, however long the window is then idle: nothing else draws any. And while
// nothing happens the program does not compute.
void expect_idle(ViewerUnderTest& viewer) {
    viewer.settled_state();
    sleep_seconds(2);  // the frames per second are shown for one more
    frames_at_key(viewer, "z");
    const int first = frames_at_key(viewer, "z");
    sleep_seconds(2);
    const int after_short = frames_at_key(viewer, "z");
    sleep_seconds(3);
    const double before = viewer.processor_seconds();
    sleep_seconds(7);
    const double used = viewer.processor_seconds() - before;
    const int after_long = frames_at_key(viewer, "z");
    EXPECT_GT(after_short, first);
    // A frame each second would be eight more; on a busy machine a key is followed by a few more or fewer, and a message
    // that goes meanwhile by two.
    EXPECT_LE((after_long - after_short) - (after_short - first), 7);
    EXPECT_GE(before, 0);
    EXPECT_LT(used, 0.02 * 7);
}

TEST_F(IdleWindow, DrawsAndComputesNothing) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:512", "--zoom", "4"});
    viewer.move_to(0.5, 0.5);
    expect_idle(viewer);
}

TEST_F(IdleWindow, DrawsAndComputesNothingWithPlotsPanesAndAFileOpen) {
    const std::string file = scratch("idle.ppm");
    write_image(load_image("@text:300x200"), file);
    {
        ViewerUnderTest viewer(*screen_, {file, "--zoom", "2"});
        for (const char* key : {"g", "h"}) viewer.key(key);  // panes side by side with their figures, the histogram
        viewer.move_to(0.25, 0.5);                           // in a pane: between two, the loupe has nothing to show
        ASSERT_EQ(viewer.settled_state().at("dock"), "histogram");
        ASSERT_NE(viewer.settled_state().at("arrangement"), "single");
        ASSERT_FALSE(viewer.settled_state().at("messages").empty());
        expect_idle(viewer);
        viewer.key("i");  // the profile instead
        expect_idle(viewer);
    }
    std::filesystem::remove(file);
}

TEST_F(IdleWindow, DrawsAndComputesNothingWithALessonOpen) {
    ViewerUnderTest viewer(*screen_, {"--lesson", "half-texel"});
    viewer.move_to(0.5, 0.5);
    expect_idle(viewer);
}

// Processor time per second while nothing happens: far less than drawing would take.
double load(ViewerUnderTest& viewer) {
    viewer.settled_state();
    sleep_seconds(2);  // the frames per second are shown for one more
    const double before = viewer.processor_seconds();
    sleep_seconds(4);
    return (viewer.processor_seconds() - before) / 4;
}
constexpr double idle_load = 0.02;

TEST_F(IdleWindow, ComputesNothingWithADialogOpen) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:512"});
    viewer.move_to(0.5, 0.5);
    for (const char* key : {"ctrl+s", "ctrl+shift+p"}) {
        const json before = viewer.settled_state();
        ASSERT_TRUE(viewer.change([&] { viewer.key(key); },
                                  [&](const json& s) {
                                      return s.at("controls") != before.at("controls") ||
                                             s.at("palette") != before.at("palette");
                                  }))
            << key;
        EXPECT_LT(load(viewer), idle_load) << key;
        viewer.key("Escape");
    }
}

// Where a CPU draws, a frame costs as much as decoding some megapixels.
TEST_F(IdleWindow, AFrameThatLooksLikeTheLastOneIsNotDrawn) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:512"});
    viewer.move_to(0.5, 0.5);
    sleep_seconds(2);  // the frames per second are shown for one more
    frames_at_key(viewer, "z");
    const json before = viewer.settled_state();
    for (int i = 0; i < 6; ++i) {
        viewer.key("F8");  // means nothing
        sleep_seconds(0.1);
    }
    frames_at_key(viewer, "z");
    const json after = viewer.settled_state();
    EXPECT_LE(int(after.at("frames")) - int(before.at("frames")), 5) << "those of the last key; each has at least one";
}

TEST_F(IdleWindow, WhatAnotherWindowCoveredIsDrawnAgain) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:512"});
    viewer.move_to(0.5, 0.5);
    const json state = viewer.settled_state();
    const Image before = viewer.shown_picture();
    {
        const Cover cover(screen_->display(), 150, 150, 700, 500);
        const auto covered = [&] {
            const Image now = viewer.shown_picture();
            return !std::equal(now.data(), now.data() + now.size_bytes(), before.data());
        };
        for (int i = 0; i < 100 && !covered(); ++i) sleep_seconds(0.1);
        ASSERT_TRUE(covered());
        viewer.settled_state();
    }
    sleep_seconds(1);
    const Image after = viewer.shown_picture();
    EXPECT_TRUE(std::equal(after.data(), after.data() + after.size_bytes(), before.data()));
}

TEST_F(IdleWindow, ComputesNothingWithTimesInView) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:512"});
    for (int i = 0; i < 2; ++i) viewer.click_control("section:Image");  // the mouse is over the panel
    viewer.wheel(-80);
    ASSERT_TRUE(viewer.settled_state().at("controls").contains("section:Timing"));
    EXPECT_LT(load(viewer), idle_load);
}

TEST_F(IdleWindow, ComputesNothingWhileHidden) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:512"});
    viewer.settled_state();
    viewer.hide();
    EXPECT_LT(load(viewer), idle_load);
}

TEST_F(Latency, OfADragIsShown) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:512", "--zoom", "4"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    const StopWatch watch;
    viewer.drag(0.5, 0.5, 0.75, 0.625);
    const json after = viewer.settled_state();
    EXPECT_GT(double(after.at("latency_ms")), 0);
    EXPECT_LT(double(after.at("latency_ms")), watch.ms());
    EXPECT_GT(double(after.at("latency_median_ms")), 0);
    EXPECT_LT(double(after.at("latency_median_ms")), watch.ms());
}

}  // namespace
}  // namespace texelscope::test
