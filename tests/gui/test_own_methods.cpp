// The editor of kernels in the real window, on a machine without CUDA.

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using OwnMethods = ViewerTest;

// Several lines, each begun by Enter but for the first.
void type_lines(ViewerUnderTest& viewer, const std::string& text) {
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (at > 0) viewer.key("Return");
        if (end > at) viewer.type(text.substr(at, end - at));
        at = end + 1;
    }
}

// The text stays, whatever the machine can do with it.
TEST_F(OwnMethods, WithoutCudaTheEditorOfKernelsSaysSoAndKeepsTheText) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:96", "--backend", "cpu", "--method", "lanczos3"});
    const json first = viewer.settled_state();
    const auto topmost = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    const auto open = [&] {
        viewer.change([&] { viewer.key("ctrl+shift+p"); }, topmost("palette"));
        viewer.type("CUDA kernel");
        return viewer.change([&] { viewer.key("Return"); }, topmost("kernel"));
    };
    ASSERT_TRUE(open());
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
    EXPECT_THAT(state.at("kernel").at("said"), HasSubstr("A kernel needs CUDA"));
    EXPECT_TRUE(state.at("kernel").at("problems").empty()) << state.at("kernel");
    EXPECT_EQ(state.at("panes"), first.at("panes"));
    viewer.key("Escape");
    EXPECT_EQ(viewer.settled_state().at("dialog"), "");
    expect_same_picture(viewer, "the picture stays as it was");
    ASSERT_TRUE(open());
    EXPECT_EQ(viewer.settled_state().at("kernel").at("text"), text);
    // What is outside the dialect is said at its line, without any compiler.
    viewer.key("ctrl+Home");
    type_lines(viewer, "int* p;\n");
    state = viewer.settled_state();
    ASSERT_FALSE(state.at("kernel").at("problems").empty());
    EXPECT_THAT(state.at("kernel").at("problems").at(0), HasSubstr("line 1"));
    EXPECT_TRUE(state.at("controls").contains("kernel:problem"));
    EXPECT_EQ(state.at("panes"), first.at("panes"));
}

}  // namespace
}  // namespace texelscope::test
