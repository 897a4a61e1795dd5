// The plots beside the picture: spectrum, statistics, stage; found, shown, read and followed, their words whole.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/files/writing/image_writer.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

class SpectrumDock : public ViewerTest {
protected:
    // Spectra of the samples and of so many panes, of the view on the screen.
    static auto shows(size_t count) {
        return [count](const json& s) {
            return s.at("spectrum").at("of").size() == count + 1 && !s.at("spectrum").at("outdated").get<bool>();
        };
    }
};

TEST_F(SpectrumDock, IsFoundByItsNames) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--zoom", "2"});
    for (const char* name : {"spectrum", "fourier", "fft"}) {
        viewer.settled_state();
        viewer.key("ctrl+shift+p");
        viewer.settled_state();
        viewer.type(name);
        EXPECT_TRUE(
            viewer.change([&] { viewer.key("Return"); }, [](const json& s) { return s.at("dock") == "spectrum"; }))
            << name;
        EXPECT_TRUE(
            viewer.change([&] { viewer.key("shift+c"); }, [](const json& s) { return s.at("dock") == "none"; }));
    }
}

TEST_F(SpectrumDock, ShowsSamplesAndPanes) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--zoom", "4"});
    viewer.resize(1280, 1000);  // a lower one scrolls
    viewer.key("g");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, shows(2)));
    const json state = viewer.settled_state();
    for (const char* control : {"spectrum:samples", "spectrum:A", "spectrum:B", "plot:radial", "spectrum:notes"})
        EXPECT_TRUE(state.at("controls").contains(control)) << control;
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    const json& of = state.at("spectrum").at("of");
    EXPECT_EQ(of.at(0).at("nyquist"), 0.5);
    EXPECT_NEAR(of.at(1).at("nyquist").get<double>(), 2, 1e-9);
    for (const json& each : of)  // in the middle of a zone plate, frequencies are low
        EXPECT_LT(std::hypot(each.at("strongest").at(0).get<double>(), each.at("strongest").at(1).get<double>()), 0.3);
}

TEST_F(SpectrumDock, IsReadUnderTheMouse) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--zoom", "4"});
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, shows(1)));
    const json state = viewer.settled_state();
    EXPECT_FALSE(state.at("controls").contains("spectrum:value"));
    const json box = state.at("controls").at("spectrum:A");
    viewer.move_pointer(int(box.at(0).get<float>() + 0.7f * box.at(2).get<float>()),
                        int(box.at(1).get<float>() + 0.4f * box.at(3).get<float>()));
    const json pointed = viewer.settled_state();
    EXPECT_TRUE(pointed.at("controls").contains("spectrum:value"));
    EXPECT_EQ(cut_words(pointed), std::vector<std::string>{});
    EXPECT_EQ(pointed.at("controls").at("plot:radial"), state.at("controls").at("plot:radial")) << "nothing moves";
}

// Only of the one that is pointed at; otherwise the loop would wait for a tooltip for ever.
TEST_F(SpectrumDock, TellsAboutAPictureWhoseTitleIsPointedAt) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--zoom", "4"});
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, shows(1)));
    const auto tells = [](const json& s) {
        const json& controls = s.at("controls");
        return std::any_of(controls.items().begin(), controls.items().end(),
                           [](const auto& control) { return control.key().starts_with("tooltip:"); });
    };
    viewer.move_to(0.5, 0.5);
    viewer.pass(1);
    EXPECT_FALSE(tells(viewer.settled_state()));
    for (const char* picture : {"spectrum:samples", "spectrum:A"}) {
        const json box = viewer.settled_state().at("controls").at(picture);
        viewer.move_pointer(int(box.at(0).get<float>() + 8), int(box.at(1).get<float>() - 4));
        viewer.pass(1);
        EXPECT_TRUE(tells(viewer.settled_state())) << picture;
    }
}

// The pictures leave space for the profiles below them.
TEST_F(SpectrumDock, ShowsRadialProfilesOfFourPanesInALowWindow) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {1280, 800}}) {
        ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--zoom", "4"});
        viewer.resize(width, height);
        viewer.settled_state();
        viewer.click_control("tool:preset.four-methods");
        viewer.settled_state();
        ASSERT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, shows(4)));
        const json state = viewer.settled_state();
        const json plot = state.at("controls").at("plot:radial");
        EXPECT_LE(plot.at(1).get<float>() + plot.at(3).get<float>(), float(height) - 24) << "above the status bar";
        EXPECT_GE(state.at("controls").at("spectrum:D").at(2).get<float>(), 80);
    }
}

// Values of five spectra take more than two rows of a narrow dock.
TEST_F(SpectrumDock, NothingIsCutInALowWindow) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--zoom", "4"});
    viewer.resize(1280, 720);
    viewer.settled_state();
    viewer.click_control("tool:preset.four-methods");
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, shows(4)));
    const json state = viewer.settled_state();
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    const json box = state.at("controls").at("spectrum:A");
    viewer.move_pointer(int(box.at(0).get<float>() + 0.1f * box.at(2).get<float>()),
                        int(box.at(1).get<float>() + 0.1f * box.at(3).get<float>()));
    EXPECT_EQ(cut_words(viewer.settled_state()), std::vector<std::string>{});
}

