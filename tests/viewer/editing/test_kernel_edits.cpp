// The editor of CUDA kernels as edits of the state: what is typed waits, what the compiler says arrives, and the pane keeps
// its method until a kernel is there.

#include <gmock/gmock.h>

#include "app/viewer/editing/kernel_edits.h"
#include "gpu/method/kernel_method.h"
#include "tests/support/kernel_texts.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

class KernelEdits : public ::testing::Test {
protected:
    KernelEdits() {
        state.scene.panes = {{parse_spec("bilinear")}, {parse_spec("nearest")}};
        state.report.machine.limits.compute_capability = 90;
    }
    const MethodInfo& method() const { return *state.scene.spec().method; }
    void rest() { state.now += kernel_rest_seconds; }
    AppState state;
};

const std::string with_parameter =
    "//! name = Mine\n//! parameter a = 1 from 0 to 2\n" + kernel_text("    return p.a * s.tap(whole(x), whole(y));");

TEST_F(KernelEdits, BeginWithAnExampleThatIsOfTheDialect) {
    edit_kernel(state);
    EXPECT_TRUE(state.ui.dialogs.has(Dialog::kernel));
    EXPECT_THAT(state.kernel.text, HasSubstr("float4 sample("));
    EXPECT_TRUE(state.kernel.problems.empty());
    EXPECT_EQ(method().id, "bilinear");  // until it is compiled
}

TEST_F(KernelEdits, WhatIsTypedIsDueOnceTypingRestsOrAtOnce) {
    edit_kernel(state);
    type_kernel(state, with_parameter);
    EXPECT_FALSE(kernel_is_due(state));
    rest();
    EXPECT_TRUE(kernel_is_due(state));
    type_kernel(state, with_parameter + "\n");
    EXPECT_FALSE(kernel_is_due(state));
    compile_now(state);
    EXPECT_TRUE(kernel_is_due(state));
}

TEST_F(KernelEdits, WhatLeavesTheDialectIsSaidAtOnceAndNeverCompiled) {
    edit_kernel(state);
    type_kernel(state, kernel_text("    return *x;"));
    ASSERT_EQ(state.kernel.problems.size(), 1u);
    EXPECT_EQ(state.kernel.problems[0].line, 2);
    rest();
    compile_now(state);
    EXPECT_FALSE(kernel_is_due(state));
    EXPECT_EQ(method().id, "bilinear");
}

TEST_F(KernelEdits, TheActivePaneGetsTheKernelAndKeepsParametersOfItsName) {
    edit_kernel(state);
    type_kernel(state, with_parameter);
    use_kernel(state, with_parameter, kernel_method(with_parameter), "Compiled.");
    ASSERT_TRUE(kernel_of(method()));
    EXPECT_EQ(method().name, "Mine");
    EXPECT_EQ(state.kernel.said, "Compiled.");
    EXPECT_EQ(state.scene.panes[1].spec.method->id, "nearest");
    state.scene.spec().parameters.value[0] = 1.75;
    const std::string changed = with_parameter + "// changed\n";
    type_kernel(state, changed);
    use_kernel(state, changed, kernel_method(changed), "");
    EXPECT_EQ(state.scene.spec().parameters.value[0], 1.75);
}

TEST_F(KernelEdits, AnAnswerForAnOlderTextIsDropped) {
    edit_kernel(state);
    type_kernel(state, with_parameter + "// newer\n");
    use_kernel(state, with_parameter, kernel_method(with_parameter), "Compiled.");
    EXPECT_EQ(method().id, "bilinear");
    refuse_kernel(state, with_parameter, {{3, 1, "no"}});
    EXPECT_TRUE(state.kernel.problems.empty());
}

TEST_F(KernelEdits, OnTheCpuThePaneKeepsItsMethod) {
    state.report.machine.limits = {};
    edit_kernel(state);
    type_kernel(state, with_parameter);
    use_kernel(state, with_parameter, kernel_method(with_parameter), "It needs CUDA.");
    EXPECT_EQ(method().id, "bilinear");
    EXPECT_EQ(state.kernel.said, "It needs CUDA.");
}

TEST_F(KernelEdits, TheEditorFollowsTheActivePane) {
    edit_kernel(state);
    state.scene.panes[1].spec = default_spec(kernel_method(with_parameter));
    state.scene.active = 1;
    state.kernel.waits = false;
    follow_kernel(state);
    EXPECT_EQ(state.kernel.text, with_parameter);
    // Not while something is being typed.
    type_kernel(state, "float4 sample(");
    follow_kernel(state);
    EXPECT_EQ(state.kernel.text, "float4 sample(");
}

TEST_F(KernelEdits, ASpecHoldsTheWholeText) {
    MethodSpec spec = default_spec(kernel_method(with_parameter));
    spec.parameters.value[0] = 0.25;
    EXPECT_EQ(parse_spec(to_string(spec)), spec);
    EXPECT_EQ(shown_spec_text(spec).find("float4"), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
