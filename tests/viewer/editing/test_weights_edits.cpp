// The editor of a weight function: what typing does to the method in use, how long it takes, and that a session with it
// opens again.

#include <chrono>

#include <gmock/gmock.h>

#include "app/picture/inspect/method_facts.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/weights_edits.h"
#include "gpu/method/custom_method.h"

namespace texelscope::test {
namespace {

AppState with_method(std::string_view spec) {
    AppState state;
    state.scene.panes.emplace_back().spec = parse_spec(spec);
    return state;
}

TEST(WeightsEdits, ACopyOfTheMethodInUseBeginsWithItsWeightsAndSettings) {
    AppState state = with_method("bc:b=0.2,c=0.4,path=lookup,address=mirror");
    edit_weights(state);
    const MethodSpec& spec = state.scene.spec();
    ASSERT_TRUE(spec.method->custom);
    EXPECT_TRUE(state.weights.open);
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
        type_weights(state, wrong);
        EXPECT_EQ(state.scene.spec().method, good) << wrong;
        EXPECT_EQ(state.weights.problems.size(), 1u) << wrong;
        EXPECT_EQ(state.weights.text, wrong);
    }
    type_weights(state, "radius = 1\nw(x) = 1 - x^2");
    EXPECT_NE(state.scene.spec().method, good);
    EXPECT_TRUE(state.weights.problems.empty());
}

TEST(WeightsEdits, ParametersKeepTheirValueAndWrongOnesGoBack) {
    AppState state = with_method("bilinear");
    edit_weights(state);
    type_weights(state, "radius = 2\nparameter a = 1 from 0 to 2\nw(x) = abs(x) < 1 ? 1/a : 0");
    MethodSpec& spec = state.scene.spec();
    spec.parameters.value[0] = 1.5;
    type_weights(state, "radius = 2\nparameter a = 1 from 0 to 2\nw(x) = abs(x) < 1.2 ? 1/a : 0");
    EXPECT_EQ(spec.parameters.value[0], 1.5);
    const MethodParameters before = spec.parameters;
    spec.parameters.value[0] = 0;
    check_parameters(state, before);
    EXPECT_EQ(spec.parameters.value[0], 1.5);
    EXPECT_EQ(state.messages.size(), 1u);
}

TEST(WeightsEdits, TheEditorFollowsThePane) {
    AppState state = with_method("bilinear");
    edit_weights(state);
    state.scene.spec() = parse_spec("bspline");
    follow_weights(state);
    EXPECT_FALSE(state.weights.open);
}

// All that one keystroke causes, but for the picture: below 100 ms.
TEST(WeightsEdits, TypingTakesLessThanATenthOfASecond) {
    AppState state = with_method("lanczos4");
    edit_weights(state);
    for (const char* text :
         {"radius = 8\nw(x) = sinc(x)*sinc(x/8)\nnormalise = yes", "radius = 3.6\nw(x) = sinc(x/1.2)*sinc(x/3.6)",
          "radius = 2\nw(x) = x < 0.31 ? 0.4 : max(0, 1.3 - abs(x))"}) {
        const auto start = std::chrono::steady_clock::now();
        type_weights(state, text);
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
}  // namespace texelscope::test
