// Which references are offered, and the message that offers a larger image as the original.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

// A smooth picture with `size` × `size` samples; the same for any size, but for `turned`.
std::shared_ptr<const Image> picture(int size, bool turned = false) {
    auto image = std::make_shared<Image>(size, size, 1, SampleType::f32);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const float u = float(x + 0.5) / float(size), v = float(y + 0.5) / float(size);
            image->row_as<float>(y)[x] = turned ? 1 - u * v : u * v + 0.3f * u;
        }
    return image;
}

class ReferenceChoices : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{parse_spec("nearest")}};
        open("/photos/small.png", picture(40));
    }
    Document& open(const std::string& source, std::shared_ptr<const Image> image) {
        Document& document = state_.scene.documents.emplace_back();
        document.source = source;
        document.image = std::move(image);
        if (state_.scene.current < 0) state_.scene.current = 0;
        return document;
    }
    ReferenceChoice choice(const std::string& id) const {
        for (const ReferenceChoice& choice : reference_choices(state_.scene))
            if (choice.id == id) return choice;
        ADD_FAILURE() << id;
        return {};
    }
    AppState state_;
};

TEST_F(ReferenceChoices, TruthsAreFirst) {
    EXPECT_EQ(reference_choices(state_.scene)[0].id, "own");
    open("/photos/other.png", picture(40, true));
    open("/photos/large.png", picture(160));
    EXPECT_EQ(reference_choices(state_.scene)[0].title, "large.png, 4× larger, as the original");
    EXPECT_TRUE(reference_choices(state_.scene)[0].offered);
    EXPECT_FALSE(choice("other.png").offered);
    open("@parabola", std::make_shared<const Image>(load_image("@parabola:32")));
    state_.scene.current = int(state_.scene.documents.size()) - 1;
    EXPECT_EQ(reference_choices(state_.scene)[0].title, "The formula");
}

TEST_F(ReferenceChoices, SayWhyNot) {
    EXPECT_FALSE(choice("truth").enabled);
    EXPECT_THAT(choice("truth").tooltip, HasSubstr("formula"));
    open("/photos/wide.png", std::make_shared<const Image>(80, 40, 1, SampleType::u8));
    EXPECT_FALSE(choice("wide.png").enabled);
    EXPECT_THAT(choice("wide.png").tooltip, HasSubstr("another ratio"));
}

TEST_F(ReferenceChoices, OnlyOneIsChosen) {
    open("/photos/large.png", picture(160));
    for (const Reference& reference :
         {Reference{}, Reference{Reference::Kind::method, parse_spec("bspline"), {}},
          Reference{Reference::Kind::image, {}, "/photos/large.png"}, Reference{Reference::Kind::truth, {}, {}}}) {
        choose_reference(state_.scene, state_.ui, reference);
        int chosen = 0;
        for (const ReferenceChoice& choice : reference_choices(state_.scene)) chosen += choice.chosen;
        EXPECT_EQ(chosen, 1) << int(reference.kind);
    }
}

TEST_F(ReferenceChoices, ShowFiguresThatAreHidden) {
    state_.ui.figures = false;
    measure_against_pane(state_.scene, state_.ui, 0);
    EXPECT_TRUE(state_.ui.figures);
}

TEST_F(ReferenceChoices, TheLargerImageOfTheSamePictureIsOffered) {
    const Document large = open("/photos/large.png", picture(160));
    state_.scene.current = 1;
    offer_original(state_, large);
    ASSERT_EQ(state_.messages.size(), 1u);
    const Message message = state_.messages[0];
    EXPECT_THAT(message.text, HasSubstr("large.png shows the same picture 4 times as large."));
    message.accept(state_);
    EXPECT_EQ(state_.scene.reference, (Reference{Reference::Kind::image, {}, "/photos/large.png"}));
    ASSERT_EQ(state_.tasks.size(), 1u);
    EXPECT_EQ(std::get<task::ShowDocument>(state_.tasks[0]).index, 0) << "the picture that is measured comes into view";
    state_.messages.clear();
    offer_original(state_, large);
    EXPECT_TRUE(state_.messages.empty()) << "only once";
}

TEST_F(ReferenceChoices, OtherPicturesAreNotOffered) {
    offer_original(state_, Document(open("/photos/turned.png", picture(160, true))));
    offer_original(state_, Document(open("/photos/same-size.png", picture(40))));
    offer_original(state_,
                   Document(open("/photos/wide.png", std::make_shared<const Image>(160, 40, 1, SampleType::f32))));
    offer_original(state_, Document(open("@parabola:80", picture(80))));
    EXPECT_TRUE(state_.messages.empty());
}

