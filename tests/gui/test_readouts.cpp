// The values under the cursor: immediately, or some frames later if the backend must not be waited for.

#include "app/picture/frame/cursor_readouts.h"
#include "app/picture/pane_picture.h"
#include "app/state/pane_views.h"
#include "gpu/backend/source_image.h"
#include "tests/gui/frame_test.h"
#include "tests/gui/late_copy.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

using test_support::patience_of;

class Readouts : public Frame {
protected:
    void SetUp() override {
        Frame::SetUp();
        if (IsSkipped()) return;
        renderer_.emplace(make_presenter(BackendChoice::cpu));
        state_ = grid_of(3, "@dead-leaves:300x200");
        point_at(40, 30);
    }
    void TearDown() override { renderer_.reset(); }

    void point_at(int x, int y) {
        state_.pointer.inside = true;
        state_.pointer.x = x;
        state_.pointer.y = y;
    }

    // The library's value for the pane's pixel.
    std::array<float, 3> expected(int pane, int x, int y) {
        SourceImage source(make_cpu_backend(), *state_.scene.documents[0].image);
        const Image image = source.render_to_image(pane_request(state_, pane));
        return {image.value(x, y, 0), image.value(x, y, 1), image.value(x, y, 2)};
    }
    void expect_readouts(int x, int y) {
        for (int pane = 0; pane < 3; ++pane) {
            const auto& readout = state_.report.findings.panes[size_t(pane)].readout;
            ASSERT_TRUE(readout) << pane;
            for (size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(readout->interpolated[c], expected(pane, x, y)[c], 1e-6) << pane << " " << c;
            const Point p = shown_point(state_, x, y, pane);
            EXPECT_EQ(readout->position.x, p.x);
            EXPECT_EQ(readout->position.y, p.y);
        }
    }

    bool arrived_ = false;
    ReportFiller late_{late_copies(arrived_)};
    AppState state_;
    std::optional<FrameRenderer> renderer_;
};

TEST_F(Readouts, AreThereAtOnceWhereTheBackendNeedsNoWaiting) {
    ReportFiller filler;
    filler.fill(state_, *renderer_);
    expect_readouts(40, 30);
    EXPECT_FALSE(filler.has_news());
    EXPECT_LT(patience_of(filler, state_), 0);
}

TEST_F(Readouts, ComeWithALaterFrameWhereTheyAreUnderWay) {
    late_.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout);
    EXPECT_FALSE(late_.has_news());
    EXPECT_GE(patience_of(late_, state_), 0) << "the loop must look again";
    late_.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout);
    arrived_ = true;
    EXPECT_TRUE(late_.has_news());
    late_.fill(state_, *renderer_);
    expect_readouts(40, 30);
    EXPECT_FALSE(late_.has_news());
    EXPECT_LT(patience_of(late_, state_), 0) << "nothing more is to come";
}

TEST_F(Readouts, FollowACursorThatMovesOnMeanwhile) {
    late_.fill(state_, *renderer_);
    point_at(90, 60);
    late_.fill(state_, *renderer_);
    arrived_ = true;
    EXPECT_TRUE(late_.has_news());
    late_.fill(state_, *renderer_);  // takes the first and, as this copy no longer waits, the second
    expect_readouts(90, 60);
    EXPECT_LT(patience_of(late_, state_), 0);
}

TEST_F(Readouts, AreDroppedWhereTheCursorHasLeft) {
    late_.fill(state_, *renderer_);
    state_.pointer.inside = false;
    late_.fill(state_, *renderer_);
    arrived_ = true;
    late_.fill(state_, *renderer_);
    EXPECT_FALSE(state_.report.findings.panes[0].readout);
    EXPECT_FALSE(late_.has_news()) << "the loop would never rest";
    EXPECT_LT(patience_of(late_, state_), 0);
    point_at(40, 30);
    late_.fill(state_, *renderer_);
    expect_readouts(40, 30);
}

}  // namespace
}  // namespace texelscope::test
