// The editor of kernels in the real window, on a machine without a GPU.

#include <array>
#include <string>

#include <gmock/gmock.h>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using KernelEditor = ViewerTest;

// Without a GPU and without a compiler the picture follows the text all the same.
TEST_F(KernelEditor, AKernelThatIsTypedIsInterpretedOnTheCpu) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--backend", "cpu", "--method", "lanczos3", "--zoom", "5.37"});
    viewer.settled_state();
    ASSERT_TRUE(open_kernel(viewer));
    viewer.settled_state();
    const std::string mine = "// mine\n";
    viewer.key("ctrl+Home");
    const auto said = [](const json& s) {
        return s.at("kernel").at("busy") == false && s.at("kernel").at("said") != "";
    };
    EXPECT_TRUE(viewer.change([&] { type_lines(viewer, mine); }, said, 60));
    json state = viewer.settled_state();
    const std::string text = state.at("kernel").at("text");
    EXPECT_THAT(text, ::testing::StartsWith(mine));
    EXPECT_THAT(state.at("kernel").at("said"), HasSubstr("instructions for the CPU"));
    EXPECT_TRUE(state.at("kernel").at("problems").empty()) << state.at("kernel");
    EXPECT_THAT(state.at("panes").at(0).get<std::string>(), ::testing::StartsWith("kernel:"));
    viewer.key("Escape");
    viewer.move_to(0.5, 0.95);
    EXPECT_EQ(viewer.settled_state().at("dialog"), "");
    expect_same(viewer.shown_pane(0), viewer.rendered_pane(0), "as render makes it");
    const json first = viewer.settled_state();
    ASSERT_TRUE(open_kernel(viewer));
    EXPECT_EQ(viewer.settled_state().at("kernel").at("text"), text);
    // What is outside the dialect is said at its line, without any compiler.
    viewer.key("ctrl+Home");
    type_lines(viewer, "int* p;\n");
    state = viewer.settled_state();
    ASSERT_FALSE(state.at("kernel").at("problems").empty());
    EXPECT_THAT(state.at("kernel").at("problems").at(0), HasSubstr("line 1"));
    expect_under_its_line(state, "kernel:text", 1);
    EXPECT_TRUE(state.at("controls").contains("kernel:lines"));
    EXPECT_EQ(state.at("panes"), first.at("panes"));
}

// It has the place of the formula's, and leaves the picture and the sliders that the kernel has asked for.
TEST_F(KernelEditor, IsDockedBesideThePicture) {
    for (const char* window : {"1280x720", "600x600"}) {
        ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--backend", "cpu", "--window", window});
        viewer.settled_state();
        viewer.click_control("menu:Method");
        viewer.settled_state();
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("method.own"); },
                                  [](const json& s) { return s.at("dock") == "formula"; }));
        const auto formula_area = viewer.settled_state().at("picture");
        ASSERT_TRUE(open_kernel(viewer));
        const json state = viewer.settled_state();
        EXPECT_EQ(state.at("picture"), formula_area) << "the picture has the same place beside both";
        const auto picture = state.at("picture").get<std::array<float, 4>>();
        const auto text = state.at("controls").at("kernel:text").get<std::array<float, 4>>();
        EXPECT_TRUE(text[0] >= picture[0] + picture[2] || text[1] >= picture[1] + picture[3] || picture[2] < 1)
            << window;
        EXPECT_GE(text[3], 80) << window;
        for (const char* button : {"kernel:examples", "kernel:open", "kernel:save"}) {
            ASSERT_TRUE(state.at("controls").contains(button)) << window << " " << button;
            const auto box = state.at("controls").at(button).get<std::array<float, 4>>();
            EXPECT_LE(box[0] + box[2], std::stof(window)) << button;
        }
        EXPECT_EQ(state.at("dialog"), "");
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("dock:close"); },
                                  [](const json& s) { return s.at("dock") == "none"; }));
    }
}

// Until it has seen the text that was typed since.
TEST_F(KernelEditor, WhatTheCompilerSaidStaysWithItsLine) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--backend", "cpu", "--method", "bilinear"});
    viewer.settled_state();
    ASSERT_TRUE(open_kernel(viewer));
    viewer.settled_state();
    viewer.key("ctrl+a");
    const std::string wrong = "float4 sample(Source s, double x, double y, Params p) {\nreturn s.tap(s.nothing, 0);\n}";
    const auto answered = [&](const json& s) {
        const json& kernel = s.at("kernel");
        return kernel.at("text") == wrong && kernel.at("busy") == false &&
               (kernel.at("said") != "" || !kernel.at("problems").empty());
    };
    ASSERT_TRUE(viewer.change([&] { type_lines(viewer, wrong); }, answered, 60));
    const json refused = viewer.settled_state();
    ASSERT_FALSE(refused.at("kernel").at("problems").empty()) << refused.at("kernel").at("said");
    EXPECT_THAT(refused.at("kernel").at("problems").at(0), HasSubstr("line 2"));
    expect_under_its_line(refused, "kernel:text", 2);
    viewer.key("ctrl+Home");
    const auto typed_and_not_compiled = [](const json& s) {
        return s.at("kernel").at("problems").empty() && s.at("controls").contains("kernel:text:error:3");
    };
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, typed_and_not_compiled));
    EXPECT_TRUE(viewer.change([] {},
                              [](const json& s) {
                                  const json& problems = s.at("kernel").at("problems");
                                  return !problems.empty() && problems.at(0).get<std::string>().starts_with("line 3");
                              },
                              60));
    expect_under_its_line(viewer.settled_state(), "kernel:text", 3);
}

}  // namespace
}  // namespace texelscope::test
