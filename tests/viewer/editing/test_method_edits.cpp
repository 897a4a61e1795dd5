// The editor of CUDA kernels as edits of the state: what is typed waits, what the compiler says arrives, and the pane keeps
// its method until a kernel is there.

#include <chrono>
#include <set>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/picture/inspect/curves.h"
#include "app/state/history.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "tests/support/kernels.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

class KernelEdits : public ::testing::Test {
protected:
    KernelEdits() {
        state.scene.panes = {{parse_spec("bilinear")}, {parse_spec("nearest")}};
        state.machine.limits.compute_capability = 90;
    }
    const MethodInfo& method() const { return *state.scene.spec().method; }
    void rest() { state.now += kernel_rest_seconds; }
    AppState state;
};

const std::string with_parameter =
    "//! name = Mine\n//! parameter a = 1 from 0 to 2\n" + kernel_text("    return p.a * s.tap(whole(x), whole(y));");

TEST_F(KernelEdits, BeginWithAnExampleThatIsOfTheDialect) {
    edit_kernel(state);
    EXPECT_EQ(state.ui.dock, Dock::kernel);
    EXPECT_TRUE(state.ui.panels);
    EXPECT_THAT(state.kernel.text, HasSubstr("float4 sample("));
    EXPECT_TRUE(state.kernel.problems.empty());
    EXPECT_EQ(method().id, "bilinear");  // until it is compiled
}

TEST_F(KernelEdits, WhatIsTypedIsDueOnceTypingRestsOrAtOnce) {
    edit_kernel(state);
    type_kernel(state.kernel, state.now, with_parameter);
    EXPECT_FALSE(kernel_is_due(state.kernel, state.now));
    rest();
    EXPECT_TRUE(kernel_is_due(state.kernel, state.now));
    type_kernel(state.kernel, state.now, with_parameter + "\n");
    EXPECT_FALSE(kernel_is_due(state.kernel, state.now));
    compile_now(state.kernel);
    EXPECT_TRUE(kernel_is_due(state.kernel, state.now));
}

TEST_F(KernelEdits, WhatLeavesTheDialectIsSaidAtOnceAndNeverCompiled) {
    edit_kernel(state);
    type_kernel(state.kernel, state.now, kernel_text("    return *x;"));
    ASSERT_EQ(state.kernel.problems.size(), 1u);
    EXPECT_EQ(state.kernel.problems[0].line, 2);
    rest();
    compile_now(state.kernel);
    EXPECT_FALSE(kernel_is_due(state.kernel, state.now));
    EXPECT_EQ(method().id, "bilinear");
}

TEST_F(KernelEdits, TheActivePaneGetsTheKernelAndKeepsParametersOfItsName) {
    edit_kernel(state);
    type_kernel(state.kernel, state.now, with_parameter);
    use_kernel(state, with_parameter, kernel_method(with_parameter), "Compiled.");
    ASSERT_TRUE(kernel_of(method()));
    EXPECT_EQ(method().name, "Mine");
    EXPECT_EQ(state.kernel.said, "Compiled.");
    EXPECT_EQ(state.scene.panes[1].spec.method->id, "nearest");
    state.scene.spec().parameters.value[0] = 1.75;
    const std::string changed = with_parameter + "// changed\n";
    type_kernel(state.kernel, state.now, changed);
    use_kernel(state, changed, kernel_method(changed), "");
    EXPECT_EQ(state.scene.spec().parameters.value[0], 1.75);
}

TEST_F(KernelEdits, AnAnswerForAnOlderTextIsDropped) {
    edit_kernel(state);
    type_kernel(state.kernel, state.now, with_parameter + "// newer\n");
    use_kernel(state, with_parameter, kernel_method(with_parameter), "Compiled.");
    EXPECT_EQ(method().id, "bilinear");
    refuse_kernel(state.kernel, with_parameter, {{3, 1, "no"}});
    EXPECT_TRUE(state.kernel.problems.empty());
}

TEST_F(KernelEdits, OnTheCpuThePaneGetsItAsWell) {
    state.machine.limits = {};
    edit_kernel(state);
    type_kernel(state.kernel, state.now, with_parameter);
    use_kernel(state, with_parameter, kernel_method(with_parameter), "For the CPU.");
    EXPECT_EQ(&method(), &kernel_method(with_parameter));
    EXPECT_EQ(state.kernel.said, "For the CPU.");
}

