// The panes' figures: begun by one frame, collected by a later one, and the picture that they belong to.

#include <chrono>
#include <cmath>
#include <thread>

#include "app/picture/frame/measurer.h"
#include "app/picture/pane_picture.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "tests/gui/viewer_test.h"
#include "tests/support/images.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

constexpr int panes = 3;
constexpr double fast = 1e9, slow = 0;  // milliseconds a frame may spend: more than any pane takes, or less

class FiguresOfPanes : public Frame {
protected:
    void SetUp() override {
        Frame::SetUp();
        if (IsSkipped()) return;
        renderer_.emplace(make_presenter(BackendChoice::cpu));
        state_ = grid_of(panes, "@dead-leaves:90x70");
        state_.places.picture = {0, 0, 150, 60};
        state_.scene.reference.kind = Reference::Kind::method;
        state_.scene.reference.spec = parse_spec("lanczos3");
    }
    void TearDown() override { renderer_.reset(); }

    // One frame after this many seconds; returns whether there is news.
    bool frame(Measurer& measurer, double seconds) {
        state_.now += seconds;
        measurer.ask(state_);
        return measurer.update(state_, *renderer_);
    }
    bool resting_frame(Measurer& measurer) { return frame(measurer, measure_rest_seconds + 0.01); }
    void move() { state_.scene.document()->view.translate_x += 0.04; }

    // From the library's renderings, by a plain sum.
    double expected_rmse(int pane) {
        Rendition shown = pane_rendition(state_, pane), reference = reference_rendition(state_, pane).value();
        shown.request.outside = reference.request.outside = Outside::nan;
        SourceImage source(make_cpu_backend(), *shown.image);
        const Image picture = source.render_to_image(shown.request);
        std::vector<double> exact(size_t(picture.width()) * size_t(picture.height()) * size_t(picture.channels()));
        source.render_reference(reference.request, exact.data());
        double squares = 0, count = 0;
        size_t k = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                for (int c = 0; c < picture.channels(); ++c, ++k) {
                    const double difference = double(picture.value(x, y, c)) - exact[k];
                    if (std::isfinite(difference)) squares += difference * difference, ++count;
                }
        return std::sqrt(squares / count);
    }
    std::vector<double> expected() {
        std::vector<double> all;
        for (int pane = 0; pane < panes; ++pane) all.push_back(expected_rmse(pane));
        return all;
    }
    void expect_figures(const std::vector<double>& rmse, bool outdated) {
        for (int pane = 0; pane < panes; ++pane) {
            const PaneReport& report = state_.report.findings.panes[size_t(pane)];
            ASSERT_TRUE(report.metrics) << pane;
            EXPECT_NEAR(report.metrics->rmse, rmse[size_t(pane)], 1e-9) << pane;
            EXPECT_EQ(report.outdated, outdated) << pane;
        }
    }
    int measured() const {
        int count = 0;
        for (const PaneReport& report : state_.report.findings.panes) count += report.metrics.has_value();
        return count;
    }
    // All figures once, so that the measurer knows their cost.
    void settle(Measurer& measurer) {
        arrived_ = true;
        for (int k = 0; k < panes + 1; ++k) resting_frame(measurer);
        expect_figures(expected(), false);
        arrived_ = false;
    }

    bool arrived_ = false;
    AppState state_;
    std::optional<FrameRenderer> renderer_;
};

TEST_F(FiguresOfPanes, AreThereWithTheFrameWhereNothingMustBeWaitedFor) {
    Measurer measurer(make_host_copy, slow);
    EXPECT_FALSE(frame(measurer, 0.01)) << "the picture has just changed";
    EXPECT_TRUE(state_.report.findings.measuring);
    for (int pane = 0; pane < panes; ++pane) {
        EXPECT_EQ(patience_of(measurer, state_) <= 0, pane > 0);
        EXPECT_TRUE(resting_frame(measurer));
        EXPECT_EQ(measured(), pane + 1) << "one a frame where they are expensive";
        EXPECT_FALSE(measurer.has_news());
    }
    expect_figures(expected(), false);
    EXPECT_FALSE(resting_frame(measurer));
    EXPECT_FALSE(state_.report.findings.measuring);
    EXPECT_LT(patience_of(measurer, state_), 0);
}

