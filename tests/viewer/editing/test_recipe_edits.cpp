// Which open images the dialogs about recipes take, and the panes that they make.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/panes.h"
#include "app/viewer/editing/recipe_edits.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

// A smooth picture of any size; the same one but for `kind`.
Document smooth(const std::string& source, int width, int height, int kind = 0, int channels = 1) {
    auto image = std::make_shared<Image>(width, height, channels, SampleType::f32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width * channels; ++x) {
            const float u = float(x) / float(width * channels), v = float(y) / float(height);
            image->row_as<float>(y)[x] = kind == 0 ? u * v + 0.3f * u : 1 - v * v;
        }
    Document made;
    made.source = source;
    made.image = std::move(image);
    return made;
}

class RecipePairs : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{parse_spec("nearest")}};
        state_.scene.current = 0;
    }
    const IdentifyUi& guess(std::vector<Document> open) {
        state_.scene.documents = std::move(open);
        follow_pair(state_);
        return state_.ui.identifying;
    }
    std::string refusal(std::vector<Document> open) {
        guess(std::move(open));
        return why_no_pair(state_.scene, state_.ui.identifying);
    }
    AppState state_;
};

TEST_F(RecipePairs, TheSmallerOneIsTheResult) {
    for (const bool small_first : {false, true}) {
        const Document large = smooth("/large.png", 64, 48), small = smooth("/small.png", 32, 24);
        const IdentifyUi& pair = guess(small_first ? std::vector{small, large} : std::vector{large, small});
        EXPECT_EQ(pair.original, "/large.png");
        EXPECT_EQ(pair.result, "/small.png");
        EXPECT_EQ(why_no_pair(state_.scene, pair), "");
    }
}

TEST_F(RecipePairs, TheOneThatShowsTheSameIsPreferred) {
    const IdentifyUi& pair =
        guess({smooth("/large.png", 64, 48), smooth("/small.png", 32, 24), smooth("/other.png", 16, 12, 1)});
    EXPECT_EQ(pair.result, "/small.png");
}

TEST_F(RecipePairs, AChoiceStaysWhenAnotherImageIsOpened) {
    guess({smooth("/large.png", 64, 48), smooth("/small.png", 32, 24)});
    IdentifyUi& pair = state_.ui.identifying;
    std::swap(pair.original, pair.result);
    pair.chosen = true;
    state_.scene.documents.push_back(smooth("/other.png", 16, 12));
    follow_pair(state_);
    EXPECT_EQ(pair.original, "/small.png");
    EXPECT_EQ(pair.result, "/large.png");
}

TEST_F(RecipePairs, EachRefusalSaysWhatIsWrong) {
    EXPECT_THAT(refusal({}), HasSubstr("Open two pictures"));
    EXPECT_THAT(refusal({smooth("/a.png", 8, 8)}), HasSubstr("Only a.png is open"));
    EXPECT_EQ(refusal({smooth("/a.png", 8, 6), smooth("/b.png", 8, 6)}), "Both are 8×6: nothing was resized.");
    EXPECT_THAT(refusal({smooth("/a.png", 8, 8, 0, 3), smooth("/b.png", 4, 4)}),
                HasSubstr("a.png has 3 channels and b.png has 1 channel"));
    Document signal = smooth("/s.npy", 8, 1);
    auto line = std::make_shared<Image>(*signal.image);
    line->set_one_dimensional(true);
    signal.image = line;
    EXPECT_THAT(refusal({smooth("/a.png", 8, 8), signal}), HasSubstr("s.npy is a signal"));
}

TEST_F(RecipePairs, AnImageThatHasNotBeenReadIsAskedFor) {
    Document unread;
    unread.source = "/later.png";
    EXPECT_EQ(refusal({smooth("/a.png", 8, 8), unread}), "later.png is being read.");
    ASSERT_EQ(state_.tasks.size(), 1u);
    EXPECT_EQ(std::get<task::LoadDocument>(state_.tasks[0]).source, "/later.png");
}

TEST_F(RecipePairs, RecipesAndSizesAreTyped) {
    state_.scene.documents = {smooth("/a.png", 64, 48)};
    const auto asked = [&](const char* from, const char* to, const char* size) {
        return explained_pair(state_.scene, {from, to, size, {}});
    };
    const ExplainedPair pair = asked("pillow/box", "like:opencv/area", "0.5");
    EXPECT_EQ(pair.problem, "");
    EXPECT_EQ(pair.from, "like:pillow/box");
    EXPECT_EQ(pair.size, (Extent{32, 24}));
    EXPECT_EQ(asked("pillow/box", "opencv/area", "20x10").size, (Extent{20, 10}));
    EXPECT_THAT(asked("pillow/box", "opencv/area", "half").problem, HasSubstr("“half” is no size"));
    EXPECT_THAT(asked("pillow/box", "opencv/aera", "0.5").problem, HasSubstr("opencv/area"));
    EXPECT_THAT(asked("pillow/box", "pillow/box", "0.5").problem, HasSubstr("the same recipe"));
}

TEST_F(RecipePairs, PanesShowTheResultAndTheDifferenceToIt) {
    state_.scene.documents = {smooth("/large.png", 64, 48), smooth("/small.png", 32, 24)};
    const auto made = [](const char* recipe) {
        return ResizedPicture{{.size = {32, 24}, .recipe = recipe, .original = "/large.png"}, recipe};
    };
    show_beside_result(state_, "/small.png", made("like:pillow/box"), 1 / 255.0);
    show_beside_result(state_, "/small.png", made("like:opencv/area"), 3 / 255.0);
    const Scene& scene = state_.scene;
    ASSERT_EQ(scene.documents.size(), 3u) << "the picture before is not kept open";
    EXPECT_EQ(scene.document()->source, "/small.png");
    ASSERT_EQ(scene.panes.size(), 2u);
    EXPECT_EQ(document_of(scene, scene.panes[0])->source, "/small.png");
    EXPECT_EQ(document_of(scene, scene.panes[1])->source, "@resized:32x24;like:opencv/area;;;/large.png");
    EXPECT_FALSE(scene.panes[0].difference);
    EXPECT_TRUE(scene.panes[1].difference);
    EXPECT_EQ(scene.reference.source, "/small.png");
    EXPECT_EQ(scene.difference.gain, 64) << "the colours end above the largest difference";
}

}  // namespace
}  // namespace texelscope::test
