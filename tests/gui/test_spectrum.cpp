// The spectrum beside the picture: found, shown, read and followed.

#include <cmath>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

class SpectrumDock : public ViewerTest {
protected:
    // Spectra of the samples and of so many panes, of the view on the screen.
    static auto shows(size_t panes) {
        return [panes](const json& s) {
            return s.at("spectrum").at("of").size() == panes + 1 && !s.at("spectrum").at("outdated").get<bool>();
        };
    }
    static std::vector<std::string> cut_words(const json& state) {
        std::vector<std::string> cut;
        for (const auto& [id, box] : state.at("controls").items())
            if (id.starts_with("cut:")) cut.push_back(id.substr(4));
        return cut;
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
    viewer.resize(1280, 940);  // a lower one scrolls
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

}  // namespace
}  // namespace texelscope::test