// Of a moved picture they are only old; beside the name of a new reference they would be wrong.
TEST_F(FiguresOfPanes, AgainstAnotherReferenceGo) {
    Measurer measurer(make_host_copy, fast);
    settle(measurer);
    move();
    measurer.ask(state_);
    EXPECT_EQ(measured(), panes);
    state_.scene.reference.spec = parse_spec("quintic");
    measurer.ask(state_);
    EXPECT_EQ(measured(), 0);
    settle(measurer);
    state_.scene.documents[0].image = std::make_shared<Image>(noise(90, 70, 3, SampleType::u8, 8));
    measurer.ask(state_);
    EXPECT_EQ(measured(), 0) << "they are of another picture";
    settle(measurer);
}

// Figures of floats that are not in memory come from a CPU in the background, and in the frame, as with a GPU, from
// live regions.
TEST_F(FiguresOfPanes, OfALargeImageOfFloatsGetTheirDecibelsLater) {
    auto image = std::make_shared<Image>(noise(90, 70, 1, SampleType::f32, 8));
    image->row_as<float>(3)[4] = 9;
    const auto of_image = [&](const std::shared_ptr<const Image>& shown) {
        state_.scene.documents[0].image = shown;
        state_.report.findings = {};
    };
    of_image(image);
    Measurer resident;
    resident.finish(state_, *renderer_);
    std::vector<Metrics> expected;
    for (const PaneReport& report : state_.report.findings.panes) expected.push_back(report.metrics.value());
    const auto large = std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 32));
    const auto expect_the_same = [&](const char* how) {
        for (size_t pane = 0; pane < expected.size(); ++pane) {
            const Metrics got = state_.report.findings.panes[pane].metrics.value_or(Metrics{});
            EXPECT_NEAR(got.rmse, expected[pane].rmse, 1e-5) << how;
            EXPECT_NEAR(got.psnr, expected[pane].psnr, 1e-2) << how;
            EXPECT_NEAR(got.ssim, expected[pane].ssim, 1e-4) << how;
        }
        EXPECT_EQ(state_.report.findings.no_psnr, "") << how;
    };
    for (const bool in_frame : {false, true}) {
        of_image(large);
        FrameRenderer renderer(make_presenter(BackendChoice::cpu));
        if (in_frame) renderer.sources().show_live([] {});
        else renderer.prepare_beside([] {});
        Measurer measurer;
        measurer.ask(state_);
        EXPECT_NE(state_.report.findings.no_psnr, "");
        for (int ms = 0; ms < 30000 && (state_.report.findings.measuring || !state_.report.findings.no_psnr.empty());
             ++ms) {
            state_.now += measure_rest_seconds;
            measurer.ask(state_);
            measurer.update(state_, renderer);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        expect_the_same(in_frame ? "in the frame" : "in the background");
    }
    of_image(large);
    FrameRenderer waiting(make_presenter(BackendChoice::cpu));
    Measurer().finish(state_, waiting);
    expect_the_same("for a picture that is saved");
}

TEST_F(FiguresOfPanes, ComeWithALaterFrameAllAtOnceWhereTheyAreCheap) {
    Measurer measurer(late_copies(arrived_), fast);
    settle(measurer);
    const std::vector<double> before = expected();
    move();
    EXPECT_FALSE(resting_frame(measurer));
    for (int k = 0; k < 3; ++k) {
        EXPECT_FALSE(resting_frame(measurer));
        EXPECT_TRUE(state_.report.findings.measuring);
        EXPECT_FALSE(measurer.has_news());
        EXPECT_GE(patience_of(measurer, state_), 0) << "the loop must look again";
        EXPECT_GE(patience_of(measurer, state_), 0.001) << "but not all the time";
        expect_figures(before, true);
    }
    arrived_ = true;
    EXPECT_TRUE(measurer.has_news());
    EXPECT_TRUE(frame(measurer, 0.01));
    EXPECT_FALSE(measurer.has_news());
    expect_figures(expected(), false);
    EXPECT_FALSE(frame(measurer, 0.01));
    EXPECT_FALSE(state_.report.findings.measuring);
    EXPECT_LT(patience_of(measurer, state_), 0) << "nothing more is to come";
}