TEST_F(KernelEdits, TheEditorFollowsTheActivePane) {
    edit_kernel(state);
    state.scene.panes[1].spec = default_spec(kernel_method(with_parameter));
    state.scene.active = 1;
    state.kernel.waits = false;
    follow_kernel(state.scene, state.kernel);
    EXPECT_EQ(state.kernel.text, with_parameter);
    // Not while something is being typed.
    type_kernel(state.kernel, state.now, "float4 sample(");
    follow_kernel(state.scene, state.kernel);
    EXPECT_EQ(state.kernel.text, "float4 sample(");
}

TEST_F(KernelEdits, ASpecHoldsTheWholeText) {
    MethodSpec spec = default_spec(kernel_method(with_parameter));
    spec.parameters.value[0] = 0.25;
    EXPECT_EQ(parse_spec(to_string(spec)), spec);
    EXPECT_EQ(shown_spec_text(spec).find("float4"), std::string::npos);
}

}  // namespace

// The editor of a weight function: what typing does to the method in use, how long it takes, and that a session with it
// opens again.

namespace {

AppState with_method(std::string_view spec) {
    AppState state;
    state.scene.panes.emplace_back().spec = parse_spec(spec);
    return state;
}

TEST(WeightsEdits, ACopyOfTheMethodInUseBeginsWithItsWeightsAndSettings) {
    AppState state = with_method("bc:b=0.2,c=0.4,path=lookup,address=mirror");
    state.ui.panels = false;
    edit_weights(state);
    EXPECT_TRUE(state.ui.panels) << "its editor is one of them";
    const MethodSpec& spec = state.scene.spec();
    ASSERT_TRUE(spec.method->custom);
    EXPECT_EQ(state.ui.dock, Dock::formula);
    EXPECT_EQ(spec.parameters.value[0], 0.2);
    EXPECT_EQ(spec.parameters.value[1], 0.4);
    EXPECT_EQ(spec.path, FetchPath::lookup);
    EXPECT_EQ(spec.address.x, AddressMode::mirror);
}

TEST(WeightsEdits, WhileTheTextIsWrongTheLastGoodFunctionStays) {
    AppState state = with_method("bilinear");
    edit_weights(state);
    const MethodInfo* good = state.scene.spec().method;
    for (const char* wrong : {"", "radius = 1\nw(x) = (", "radius = 1\nw(x) = 1/x", "radius = 1\nw(x) = 0"}) {
        type_weights(state.scene, state.weights, wrong);
        EXPECT_EQ(state.scene.spec().method, good) << wrong;
        EXPECT_EQ(state.weights.problems.size(), 1u) << wrong;
        EXPECT_EQ(state.weights.text, wrong);
    }
    type_weights(state.scene, state.weights, "radius = 1\nw(x) = 1 - x^2");
    EXPECT_NE(state.scene.spec().method, good);
    EXPECT_TRUE(state.weights.problems.empty());
}

TEST(WeightsEdits, ParametersKeepTheirValueAndWrongOnesGoBack) {
    AppState state = with_method("bilinear");
    edit_weights(state);
    type_weights(state.scene, state.weights, "radius = 2\nparameter a = 1 from 0 to 2\nw(x) = abs(x) < 1 ? 1/a : 0");
    MethodSpec& spec = state.scene.spec();
    spec.parameters.value[0] = 1.5;
    type_weights(state.scene, state.weights, "radius = 2\nparameter a = 1 from 0 to 2\nw(x) = abs(x) < 1.2 ? 1/a : 0");
    EXPECT_EQ(spec.parameters.value[0], 1.5);
    const MethodParameters before = spec.parameters;
    spec.parameters.value[0] = 0;
    check_parameters(state.scene, state.messages, before);
    EXPECT_EQ(spec.parameters.value[0], 1.5);
    EXPECT_EQ(state.messages.size(), 1u);
}

// So curves show both, and Space flips between them.
TEST(WeightsEdits, ACopyIsBesideTheMethodItself) {
    for (const size_t panes : {1, 2}) {
        AppState state = with_method("bspline");
        if (panes == 2) state.scene.panes.push_back({parse_spec("nearest")});
        state.scene.arrangement = Arrangement::single;
        edit_weights(state);
        ASSERT_EQ(state.scene.panes.size(), 2u);
        EXPECT_TRUE(state.scene.panes[0].spec.method->custom);
        EXPECT_EQ(state.scene.panes[1].spec, parse_spec("bspline"));
        // Another edit of the copy leaves it.
        state.scene.panes[1].spec = parse_spec("nearest");
        edit_weights(state);
        EXPECT_EQ(state.scene.panes[1].spec, parse_spec("nearest"));
    }
    AppState state = with_method("bspline");
    state.scene.panes.push_back({parse_spec("nearest")});
    state.scene.arrangement = Arrangement::columns;
    edit_weights(state);
    EXPECT_EQ(state.scene.panes[1].spec, parse_spec("nearest")) << "it is in view";
}

TEST(WeightsEdits, TheEditorFollowsThePane) {
    AppState state = with_method("bilinear");
    edit_weights(state);
    state.scene.spec() = parse_spec("bspline");
    follow_weights(state.scene, state.weights);
    EXPECT_EQ(state.weights.text, weights_text(parse_spec("bspline")));
    EXPECT_FALSE(state.scene.spec().method->custom) << "only typing makes a copy";
    type_weights(state.scene, state.weights, state.weights.text);
    EXPECT_TRUE(state.scene.spec().method->custom);
    state.scene.spec() = parse_spec("ewa-lanczos");
    follow_weights(state.scene, state.weights);
    EXPECT_EQ(state.weights.text, "");
}

// All that one keystroke causes, but for the picture: below 100 ms.
TEST(WeightsEdits, TypingTakesLessThanATenthOfASecond) {
    AppState state = with_method("lanczos4");
    edit_weights(state);
    for (const char* text :
         {"radius = 8\nw(x) = sinc(x)*sinc(x/8)\nnormalise = yes", "radius = 3.6\nw(x) = sinc(x/1.2)*sinc(x/3.6)",
          "radius = 2\nw(x) = x < 0.31 ? 0.4 : max(0, 1.3 - abs(x))"}) {
        const auto start = std::chrono::steady_clock::now();
        type_weights(state.scene, state.weights, text);
        EXPECT_GT(custom_facts(state.scene.spec()).size(), 8u);
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        RecordProperty(text, std::to_string(ms));
        EXPECT_LT(ms, 100) << text;
    }
}

TEST(WeightsEdits, ASessionWithAMethodOfOnesOwnOpensAgain) {
    Session session;
    const std::string text = "name = M; \"quoted\", 50 %\nradius = 2\nparameter a = 1 from 0 to 2\nw(x) = a*exp(-x*x)";
    session.scene.panes.emplace_back().spec = default_spec(custom_method(text));
    session.scene.panes[0].spec.parameters.value[0] = 1.25;
    const Session again = session_from_json(session_to_json(session, "/"), "/");
    ASSERT_EQ(again.scene.panes.size(), 1u);
    EXPECT_EQ(again.scene.panes[0].spec, session.scene.panes[0].spec);
    EXPECT_EQ(weights_text(again.scene.panes[0].spec), text);
    EXPECT_THROW(session_from_json(R"({"panes": [{"spec": "custom:text=radius"}]})", "/"), Error);
}

}  // namespace

