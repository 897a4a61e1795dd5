// Presets: their panes, and what they leave of the reference.

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/picture/frame/frame_plan.h"
#include "app/picture/pane_words.h"
#include "app/state/pane_places.h"
#include "app/state/references.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/presets.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

TEST(Presets, EachShowsItsPanesAndCanBeRendered) {
    for (const Preset& preset : all_presets()) {
        AppState state = with_panes(2);
        ASSERT_TRUE(!preset.enabled || preset.enabled(state)) << preset.id;
        preset.apply(state);
        ASSERT_GE(state.scene.panes.size(), 2u) << preset.id;
        ASSERT_LE(state.scene.panes.size(), size_t(max_panes)) << preset.id;
        const FramePlan plan = plan_frame(state, 1);
        EXPECT_EQ(plan.pictures.size(), panes_in_view(state).size()) << preset.id;
        std::set<std::string> shown;
        for (const PlacedPicture& each : plan.pictures) {
            const RenderRequest& r = each.picture.shown.request;
            shown.insert(to_string(r.spec) + (r.antialias ? "a" : "") +
                         std::to_string(size_t(each.picture.shown.image.get())));
            EXPECT_TRUE(r.spec.path != FetchPath::hardware || r.spec.method->hardware_fetches > 0);
        }
        EXPECT_EQ(shown.size(), plan.pictures.size()) << preset.id << ": two panes show the same";
    }
}

// Figures must not change their meaning silently.
TEST(Presets, KeepTheReferenceOrSayWhatItIsNow) {
    for (const Preset& preset : all_presets())
        for (const Reference& before : {Reference{}, Reference{Reference::Kind::method, parse_spec("lanczos3"), {}},
                                        Reference{Reference::Kind::image, {}, "@step"}}) {
            AppState state = with_panes(2);
            state.scene.reference = before;
            preset.apply(state);
            const bool says = std::any_of(state.messages.begin(), state.messages.end(), [&](const Message& m) {
                return m.text.find("against " + scene_reference_words(state)) != std::string::npos;
            });
            EXPECT_EQ(says, !(state.scene.reference == before)) << preset.id;
        }
}

TEST(Presets, TwoImagesThatDifferInShapeKeepTheReferenceAndSaySo) {
    AppState state = with_panes(2);
    state.scene.documents[1] = document("@step", 100, 30);
    const Reference before = state.scene.reference;
    find_action("preset.images")->perform(state);
    EXPECT_TRUE(state.scene.reference == before);
    ASSERT_FALSE(state.messages.empty());
    EXPECT_TRUE(state.messages.back().text.starts_with("No figures between the two images: "));
    // Each pane names its image, also the current one.
    EXPECT_TRUE(pane_label(state, 0).starts_with("@constant · ")) << pane_label(state, 0);
    EXPECT_TRUE(pane_label(state, 1).starts_with("@step · ")) << pane_label(state, 1);
}

TEST(Presets, MethodsAreMeasuredAgainstSomethingThatGivesFigures) {
    for (const char* source :
         {"@constant", "@step", "@no-more"}) {  // the one shown, one of another shape, a closed one
        AppState state = with_panes(2);
        state.scene.documents[1] = document("@step", 100, 30);
        state.scene.reference = {Reference::Kind::image, {}, source};
        find_action("preset.four-methods")->perform(state);
        EXPECT_TRUE(state.scene.reference == default_reference()) << source;
        EXPECT_NE(state.messages.back().text.find("Figures are now against"), std::string::npos) << source;
    }
}

TEST(Presets, DifferencesThatCannotBeShownAreExplained) {
    AppState state = with_panes(2);
    state.scene.reference = {Reference::Kind::image, {}, "@no-more"};
    find_action("compare.difference")->perform(state);
    ASSERT_FALSE(state.messages.empty());
    EXPECT_EQ(state.messages.back().text,
              "No difference to show: the image to compare with is missing (Compare ▸ Reference)");
}

TEST(Presets, AllMethodsNamesThoseWithoutAPane) {
    AppState state = with_panes(2);
    find_action("preset.all-methods")->run(state);
    ASSERT_EQ(state.scene.panes.size(), size_t(max_panes));
    ASSERT_FALSE(state.messages.empty());
    const std::string& text = state.messages.back().text;
    const std::string begin = "not shown: ", named = ", " + text.substr(text.find(begin) + begin.size()) + ",";
    for (const MethodInfo* method : all_methods()) {
        const auto shows = [&](const Pane& pane) { return pane.spec.method == method; };
        const bool shown = std::any_of(state.scene.panes.begin(), state.scene.panes.end(), shows);
        EXPECT_EQ(named.find(fmt::format(", {},", method->name)) == named.npos, shown) << method->name << ": " << text;
    }
}

TEST(Presets, MethodsKeepAReferenceThatTellsThemApart) {
    for (const char* id : {"preset.four-methods", "preset.all-methods"}) {
        AppState state = with_panes(2);
        state.scene.reference = {Reference::Kind::image, {}, "@step"};
        find_action(id)->run(state);
        EXPECT_EQ(state.scene.reference.source, "@step") << id;
        state.scene.reference = {};
        find_action(id)->run(state);
        EXPECT_EQ(state.scene.reference, default_reference()) << id;
    }
}

TEST(Presets, PrefiltersAreThoseOfTheIssue) {
    AppState state = with_panes(2);
    state.scene.active = 0;  // nearest has none
    find_action("preset.prefilters")->run(state);
    std::vector<std::string> prefilters;
    for (const Pane& pane : state.scene.panes) {
        EXPECT_EQ(pane.spec.method->id, "bspline");
        prefilters.push_back(to_string(pane.spec.prefilter));
    }
    EXPECT_EQ(prefilters, (std::vector<std::string>{"none", "fir7", "fir11", "fir15", "iir"}));
}

}  // namespace
}  // namespace texelscope::test