// A turn of the wheel that began beside the plot goes on scrolling when the plot comes under the mouse.
TEST_F(SpectrumDock, ScrollingGoesOnOverThePlot) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:256", "--zoom", "4"});
    viewer.resize(1280, 480);
    viewer.settled_state();
    viewer.click_control("tool:preset.four-methods");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, shows(4)));
    const json box = viewer.settled_state().at("controls").at("spectrum:A");
    constexpr int lowest = 480 - 26;  // above the status bar
    viewer.move_pointer(int(box.at(0).get<float>() + 40), lowest - 30);
    viewer.settled_state();
    for (int notch = 0; notch < 20; ++notch) viewer.wheel(-1);
    const auto plot = [&] { return viewer.settled_state().at("controls").at("plot:radial"); };
    const json end = plot();
    EXPECT_LT(end.at(1).get<float>(), lowest - 30) << "it has come under the mouse";
    EXPECT_LE(end.at(1).get<float>() + end.at(3).get<float>(), lowest) << "the panel is at its end";
    viewer.wheel(1);
    EXPECT_GT(plot().at(1).get<float>(), end.at(1).get<float>()) << "also back";
}

TEST_F(SpectrumDock, FollowsViewAndSelection) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:600", "--zoom", "4"});
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, shows(1)));
    const json whole = viewer.settled_state().at("spectrum").at("of");
    viewer.move_to(0.5, 0.5);
    const json zoomed = [&] {
        viewer.wheel(8);  // twice as large
        return viewer.settled_state();
    }();
    EXPECT_NEAR(zoomed.at("spectrum").at("of").at(1).at("nyquist").get<double>(),
                0.5 / zoomed.at("view").at("scale").get<double>(), 1e-9);
    EXPECT_LT(zoomed.at("spectrum").at("of").at(0).at("size").at(0), whole.at(0).at("size").at(0));
    viewer.drag(0.4, 0.4, 0.6, 0.6, 3);
    const json selected = viewer.settled_state();
    ASSERT_TRUE(selected.contains("selection"));
    EXPECT_TRUE(selected.at("controls").contains("part:Selection"));
    const double across = selected.at("selection").at(2).get<double>() - selected.at("selection").at(0).get<double>();
    EXPECT_NEAR(selected.at("spectrum").at("of").at(0).at("size").at(0).get<double>(), across, 1.01);
}

using PlotDock = ViewerTest;

// Without space beside the picture, they are over it.
TEST_F(PlotDock, PlotsOpenInTheSmallestWindowToo) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--window", "600x700", "--ui-scale", "2"});
    const json before = viewer.settled_state();
    const auto has_spectrum = [](const json& s) {
        const json& controls = s.at("controls");
        return std::any_of(controls.items().begin(), controls.items().end(),
                           [](const auto& control) { return control.key().starts_with("spectrum:"); });
    };
    EXPECT_TRUE(viewer.change([&] { viewer.key("shift+c"); }, has_spectrum));
    EXPECT_EQ(viewer.settled_state().at("picture"), before.at("picture"));
}

// Four channels have the longest rows.
TEST_F(PlotDock, StatisticsOfFourChannelsAreWhole) {
    const std::string file = scratch("four.png");
    Image image(40, 30, 4, SampleType::u8, Alpha::straight);
    for (int y = 0; y < 30; ++y) std::fill_n(image.row_as<uint8_t>(y), 160, uint8_t(100 + 5 * y));
    write_image(image, file);
    for (const char* scale : {"1", "2"}) {
        ViewerInProcess viewer(*screen_, {file, "--ui-scale", scale});
        ASSERT_TRUE(viewer.change([&] { viewer.key("shift+h"); },
                                  [](const json& s) { return s.at("controls").contains("statistics:Deviation"); }));
        EXPECT_EQ(cut_words(viewer.settled_state()), std::vector<std::string>{}) << scale;
    }
    std::filesystem::remove(file);
}

TEST_F(PlotDock, TheHistogramOffersSelectionAndWhole) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "2"});
    viewer.key("h");
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("part:Selection"));
    viewer.drag(0.3, 0.3, 0.6, 0.6, 3);
    const json state = viewer.settled_state();
    ASSERT_TRUE(state.contains("selection"));
    EXPECT_TRUE(state.at("controls").contains("part:Selection"));
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
}

// The stage: dots that are dragged, and a rate that is moved.

TEST_F(PlotDock, ASampleOfTheStageIsDraggedAndTheOthersStay) {
    ViewerInProcess viewer(*screen_, {"@samples:0,0.5,1,0.25,0"});
    viewer.settled_state();
    const auto shows = [](const char* control) {
        return [control](const json& s) { return s.at("controls").contains(control); };
    };
    ASSERT_TRUE(viewer.change([&] { viewer.key("y"); }, shows("dot:2")));
    const auto dot = viewer.settled_state().at("controls").at("dot:2").get<std::array<float, 4>>();
    const int x = int(dot[0] + dot[2] / 2), y = int(dot[1] + dot[3] / 2);
    viewer.move_pointer(x, y);
    viewer.settled_state();
    viewer.press_button();
    viewer.settled_state();
    viewer.move_pointer(x + 7, y + 30);
    viewer.settled_state();
    viewer.release_button();
    const std::string source = viewer.settled_state().at("image").get<std::string>();
    double lower = 0;
    ASSERT_EQ(std::sscanf(source.c_str(), "@samples:0,0.5,%lf,0.25,0", &lower), 1) << source;
    EXPECT_LT(lower, 0.95);
    EXPECT_GT(lower, 0.3);
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("stage:signal"); },
                              [](const json& s) { return s.at("image") == "@signal:0..4@8:cos(2*pi*3*x)"; }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("stage:rate"); },
                              [](const json& s) { return s.at("image") != "@signal:0..4@8:cos(2*pi*3*x)"; }));
}

}  // namespace
}  // namespace texelscope::test
