// Experiments in the real window: run one, save its report, cancel another.

#include <filesystem>
#include <fstream>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

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