// The border value of the window: typed in the unit of all values, for all panes, with undo.

namespace {

AppState with_border(int channels = 1) {
    AppState state = with_panes(2);
    state.scene.documents[0].image = std::make_shared<const Image>(8, 8, channels, SampleType::u8);
    choose_address(state.scene, {AddressMode::border, AddressMode::wrap});
    return state;
}

TEST(BorderEdits, NumbersAreInTheUnitOfTheScreen) {
    AppState state = with_border(3);
    EXPECT_TRUE(type_border(state.scene, state.messages, "51", 255));
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.2f}, 1}));
    EXPECT_EQ(border_text(state.scene.spec().address.border, 255), "51");
    EXPECT_EQ(border_text(state.scene.spec().address.border, 1), "0.2");
    EXPECT_TRUE(type_border(state.scene, state.messages, " 51 102:-153 ", 255));
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.2f, 0.4f, -0.6f}, 3}));
    EXPECT_EQ(border_text(state.scene.spec().address.border, 255), "51 102 -153");
    EXPECT_EQ(state.scene.panes[1].spec.address, state.scene.panes[0].spec.address);
    EXPECT_EQ(state.scene.spec().address.y, AddressMode::wrap);
    EXPECT_TRUE(state.messages.empty());
}

TEST(BorderEdits, WhatIsNoValueIsRefusedInOneSentence) {
    AppState state = with_border(3);
    type_border(state.scene, state.messages, "51", 255);
    for (const char* wrong : {"", " ", "grey", "1 2", "1 2 3 4", "1 2 3 4 5", "nan", "inf", "1e400", "1e39", "1;x;2"}) {
        state.messages.clear();
        EXPECT_FALSE(type_border(state.scene, state.messages, wrong, 1)) << wrong;
        ASSERT_EQ(state.messages.size(), 1u) << wrong;
        EXPECT_NE(state.messages[0].text.find("one number for all channels, or 3"), std::string::npos)
            << state.messages[0].text;
        EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.2f}, 1}));
    }
}