TEST_F(FiguresOfPanes, AreOutdatedWhereThePictureHasChangedMeanwhile) {
    Measurer measurer(late_copies(arrived_), fast);
    settle(measurer);
    move();
    frame(measurer, 0.01);
    EXPECT_FALSE(resting_frame(measurer));  // begun
    const std::vector<double> first = expected();
    move();
    EXPECT_FALSE(frame(measurer, 0.01));
    arrived_ = true;
    EXPECT_TRUE(frame(measurer, 0.01));
    expect_figures(first, true);
    frame(measurer, 0.01);
    EXPECT_TRUE(state_.report.findings.measuring) << "those of the new picture are to come";
    EXPECT_TRUE(resting_frame(measurer));
    expect_figures(expected(), false);
    EXPECT_NE(first, expected());
}

// How many times per second measuring begins for a moving picture.
TEST_F(FiguresOfPanes, OfAMovingPictureAreMeasuredAFewTimesASecondWhereAGpuIsFastEnough) {
    for (const bool on_gpu : {false, true})
        for (const double budget : {fast, slow}) {
            Measurer measurer(late_copies(arrived_), budget);
            settle(measurer);
            arrived_ = true;
            state_.machine.on_gpu = on_gpu;
            int rounds = 0;
            for (int k = 0; k < 100; ++k) {
                move();
                rounds += frame(measurer, 0.01);
            }
            if (on_gpu && budget == fast) {
                EXPECT_GE(rounds, 3);
                EXPECT_LE(rounds, 5);
            } else {
                EXPECT_EQ(rounds, 0) << on_gpu << " " << budget;
            }
        }
}

TEST_F(FiguresOfPanes, OfPanesThatLeftAreDropped) {
    Measurer measurer(late_copies(arrived_), fast);
    settle(measurer);
    move();
    frame(measurer, 0.01);
    resting_frame(measurer);  // begun
    state_.scene.panes.resize(1);
    state_.scene.arrangement = Arrangement::single;
    arrived_ = true;
    for (int k = 0; k < 3; ++k) resting_frame(measurer);
    ASSERT_EQ(state_.report.findings.panes.size(), 1u);
    EXPECT_NEAR(state_.report.findings.panes[0].metrics->rmse, expected_rmse(0), 1e-9);
    EXPECT_FALSE(state_.report.findings.panes[0].outdated);
    EXPECT_FALSE(measurer.has_news()) << "the loop would never rest";
    EXPECT_LT(patience_of(measurer, state_), 0);
}

TEST_F(FiguresOfPanes, OfPicturesThatAreKeptAreMeasuredAtOnce) {
    Measurer measurer(late_copies(arrived_), fast);
    settle(measurer);
    move();
    frame(measurer, 0.01);
    resting_frame(measurer);  // begun
    move();
    measurer.finish(state_, *renderer_);
    expect_figures(expected(), false);
    arrived_ = true;
    EXPECT_FALSE(resting_frame(measurer)) << "what was under way has been given up";
    expect_figures(expected(), false);
}

TEST_F(FiguresOfPanes, ThatCannotBeSayWhyUntilTheQuestionChanges) {
    state_.scene.panes[1].source = "@zone-plate:32";
    Document& other = state_.scene.documents.emplace_back();
    other.source = state_.scene.panes[1].source;
    other.image = std::make_shared<Image>(load_image(other.source));  // one channel
    state_.scene.reference.kind = Reference::Kind::image;
    state_.scene.reference.source = state_.scene.documents[0].source;
    Measurer measurer(make_host_copy, slow);
    for (int k = 0; k < panes + 2; ++k) resting_frame(measurer);
    EXPECT_FALSE(state_.report.findings.measuring);
    EXPECT_FALSE(state_.report.findings.panes[1].metrics);
    EXPECT_NE(state_.report.findings.no_metrics.find("channels"), std::string::npos)
        << state_.report.findings.no_metrics;
    EXPECT_TRUE(state_.report.findings.panes[2].metrics) << "the others have theirs";
    state_.scene.reference.kind = Reference::Kind::own;
    for (int k = 0; k < panes + 2; ++k) resting_frame(measurer);
    EXPECT_EQ(state_.report.findings.no_metrics, "");
    EXPECT_EQ(measured(), panes);
}

}  // namespace
}  // namespace texelscope::test
