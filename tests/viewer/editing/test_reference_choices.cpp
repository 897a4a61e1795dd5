// Which references are offered, and the message that offers a larger image as the original.

#include "app/viewer/editing/reference_choices.h"

#include <gmock/gmock.h>

#include "app/files/reading/image_source.h"
#include "app/picture/pane_words.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/presets.h"

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
        for (const ReferenceChoice& choice : reference_choices(state_))
            if (choice.id == id) return choice;
        ADD_FAILURE() << id;
        return {};
    }
    AppState state_;
};

TEST_F(ReferenceChoices, TruthsAreFirst) {
    EXPECT_EQ(reference_choices(state_)[0].id, "own");
    open("/photos/other.png", picture(40, true));
    open("/photos/large.png", picture(160));
    EXPECT_EQ(reference_choices(state_)[0].title, "large.png, 4× larger, as the original");
    EXPECT_TRUE(reference_choices(state_)[0].offered);
    EXPECT_FALSE(choice("other.png").offered);
    open("@parabola", std::make_shared<const Image>(load_image("@parabola:32")));
    state_.scene.current = int(state_.scene.documents.size()) - 1;
    EXPECT_EQ(reference_choices(state_)[0].title, "The formula");
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
        choose_reference(state_, reference);
        int chosen = 0;
        for (const ReferenceChoice& choice : reference_choices(state_)) chosen += choice.chosen;
        EXPECT_EQ(chosen, 1) << int(reference.kind);
    }
}

TEST_F(ReferenceChoices, ShowFiguresThatAreHidden) {
    state_.ui.figures = false;
    measure_against_pane(state_, 0);
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
        withdraw_offers(state, other);
        EXPECT_EQ(state.messages.size(), 1u);
        withdraw_offers(state, state.scene.documents[closed]);
        EXPECT_TRUE(state.messages.empty());
    }
}

// The order in which the two were opened, or which of them is in view, says nothing about which is the truth.
TEST_F(ReferenceChoices, ThePresetOfTwoImagesMeasuresASmallCopyAgainstItsOriginal) {
    state_.report.frame.picture = {0, 0, 800, 600};
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
}  // namespace texelscope::test