TEST(BorderEdits, TheValueStaysWhileOtherModesAreInUse) {
    AppState state = with_border();
    type_border(state.scene, state.messages, "0.5", 1);
    for (size_t k = 0; k < all_address_modes.size(); ++k) cycle_address(state.scene);
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.5f}, 1}));
}

TEST(BorderEdits, UndoBringsTheValueBack) {
    AppState state = with_border();
    const auto rest = [&] {  // long enough for the edits to be one change
        record_history(state);
        state.now += 1;
        record_history(state);
    };
    rest();
    type_border(state.scene, state.messages, "0.5", 1);
    rest();
    undo(state);
    EXPECT_EQ(state.scene.spec().address.border, BorderValue{});
    redo(state);
    EXPECT_EQ(state.scene.spec().address.border, (BorderValue{{0.5f}, 1}));
}

// Alone in view, one after the other, two of the same method would look as if the key did nothing.
TEST(PaneMethods, AFlipShowsSomethingElse) {
    AppState state = with_panes(2);
    state.scene.arrangement = Arrangement::single;
    state.scene.panes[0].spec = state.scene.panes[1].spec = parse_spec("nearest");
    flip_panes(state.scene);
    EXPECT_EQ(state.scene.active, 1);
    EXPECT_EQ(state.scene.panes[1].spec, contrasting_spec(state.scene.panes[0].spec));
    EXPECT_EQ(state.scene.panes[0].spec, parse_spec("nearest"));
    const std::vector<Pane> differ = state.scene.panes;
    flip_panes(state.scene);
    flip_panes(state.scene, -1);
    EXPECT_EQ(state.scene.panes, differ) << "they differ already";
    // Side by side it is seen which one is active, and both were put there.
    state.scene.panes[1].spec = state.scene.panes[0].spec;
    state.scene.arrangement = Arrangement::columns;
    flip_panes(state.scene);
    EXPECT_EQ(state.scene.panes[1].spec, state.scene.panes[0].spec);
}

TEST(PaneMethods, AnAddedPaneHasAMethodThatNoOtherHas) {
    AppState state = with_panes(1);
    state.scene.panes[0].spec = parse_spec("bspline");
    state.scene.panes[0].spec.address = with_modes({}, {AddressMode::wrap, AddressMode::wrap});
    std::set<std::string_view> methods{"bspline"};
    for (int count = 2; count <= max_panes; ++count) {
        add_pane(state.scene);
        EXPECT_TRUE(methods.insert(state.scene.spec().method->id).second) << state.scene.spec().method->id;
        EXPECT_EQ(state.scene.spec().address, state.scene.panes[0].spec.address);
        if (count == 4) {
            EXPECT_EQ(methods, std::set<std::string_view>(four_methods.begin(), four_methods.end()));
        }
    }
}

}  // namespace
}  // namespace texelscope::test