TEST_F(ReferenceChoices, AnOfferGoesWithEitherOfItsPictures) {
    for (const size_t closed : {0u, 1u}) {
        AppState state;
        for (const int size : {40, 160}) {
            Document& document = state.scene.documents.emplace_back();
            document.source = "/photos/" + std::to_string(size) + ".png";
            document.image = picture(size);
        }
        state.scene.current = 0;
        offer_original(state, state.scene.documents[1]);
        ASSERT_EQ(state.messages.size(), 1u);
        Document other;
        other.source = "/photos/third.png";
        other.image = picture(50);
        withdraw_offers(state.scene, state.messages, other);
        EXPECT_EQ(state.messages.size(), 1u);
        withdraw_offers(state.scene, state.messages, state.scene.documents[closed]);
        EXPECT_TRUE(state.messages.empty());
    }
}

// The order in which the two were opened, or which of them is in view, says nothing about which is the truth.
TEST_F(ReferenceChoices, ThePresetOfTwoImagesMeasuresASmallCopyAgainstItsOriginal) {
    state_.places.picture = {0, 0, 800, 600};
    open("/photos/large.png", picture(160));
    const Action* const preset = find_action("preset.images");
    preset->perform(state_);
    EXPECT_EQ(state_.scene.reference.source, "/photos/large.png");
    EXPECT_EQ(pane_labels(state_, 0)[1], "small.png · Nearest neighbour") << "before the method is left out";
    state_.scene.current = 1;
    preset->perform(state_);
    EXPECT_EQ(state_.scene.reference.source, "/photos/large.png");
    state_.scene.documents[1].image = picture(160, true);  // another picture, only larger
    state_.scene.current = 0;
    preset->perform(state_);
    EXPECT_EQ(state_.scene.reference.source, "/photos/small.png");
}

}  // namespace

// Presets: their panes, and what they leave of the reference.

namespace {

TEST(Presets, EachShowsItsPanesAndCanBeRendered) {
    for (const Preset& preset : all_presets()) {
        AppState state = with_panes(2);
        ASSERT_TRUE(!preset.enabled || preset.enabled(state)) << preset.id;
        preset.apply(state);
        ASSERT_GE(state.scene.panes.size(), 2u) << preset.id;
        ASSERT_LE(state.scene.panes.size(), size_t(max_panes)) << preset.id;
        const FramePlan plan = plan_frame(state, 1);
        EXPECT_EQ(plan.pictures.size(), panes_in_view(state.scene).size()) << preset.id;
        std::set<std::string> shown;
        for (const PlacedPicture& each : plan.pictures) {
            const RenderRequest& r = each.picture.shown.request;
            shown.insert(to_string(r.spec) + (r.antialias ? "a" : "") +
                         (each.picture.shown.light == Light::linear ? "l" : "") +
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
                return m.text.find("against " + scene_reference_words(state.scene)) != std::string::npos;
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

TEST(Presets, AllMethodsSaysThatSomeHaveNoPane) {
    AppState state = with_panes(2);
    find_action("preset.all-methods")->run(state);
    ASSERT_EQ(state.scene.panes.size(), size_t(max_panes));
    ASSERT_FALSE(state.messages.empty());
    const std::string begin = fmt::format("{} of {} methods", max_panes, all_methods().size());
    const auto said = [&] {
        return std::ranges::any_of(state.messages,
                                   [&](const Message& message) { return message.text.starts_with(begin); });
    };
    EXPECT_TRUE(said());
    state.scene.panes.pop_back();
    drop_read(state);
    EXPECT_FALSE(said()) << "it is about these panes";
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

// What "Show the best four" makes of the scene.

namespace {

BestPanes best_of(double rmse) {
    BestPanes best;
    best.specs = {parse_spec("quintic"), parse_spec("bspline")};
    best.small = document("@shrunk", 16, 16);
    best.original = "@constant";
    best.rmse = rmse;
    return best;
}

// Enlarged pictures differ from their original by some ten levels: on the scale for arithmetic, all would be white.
TEST(RestoringEdits, TheScaleOfDifferencesTakesTheErrorsOfTheBest) {
    for (const double rmse : {1e-5, 0.003, 0.02, 0.07, 0.25}) {
        AppState state = with_panes(1);
        show_best(state, best_of(rmse));
        const double end = 1 / double(state.scene.difference.gain);
        EXPECT_GE(end, std::min(1.0, 4 * rmse));
        EXPECT_LT(end, 8 * rmse);
        EXPECT_EQ(std::log2(end), std::round(std::log2(end))) << "a round number in the panel";
    }
    for (const double rmse : {0.0, double(NAN)}) {
        AppState state = with_panes(1);
        state.scene.difference.gain = 32;
        show_best(state, best_of(rmse));
        EXPECT_EQ(state.scene.difference.gain, 32) << "of an exact result there is no scale";
    }
}

TEST(RestoringEdits, APartIsTheSelectionOfThisPictureInWholeSamples) {
    AppState state = with_panes(1);
    EXPECT_FALSE(restored_part(state.scene, state.ui.restoring));
    state.ui.restoring.choice.selection_only = true;
    EXPECT_FALSE(restored_part(state.scene, state.ui.restoring)) << "nothing is selected";
    state.scene.selection = Region{9.5, 19.5, 29.5, 39.5};  // the edges of samples 10 … 29 and 20 … 39
    EXPECT_EQ(restored_part(state.scene, state.ui.restoring), (SampleRegion{10, 20, 20, 20}));
    state.scene.selection = Region{9.7, 19.4, 29.4, 39.6};  // every sample that it touches
    EXPECT_EQ(restored_part(state.scene, state.ui.restoring), (SampleRegion{10, 19, 20, 22}));
    state.scene.selection = Region{-30, -30, 500, 10};  // clipped to 64 × 64
    EXPECT_EQ(restored_part(state.scene, state.ui.restoring), (SampleRegion{0, 0, 64, 11}));
    state.scene.panes[0].source = "@step";  // another image than the one the selection is in
    EXPECT_FALSE(restored_part(state.scene, state.ui.restoring));
    state.scene.panes[0].source.clear();
    state.ui.restoring.choice.selection_only = false;
    EXPECT_FALSE(restored_part(state.scene, state.ui.restoring));
}

TEST(RestoringEdits, TheBestOfAPartAreMeasuredThere) {
    AppState state = with_panes(1);
    state.scene.selection = Region{1, 1, 9, 9};
    BestPanes best = best_of(0.01);
    show_best(state, best);
    EXPECT_FALSE(state.scene.selection);
    best.selection = Region{4, 4, 20, 20};
    show_best(state, best);
    EXPECT_EQ(state.scene.selection, best.selection);
}

// The reference of a pane as a rendition.

TEST(Reference, OfASignalOfAnotherLengthIsReadOverTheSameField) {
    AppState state = with_panes(1);
    for (const int k : {0, 1}) {
        Image signal(100 * (k + 1), 1, 1, SampleType::u8);
        signal.set_one_dimensional(true);
        state.scene.documents[size_t(k)].image = std::make_shared<const Image>(std::move(signal));
    }
    state.scene.reference = {Reference::Kind::image, {}, "@step"};
    const Rendition shown = pane_rendition(state, 0);
    const auto reference = reference_rendition(state, 0);
    ASSERT_TRUE(reference && reference->request.positions && shown.request.positions);
    const double a = apply(*shown.request.positions, 33, 0).x, r = apply(*reference->request.positions, 33, 0).x;
    EXPECT_NEAR((a + 0.5) / 100, (r + 0.5) / 200, 1e-12);
}

TEST(Reference, OfAMethodKeepsTheAddressModesOfThePane) {
    AppState state = with_panes(2);
    state.scene.panes[0].spec.address = {AddressMode::wrap, AddressMode::mirror};
    state.scene.reference = {Reference::Kind::method, parse_spec("lanczos3:path=hardware"), {}};
    const auto reference = reference_rendition(state, 0);
    ASSERT_TRUE(reference);
    EXPECT_TRUE(reference->float64);
    EXPECT_EQ(reference->request.spec.method->id, "lanczos3");
    EXPECT_EQ(reference->request.spec.address, state.scene.panes[0].spec.address);
}

TEST(Reference, OfAnImageIsThatImageUnderTheSameField) {
    AppState state = with_panes(1);
    state.scene.reference = {Reference::Kind::image, {}, "@step"};
    const auto reference = reference_rendition(state, 0);
    ASSERT_TRUE(reference);
    EXPECT_EQ(reference->image, state.scene.documents[1].image);
    ASSERT_TRUE(reference->request.positions);
    EXPECT_EQ(reference->request.positions->xx, 2 * pane_view(state, 0).scale);
    state.scene.documents[1].image.reset();
    EXPECT_FALSE(reference_rendition(state, 0)) << "not read yet";
}

TEST(Panes, AWipeShowsTheActivePaneBesideA) {
    AppState state = with_panes(4);
    state.scene.arrangement = Arrangement::wipe;
    for (const int active : {0, 1, 2, 3}) {
        state.scene.active = active;
        EXPECT_EQ(panes_in_view(state.scene), (std::vector<int>{0, std::max(active, 1)}));
        EXPECT_FALSE(pane_rect(state, active).empty());
    }
}

}  // namespace
}  // namespace texelscope::test
